-- Findings by rule, most frequent first
--
-- How often each rule was broken, in how many hands, and how many findings nobody has dealt with rightly: still open, ruled
-- against the rules, or left alone.
--
-- param severity: info -- only findings at least this grave: info, minor, major, critical
-- param since: none -- only from this time on: 2026-01-31, or 2026-01-31T20:00:00+01:00
-- param until: none -- only before this time

SELECT
    f.rule,
    f.name,
    f.severity,
    count(*) AS findings,
    count(DISTINCT (f.table_id, f.hand_id)) FILTER (f.hand_id IS NOT NULL) AS hands,
    count(*) FILTER (f.handled = 'open') AS open,
    count(*) FILTER (f.handled = 'contrary') AS contrary,
    count(*) FILTER (f.handled = 'unaddressed') AS unaddressed
FROM findings AS f
WHERE severity_rank(f.severity) >= severity_rank($severity)
    AND ($since::TIMESTAMPTZ IS NULL OR f."at" >= $since::TIMESTAMPTZ)
    AND ($until::TIMESTAMPTZ IS NULL OR f."at" < $until::TIMESTAMPTZ)
GROUP BY ALL
ORDER BY findings DESC, f.rule, f.severity
