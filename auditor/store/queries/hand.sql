-- One hand in brief
--
-- The hand's summary and what was found in it. A hand recorded again under its old number gives a row for each record;
-- findings are those of the number.
--
-- param table: required -- the table's id
-- param hand: required -- the hand's id

SELECT
    h.*,
    (SELECT count(*) FROM events AS e WHERE e.table_id = h.table_id AND e.hand_id = h.hand_id) AS events,
    (
        SELECT list(f.rule || ' ' || f.name ORDER BY f.seq, f.rule) FROM findings AS f
        WHERE f.table_id = h.table_id AND f.hand_id = h.hand_id
    ) AS findings
FROM hands AS h
WHERE h.table_id = $table AND h.hand_id = $hand
ORDER BY h.started_seq
