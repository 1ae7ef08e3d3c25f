-- Findings, newest first
--
-- Every irregularity found, with its evidence, the ruling that the rules prescribe, and what the table did.
--
-- param severity: info -- only findings at least this grave: info, minor, major, critical
-- param rule: none -- only this rule's code, such as DEAL106
-- param table: none -- only this table
-- param dealer: none -- only this dealer
-- param since: none -- only from this time on: 2026-01-31, or 2026-01-31T20:00:00+01:00
-- param until: none -- only before this time

SELECT
    f.finding_id, f.severity, f.rule, f.name, f."at", f.table_id, f.hand_id, f.seq, f.street, f.seats, f.cards,
    f.message, f.prescribed, f.handled, f.confidence, f.degraded, f.dealer_id, f.evidence, f.incident, f.source_rule
FROM findings AS f
WHERE severity_rank(f.severity) >= severity_rank($severity)
    AND ($rule::VARCHAR IS NULL OR f.rule = $rule)
    AND ($table::VARCHAR IS NULL OR f.table_id = $table)
    AND ($dealer::VARCHAR IS NULL OR f.dealer_id = $dealer)
    AND ($since::TIMESTAMPTZ IS NULL OR f."at" >= $since::TIMESTAMPTZ)
    AND ($until::TIMESTAMPTZ IS NULL OR f."at" < $until::TIMESTAMPTZ)
ORDER BY f."at" DESC NULLS LAST, f.table_id, f.seq DESC, f.finding_id
