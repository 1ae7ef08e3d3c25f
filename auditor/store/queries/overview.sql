-- What the store holds, in one row
--
-- Counts of everything, and the time that the events span.

SELECT
    (SELECT count(*) FROM events) AS events,
    (SELECT min("at") FROM events) AS first_at,
    (SELECT max("at") FROM events) AS last_at,
    (SELECT count(*) FROM tables) AS tables,
    (SELECT count(*) FROM hands) AS hands,
    (SELECT count(*) FROM hands WHERE NOT complete) AS incomplete_hands,
    (SELECT count(*) FROM findings) AS findings,
    (SELECT count(*) FROM findings WHERE handled = 'open') AS open_findings,
    (SELECT count(*) FROM rejects) AS rejects
