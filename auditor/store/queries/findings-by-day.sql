-- Findings by day, newest first
--
-- Hands and findings of each day, by UTC or by the house's own time zone. A finding belongs to the day of the event that
-- proved it, a hand to the day on which it started.
--
-- param severity: info -- only findings at least this grave: info, minor, major, critical
-- param zone: UTC -- the time zone whose midnight parts the days, such as Europe/Paris
-- param since: none -- only from this time on: 2026-01-31, or 2026-01-31T20:00:00+01:00
-- param until: none -- only before this time

WITH found AS (
    SELECT
        timezone($zone, f."at")::DATE AS day,
        count(*) AS findings,
        count(*) FILTER (f.severity = 'critical') AS critical,
        count(*) FILTER (f.severity = 'major') AS major,
        count(*) FILTER (f.severity = 'minor') AS minor,
        count(*) FILTER (f.severity = 'info') AS info
    FROM findings AS f
    WHERE severity_rank(f.severity) >= severity_rank($severity)
        AND ($since::TIMESTAMPTZ IS NULL OR f."at" >= $since::TIMESTAMPTZ)
        AND ($until::TIMESTAMPTZ IS NULL OR f."at" < $until::TIMESTAMPTZ)
    GROUP BY day
),

played AS (
    SELECT timezone($zone, h.started_at)::DATE AS day, count(*) AS hands
    FROM hands AS h
    WHERE ($since::TIMESTAMPTZ IS NULL OR h.started_at >= $since::TIMESTAMPTZ)
        AND ($until::TIMESTAMPTZ IS NULL OR h.started_at < $until::TIMESTAMPTZ)
    GROUP BY day
)

SELECT
    coalesce(played.day, found.day) AS day,
    coalesce(played.hands, 0) AS hands,
    coalesce(found.findings, 0) AS findings,
    coalesce(found.critical, 0) AS critical,
    coalesce(found.major, 0) AS major,
    coalesce(found.minor, 0) AS minor,
    coalesce(found.info, 0) AS info,
    round(1000.0 * coalesce(found.findings, 0) / played.hands, 1)::DOUBLE AS per_thousand_hands
FROM played
FULL JOIN found ON found.day IS NOT DISTINCT FROM played.day
ORDER BY day DESC NULLS LAST
