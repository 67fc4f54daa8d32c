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

-- The anonymous heartbeat; no row before the first.
create table anonymous_heartbeat (
    id        integer primary key check (id = 1),
    tried_at  integer not null,                 -- written before it is sent, so that a crash counts as well
    sent_at   integer                           -- the last one that arrived
) strict;

-- The feed of releases; no row before it was first asked.
create table release_feed (
    id          integer primary key check (id = 1),
    tried_at    integer not null,
    checked_at  integer,                        -- the last time that it answered
    error       text,                           -- why it did not the last time
    version     text,                           -- the newest release that it named then; null: none
    url         text,                           -- the page of that release
    seen_at     integer,                        -- when that release was first seen
    signalled   text                            -- the highest version that a signal was written for
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

-- For previews of alert rules.
create index signals_by_project on signals (project_id, kind, at) where project_id is not null;

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
    channel          text    not null,          -- mail, hook, ticket or pull_request; see deliveries::Channel
    target           text    not null,          -- the recipient; for mail, the address, for a hook, its alert channel; for a ticket or a pull request, the connection
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

-- Backups ----------------------------------------------------------------------------------------

-- The backups that the server made by itself, or tried to make. The newest are kept (backup::runs::KEPT), and the last
-- one that succeeded.
create table backup_runs (
    id          integer primary key autoincrement,
    target      text    not null,               -- SERVICE_BACKUP_TO
    name        text    not null,               -- of the archive there
    outcome     text    not null default 'running' check (outcome in ('running', 'succeeded', 'failed', 'stopped')),
    started_at  integer not null,
    ended_at    integer,                        -- null while it is running
    size_bytes  integer,                        -- if it succeeded
    error       text,                           -- why it failed; or what else went wrong
    upload_id   text                            -- of an upload that nobody has completed or given up
) strict;

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
    agent_caps  text    not null default '{}',  -- JSON: what a session may use that says nothing else
    session_count integer not null default 0,   -- the last number of its sessions that was assigned
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
    scopes           text    not null,          -- comma-separated: read, write
    created_by       integer references users (id) on delete set null,
    created_at       integer not null,
    last_used_at     integer,                   -- written at most once a minute
    revoked_at       integer
) strict;
create index organization_keys_by_organization on organization_keys (organization_id, id);

-- The networks that keys were used from, see accounts::networks. At most NETWORKS_MAX of a key.
create table key_networks (
    holder         text    not null check (holder in ('personal', 'organization', 'project')),
    key_id         integer not null,            -- of the holder's table
    network        text    not null,            -- such as 203.0.113.0/24
    first_used_at  integer not null,
    told_at        integer,                     -- when somebody was warned of it; null: nobody was
    primary key (holder, key_id, network)
) strict, without rowid;
create trigger personal_tokens_end after delete on personal_tokens begin
    delete from key_networks where holder = 'personal' and key_id = old.id;
end;
create trigger organization_keys_end after delete on organization_keys begin
    delete from key_networks where holder = 'organization' and key_id = old.id;
end;

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
create trigger project_keys_end after delete on project_keys begin
    delete from key_networks where holder = 'project' and key_id = old.id;
end;

-- Releases and source maps -----------------------------------------------------------------------

create table releases (
    id            integer primary key autoincrement,
    project_id    integer not null references projects (id) on delete cascade,
    version       text    not null,
    url_prefix    text    not null,
    created_at    integer not null,
    finalized_at  integer,
    uploads       integer not null default 0,   -- source maps stored, also in place of others: with which of them frames
                                                -- were resolved
    commit_sha    text,                         -- what it was built from, hex in lower case
    unique (project_id, version)
) strict;
create index releases_newest on releases (project_id, id desc);

-- One row for each distinct uploaded content, of source maps and style sheets; the files are under sourcemaps/ by blake3.
create table map_files (
    id          integer primary key autoincrement,
    blake3      blob    not null unique,
    sha256      blob    not null,
    size        integer not null,               -- bytes as uploaded
    disk_size   integer not null,               -- bytes of its files
    created_at  integer not null,
    flaws       text                            -- symbolication::map::Flaws: its mappings that are wrong; null: none
) strict;
create index map_files_by_sha256 on map_files (sha256);

create table source_maps (
    id          integer primary key autoincrement,
    release_id  integer not null references releases (id) on delete cascade,
    url         text    not null,
    file_id     integer not null references map_files (id),
    created_at  integer not null,
    use_count   integer not null default 0,     -- events whose frames it resolved as they were digested
    last_used_at integer,                       -- the latest of them; null: none
    debug_id    blob,                           -- 16 bytes; null: neither map nor manifest has one
    unique (release_id, url)
) strict;
create index source_maps_by_file on source_maps (file_id);
create index source_maps_by_debug_id on source_maps (debug_id) where debug_id is not null;

-- The style sheets of a release, which its replays are drawn with. At most releases::styles::COUNT_MAX of a release.
create table style_sheets (
    id          integer primary key,
    release_id  integer not null references releases (id) on delete cascade,
    url         text    not null,
    file_id     integer not null references map_files (id),
    created_at  integer not null,
    unique (release_id, url)
) strict;
create index style_sheets_by_file on style_sheets (file_id);

-- When and where a release came out. At most releases::deploys::DEPLOYS_MAX of a release.
create table deploys (
    id           integer primary key autoincrement,
    project_id   integer not null references projects (id) on delete cascade,
    release_id   integer not null references releases (id) on delete cascade,
    environment  text    not null,
    name         text,
    url          text,
    started_at   integer,
    finished_at  integer not null,
    created_at   integer not null
) strict;
create index deploys_by_project on deploys (project_id, finished_at);
create index deploys_by_release on deploys (release_id, finished_at);

-- Releases that got source maps after they had events, which are therefore resolved again.
create table late_maps (
    release_id      integer primary key references releases (id) on delete cascade,
    requested_at    integer not null,           -- the last upload, which begins anew
    last_issue      integer not null default 0, -- issues up to this id are done
    issue_count     integer not null default 0,
    issues_done     integer not null default 0,
    issues_changed  integer not null default 0,
    finished_at     integer                     -- null: it waits or is under way
) strict;
create index late_maps_waiting on late_maps (requested_at) where finished_at is null;

-- Debug ids of frames that no source map resolved, because the project had none with that id: their issues are looked at
-- again once one comes, whatever its release. At most releases::late::AWAITED_MAX of an issue, the latest.
create table awaited_maps (
    issue_id    integer not null references issues (id) on delete cascade,
    debug_id    blob    not null,               -- 16 bytes
    last_seen   integer not null,               -- the newest of their events
    primary key (issue_id, debug_id)
) strict, without rowid;
create index awaited_maps_by_debug_id on awaited_maps (debug_id);

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
    high_value_at        integer,               -- when a high-value account first met it; null: none did
    high_value_account   text,                  -- what that account is called
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
create index issues_high_value on issues (project_id, high_value_at) where high_value_at is not null;
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

-- The same for each environment that the issue has in issue_facets, whose value_id this is.
create table issue_environment_hours (
    issue_id  integer not null references issues (id) on delete cascade,
    value_id  integer not null,
    hour      integer not null,
    count     integer not null,
    primary key (issue_id, value_id, hour)
) strict, without rowid;

-- Events per hour of a project's median issue, calculated at most once an hour, when a young issue
-- grows.
create table issue_rates (
    project_id  integer primary key references projects (id) on delete cascade,
    hour        integer not null,
    median      real    not null
) strict;

-- Events of each account by the day (UTC) of the event, to find a project's busiest. Kept for
-- projects::high_value::BUSIEST_DAYS.
create table account_days (
    project_id  integer not null references projects (id) on delete cascade,
    account     text    not null,               -- the value of the facet
    day         integer not null,               -- timestamp / 86,400,000
    count       integer not null,
    primary key (project_id, account, day)
) strict, without rowid;

-- The accounts with most events, found by a job.
create table busiest_accounts (
    project_id  integer not null references projects (id) on delete cascade,
    account     text    not null,
    primary key (project_id, account)
) strict, without rowid;

-- Values that a project's events have; name is environment, release, user, account, tag.<key> or one of
-- event::facets::CONTEXTS. Each name and each value is stored once, for as long as some issue has it.
-- Limited by issues::PROJECT_TAGS_MAX, PROJECT_VALUES_MAX and PROJECT_TAG_VALUES_MAX, except for users and
-- accounts.
create table facets (
    id           integer primary key autoincrement,
    project_id   integer not null references projects (id) on delete cascade,
    name         text    not null,
    value_count  integer not null default 0,    -- rows of facet_values
    unique (project_id, name)
) strict;

create table facet_values (
    id        integer primary key autoincrement,
    facet_id  integer not null references facets (id) on delete cascade,
    value     text    not null,
    unique (facet_id, value)
) strict;
create trigger facet_values_new after insert on facet_values begin
    update facets set value_count = value_count + 1 where id = new.facet_id;
end;
create trigger facets_end after delete on facet_values begin
    update facets set value_count = value_count - 1 where id = old.facet_id;
    delete from facets where id = old.facet_id and value_count = 0;
end;

-- Other names of a user or account. At most issues::ALIASES_MAX of a kind.
create table facet_aliases (
    value_id  integer not null references facet_values (id) on delete cascade,
    kind      text    not null check (kind in ('email', 'username', 'name')),
    alias     text    not null,
    primary key (value_id, kind, alias)
) strict, without rowid;
create index facet_aliases_by_alias on facet_aliases (alias);

-- When each value of the facet environment was last seen, also by events of issues that were deleted since. Stored,
-- because a list of a project's environments would visit every issue of each.
create table environments (
    value_id   integer primary key references facet_values (id) on delete cascade,
    facet_id   integer not null,
    last_seen  integer not null
) strict;
create index environments_by_last_seen on environments (facet_id, last_seen);

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
    id              integer primary key autoincrement,
    project_id      integer not null references projects (id) on delete cascade,
    version         text    not null,
    event_count     integer not null,
    issue_count     integer not null,
    user_count      integer not null default 0, -- of all events, also of issues that were deleted since
    has_users       integer not null default 0, -- 1: release_users may have rows of it
    first_event_at  integer not null,
    last_event_at   integer not null,
    unique (project_id, version)
) strict;
create index release_counts_with_users on release_counts (has_users) where has_users = 1;
create index release_counts_by_last_event on release_counts (project_id, last_event_at);
-- A release without events begins anew. Of those that were never created, releases::SEEN_MAX are kept.
create trigger release_counts_end after update of event_count on release_counts when new.event_count <= 0 begin
    delete from release_counts where id = new.id;
end;

-- Who has been counted in a release. Kept for releases::USERS_KEPT after its last event: somebody who comes back later
-- counts once more.
create table release_users (
    release_id  integer not null references release_counts (id) on delete cascade,
    user        integer not null,               -- 8 bytes of blake3 of the value of the facet
    primary key (release_id, user)
) strict, without rowid;

-- Events per hour of a release, also of issues that were deleted since. hour = timestamp / 3,600,000.
create table release_hours (
    release_id  integer not null references release_counts (id) on delete cascade,
    hour        integer not null,
    count       integer not null,
    primary key (release_id, hour)
) strict, without rowid;

-- What a release has in an environment. At most releases::ENVIRONMENTS_MAX of a release. Stored, because nothing else knows
-- which of an issue's events in a release were in which environment.
create table release_environments (
    id              integer primary key autoincrement,
    release_id      integer not null references release_counts (id) on delete cascade,
    environment     text    not null,
    event_count     integer not null,
    issue_count     integer not null,
    user_count      integer not null default 0, -- of all events, also of issues that were deleted since
    first_event_at  integer not null,
    last_event_at   integer not null,
    unique (release_id, environment)
) strict;
create trigger release_environments_end after update of event_count on release_environments when new.event_count <= 0 begin
    delete from release_environments where id = new.id;
end;

-- The issues that are counted in an environment of a release, with their events there.
create table release_environment_issues (
    environment_id  integer not null references release_environments (id) on delete cascade,
    issue_id        integer not null references issues (id) on delete cascade,
    count           integer not null,
    primary key (environment_id, issue_id)
) strict, without rowid;
create index release_environment_issues_by_issue on release_environment_issues (issue_id);

-- Who has been counted there; kept as long as release_users.
create table release_environment_users (
    environment_id  integer not null references release_environments (id) on delete cascade,
    user            integer not null,
    primary key (environment_id, user)
) strict, without rowid;

-- Events per hour there, also of issues that were deleted since, of issues::TREND_HOURS_MAX before the last.
create table release_environment_hours (
    environment_id  integer not null references release_environments (id) on delete cascade,
    hour            integer not null,
    count           integer not null,
    primary key (environment_id, hour)
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

-- Searches of issues that people keep. Limited by issues::views::OWN_MAX and SHARED_MAX. The filters of alert rules and the
-- configurations of triggers may name a shared one, which is then not deleted.
create table views (
    id          integer primary key autoincrement,
    project_id  integer not null references projects (id) on delete cascade,
    owner       integer references users (id) on delete set null,
    name        text    not null,
    query       text    not null,
    sort        text    not null,               -- see issues::sql::Sort
    environment text,                           -- what its list is limited to; null: it does not say
    period      text,                           -- one of issues::views::PERIODS; null: it does not say
    shared      integer not null,
    created_at  integer not null
) strict;
create index views_by_project on views (project_id, owner, id desc);
create index views_shared on views (project_id, id desc) where shared;
create index views_by_owner on views (owner);

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
    window_key   blob,                          -- session and window, see event::replay::window_key
    replay_key   blob,                          -- the replay that it names, as encoded by event::key
    payload      blob    not null,              -- JSON of event::Accepted, packed by store::Packer
    unique (project_id, event_key)
) strict;
-- With the stack, so that whether an issue still has events of one is answered without reading rows.
create index events_by_issue on events (issue_id, timestamp, id, stack_id);
-- In the order in which they were stored: retention and the deletion of a project begin with the oldest.
create index events_by_project on events (project_id);
create index events_by_trace on events (project_id, trace_id, timestamp) where trace_id is not null;
create index events_by_window on events (project_id, window_key, timestamp) where window_key is not null;
create index events_by_replay on events (project_id, replay_key, timestamp) where replay_key is not null;

-- What a project's events hold, by the day (UTC) on which they were received: counted, because adding it up when
-- somebody asks would read every event. The digest adds the sums of a batch; a deletion takes its row away here.
create table event_days (
    project_id  integer not null references projects (id) on delete cascade,
    day         integer not null,               -- received_at / 86,400,000
    count       integer not null,
    bytes       integer not null,               -- of the payloads
    primary key (project_id, day)
) strict, without rowid;
create trigger event_days_end after delete on events begin
    update event_days set count = count - 1, bytes = bytes - length(old.payload)
        where project_id = old.project_id and day = old.received_at / 86400000;
end;

-- Replays ----------------------------------------------------------------------------------------

-- Session replays: made by the digest from the segments as they arrive, in any order.
create table replays (
    id            integer primary key autoincrement,
    project_id    integer not null references projects (id) on delete cascade,
    replay_key    blob    not null,             -- the client's id, or one made from session and window; see event::key
    session_id    text,                         -- null where a client knows no such thing; likewise the next two
    window_id     text,
    window_key    blob,                         -- see event::replay::window_key
    event_id      text,                         -- the error event that it was sent with
    started_at    integer not null,
    ended_at      integer not null,             -- at most an hour later
    environment   text,
    release       text,
    url           text,                         -- the first page
    urls          text    not null,             -- JSON: the pages, each once
    user          text,                         -- JSON, as on events; of the last part that names one
    account       text,
    who           text    not null,             -- ids, e-mail and names of all of them, in lower case, for searches
    user_agent    text,
    rrweb_version text,                         -- of the recorder; null: unknown
    segments      integer not null,             -- chunks of which all pieces have arrived
    pieces        integer not null,             -- that have arrived, of chunks that are in several
    total         integer,                      -- how many there are, as a segment says; null while unknown
    latest_place  integer not null,             -- the highest that has arrived
    head_place    integer,                      -- of the segment that told when it began; null until one has
    person_place  integer,                      -- of the segment that told whose it is
    recorded      integer not null,             -- milliseconds that its segments take together
    has_snapshot  integer not null,
    events        integer not null,
    clicks        integer not null,
    bytes         integer not null,             -- of the files
    scrubbed      integer not null,
    received_at   integer not null,             -- of the first that arrived
    latest_at     integer not null,             -- of the last that arrived
    deleted_at    integer,                      -- what still arrives is dropped
    unique (project_id, replay_key)
) strict;
create index replays_newest on replays (project_id, started_at, id) where deleted_at is null;
create index replays_by_environment on replays (project_id, environment, started_at)
    where deleted_at is null and events > 0;
create index replays_by_window on replays (project_id, window_key, started_at) where window_key is not null;
create index replays_by_key on replays (replay_key);
create index replays_deleted on replays (deleted_at) where deleted_at is not null;
create index replays_oldest on replays (project_id, id) where deleted_at is null;

-- What a project's replays hold that are not deleted, by the day (UTC) on which their first segment was received.
create table replay_days (
    project_id  integer not null references projects (id) on delete cascade,
    day         integer not null,               -- received_at / 86,400,000
    count       integer not null,
    bytes       integer not null,               -- of the files
    primary key (project_id, day)
) strict, without rowid;
create trigger replay_days_new after insert on replays begin
    insert into replay_days (project_id, day, count, bytes)
        values (new.project_id, new.received_at / 86400000, 1, new.bytes)
        on conflict do update set count = count + 1, bytes = bytes + excluded.bytes;
end;
create trigger replay_days_more after update of bytes on replays when new.deleted_at is null begin
    update replay_days set bytes = bytes + new.bytes - old.bytes
        where project_id = old.project_id and day = old.received_at / 86400000;
end;
create trigger replay_days_deleted after update of deleted_at on replays
when old.deleted_at is null and new.deleted_at is not null begin
    update replay_days set count = count - 1, bytes = bytes - old.bytes
        where project_id = old.project_id and day = old.received_at / 86400000;
end;
create trigger replay_days_end after delete on replays when old.deleted_at is null begin
    update replay_days set count = count - 1, bytes = bytes - old.bytes
        where project_id = old.project_id and day = old.received_at / 86400000;
end;

-- The error events that a replay names as its own; at most replays::ERRORS_MAX of each.
create table replay_errors (
    replay     integer not null references replays (id) on delete cascade,
    event_key  blob    not null,                -- see event::key
    primary key (replay, event_key)
) strict, without rowid;
create index replay_errors_by_event on replay_errors (event_key);

-- The segments of a replay: its chunks, or pieces of them; their events are in files.
create table replay_segments (
    replay      integer not null references replays (id) on delete cascade,
    place       integer not null,               -- of its chunk, from 0
    piece       integer not null,               -- of a chunk that came in several requests, from 0
    pieces      integer not null,               -- how many there are of the chunk
    file        blob,                           -- the name of its file in replays/; null: no events
    bytes       integer not null,               -- of the file
    first_at    integer,                        -- of its events, by the client's clock; null: no events
    last_at     integer,
    snapshot_at integer,                        -- of its first full snapshot; null: none
    received_at integer not null,
    lag         integer,                        -- how far the client's clock was behind, in ms; null: not said
    damaged_at  integer,                        -- when its file was found damaged; null: it was whole when last read
    primary key (replay, place, piece)
) strict, without rowid;
create unique index replay_segments_by_file on replay_segments (file) where file is not null;
create index replay_segments_by_lag on replay_segments (replay, lag) where lag is not null;

-- Dictionaries with which payloads are compressed, trained on the instance's own events. A payload names
-- the one it needs, so none is ever deleted; store::dictionaries limits their number.
create table dictionaries (
    id          integer primary key,            -- zstd's, from the content
    content     blob    not null,
    at_row      integer not null,               -- the newest row of events when it was trained
    created_at  integer not null
) strict;

-- Usage ------------------------------------------------------------------------------------------

-- What was held at the end of each day, to show growth. Written by a job; kept for usage::KEPT_DAYS.
create table usage_days (
    project_id  integer not null,               -- 0: the whole data directory
    kind        text    not null,               -- see usage::DataKind
    day         integer not null,               -- since the epoch, UTC
    count       integer not null,
    bytes       integer not null,
    primary key (project_id, kind, day)
) strict, without rowid;
create trigger usage_days_end after delete on projects begin
    delete from usage_days where project_id = old.id;
end;

-- One row that /health writes, to check that writing works.
create table heartbeat (
    id  integer primary key check (id = 1),
    at  integer not null
) strict;

-- Notifications ----------------------------------------------------------------------------------

-- What there is to tell, once for all who are told. Every time is that of a signal.
create table notices (
    id               integer primary key autoincrement,
    organization_id  integer,                   -- null: it concerns an account or the instance
    project_id       integer references projects (id) on delete cascade,
    category         text    not null check (category in ('error', 'team', 'integration', 'system')),
    kind             text    not null,          -- of the signal, see signals::Kind
    title            text    not null,
    summary          text    not null,
    source_type      text    not null,          -- issue, project, user, key, invitation, announcement, release
    source_id        integer not null,
    action_url       text    not null,          -- a path of the Web app
    actor_id         integer references users (id) on delete set null,
    actor_name       text,
    metadata         text    not null,          -- a JSON object, by category
    issue_count      integer not null,          -- issues it tells of; over 1, it stands for many signals
    told_at          integer not null,          -- when those who had read it were last told again
    mailed_at        integer not null,          -- when mails last told of it
    latest_at        integer not null,          -- of the newest signal it stands for
    created_at       integer not null
) strict;
create index notices_by_project on notices (project_id, kind, latest_at) where project_id is not null;

-- Who is told of a notice.
create table notifications (
    id               integer primary key autoincrement,
    user_id          integer not null references users (id) on delete cascade,
    notice_id        integer not null references notices (id) on delete cascade,
    organization_id  integer,                   -- the notice's, or else one of the person's; null: they have none
    category         text    not null,          -- the notice's, for filters
    read_at          integer,
    archived_at      integer,
    created_at       integer not null
) strict;
create index notifications_by_user on notifications (user_id, id, category, read_at, archived_at);
create index notifications_unread on notifications (user_id, id) where read_at is null and archived_at is null;
create unique index notifications_by_notice on notifications (notice_id, user_id);
-- Whoever leaves an organization no longer reads what happens in it.
create trigger notifications_end after update of removed_at on memberships
    when new.removed_at is not null and old.removed_at is null begin
    delete from notifications where user_id = new.user_id and organization_id = new.organization_id
        and category <> 'system';
    delete from held_mails where user_id = new.user_id and organization_id = new.organization_id;
    delete from notification_mails where user_id = new.user_id
        and (organization_id = new.organization_id or category is null or category = 'report');
end;

-- What a person wants to be told of, and how: a row for each category, made with the account. (Not by a trigger on
-- users: an insert would then search all tables that refer to it.)
create table notification_preferences (
    id              integer primary key autoincrement,
    user_id         integer not null references users (id) on delete cascade,
    category        text    not null check (category in ('error', 'team', 'integration', 'system')),
    in_app_enabled  integer not null,
    email_enabled   integer not null,
    created_at      integer not null,
    updated_at      integer not null,
    unique (user_id, category)
) strict;

-- Mails about notifications that were not sent yet. A row is deleted with the person's right or wish to read the mail, and
-- with it the delivery; one in flight may still arrive.
create table notification_mails (
    delivery_id      integer primary key references deliveries (id) on delete cascade,
    user_id          integer not null references users (id) on delete cascade,
    organization_id  integer,                   -- the notice's; null: it concerns an account or the instance
    category         text                       -- or `report`; null: a digest of several
) strict;
create index notification_mails_by_user on notification_mails (user_id);
create trigger notification_mails_end after delete on notification_mails begin
    delete from deliveries where id = old.delivery_id and status = 'pending';
end;
create trigger notification_mails_of_disabled after update of disabled_at on users
    when new.disabled_at is not null and old.disabled_at is null begin
    delete from notification_mails where user_id = new.id;
end;
create trigger notification_mails_unwanted after update of email_enabled on notification_preferences
    when not new.email_enabled and old.email_enabled begin
    delete from notification_mails where user_id = new.user_id and category = new.category;
end;

-- Who wants a report of their week by mail, and when the next one is due; no row: they do not.
create table weekly_reports (
    user_id  integer primary key references users (id) on delete cascade,
    next_at  integer not null
) strict;
create index weekly_reports_due on weekly_reports (next_at);

-- How many mails about notifications a person got within the hour that began with the first of them.
create table mail_hours (
    user_id  integer primary key references users (id) on delete cascade,
    since    integer not null,
    count    integer not null
) strict;

-- What is above the limit of an hour waits for its end, and is mailed at once.
create table held_mails (
    id               integer primary key autoincrement,
    user_id          integer not null references users (id) on delete cascade,
    organization_id  integer,                   -- the notice's; null: it concerns an account or the instance
    category         text    not null,
    title            text    not null,
    action_url       text    not null,
    due_at           integer not null           -- the end of the hour
) strict;
create index held_mails_by_user on held_mails (user_id, id);
create index held_mails_due on held_mails (due_at, user_id);

-- Alerts -----------------------------------------------------------------------------------------

-- Where the messages of alert rules go.
create table alert_channels (
    id          integer primary key autoincrement,
    project_id  integer not null references projects (id) on delete cascade,
    name        text    not null,
    kind        text    not null check (kind in ('webhook', 'slack', 'discord', 'teams', 'ntfy', 'template')),
    host        text    not null,               -- of the address, for display
    place       text    not null unique,        -- random; what the target is sealed for
    target      blob    not null,               -- address, secret, token and template; sealed
    enabled     integer not null,
    off_reason  text,                           -- why Mayday switched it off; null: it did not
    off_at      integer,
    issue_quiet_minutes integer not null,       -- between messages about an issue from different rules
    created_at  integer not null,
    updated_at  integer not null
) strict;
create index alert_channels_by_project on alert_channels (project_id, id);

create table alert_rules (
    id             integer primary key autoincrement,
    project_id     integer not null references projects (id) on delete cascade,
    name           text    not null,
    kind           text    not null,            -- of the condition
    condition      text    not null,            -- JSON, see alerts::Condition
    filters        text    not null,            -- JSON, see alerts::RuleFilters
    quiet_minutes  integer not null,
    enabled        integer not null,
    last_fired_at  integer,
    counted_since  integer not null default 0,  -- the hour in which messages are counted,
    counted        integer not null default 0,  -- how many there were,
    suppressed     integer not null default 0,  -- and how many were left out since the last one
    problem        text,                        -- why it could not count everything when it last did; null: it could
    created_at     integer not null,
    updated_at     integer not null
) strict;
create index alert_rules_by_project on alert_rules (project_id, kind);

create table alert_rule_channels (
    rule_id     integer not null references alert_rules (id) on delete cascade,
    channel_id  integer not null references alert_channels (id) on delete cascade,
    primary key (rule_id, channel_id)
) strict, without rowid;
create index alert_rule_channels_by_channel on alert_rule_channels (channel_id);

-- When a rule last spoke of an issue (0: of logs). Forgotten after the longest quiet time.
create table alert_firings (
    rule_id   integer not null references alert_rules (id) on delete cascade,
    issue_id  integer not null,
    fired_at  integer not null,
    primary key (rule_id, issue_id)
) strict, without rowid;
create index alert_firings_by_time on alert_firings (fired_at);

-- The messages of rules; how each went is in its delivery. Limited by alerts::KEPT and KEPT_MAX.
create table alert_deliveries (
    id            integer primary key autoincrement,
    project_id    integer not null references projects (id) on delete cascade,
    rule_id       integer references alert_rules (id) on delete set null,
    rule_name     text    not null,
    channel_id    integer references alert_channels (id) on delete set null,
    channel_name  text    not null,
    issue_id      integer,
    title         text    not null,
    delivery_id   integer not null references deliveries (id),
    created_at    integer not null
) strict;
create index alert_deliveries_by_project on alert_deliveries (project_id, id);
create index alert_deliveries_by_rule on alert_deliveries (rule_id);
create index alert_deliveries_by_channel on alert_deliveries (channel_id, issue_id, created_at);
create index alert_deliveries_by_delivery on alert_deliveries (delivery_id);
create index alert_deliveries_by_time on alert_deliveries (created_at);
create trigger alert_deliveries_end after delete on alert_deliveries begin
    delete from deliveries where id = old.delivery_id;
end;

-- Automation -------------------------------------------------------------------------------------

-- Ids are random UUIDs, as text. A `connection_id` names a connection to a code host, a chat or a tracker.

create table repositories (
    id               text    primary key,
    organization_id  integer not null references organizations (id) on delete cascade,
    host_repo_id     text    not null,          -- what the code host calls it
    host_repo_name   text    not null,          -- such as acme/shop
    host_url         text    not null,          -- what git clones from and pushes to
    default_branch   text    not null,
    source           text    not null,          -- where it was found, such as github
    is_private       integer not null,
    allowed_hosts    text    not null default '[]', -- JSON: hosts that agents in a room may reach
    setup_command    text,                      -- shell commands of runners: makes a checkout ready,
    test_command     text,                      -- and tests it; null: nothing is tested
    test_report      text,                      -- where that writes JUnit XML; null: its exit code is all that counts
    allowed_files    text    not null default '[]', -- JSON: manifests and lock files that agents may change
    connection_id    text,
    created_by       integer references users (id) on delete set null,
    created_at       integer not null,
    unique (organization_id, host_repo_id)
) strict, without rowid;
create index repositories_by_person on repositories (created_by) where created_by is not null;
create index repositories_by_connection on repositories (connection_id) where connection_id is not null;

-- The repositories that a project's code is in, the first one first.
create table project_repositories (
    project_id     integer not null references projects (id) on delete cascade,
    repository_id  text    not null references repositories (id) on delete cascade,
    place          integer not null,            -- from 0
    primary key (project_id, repository_id)
) strict, without rowid;
create index project_repositories_by_repository on project_repositories (repository_id);

-- Machines that run sessions. Only blake3 of the token is stored.
create table runners (
    id               text    primary key,
    organization_id  integer not null references organizations (id) on delete cascade,
    name             text    not null,
    labels           text    not null,          -- JSON: an array of strings; a session may require some
    agents           text    not null default '[]', -- JSON: the names of those it has, as it said last; none: any
    refuses_public   integer not null default 0, -- whether it takes no session that anybody may have started, as it said last
    uncounted        text    not null default '[]', -- JSON: the names of the caps that it cannot keep, as it said last
    token_hash       blob    not null unique,
    capacity         integer not null default 1, -- sessions at once; as it said last
    running          integer not null default 0, -- of them in use; as it said last
    version          text,                      -- of its mayday; null: it has not called yet
    platform         text,                      -- such as linux/x86_64
    last_seen_at     integer,                   -- written at most every few seconds
    created_by       integer references users (id) on delete set null,
    created_at       integer not null
) strict, without rowid;
create index runners_by_organization on runners (organization_id, created_at);
create index runners_by_person on runners (created_by) where created_by is not null;

-- Mirrors of repositories on runners. Each repository has at least one row: until a runner reports a mirror, it has no
-- runner and is pending.
create table prebuilds (
    id             text    primary key,
    repository_id  text    not null references repositories (id) on delete cascade,
    runner_id      text    references runners (id) on delete cascade,
    name           text    not null,
    snapshot_id    text,                        -- the commit of the default branch there
    status         text    not null check (status in ('pending', 'ready')),
    created_at     integer not null,
    updated_at     integer not null
) strict, without rowid;
create unique index prebuilds_by_repository on prebuilds (repository_id, runner_id);
create index prebuilds_by_runner on prebuilds (runner_id) where runner_id is not null;

create table automations (
    id                  text    primary key,
    organization_id     integer not null references organizations (id) on delete cascade,
    name                text    not null,
    description         text    not null,
    enabled             integer not null,
    agent_instructions  text    not null,
    default_prebuild_id text    references prebuilds (id) on delete set null,
    allow_agentic_repo_selection integer not null,
    may_open_pull_requests integer not null default 0, -- also for what a public key has brought about
    agent_type          text    not null,
    model_id            text,                   -- null: the agent's own default
    gates               text    not null,       -- JSON, see automations::Gates
    runner_labels       text    not null,       -- JSON: an array of strings that the runner must have
    caps                text    not null default '{}', -- JSON: what a session may use at most
    time_limit_minutes  integer not null,
    created_by          integer references users (id) on delete set null,
    created_at          integer not null,
    updated_at          integer not null
) strict, without rowid;
create index automations_by_organization on automations (organization_id, created_at);
create index automations_by_prebuild on automations (default_prebuild_id) where default_prebuild_id is not null;
create index automations_by_person on automations (created_by) where created_by is not null;

-- What starts an automation.
create table triggers (
    id             text    primary key,
    automation_id  text    not null references automations (id) on delete cascade,
    provider       text    not null,            -- see automations::Provider
    trigger_type   text    not null,            -- webhook, event, schedule, polling
    name           text    not null,
    enabled        integer not null,
    config         text    not null,            -- JSON, by provider
    webhook_path   text    unique,              -- t_<12>, if it has an inbound address
    secret         blob,                        -- what calls are signed with, sealed
    connection_id  text,
    next_run_at    integer,                     -- of a schedule; null: not while it is off
    created_at     integer not null,
    updated_at     integer not null
) strict, without rowid;
create index triggers_by_automation on triggers (automation_id, created_at);
create index triggers_by_provider on triggers (provider);
create index triggers_by_connection on triggers (connection_id) where connection_id is not null;
create index triggers_due on triggers (next_run_at) where next_run_at is not null;

-- Sessions of agents. `lease` is the random id of the claim by which a runner holds one.
create table sessions (
    number           integer primary key autoincrement, -- the order in which they wait
    id               text    not null unique,
    organization_id  integer not null references organizations (id) on delete cascade,
    organization_number integer not null,       -- what people call it by, from 1 within the organization
    repo_id          text    references repositories (id) on delete set null,
    automation_id    text    references automations (id) on delete set null,
    issue_id         integer references issues (id) on delete set null,
    project_id       integer references projects (id) on delete set null,
    created_by       integer references users (id) on delete set null,
    parent_session_id text   references sessions (id) on delete set null,
    session_type     text    not null check (session_type in ('coding', 'setup', 'terminal')),
    status           text    not null check (status in ('starting', 'running', 'paused', 'suspended', 'stopped', 'failed')),
    origin           text    not null check (origin in ('web', 'cli', 'automation', 'api')),
    title            text    not null,
    prompt           text    not null,          -- what the agent is asked to do, without the context
    agent_type       text    not null,
    model_id         text,
    labels           text    not null,          -- JSON: an array of strings that the runner must have
    time_limit_minutes integer not null,
    agentic_repo     integer not null,          -- without a repository, the agent may choose one
    is_public        integer not null default 0, -- its cause came through a public key
    mode             text    not null default 'write' check (mode in ('read', 'write')),
    patch            text,                      -- what the agent changed, of one whose work was not pushed
    held             text    not null default '[]', -- JSON: {path, why}: what a person looks at first
    held_commit      text,                      -- what the runner keeps of it; null: nothing, or it was pushed
    held_by          text    references runners (id) on delete set null,
    is_releasing     integer not null default 0, -- a person wants it pushed
    caps             text    not null default '{}', -- JSON: what it may use at most
    tokens           integer not null default 0, -- that models say they took
    is_resuming      integer not null default 0, -- it goes on from what its runner kept
    runner_id        text    references runners (id) on delete set null,
    lease            text,                      -- null: no runner holds it
    released         text,                      -- the last lease that a runner gave up by a report
    attempts         integer not null default 0, -- claims
    losses           integer not null default 0, -- of them, those whose runner was lost
    setbacks         integer not null default 0, -- claims in a row that were given back because something else was missing,
    not_before       integer,                   -- and when it can be claimed again
    wanted           text    check (wanted in ('pause', 'resume', 'stop')), -- what people ask of the runner
    phase            text    check (phase in ('preparing', 'working', 'waiting_for_person', 'proving')), -- as its runner says
    phase_since      integer,
    told_at          integer,                   -- when people were told last that its agent asks them something
    sandbox_id       text,                      -- as the runner calls where it works
    snapshot_id      text,                      -- the commit that it began with
    branch_name      text,
    base_branch      text,
    outcome          text    check (outcome in ('completed', 'failed', 'cancelled', 'timed_out', 'no_runner')),
    reason           text,                      -- why it failed, or was put off
    exit_code        integer,
    summary          text,                      -- the agent's own
    head_commit      text,
    files_changed    text    not null default '[]', -- JSON: {path, added, removed}
    pull_request_url text,
    merged_at        integer,                   -- when its pull request was merged
    closed_at        integer,                   -- and when it was closed without that,
    closed_by        text,                      -- by whom, as the code host says
    pull_check_at    integer,                   -- when its code host is asked next what became of it; null: never again
    pull_failures    integer not null default 0, -- of asking, one after the other
    last_comment     text,                      -- JSON: {by, text, at}: what was written there last
    cost_usd_micros  integer not null default 0,
    -- what its runner says that it has used since the claim, until that reports the end
    used_micros      integer not null default 0,
    used_tokens      integer not null default 0,
    active_ms        integer not null default 0, -- for how long runners have held it, up to active_since
    active_since     integer,                   -- null: no runner holds it, or it is paused
    output_next      integer not null default 0, -- entries of output that were stored of this claim
    transcript_rows  integer not null default 0,
    transcript_bytes integer not null default 0,
    tail_bytes       integer not null default 0, -- of the rows that are only kept until others come
    left_out         integer not null default 0, -- entries of output that were not kept
    created_at       integer not null,
    started_at       integer,                   -- of the first claim
    last_activity_at integer not null,
    paused_at        integer,
    ended_at         integer,
    unique (organization_id, organization_number)
) strict;
create index sessions_by_organization on sessions (organization_id, number);
create index sessions_by_status on sessions (organization_id, status, number);
create index sessions_waiting on sessions (organization_id, number) where status in ('starting', 'suspended');
create index sessions_waiting_since on sessions (last_activity_at) where status in ('starting', 'suspended');
create index sessions_parked on sessions (paused_at) where status = 'paused' and lease is null;
create index sessions_ended on sessions (ended_at) where ended_at is not null;
create index sessions_leased on sessions (last_activity_at) where lease is not null;
create index sessions_by_repository on sessions (repo_id) where repo_id is not null;
create index sessions_by_automation on sessions (automation_id, created_at) where automation_id is not null;
create index sessions_by_issue on sessions (issue_id, number) where issue_id is not null;
create index sessions_by_project on sessions (project_id) where project_id is not null;
create index sessions_by_person on sessions (created_by) where created_by is not null;
create index sessions_by_parent on sessions (parent_session_id) where parent_session_id is not null;
create index sessions_by_runner on sessions (runner_id) where runner_id is not null;
create index sessions_by_holder on sessions (held_by) where held_by is not null;
create index sessions_by_pull_request on sessions (pull_request_url) where pull_request_url is not null;
create index sessions_by_pull_check on sessions (pull_check_at) where pull_check_at is not null;

-- What deleted sessions of an automation cost: budgets of the month count them all the same.
create table automation_spent (
    automation_id    text    not null references automations (id) on delete cascade,
    month            integer not null,          -- years since 0 times 12, and months (UTC)
    cost_usd_micros  integer not null,
    active_ms        integer not null,
    primary key (automation_id, month)
) strict, without rowid;
create trigger sessions_end after delete on sessions
    when old.automation_id is not null and (old.cost_usd_micros > 0 or old.active_ms > 0)
        and exists (select 1 from automations where id = old.automation_id) begin
    insert into automation_spent (automation_id, month, cost_usd_micros, active_ms)
        values (old.automation_id,
            strftime('%Y', old.created_at / 1000, 'unixepoch') * 12 + strftime('%m', old.created_at / 1000, 'unixepoch') - 1,
            old.cost_usd_micros, old.active_ms)
        on conflict do update set cost_usd_micros = cost_usd_micros + excluded.cost_usd_micros,
            active_ms = active_ms + excluded.active_ms;
end;

-- Keys of the model gateway, from before they are minted until they are deleted there. The keys themselves are not stored.
-- No reference to the session: a key is deleted although its session was.
create table gateway_keys (
    alias           text    primary key,        -- by which the gateway knows it
    session_id      text    not null,
    lease           text    not null unique,    -- of the claim for which it was minted
    automation_id   text,                       -- of the session
    token_hash      text,                       -- SHA-256 of the key in hex; null: it is not known that there is one
    state           text    not null check (state in ('minted', 'blocked', 'deleted')),
    counted_micros  integer not null default 0, -- what was counted of it in its session
    attempts        integer not null default 0, -- of the next step
    reason          text,                       -- why the last one failed
    next_at         integer not null,
    ends_at         integer not null,           -- when it ends by itself
    created_at      integer not null
) strict, without rowid;

-- The transcript: what people, the agent and its tools said.
create table session_messages (
    id            integer primary key autoincrement,
    session_id    text    not null references sessions (id) on delete cascade,
    role          text    not null check (role in ('user', 'agent', 'tool', 'system')),
    stream        text    check (stream in ('stdout', 'stderr')),
    kind          text    check (kind in ('model', 'network', 'test', 'state')), -- null: something was said
    figures       text,                         -- JSON: of a model call, a connection, a test
    content       text    not null,
    created_by    integer references users (id) on delete set null,
    is_tail       integer not null default 0,   -- above the limit: kept until more than that comes after it
    delivered_at  integer,                      -- of a person's message: when a runner got it
    may_allow     integer not null default 0,   -- whether it may allow what an agent asks for: by a person, not by a key or a token
    created_at    integer not null
) strict;
create index session_messages_by_session on session_messages (session_id, id);
create index session_messages_tail on session_messages (session_id, id) where is_tail;
create index session_messages_new on session_messages (session_id, id) where role = 'user' and delivered_at is null;
create index session_messages_by_person on session_messages (created_by) where created_by is not null;

-- What called an automation, and what became of it. Limited by automations::EVENTS_KEPT and EVENTS_MAX.
create table automation_events (
    number         integer primary key autoincrement,
    id             text    not null unique,
    automation_id  text    not null references automations (id) on delete cascade,
    trigger_id     text    references triggers (id) on delete set null,
    kind           text    not null,            -- such as webhook, issue.created, schedule, manual
    status         text    not null check (status in ('queued', 'processing', 'completed', 'failed', 'skipped')),
    reason         text,                        -- why it was skipped or failed
    session_id     text    references sessions (id) on delete set null,
    issue_id       integer references issues (id) on delete set null,
    project_id     integer references projects (id) on delete set null,
    payload        text    not null,            -- JSON, bounded
    body_hash      blob,                        -- blake3 of a webhook's body
    created_at     integer not null,
    ended_at       integer
) strict;
create index automation_events_by_automation on automation_events (automation_id, number);
create index automation_events_by_trigger on automation_events (trigger_id, body_hash, created_at)
    where trigger_id is not null;
create index automation_events_by_session on automation_events (session_id) where session_id is not null;
create index automation_events_by_issue on automation_events (issue_id, automation_id) where issue_id is not null;
create index automation_events_by_project on automation_events (project_id) where project_id is not null;
create index automation_events_by_time on automation_events (created_at);

-- The ids of webhook calls that were accepted, so that none counts twice. Forgotten after a day.
create table webhook_ids (
    trigger_id  text    not null references triggers (id) on delete cascade,
    webhook_id  text    not null,
    event_id    text    not null,               -- the automation event that it made
    seen_at     integer not null,
    primary key (trigger_id, webhook_id)
) strict, without rowid;
create index webhook_ids_by_time on webhook_ids (seen_at);

-- Connections ------------------------------------------------------------------------------------

-- An organization's connections to a code host, a chat or a tracker. Ids are random UUIDs, as text.
create table connections (
    id               text    primary key,
    organization_id  integer not null references organizations (id) on delete cascade,
    kind             text    not null check (kind in ('github', 'gitlab', 'gitea', 'slack', 'linear', 'jira')),
    display_name     text    not null,
    status           text    not null check (status in ('connected', 'failing', 'revoked')),
    reason           text,                      -- why it is not connected
    account          text    not null,          -- what it leads to there, such as the name of a workspace
    external_id      text,                      -- of GitHub: the installation
    credentials      blob,                      -- sealed; null: the server's own app has them
    settings         text    not null,          -- JSON, see connections::Settings
    failures         integer not null default 0, -- of checks, one after the other, that may pass
    next_check_at    integer not null,
    created_by       integer references users (id) on delete set null,
    created_at       integer not null,
    updated_at       integer not null,
    checked_at       integer not null
) strict, without rowid;
create index connections_by_organization on connections (organization_id, created_at);
create index connections_due on connections (next_check_at);
create index connections_by_person on connections (created_by) where created_by is not null;
-- An installation belongs to one organization.
create unique index connections_by_installation on connections (external_id) where external_id is not null;
create trigger connections_end after delete on connections begin
    update repositories set connection_id = null where connection_id = old.id;
    update triggers set connection_id = null where connection_id = old.id;
end;

-- Installations of the code host's app that somebody has begun, see connections::installs.
create table connection_flows (
    id               integer primary key autoincrement,
    state_hash       blob    not null unique,
    browser_hash     blob    not null,
    organization_id  integer not null references organizations (id) on delete cascade,
    user_id          integer not null references users (id) on delete cascade,
    created_at       integer not null,
    expires_at       integer not null
) strict;
create index connection_flows_by_organization on connection_flows (organization_id);
create index connection_flows_by_person on connection_flows (user_id);
create index connection_flows_by_expiry on connection_flows (expires_at);

-- Tickets of trackers and code hosts that were made from an issue.
create table tickets (
    id             integer primary key autoincrement,
    issue_id       integer not null references issues (id) on delete cascade,
    connection_id  text    references connections (id) on delete set null, -- null: it was removed
    kind           text    not null,            -- of the connection
    mark           text    not null unique,     -- a random UUID that the ticket's text has, to find it again
    destination    text    not null,            -- the tracker's id of where it is, such as a repository
    destination_name text  not null,
    external_id    text,                        -- the tracker's id of it; null: it has yet to be made
    key            text,                        -- what people call it there
    title          text    not null,
    url            text,
    state          text,                        -- in the tracker's words
    is_closed      integer not null default 0,
    is_gone        integer not null default 0,  -- the tracker no longer has it
    delivery_id    integer references deliveries (id) on delete set null, -- makes it
    created_by     integer references users (id) on delete set null,
    created_at     integer not null,
    checked_at     integer,
    next_check_at  integer                      -- null: its state is not asked for
) strict;
create index tickets_by_issue on tickets (issue_id, id);
create index tickets_by_connection on tickets (connection_id) where connection_id is not null;
create index tickets_due on tickets (next_check_at) where next_check_at is not null;
create index tickets_by_delivery on tickets (delivery_id) where delivery_id is not null;
create index tickets_by_person on tickets (created_by) where created_by is not null;
create trigger tickets_end after delete on tickets begin
    delete from deliveries where id = old.delivery_id;
end;

-- Digest -----------------------------------------------------------------------------------------

-- How far the journal has been digested; moved in the transaction that stores the events.
create table digest (
    id        integer primary key check (id = 1),
    position  integer not null,
    revision  integer not null                  -- batches that were applied
) strict;
insert into digest (id, position, revision) values (1, 0, 0);

-- Projects whose events are digested further than that, because they have few of the many that wait.
create table digest_ahead (
    project_id  integer primary key references projects (id) on delete cascade,
    position    integer not null
) strict;

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
