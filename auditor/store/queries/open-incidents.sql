-- Hands with open incidents, oldest first
--
-- Every hand with an incident that no ruling has closed yet. In a live room this is the floor manager's list.
--
-- param severity: minor -- only incidents at least this grave: info, minor, major, critical
-- param table: none -- only this table

SELECT
    f.table_id,
    f.hand_id,
    max(h.status) AS status,
    count(DISTINCT f.finding_id) AS incidents,
    arg_max(f.severity, severity_rank(f.severity)) AS worst,
    list(DISTINCT f.rule ORDER BY f.rule) AS rules,
    list(DISTINCT f.prescribed ORDER BY f.prescribed) AS prescribed,
    min(f."at") AS since,
    list(DISTINCT f.finding_id ORDER BY f.finding_id) AS finding_ids
FROM findings AS f
LEFT JOIN hands AS h ON h.table_id = f.table_id AND h.hand_id = f.hand_id
WHERE f.handled = 'open'
    AND f.hand_id IS NOT NULL
    AND severity_rank(f.severity) >= severity_rank($severity)
    AND ($table::VARCHAR IS NULL OR f.table_id = $table)
GROUP BY f.table_id, f.hand_id
ORDER BY since, f.table_id, f.hand_id
