-- Findings by table, most first
--
-- Each table with its hands, its findings by severity, and its findings per thousand hands.
--
-- param since: none -- only from this time on: 2026-01-31, or 2026-01-31T20:00:00+01:00
-- param until: none -- only before this time

WITH found AS (
    SELECT
        f.table_id,
        count(*) AS findings,
        count(*) FILTER (f.severity = 'critical') AS critical,
        count(*) FILTER (f.severity = 'major') AS major,
        count(*) FILTER (f.severity = 'minor') AS minor,
        count(*) FILTER (f.severity = 'info') AS info,
        max(f."at") AS last_at
    FROM findings AS f
    WHERE ($since::TIMESTAMPTZ IS NULL OR f."at" >= $since::TIMESTAMPTZ)
        AND ($until::TIMESTAMPTZ IS NULL OR f."at" < $until::TIMESTAMPTZ)
    GROUP BY f.table_id
),

played AS (
    SELECT h.table_id, max(h.location) AS location, count(*) AS hands
    FROM hands AS h
    WHERE ($since::TIMESTAMPTZ IS NULL OR h.started_at >= $since::TIMESTAMPTZ)
        AND ($until::TIMESTAMPTZ IS NULL OR h.started_at < $until::TIMESTAMPTZ)
    GROUP BY h.table_id
)

SELECT
    coalesce(found.table_id, played.table_id) AS table_id,
    played.location,
    coalesce(played.hands, 0) AS hands,
    coalesce(found.findings, 0) AS findings,
    coalesce(found.critical, 0) AS critical,
    coalesce(found.major, 0) AS major,
    coalesce(found.minor, 0) AS minor,
    coalesce(found.info, 0) AS info,
    round(1000.0 * coalesce(found.findings, 0) / played.hands, 1)::DOUBLE AS per_thousand_hands,
    found.last_at
FROM played
FULL JOIN found ON found.table_id = played.table_id
ORDER BY findings DESC, table_id
