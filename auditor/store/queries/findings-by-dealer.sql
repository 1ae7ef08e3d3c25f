-- Findings by dealer, most first
--
-- Each dealer's findings of every kind by severity. A finding without a dealer is counted in the row without one. For a
-- fair comparison see dealer-error-rates, which counts only the dealer's own errors and divides by the hands dealt.
--
-- param severity: info -- only findings at least this grave: info, minor, major, critical
-- param since: none -- only from this time on: 2026-01-31, or 2026-01-31T20:00:00+01:00
-- param until: none -- only before this time

SELECT
    f.dealer_id,
    count(*) AS findings,
    count(*) FILTER (f.severity = 'critical') AS critical,
    count(*) FILTER (f.severity = 'major') AS major,
    count(*) FILTER (f.severity = 'minor') AS minor,
    count(*) FILTER (f.severity = 'info') AS info,
    count(DISTINCT (f.table_id, f.hand_id)) FILTER (f.hand_id IS NOT NULL) AS hands,
    list(DISTINCT f.rule ORDER BY f.rule) AS rules,
    max(f."at") AS last_at
FROM findings AS f
WHERE severity_rank(f.severity) >= severity_rank($severity)
    AND ($since::TIMESTAMPTZ IS NULL OR f."at" >= $since::TIMESTAMPTZ)
    AND ($until::TIMESTAMPTZ IS NULL OR f."at" < $until::TIMESTAMPTZ)
GROUP BY f.dealer_id
ORDER BY findings DESC, f.dealer_id
