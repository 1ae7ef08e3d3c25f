-- The store: one row per thing. Columns carry the names of the models that they hold (EVENT_COLUMNS, Reject, Finding,
-- HandSummary, TableRecord). Two of them are reserved words of SQL and need quotes: "at", "offset".
--
-- There are no primary keys. An index over years of hands costs more memory than the hands themselves and slows every
-- commit; the one writer keeps each key unique by deleting a row before it appends its successor.

-- The order in which events and rejects came in. Numbers only rise; one that a rolled-back commit took is not reused.
CREATE SEQUENCE ingestion;

CREATE TABLE meta (
    schema_version  INTEGER NOT NULL,
    product_version VARCHAR NOT NULL,  -- of the product that created the file
    created         TIMESTAMPTZ NOT NULL,
    store_id        VARCHAR NOT NULL,  -- names this store for ever, among those of one consumer group
    checkpoint      BIGINT NOT NULL    -- how many were committed; the mark beside the file holds the same number
);

-- Every event taken in, as it came. Unique: (table_id, seq) among the accepted ones; (topic, partition, "offset").
CREATE TABLE events (
    table_id    VARCHAR NOT NULL,
    seq         BIGINT NOT NULL,
    hand_id     VARCHAR,
    type        VARCHAR NOT NULL,
    "at"        TIMESTAMPTZ NOT NULL,
    observer    VARCHAR,              -- the contract's `source`: rfid, camera, …
    disposition VARCHAR NOT NULL,     -- accepted, or late
    topic       VARCHAR NOT NULL,     -- a topic, or a file's name
    partition INTEGER NOT NULL,
    "offset"    BIGINT NOT NULL,
    -- The JSON text, byte for byte. Zstandard takes half the time and half the room of what DuckDB would choose.
    raw         VARCHAR NOT NULL USING COMPRESSION zstd,
    ingested    BIGINT NOT NULL DEFAULT nextval('ingestion')
);

-- Bytes that are no event, or contradict one, with a plain reason.
CREATE TABLE rejects (
    source      VARCHAR NOT NULL,
    partition INTEGER NOT NULL,
    "offset"    BIGINT NOT NULL,
    raw         BLOB NOT NULL,
    reason      VARCHAR NOT NULL,
    kind        VARCHAR NOT NULL,     -- unreadable, or conflict
    "at"        TIMESTAMPTZ,          -- Kafka's own time for the record; key and headers are Kafka's, too
    "key"       BLOB,
    headers     STRUCT(name VARCHAR, value BLOB)[] NOT NULL,
    ingested    BIGINT NOT NULL DEFAULT nextval('ingestion')
);

-- Unique: finding_id.
CREATE TABLE findings (
    finding_id  VARCHAR NOT NULL,
    rule        VARCHAR NOT NULL,
    name        VARCHAR NOT NULL,
    severity    VARCHAR NOT NULL,
    table_id    VARCHAR,
    hand_id     VARCHAR,
    seq         BIGINT,
    "at"        TIMESTAMPTZ,
    street      VARCHAR,
    seats       BIGINT[] NOT NULL,
    cards       VARCHAR[] NOT NULL,
    message     VARCHAR NOT NULL,
    prescribed  VARCHAR NOT NULL,
    handled     VARCHAR NOT NULL,
    degraded    BOOLEAN NOT NULL,
    confidence  VARCHAR NOT NULL,
    incident    VARCHAR NOT NULL,
    dealer_id   VARCHAR,
    evidence    BIGINT[] NOT NULL,
    source_rule VARCHAR NOT NULL
);

-- Unique: (table_id, hand_id, started_seq). A hand recorded again under its old number is a row of its own.
CREATE TABLE hands (
    table_id    VARCHAR NOT NULL,
    hand_id     VARCHAR NOT NULL,
    started_seq BIGINT NOT NULL,
    started_at  TIMESTAMPTZ NOT NULL,
    ended_seq   BIGINT,
    ended_at    TIMESTAMPTZ,
    status      VARCHAR NOT NULL,     -- open, ended, misdeal, void, not_closed
    complete    BOOLEAN NOT NULL,
    game        VARCHAR NOT NULL,
    betting     VARCHAR NOT NULL,
    dealer_id   VARCHAR,
    location    VARCHAR,
    button_seat BIGINT,
    players     INTEGER NOT NULL,
    street      VARCHAR NOT NULL,
    board       VARCHAR[] NOT NULL,
    pot         HUGEINT NOT NULL,     -- a sum of chip counts that each fill 64 bits
    redeal_of   VARCHAR
);

-- What a restart needs of each table. Unique: table_id.
CREATE TABLE tables (
    table_id     VARCHAR NOT NULL,
    partition INTEGER NOT NULL,       -- of the topics, that its events come over
    location     VARCHAR,
    game         VARCHAR NOT NULL,
    betting      VARCHAR NOT NULL,
    open         BOOLEAN NOT NULL,
    boundary_seq BIGINT NOT NULL,
    next_seq     BIGINT NOT NULL,
    duplicates   BIGINT NOT NULL,
    late         BIGINT[] NOT NULL,   -- numbers after boundary_seq that came late and took their place after all
    memory       BLOB NOT NULL        -- JSON: the table as it was after event boundary_seq
);

-- Events after boundary_seq that another store holds: a table came here, with its partition, in the middle of a hand.
CREATE TABLE carried (
    table_id VARCHAR NOT NULL,
    seq      BIGINT NOT NULL,
    raw      VARCHAR NOT NULL
);

-- What is still to go out: each version of a finding, and each reject, until whoever takes it has said so.
CREATE TABLE outbox (
    number     BIGINT NOT NULL,
    finding_id VARCHAR,               -- either a finding
    source     VARCHAR,               -- or a reject, by its place
    partition INTEGER,
    "offset"   BIGINT
);

-- Where to read on. Unique: (source, partition).
CREATE TABLE offsets (
    source      VARCHAR NOT NULL,
    partition INTEGER NOT NULL,
    next_offset BIGINT NOT NULL
);

-- Files of hands that were audited whole, by their content. Unique: digest, but for copies in one job.
CREATE TABLE files (
    digest      VARCHAR NOT NULL,     -- BLAKE2b of the bytes on disk
    name        VARCHAR NOT NULL,
    bytes       BIGINT NOT NULL,
    hands       BIGINT NOT NULL,
    rejects     BIGINT NOT NULL,
    damaged     BOOLEAN NOT NULL,     -- it broke off
    finished_at TIMESTAMPTZ NOT NULL
);

-- How grave: 1 for info to 4 for critical. A word that is none of the four is an error, not an empty answer.
CREATE MACRO severity_rank(severity) AS
    CASE severity WHEN 'info' THEN 1 WHEN 'minor' THEN 2 WHEN 'major' THEN 3 WHEN 'critical' THEN 4
    ELSE error('a severity is one of: info, minor, major, critical') END;
