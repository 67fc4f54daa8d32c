-- The complete current schema of main.db. A new data directory runs this file; an older one is migrated
-- by src/store/migrations. Times are milliseconds since the Unix epoch, UTC. Keys that a position or a
-- client may remember are AUTOINCREMENT, because SQLite reuses freed rowids otherwise.

-- Instance ---------------------------------------------------------------------------------------

-- The data directory that this file belongs to: everything in it has the same id.
create table origin (
    id        integer primary key check (id = 1),
    instance  text    not null,                 -- 32 hexadecimal digits, created with this file
    complete  integer not null default 0,       -- 1: the rest was created, so anything missing is lost
    sealed    blob                              -- a known value, to check CLOUD_SECRET_KEY with
) strict;

create table instance (
    id                integer primary key check (id = 1),
    install_uuid      text    not null,
    setup_token_hash  blob,                     -- null once claimed
    claimed_at        integer,                  -- decides the claim, in one transaction
    single_org        integer,                  -- 0 or 1, fixed by the claim; null before
    created_at        integer not null
) strict;

-- Signals ----------------------------------------------------------------------------------------

-- What happened, for others to react to; written in the transaction of its cause. There are no foreign keys: what the
-- ids refer to may be gone. Deleted after signals::KEPT, once every consumer has passed.
create table signals (
    id               integer primary key autoincrement,
    kind             text    not null,          -- see signals::Kind
    organization_id  integer,
    project_id       integer,
    issue_id         integer,
    user_id          integer,                   -- the person it is about
    actor_id         integer,                   -- who did it; null for Mayday itself, the operator or a key
    payload          text    not null,          -- a small JSON object, depending on the kind
    at               integer not null
) strict;

-- How far each consumer has read; moved in the transaction of its effects.
create table signal_consumers (
    name      text    primary key,
    position  integer not null
) strict, without rowid;

-- Deliveries -------------------------------------------------------------------------------------

-- What is to be sent to the outside. A row is written in the transaction of the change it reports, and deleted once it
-- was sent or given up. A followed row is kept for its status, without the payload.
create table deliveries (
    id               integer primary key autoincrement,
    channel          text    not null,          -- mail; see deliveries::Channel
    target           text    not null,          -- the recipient; for mail, the address
    kind             text    not null,          -- what it is about; limits count each kind separately
    payload          blob,                      -- sealed because it contains links; null once it ended
    idempotency_key  text    not null unique,
    is_followed      integer not null,
    status           text    not null default 'pending' check (status in ('pending', 'sent', 'failed', 'withdrawn')),
    attempts         integer not null default 0,
    next_attempt_at  integer,                   -- null once it ended
    last_answer      text,                      -- the error of the last failed attempt
    created_at       integer not null
) strict;
create index deliveries_next on deliveries (next_attempt_at, id) where status = 'pending';

-- People -----------------------------------------------------------------------------------------

create table users (
    id               integer primary key autoincrement,
    email            text    not null unique,   -- lower case
    name             text    not null,
    password_hash    text,                      -- argon2id in PHC form; null: no password sign-in
    email_proven_at  integer,                   -- when the person proved the mailbox
    invited_at       integer,                   -- when they joined through a link that an administrator could see: enough
                                                -- for ADMIN_EMAILS, but no proof of the mailbox
    disabled_at      integer,
    created_at       integer not null,
    updated_at       integer not null
) strict;

create table organizations (
    id          integer primary key autoincrement,
    name        text    not null,
    slug        text    not null unique,
    created_at  integer not null,
    updated_at  integer not null
) strict;

create table memberships (
    organization_id  integer not null references organizations (id) on delete cascade,
    user_id          integer not null references users (id) on delete cascade,
    role             text    not null check (role in ('owner', 'admin', 'member')),
    joined_at        integer not null,
    removed_at       integer,                   -- kept, so that only listed people are reinstated
    primary key (organization_id, user_id)
) strict, without rowid;
create index memberships_by_user on memberships (user_id);

-- Signed-in browsers and tools. Only HMAC-SHA256(JWT_SECRET, token) is kept.
create table sign_ins (
    id            integer primary key autoincrement,
    user_id       integer not null references users (id) on delete cascade,
    token_hash    blob    not null unique,
    method        text    not null,             -- setup, password, invitation, sso, github
    address       text,                         -- of the client, as it signed in
    user_agent    text,                         -- cut to 256 characters
    created_at    integer not null,
    last_seen_at  integer not null,             -- written at most once a minute
    expires_at    integer not null
) strict;
create index sign_ins_by_user on sign_ins (user_id);
-- Expired rows are searched for every minute.
create index sign_ins_by_end on sign_ins (expires_at);
create index sign_ins_by_use on sign_ins (last_seen_at);

-- Identities at providers. Never found by e-mail, which counts only when an identity is first linked.
create table identities (
    id            integer primary key autoincrement,
    user_id       integer not null references users (id) on delete cascade,
    provider      text    not null check (provider in ('sso', 'github')),
    issuer        text    not null,             -- the issuer's URL, or the code host's API address
    subject       text    not null,             -- `sub`, or the numeric id
    email         text,                         -- as the provider last reported it, for display
    created_at    integer not null,
    last_used_at  integer not null,
    unique (provider, issuer, subject),
    unique (user_id, provider, issuer)          -- nobody has two identities at one provider
) strict;

-- A sign-in at a provider in progress: valid for 10 minutes, once. `state` is hashed, and so is the
-- value of the browser's flow cookie, from which nonce and PKCE verifier are derived.
create table sign_in_flows (
    id                 integer primary key autoincrement,
    state_hash         blob    not null unique,
    browser_hash       blob    not null,
    provider           text    not null check (provider in ('sso', 'github')),
    purpose            text    not null check (purpose in ('sign_in', 'claim', 'link', 'test')),
    user_id            integer references users (id) on delete cascade, -- the person who links or tests,
    sign_in_id         integer references sign_ins (id) on delete cascade, -- and their session, with which the flow ends
    organization_name  text,                    -- for a claim
    setup_token_hash   blob,                    -- for a claim
    redirect_to        text    not null,        -- a local path
    created_at         integer not null,
    expires_at         integer not null
) strict;
create index sign_in_flows_by_end on sign_in_flows (expires_at);
create index sign_in_flows_by_session on sign_in_flows (sign_in_id);

-- Reports of test sign-ins, step by step; kept for a day.
create table sign_in_tests (
    id          integer primary key autoincrement,
    user_id     integer not null references users (id) on delete cascade,
    report      text    not null,               -- JSON
    created_at  integer not null
) strict;
create index sign_in_tests_by_user on sign_in_tests (user_id);

-- Links that prove a mailbox or set a new password: 256 bits, valid once.
create table one_time_links (
    id          integer primary key autoincrement,
    user_id     integer not null references users (id) on delete cascade,
    purpose     text    not null check (purpose in ('password_reset', 'email_change')),
    token_hash  blob    not null unique,
    email       text    not null,               -- the mailbox: the account's, or the new one
    mailed      integer not null,               -- 1: sent to that mailbox, so that using it proves it
    created_by  integer references users (id) on delete cascade, -- who passes it on, and must still be allowed to
    created_at  integer not null,
    expires_at  integer not null,
    used_at     integer
) strict;
create index one_time_links_by_user on one_time_links (user_id, purpose);
create index one_time_links_by_end on one_time_links (expires_at);

-- Personal access tokens, for a person's tools.
create table personal_tokens (
    id            integer primary key autoincrement,
    user_id       integer not null references users (id) on delete cascade,
    name          text    not null,
    prefix        text    not null,             -- the first 8 characters, for display
    token_hash    blob    not null unique,      -- blake3 of the token
    scopes        text    not null,             -- comma-separated: read, write, admin
    created_at    integer not null,
    expires_at    integer,
    last_used_at  integer,                      -- written at most once a minute
    revoked_at    integer
) strict;
create index personal_tokens_by_user on personal_tokens (user_id, id);

create table invitations (
    id               integer primary key autoincrement,
    organization_id  integer not null references organizations (id) on delete cascade,
    email            text    not null,          -- lower case; only this address can accept
    role             text    not null check (role in ('admin', 'member')),
    nonce            blob    not null,          -- the tokens are HMAC(JWT_SECRET, id and nonce)
    token_hash       blob    not null unique,   -- of the link shown to people who may invite
    mailed_hash      blob    not null unique,   -- of the link in the mail, which proves the mailbox
    invited_by       integer references users (id) on delete set null,
    delivery_id      integer references deliveries (id) on delete set null, -- its mail; null if none was written
    created_at       integer not null,
    expires_at       integer not null,
    accepted_at      integer,
    accepted_by      integer references users (id) on delete set null,
    revoked_at       integer
) strict;
create index invitations_by_organization on invitations (organization_id, id);
create unique index invitations_open on invitations (organization_id, email)
    where accepted_at is null and revoked_at is null;
create index invitations_by_email on invitations (email) where accepted_at is null and revoked_at is null;
create index invitations_by_delivery on invitations (delivery_id) where delivery_id is not null;
create trigger invitations_end after delete on invitations begin
    delete from deliveries where id = old.delivery_id;
end;

create table organization_keys (
    id               integer primary key autoincrement,
    organization_id  integer not null references organizations (id) on delete cascade,
    name             text    not null,
    prefix           text    not null,          -- the first 8 characters, for display
    key_hash         blob    not null unique,   -- blake3 of the key
    scopes           text    not null,          -- comma-separated: read
    created_by       integer references users (id) on delete set null,
    created_at       integer not null,
    last_used_at     integer,                   -- written at most once a minute
    revoked_at       integer
) strict;
create index organization_keys_by_organization on organization_keys (organization_id, id);

-- The audit log: who did what that matters for security, when and from where. Written in the
-- transaction of the act; names are kept as they were.
create table audit_log (
    id               integer primary key autoincrement,
    organization_id  integer references organizations (id) on delete cascade, -- null: the instance
    actor_id         integer references users (id) on delete set null,
    actor            text    not null,          -- an e-mail, a key's name, `operator`, or empty
    action           text    not null,          -- such as `member.role_changed`
    target           text    not null,          -- the name of the person or thing it was done to
    detail           text    not null,          -- JSON object
    address          text,                      -- of the client
    created_at       integer not null
) strict;
create index audit_log_by_organization on audit_log (organization_id, id);
create index audit_log_by_time on audit_log (created_at);

-- Projects ---------------------------------------------------------------------------------------

create table projects (
    id               integer primary key autoincrement,
    organization_id  integer not null references organizations (id) on delete cascade,
    name             text    not null,
    slug             text    not null,
    platform         text,
    settings         text    not null,          -- JSON, see projects::Settings
    issue_count      integer not null default 0, -- the last number assigned: WEB-<number>
    created_at       integer not null,
    updated_at       integer not null,
    deleted_at       integer,                   -- from then on nobody finds it, and what is left of it is being deleted
    set_aside_dropped integer not null default 0, -- events of set_aside dropped for newer ones
    unique (organization_id, slug)
) strict;

create table project_keys (
    id            integer primary key autoincrement,
    project_id    integer not null references projects (id) on delete cascade,
    name          text    not null,
    prefix        text    not null,             -- up to 4 characters of the random part, for display
    key_hash      blob    not null unique,      -- blake3 of the key
    sealed        blob,                         -- the key, if it may only send and so is public by nature
    scopes        text    not null,             -- comma-separated: ingest, releases, read
    environment   text,
    created_by    integer references users (id) on delete set null,
    created_at    integer not null,
    last_used_at  integer,                      -- written at most once a minute
    revoked_at    integer
) strict;
create index project_keys_by_project on project_keys (project_id, id);

-- Releases and source maps -----------------------------------------------------------------------

create table releases (
    id            integer primary key autoincrement,
    project_id    integer not null references projects (id) on delete cascade,
    version       text    not null,
    url_prefix    text    not null,
    created_at    integer not null,
    finalized_at  integer,
    unique (project_id, version)
) strict;
create index releases_newest on releases (project_id, id desc);

-- One row for each distinct uploaded content; the files are under sourcemaps/ by blake3.
create table map_files (
    id          integer primary key autoincrement,
    blake3      blob    not null unique,
    sha256      blob    not null,
    size        integer not null,               -- bytes as uploaded
    created_at  integer not null
) strict;

create table source_maps (
    id          integer primary key autoincrement,
    release_id  integer not null references releases (id) on delete cascade,
    url         text    not null,
    file_id     integer not null references map_files (id),
    created_at  integer not null,
    use_count   integer not null default 0,     -- events whose frames it resolved as they were digested
    last_used_at integer,                       -- the latest of them; null: none
    unique (release_id, url)
) strict;
create index source_maps_by_file on source_maps (file_id);

-- Issues -----------------------------------------------------------------------------------------

create table issues (
    id                   integer primary key autoincrement,
    project_id           integer not null references projects (id) on delete cascade,
    number               integer not null,      -- short_id is <SLUG>-<number>
    title                text    not null,
    culprit              text    not null,
    type                 text    not null,
    message              text    not null,
    level                text    not null,
    platform             text,
    status               text    not null default 'unresolved',
    regressed_at         integer,
    escalating_at        integer,               -- null unless it is; see issues::spike
    spike_hour           integer,               -- the hour for which spike_limit was calculated
    spike_limit          integer,               -- does not change while the issue escalates
    priority             text,                  -- null: from the level
    assignee             integer references users (id) on delete set null,
    first_seen           integer not null,
    last_seen            integer not null,
    event_count          integer not null default 0,
    user_count           integer not null default 0,
    account_count        integer not null default 0,
    facet_count          integer not null default 0, -- rows of issue_facets except users and accounts
    first_release        text,
    first_release_at     integer,               -- when the first release was first seen
    last_release         text,
    resolved_at          integer,
    resolved_in_release  text,                  -- a version, or 'next'
    ignore_until         integer,
    ignore_events        integer,               -- event_count at which it is reopened
    ignore_users         integer,               -- user_count at which it is reopened
    created_at           integer not null,
    updated_at           integer not null,
    unique (project_id, number)
) strict;
-- What lists are ordered and filtered by: pages are found and counted without reading the rows, which are
-- large. The first index changes with each event; the counters are in it rather than in separate indexes,
-- which would mean two more writes for each event. Ascending, although lists begin with the newest,
-- because appending at the end of an index fills its pages.
create index issues_by_last_seen on issues (project_id, last_seen, id, status, level, priority, assignee, type,
    first_seen, regressed_at, escalating_at, event_count, user_count, account_count);
create index issues_by_first_seen on issues (project_id, first_seen, id, status, level, priority, assignee, type,
    regressed_at, escalating_at);
create index issues_by_first_release on issues (project_id, first_release);
create index issues_by_assignee on issues (project_id, assignee) where assignee is not null;
create index issues_regressed on issues (project_id, regressed_at) where regressed_at is not null;
create index issues_ignored_until on issues (ignore_until) where ignore_until is not null;
create index issues_escalating on issues (escalating_at) where escalating_at is not null;

-- Which issue the events of a fingerprint belong to. Many may lead to one issue: an issue that a former rule made
-- gets those of the newest rule as its events come (see grouping). A version comes before the fingerprints, so that
-- a look tells whether a project has any of a former one.
create table issue_fingerprints (
    project_id   integer not null,
    version      integer not null,              -- of the rule that made it
    fingerprint  blob    not null,              -- 16 bytes
    issue_id     integer not null references issues (id) on delete cascade,
    created_at   integer not null,
    primary key (project_id, version, fingerprint)
) strict, without rowid;
create index issue_fingerprints_by_issue on issue_fingerprints (issue_id);

-- How many issues of a project have a status: counted, the list that everybody opens first would go through
-- all of them.
create table issue_counts (
    project_id  integer not null references projects (id) on delete cascade,
    status      text    not null,
    count       integer not null,
    primary key (project_id, status)
) strict, without rowid;
create trigger issue_counts_new after insert on issues begin
    insert into issue_counts (project_id, status, count) values (new.project_id, new.status, 1)
        on conflict do update set count = count + 1;
end;
create trigger issue_counts_change after update of status on issues when old.status <> new.status begin
    update issue_counts set count = count - 1 where project_id = old.project_id and status = old.status;
    insert into issue_counts (project_id, status, count) values (new.project_id, new.status, 1)
        on conflict do update set count = count + 1;
end;
create trigger issue_counts_end after delete on issues begin
    update issue_counts set count = count - 1 where project_id = old.project_id and status = old.status;
end;

-- The text in which words are searched: title, culprit, message and file names, in lower case. Separate
-- from the rows, so that a search reads little else.
create table issue_texts (
    project_id  integer not null,
    issue_id    integer not null,
    text        blob    not null,              -- UTF-8; a blob can be searched in place, without a copy
    primary key (project_id, issue_id)
) strict, without rowid;
create trigger issue_texts_end after delete on issues begin
    delete from issue_texts where project_id = old.project_id and issue_id = old.id;
end;

-- Events per hour, for trends. hour = timestamp / 3,600,000.
create table issue_hours (
    issue_id  integer not null references issues (id) on delete cascade,
    hour      integer not null,
    count     integer not null,
    primary key (issue_id, hour)
) strict, without rowid;

-- Events per hour of a project's median issue, calculated at most once an hour, when a young issue
-- grows.
create table issue_rates (
    project_id  integer primary key references projects (id) on delete cascade,
    hour        integer not null,
    median      real    not null
) strict;

-- Values that a project's events have; name is environment, release, user, account or tag.<key>. Each
-- name and each value is stored once, for as long as some issue has it.
create table facets (
    id          integer primary key autoincrement,
    project_id  integer not null references projects (id) on delete cascade,
    name        text    not null,
    unique (project_id, name)
) strict;

create table facet_values (
    id        integer primary key autoincrement,
    facet_id  integer not null references facets (id) on delete cascade,
    value     text    not null,
    unique (facet_id, value)
) strict;
create trigger facets_end after delete on facet_values begin
    delete from facets where id = old.facet_id
        and not exists (select 1 from facet_values where facet_id = old.facet_id);
end;

-- Other names of a user or account. At most issues::ALIASES_MAX of a kind.
create table facet_aliases (
    value_id  integer not null references facet_values (id) on delete cascade,
    kind      text    not null check (kind in ('email', 'username', 'name')),
    alias     text    not null,
    primary key (value_id, kind, alias)
) strict, without rowid;
create index facet_aliases_by_alias on facet_aliases (alias);

-- The values of an issue's events. Limited by issues::FACET_VALUES_MAX and FACETS_MAX; users and
-- accounts are not, since they are counted exactly. No row refers to a value by a foreign key: each
-- insert would look its value up once more.
create table issue_facets (
    issue_id    integer not null references issues (id) on delete cascade,
    facet_id    integer not null,
    value_id    integer not null,
    count       integer not null,
    first_seen  integer not null,
    last_seen   integer not null,
    primary key (issue_id, facet_id, value_id)
) strict, without rowid;
-- The issues with a value. Its columns never change, so counting an event does not touch it.
create index issue_facets_by_value on issue_facets (facet_id, value_id);
create trigger facet_values_end after delete on issue_facets begin
    delete from facet_values where id = old.value_id
        and not exists (select 1 from issue_facets where facet_id = old.facet_id and value_id = old.value_id);
end;

-- The sums of the facets `release` over a project's issues, whether or not the release is stored.
-- Stored, because summing them when read would make a list of releases visit every issue of each.
create table release_counts (
    project_id      integer not null references projects (id) on delete cascade,
    version         text    not null,
    event_count     integer not null,
    issue_count     integer not null,
    first_event_at  integer not null,
    last_event_at   integer not null,
    primary key (project_id, version)
) strict, without rowid;

-- What happened to an issue and what people said about it. Limited for each issue by the constants
-- of issues::activity. The first event has no row: it is in issues.
create table activity (
    id        integer primary key autoincrement,
    issue_id  integer not null references issues (id) on delete cascade,
    at        integer not null,
    user_id   integer references users (id) on delete set null, -- null: Mayday itself, or a deleted account
    kind      text    not null,                 -- see issues::activity::Kind
    data      text    not null,                 -- JSON, by kind
    release   text                              -- regressed: that of the event that caused it
) strict;
create index activity_by_issue on activity (issue_id, id desc);
create index activity_regressions on activity (release, issue_id) where kind = 'regressed';

-- Resolved stacks, stored once per issue: most events of an issue throw from the same place.
create table stacks (
    id        integer primary key autoincrement,
    issue_id  integer not null references issues (id) on delete cascade,
    hash      blob    not null,                 -- blake3 of the frames' JSON, 16 bytes
    frames    blob    not null,                 -- zstd of their JSON, see digest::stacks
    unique (issue_id, hash)
) strict;

create table events (
    id           integer primary key autoincrement,
    project_id   integer not null references projects (id) on delete cascade,
    issue_id     integer not null references issues (id) on delete cascade,
    event_key    blob    not null,              -- event_id as encoded by event::key
    timestamp    integer not null,
    received_at  integer not null,
    stack_id     integer,                       -- of the same issue; deleted with it
    trace_id     blob,                          -- as encoded by event::key
    payload      blob    not null,              -- JSON of event::Accepted, packed by store::Packer
    unique (project_id, event_key)
) strict;
create index events_by_issue on events (issue_id, timestamp, id);
create index events_by_trace on events (project_id, trace_id, timestamp) where trace_id is not null;

-- Dictionaries with which payloads are compressed, trained on the instance's own events. A payload names
-- the one it needs, so none is ever deleted; store::dictionaries limits their number.
create table dictionaries (
    id          integer primary key,            -- zstd's, from the content
    content     blob    not null,
    at_row      integer not null,               -- the newest row of events when it was trained
    created_at  integer not null
) strict;

-- One row that /health writes, to check that writing works.
create table heartbeat (
    id  integer primary key check (id = 1),
    at  integer not null
) strict;

-- Digest -----------------------------------------------------------------------------------------

-- How far the journal has been digested; moved in the transaction that stores the events.
create table digest (
    id        integer primary key check (id = 1),
    position  integer not null
) strict;
insert into digest (id, position) values (1, 0);

-- Accepted events that could not be digested, and what a newer Mayday accepted; kept for the administrators, the
-- newest 1,000 of a project, blocking nobody.
create table set_aside (
    id           integer primary key autoincrement,
    project_id   integer not null references projects (id) on delete cascade,
    event_id     text    not null,
    received_at  integer not null,
    reason       text    not null,
    kind         integer not null,              -- of the journal's record
    version      integer not null,              -- of that kind's layout
    body         blob    not null               -- the record as it was accepted, see event::record
) strict;
create index set_aside_by_project on set_aside (project_id);
create unique index set_aside_by_event on set_aside (project_id, event_id);

pragma user_version = 1;
