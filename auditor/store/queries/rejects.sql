-- What was refused, newest first
--
-- Bytes that are no event, or contradict one, as they came, with where they came from and a plain reason.
--
-- param kind: none -- only this kind: unreadable, or conflict
-- param source: none -- only this topic or file

SELECT r.source, r.partition, r."offset", r.kind, r.reason, octet_length(r.raw) AS bytes, r.raw
FROM rejects AS r
WHERE ($kind::VARCHAR IS NULL OR r.kind = $kind)
    AND ($source::VARCHAR IS NULL OR r.source = $source)
ORDER BY r.ingested DESC
