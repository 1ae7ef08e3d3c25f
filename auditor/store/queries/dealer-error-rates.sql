-- Dealer error rates: findings per thousand hands
--
-- Only what a dealer answers for (the families named by `families`), divided by the hands that the dealer dealt. A
-- finding that follows from another one is not counted again. Few hands make a wild rate: see `min_hands`.
--
-- param families: SHF,DCK,DEAL,BTN,BRD -- the rule families that count as the dealer's errors, with commas between
-- param severity: minor -- only findings at least this grave: info, minor, major, critical
-- param min_hands: 1 -- only dealers who dealt at least so many hands
-- param since: none -- only from this time on: 2026-01-31, or 2026-01-31T20:00:00+01:00
-- param until: none -- only before this time

WITH played AS (
    SELECT h.dealer_id, count(*) AS hands, count(DISTINCT h.table_id) AS tables
    FROM hands AS h
    WHERE h.dealer_id IS NOT NULL
        AND ($since::TIMESTAMPTZ IS NULL OR h.started_at >= $since::TIMESTAMPTZ)
        AND ($until::TIMESTAMPTZ IS NULL OR h.started_at < $until::TIMESTAMPTZ)
    GROUP BY h.dealer_id
),

errors AS (
    SELECT
        f.dealer_id,
        count(*) AS errors,
        count(*) FILTER (severity_rank(f.severity) >= severity_rank('major')) AS grave,
        mode(f.rule) AS most_frequent
    FROM findings AS f
    WHERE f.incident = f.finding_id
        AND list_contains(string_split(replace($families, ' ', ''), ','), regexp_extract(f.rule, '^[A-Z]+'))
        AND severity_rank(f.severity) >= severity_rank($severity)
        AND ($since::TIMESTAMPTZ IS NULL OR f."at" >= $since::TIMESTAMPTZ)
        AND ($until::TIMESTAMPTZ IS NULL OR f."at" < $until::TIMESTAMPTZ)
    GROUP BY f.dealer_id
)

SELECT
    played.dealer_id,
    played.hands,
    played.tables,
    coalesce(errors.errors, 0) AS errors,
    coalesce(errors.grave, 0) AS grave,
    round(1000.0 * coalesce(errors.errors, 0) / played.hands, 2)::DOUBLE AS per_thousand_hands,
    errors.most_frequent
FROM played
LEFT JOIN errors ON errors.dealer_id = played.dealer_id
WHERE played.hands >= $min_hands::BIGINT
ORDER BY per_thousand_hands DESC, played.hands DESC, played.dealer_id
