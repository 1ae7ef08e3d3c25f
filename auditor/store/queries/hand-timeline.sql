-- One hand's events in order, with what was found at each
--
-- Every stored event of the hand by sequence number, a late one included, and the findings that it proved.
--
-- param table: required -- the table's id
-- param hand: required -- the hand's id

SELECT
    e.seq,
    e."at",
    e.type,
    TRY_CAST(e.raw ->> '$.seat' AS BIGINT) AS seat,
    coalesce(
        e.raw ->> '$.action', e.raw ->> '$.kind', e.raw ->> '$.ruling', e.raw ->> '$.manner', e.raw ->> '$.reason'
    ) AS detail,
    TRY_CAST(e.raw ->> '$.amount' AS BIGINT) AS amount,
    coalesce(e.raw ->> '$.card', e.raw ->> '$.cards') AS cards,
    e.observer,
    e.disposition,
    (
        SELECT list(f.rule || ' ' || f.name ORDER BY f.rule) FROM findings AS f
        WHERE f.table_id = e.table_id AND f.seq = e.seq
    ) AS findings
FROM events AS e
WHERE e.table_id = $table AND e.hand_id = $hand
ORDER BY e.seq, e.ingested
