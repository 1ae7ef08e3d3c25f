-- The tables, and how far each has been read
--
-- One row a table: its game, whether it is open, its hands, and the next event awaited.
--
-- param open: none -- only open tables (true) or closed ones (false)

SELECT
    t.table_id, t.location, t.game, t.betting, t.open, t.boundary_seq, t.next_seq, t.duplicates,
    (SELECT count(*) FROM hands AS h WHERE h.table_id = t.table_id) AS hands
FROM tables AS t
WHERE $open::BOOLEAN IS NULL OR t.open = $open::BOOLEAN
ORDER BY t.table_id
