-- Rulings against the rules, and incidents that nobody ruled on
--
-- Findings whose prescribed ruling the table did not follow: contrary (another ruling was made) or unaddressed (the hand
-- ended and nobody dealt with it).
--
-- param severity: minor -- only findings at least this grave: info, minor, major, critical
-- param table: none -- only this table
-- param since: none -- only from this time on: 2026-01-31, or 2026-01-31T20:00:00+01:00
-- param until: none -- only before this time

SELECT
    f."at", f.handled, f.prescribed, f.severity, f.rule, f.name, f.table_id, f.hand_id, f.dealer_id, f.message,
    f.confidence, f.degraded, f.finding_id
FROM findings AS f
WHERE f.handled IN ('contrary', 'unaddressed')
    AND severity_rank(f.severity) >= severity_rank($severity)
    AND ($table::VARCHAR IS NULL OR f.table_id = $table)
    AND ($since::TIMESTAMPTZ IS NULL OR f."at" >= $since::TIMESTAMPTZ)
    AND ($until::TIMESTAMPTZ IS NULL OR f."at" < $until::TIMESTAMPTZ)
ORDER BY f."at" DESC NULLS LAST, f.table_id, f.seq DESC, f.finding_id
