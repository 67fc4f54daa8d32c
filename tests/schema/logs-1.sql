-- Frozen: the schema of logs.db as its first version has it. Until the first release this is an example for the tests
-- of migrations; with that release it becomes schema-logs.sql of then, and is never edited again.

-- The whole current schema of logs.db: the log entries that were accepted. What they are searched by is
-- in logs/index/, which can be made anew from this. Times of rows are milliseconds since
-- the Unix epoch, UTC; those of entries, packed, microseconds.

-- The data directory that this file belongs to, by the id in main.db.
create table origin (
    id        integer primary key check (id = 1),
    instance  text    not null,
    -- New with the file, and when it is found to be older than its index: the index names the one that it is of.
    history   text    not null
) strict;

-- Batches as they were accepted. The id is the position that the index has reached, and never used
-- twice: an entry is named by id * 128 + its place in the batch.
create table batches (
    id           integer primary key autoincrement,
    project_id   integer not null,
    received_at  integer not null,
    environment  text    not null,
    release      text,
    count        integer not null,              -- entries, 1 to 100
    entries      blob    not null               -- as logs::batch packs them
) strict;
create index batches_by_project on batches (project_id);

-- Batches that were sent with an Idempotency-Key, for a day.
create table repeats (
    project_id  integer not null,
    key         blob    not null,               -- blake3 of the header, 16 bytes
    body        blob    not null,               -- blake3 of the body, 16 bytes: another one is refused
    accepted    integer not null,
    dropped     integer not null,
    at          integer not null,
    primary key (project_id, key)
) strict, without rowid;
create index repeats_by_time on repeats (at);

-- Projects that were deleted: nothing of theirs is taken any more, and their batches go piece by piece.
create table deleted_projects (
    project_id  integer primary key,
    indexed     integer not null default 1      -- the index still has their entries
) strict;
create index deleted_projects_indexed on deleted_projects (project_id) where indexed;

-- What blocks of entries are compressed with, as in main.db.
create table dictionaries (
    id          integer primary key,
    content     blob    not null,
    at_row      integer not null,               -- the newest row of batches when it was trained
    created_at  integer not null
) strict;

-- One row that /health writes, to know that writing works.
create table heartbeat (
    id  integer primary key check (id = 1),
    at  integer not null
) strict;

pragma user_version = 1;
