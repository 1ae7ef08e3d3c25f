-- The health of each feed, by topic and partition
--
-- Events stored, the last one's time, and what went wrong: rejects by kind, late events, gaps (FEED101, counted where the
-- event that proved the gap came in). Identical copies are dropped and counted by table, so `duplicates` are those of
-- all tables seen here, and a table that both topics carry counts in both rows.

WITH arrived AS (
    SELECT
        e.topic AS source, e.partition,
        count(*) AS events, count(DISTINCT e.table_id) AS tables,
        min(e."at") AS first_at, max(e."at") AS last_at,
        count(*) FILTER (e.disposition = 'late') AS late
    FROM events AS e
    GROUP BY e.topic, e.partition
),

refused AS (
    SELECT
        r.source, r.partition,
        count(*) AS rejects, count(*) FILTER (r.kind = 'conflict') AS conflicts
    FROM rejects AS r
    GROUP BY r.source, r.partition
),

broken AS (
    SELECT e.topic AS source, e.partition, count(DISTINCT f.finding_id) AS gaps
    FROM findings AS f
    INNER JOIN events AS e ON e.table_id = f.table_id AND e.seq = f.seq
    WHERE f.rule = 'FEED101'
    GROUP BY e.topic, e.partition
),

seen AS (
    SELECT DISTINCT e.topic AS source, e.partition, e.table_id FROM events AS e
),

copied AS (
    SELECT seen.source, seen.partition, sum(t.duplicates)::BIGINT AS duplicates
    FROM seen
    INNER JOIN tables AS t ON t.table_id = seen.table_id
    GROUP BY seen.source, seen.partition
),

-- A file has its offset under its name and what it begins with: another one may have had its name before.
"read" AS (
    SELECT regexp_replace(o.source, '~[0-9a-f]{16}$', '') AS source, o.partition, max(o.next_offset) AS next_offset
    FROM offsets AS o
    GROUP BY ALL
),

feeds AS (
    SELECT source, partition FROM arrived
    UNION SELECT source, partition FROM refused
    UNION SELECT source, partition FROM "read"
)

SELECT
    feeds.source,
    feeds.partition,
    "read".next_offset,
    coalesce(arrived.events, 0) AS events,
    coalesce(arrived.tables, 0) AS tables,
    arrived.first_at,
    arrived.last_at,
    coalesce(refused.rejects, 0) AS rejects,
    coalesce(refused.conflicts, 0) AS conflicts,
    coalesce(broken.gaps, 0) AS gaps,
    coalesce(arrived.late, 0) AS late,
    coalesce(copied.duplicates, 0) AS duplicates
FROM feeds
LEFT JOIN arrived USING (source, partition)
LEFT JOIN refused USING (source, partition)
LEFT JOIN broken USING (source, partition)
LEFT JOIN copied USING (source, partition)
LEFT JOIN "read" USING (source, partition)
ORDER BY feeds.source, feeds.partition
