-- The complete current schema of logs.db: the accepted log entries. They are searched through
-- logs/index/, which can be rebuilt from this. Times of rows are milliseconds since the Unix epoch,
-- UTC; those of entries, which are packed, are microseconds.

-- The data directory that this file belongs to, by the id in main.db.
create table origin (
    id        integer primary key check (id = 1),
    instance  text    not null,
    -- Created with the file, and replaced if the file is older than its index: an index belongs to one history.
    history   text    not null
) strict;

-- Batches as accepted. The id is the position for the index, and is never reused: an entry's id is
-- id * 128 + its place in the batch.
create table batches (
    id           integer primary key autoincrement,
    project_id   integer not null,
    received_at  integer not null,
    environment  text    not null,
    release      text,
    count        integer not null,              -- entries, 1 to 100
    entries      blob    not null               -- as packed by event::log_batch
) strict;
create index batches_by_project on batches (project_id);

-- What a project's batches hold, by the day (UTC) on which they were received: counted, because adding it up when
-- somebody asks would read every batch.
create table entry_days (
    project_id  integer not null,
    day         integer not null,               -- received_at / 86,400,000
    count       integer not null,               -- entries
    bytes       integer not null,               -- as packed
    primary key (project_id, day)
) strict, without rowid;
create trigger entry_days_begin after insert on batches begin
    insert into entry_days (project_id, day, count, bytes)
        values (new.project_id, new.received_at / 86400000, new.count, length(new.entries))
        on conflict do update set count = count + new.count, bytes = bytes + length(new.entries);
end;
create trigger entry_days_end after delete on batches begin
    update entry_days set count = count - old.count, bytes = bytes - length(old.entries)
        where project_id = old.project_id and day = old.received_at / 86400000;
end;

-- What retention has removed of a project: its batches up to this one are gone, or are being deleted.
create table retained (
    project_id  integer primary key,
    removed     integer not null,               -- id of a batch
    indexed     integer not null                -- 1: the index may still have their entries
) strict;
create index retained_indexed on retained (project_id) where indexed;

-- Batches that were sent with an Idempotency-Key, for a day.
create table repeats (
    project_id  integer not null,
    key         blob    not null,               -- blake3 of the header, 16 bytes
    body        blob    not null,               -- blake3 of the body, 16 bytes: a different one is refused
    accepted    integer not null,
    dropped     integer not null,
    at          integer not null,
    primary key (project_id, key)
) strict, without rowid;
create index repeats_by_time on repeats (at);

-- Deleted projects: no more of their entries are accepted, and their batches are deleted in pieces.
create table deleted_projects (
    project_id  integer primary key,
    indexed     integer not null default 1      -- the index still has their entries
) strict;
create index deleted_projects_indexed on deleted_projects (project_id) where indexed;

-- Dictionaries with which blocks of entries are compressed, as in main.db.
create table dictionaries (
    id          integer primary key,
    content     blob    not null,
    at_row      integer not null,               -- the newest row of batches when it was trained
    created_at  integer not null
) strict;

-- One row that /health writes, to check that writing works.
create table heartbeat (
    id  integer primary key check (id = 1),
    at  integer not null
) strict;

pragma user_version = 1;
