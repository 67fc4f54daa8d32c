//! Applies a prepared batch to `main.db`, in the transaction that moves the position.

use super::counts::{Counts, IssueSnapshot};
use super::prepare::PreparedEvent;
use super::sql;
use super::stacks::StackBlob;
use crate::error::Result;
use crate::event::replay::Segment;
use crate::event::{DebugId, key};
use crate::grouping::{FINGERPRINT_VERSION, former};
use crate::ids::{IssueId, ProjectId};
use crate::intake::store::Pending;
use crate::issues::activity::{self, Kind};
use crate::issues::sql::fingerprints;
use crate::issues::texts::Texts;
use crate::issues::{self, Reopening};
use crate::live::Changes;
use crate::releases::late;
use crate::replays;
use crate::sabotage;
use crate::set_aside::{self, NewSetAside};
use crate::signals;
use crate::time::Timestamp;
use rusqlite::{OptionalExtension as _, Transaction, params};
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// How far a batch advances the digest.
#[derive(Debug, Clone)]
pub enum Reach {
    /// All events up to this position are digested.
    UpTo(i64),
    /// The events of these projects, up to these positions, before those of other projects.
    Ahead(Vec<(ProjectId, i64)>),
}

impl Reach {
    /// How far a single event of the batch advances it, after those before it were applied.
    pub(super) fn of(&self, outcome: &Outcome) -> Self {
        let event = outcome.event();
        match self {
            Self::UpTo(_) => Self::UpTo(event.position),
            Self::Ahead(_) => Self::Ahead(vec![(event.project, event.position)]),
        }
    }

    fn store(&self, tx: &Transaction<'_>) -> Result<()> {
        match self {
            // Sabotage: stored outside of this transaction.
            Self::UpTo(_) if sabotage::on("position_beside_commit") => Ok(()),
            Self::UpTo(last) => sql::reach(tx, *last),
            Self::Ahead(projects) => {
                projects.iter().try_for_each(|(project, last)| sql::reach_ahead(tx, *project, *last))
            }
        }
    }
}

/// The outcome of preparing an event.
#[derive(Clone)]
pub enum Outcome {
    Prepared(Arc<(PreparedEvent, Pending)>),
    Replay(Arc<(Segment, Pending)>),
    SetAside(Arc<SetAside>),
}

/// An event that cannot be digested, and why.
pub struct SetAside {
    pub event: Pending,
    pub reason: String,
}

impl SetAside {
    fn row(&self) -> Result<NewSetAside<'_>> {
        Ok(NewSetAside {
            project: self.event.project,
            event_id: &self.event.event_id,
            received_at: self.event.received_at,
            record: self.event.record()?,
            reason: &self.reason,
        })
    }
}

impl Outcome {
    pub(super) fn event(&self) -> &Pending {
        match self {
            Self::Prepared(prepared) => &prepared.1,
            Self::Replay(replay) => &replay.1,
            Self::SetAside(aside) => &aside.event,
        }
    }

    /// Bytes it occupies in memory.
    pub fn size(&self) -> usize {
        let held = match self {
            Self::Prepared(prepared) => prepared.0.size(),
            Self::Replay(_) | Self::SetAside(_) => 0,
        };
        held + self.event().payload.len()
    }

    /// What applying it costs, in events with few values.
    pub fn work(&self) -> usize {
        if let Self::Prepared(prepared) = self { prepared.0.work() } else { 1 }
    }

    pub fn set_aside(&self, reason: String) -> Arc<SetAside> {
        Arc::new(SetAside { event: self.event().clone(), reason })
    }
}

/// Applies events in order, and stores how far the digest got. Events up to the stored position, or up to that of
/// their project, were applied before and are skipped. Returns what changed, to announce it after the commit; `texts`
/// is notified before.
pub fn apply(
    tx: &Transaction<'_>,
    texts: &Texts,
    outcomes: &[Outcome],
    reach: &Reach,
) -> Result<HashMap<ProjectId, Changes>> {
    let (reached, ahead) = (sql::position(tx)?, sql::ahead(tx)?);
    let is_new = |outcome: &&Outcome| {
        let Pending { project, position, .. } = outcome.event();
        *position > ahead.get(project).copied().unwrap_or_default().max(reached)
    };
    let mut batch = Batch::new(Timestamp::now());
    for outcome in outcomes.iter().filter(is_new) {
        match outcome {
            Outcome::Prepared(prepared) => batch.event(tx, &prepared.0, &prepared.1)?,
            Outcome::Replay(replay) => {
                let (segment, Pending { project, received_at, .. }) = &**replay;
                replays::sql::apply(tx, *project, segment, Timestamp::from_millis(*received_at))?;
            }
            Outcome::SetAside(aside) => set_aside::sql::add(tx, &aside.row()?)?,
        }
    }
    batch.counts.write(tx)?;
    batch.counts.check_spikes(tx)?;
    for ((project, version), uploads) in &batch.open {
        late::sql::request_since(tx, (*project, version), *uploads, batch.now)?;
    }
    for ((project, issue, id), last_seen) in &batch.awaited {
        late::sql::await_map(tx, (*project, *issue), *id, *last_seen, batch.now)?;
    }
    texts.note(sql::revise(tx)?, batch.counts.texts());
    reach.store(tx)?;
    Ok(batch.changes)
}

/// A project, a fingerprint, and the fingerprint by the former rule if the project has any of those.
type Key = (ProjectId, [u8; 16], Option<[u8; 16]>);

/// What has been looked up within the transaction, and what is yet to be written.
struct Batch<'a> {
    issues: HashMap<Key, IssueSnapshot>,
    /// Whether a project has fingerprints by the former rule.
    has_former: HashMap<ProjectId, bool>,
    stacks: HashMap<(IssueId, [u8; 16]), i64>,
    counts: Counts<'a>,
    changes: HashMap<ProjectId, Changes>,
    /// Releases with frames that no source map resolved, and the number of maps that each had then.
    open: BTreeMap<(ProjectId, &'a str), i64>,
    /// Debug ids without a source map, and the time of the last event with each.
    awaited: BTreeMap<(ProjectId, IssueId, DebugId), i64>,
    now: Timestamp,
}

impl<'a> Batch<'a> {
    fn new(now: Timestamp) -> Self {
        Self {
            issues: HashMap::new(),
            has_former: HashMap::new(),
            stacks: HashMap::new(),
            counts: Counts::new(now),
            changes: HashMap::new(),
            open: BTreeMap::new(),
            awaited: BTreeMap::new(),
            now,
        }
    }

    fn event(&mut self, tx: &Transaction<'_>, new: &'a PreparedEvent, pending: &'a Pending) -> Result<()> {
        let key = key::encode(&pending.event_id);
        let known: bool = tx
            .prepare_cached(
                "select exists (select 1 from events where project_id = ?2 and event_key = ?1)
                     or not exists (select 1 from projects where id = ?2 and deleted_at is null)",
            )?
            .query_row(params![key, pending.project.0], |row| row.get(0))?;
        if known && !sabotage::on("no_dedup") {
            // The event was sent twice, and the first one stays; or its project was deleted in the meantime.
            return Ok(());
        }
        let former = match self.has_former.entry(pending.project) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(unknown) => {
                *unknown.insert(fingerprints::has_former(tx, pending.project, FINGERPRINT_VERSION)?)
            }
        };
        let former = former.then(|| new.former_fingerprint());
        let issue = match self.issues.entry((pending.project, new.fingerprint, former)) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => unknown.insert(find_or_make(tx, new, former, pending)?),
        };
        let stack = match new.stack.stored.as_ref() {
            Some(stored) => Some(match self.stacks.entry((issue.id, stored.hash)) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(unknown) => *unknown.insert(stack(tx, issue.id, stored)?),
            }),
            None => None,
        };
        // Always true, unless a test sabotages counting.
        if !known {
            let payload = new.payload.as_ref().unwrap_or(&pending.payload);
            insert(tx, (issue.id, stack), (&key, payload), new, pending)?;
            let received_at = Timestamp::from_millis(pending.received_at);
            self.counts.stored(pending.project, received_at, payload.len());
        }
        if let (Some(uploads), Some(release)) = (new.open_at, new.release.as_deref()) {
            let least = self.open.entry((pending.project, release)).or_insert(uploads);
            *least = uploads.min(*least);
        }
        for id in &new.awaited {
            let last = self.awaited.entry((pending.project, issue.id, *id)).or_insert(new.timestamp);
            *last = new.timestamp.max(*last);
        }
        self.counts.add(issue, new);
        self.changes.entry(pending.project).or_default().add_event(issue.id, &pending.event_id);
        if issue.may_reopen {
            // Whether the issue is reopened depends on the counts up to this event.
            let issue = issue.clone();
            self.counts.write(tx)?;
            self.issues.clear();
            reopen(tx, &issue, new, pending)?;
        }
        Ok(())
    }
}

fn insert(
    tx: &Transaction<'_>,
    (issue, stack): (IssueId, Option<i64>),
    (key, payload): (&[u8], &[u8]),
    new: &PreparedEvent,
    pending: &Pending,
) -> Result<()> {
    tx.prepare_cached(
        "insert into events (project_id, issue_id, event_key, timestamp, received_at, stack_id, trace_id, window_key,
             replay_key, payload)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?
    .execute(params![
        pending.project.0,
        issue.0,
        key,
        new.timestamp,
        pending.received_at,
        stack,
        new.trace_id,
        new.window_key,
        new.replay_key,
        payload
    ])?;
    Ok(())
}

const ISSUE: &str = "select i.id,
    i.status = 'resolved'
        or (i.status = 'ignored' and coalesce(i.ignore_until, i.ignore_events, i.ignore_users) is not null),
    i.first_seen, i.last_seen, i.first_release, i.last_release, i.facet_count, i.first_release_at,
    i.high_value_at is not null from issue_fingerprints f join issues i on i.id = f.issue_id
    where f.project_id = ?1 and f.version = ?2 and f.fingerprint = ?3";

fn find(
    tx: &Transaction<'_>,
    project: ProjectId,
    version: u16,
    fingerprint: [u8; 16],
) -> Result<Option<IssueSnapshot>> {
    let found = tx
        .prepare_cached(ISSUE)?
        .query_row(params![project.0, version, fingerprint], |row| {
            Ok(IssueSnapshot {
                id: IssueId(row.get(0)?),
                project,
                may_reopen: row.get(1)?,
                first_seen: row.get(2)?,
                last_seen: row.get(3)?,
                first_release: row.get(4)?,
                last_release: row.get(5)?,
                facet_count: row.get(6)?,
                first_release_at: row.get(7)?,
                is_high_value: row.get(8)?,
            })
        })
        .optional()?;
    Ok(found)
}

/// Finds or creates the issue of an event. An issue grouped by the former rule keeps the events that belong to it by
/// that rule, even if another issue has their fingerprint by the newest rule. Otherwise it gets that fingerprint as
/// well.
fn find_or_make(
    tx: &Transaction<'_>,
    new: &PreparedEvent,
    former: Option<[u8; 16]>,
    pending: &Pending,
) -> Result<IssueSnapshot> {
    let project = pending.project;
    let newest = (project, new.fingerprint_version, new.fingerprint);
    if let Some(former) = former
        && let Some(found) = find(tx, project, former::VERSION, former)?
    {
        fingerprints::add(tx, found.id, newest, Timestamp::now())?;
        return Ok(found);
    }
    match find(tx, project, new.fingerprint_version, new.fingerprint)? {
        Some(found) => Ok(found),
        None => make(tx, new, pending),
    }
}

fn make(tx: &Transaction<'_>, new: &PreparedEvent, pending: &Pending) -> Result<IssueSnapshot> {
    let project = pending.project;
    let number: i64 = tx
        .prepare_cached(
            "update projects set issue_count = issue_count + 1 where id = ?1 returning issue_count",
        )?
        .query_row([project.0], |row| row.get(0))?;
    let (now, names) = (Timestamp::now(), new.names());
    tx.prepare_cached(
        "insert into issues (project_id, number, title, culprit, type, message, level, platform, first_seen,
             last_seen, created_at, updated_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, ?10, ?10)",
    )?
    .execute(params![
        project.0,
        number,
        names.title,
        names.culprit,
        new.kind,
        new.message,
        new.level.as_str(),
        new.platform,
        new.timestamp,
        now.millis()
    ])?;
    let id = IssueId(tx.last_insert_rowid());
    fingerprints::add(tx, id, (project, new.fingerprint_version, new.fingerprint), now)?;
    let payload = serde_json::json!({ "event_id": pending.event_id });
    signals::sql::add_of_issue(tx, signals::Kind::IssueCreated, id, None, &payload, now)?;
    Ok(IssueSnapshot {
        id,
        project,
        may_reopen: false,
        first_seen: new.timestamp,
        last_seen: new.timestamp,
        first_release: None,
        first_release_at: None,
        last_release: None,
        facet_count: 0,
        is_high_value: false,
    })
}

fn stack(tx: &Transaction<'_>, issue: IssueId, stored: &StackBlob) -> Result<i64> {
    let found = tx
        .prepare_cached("select id from stacks where issue_id = ?1 and hash = ?2")?
        .query_row(params![issue.0, stored.hash], |row| row.get(0))
        .optional()?;
    if let Some(id) = found {
        return Ok(id);
    }
    tx.prepare_cached("insert into stacks (issue_id, hash, frames) values (?1, ?2, ?3)")?
        .execute(params![issue.0, stored.hash, stored.frames])?;
    Ok(tx.last_insert_rowid())
}

/// Reopens a resolved issue as regressed, or an ignored one whose condition is met.
fn reopen(tx: &Transaction<'_>, issue: &IssueSnapshot, new: &PreparedEvent, pending: &Pending) -> Result<()> {
    let received = Timestamp::from_millis(pending.received_at);
    let (kind, regressed_at) =
        match issues::sql::reopening(tx, issue.project, issue.id, new.release.as_deref(), received)? {
            Reopening::Stays => return Ok(()),
            Reopening::Regressed => (Kind::Regressed, Some(received)),
            Reopening::NoLongerIgnored => (Kind::Unignored, None),
        };
    issues::sql::reopen(tx, issue.id, regressed_at)?;
    let mut entry = activity::New::automatic(kind);
    if kind == Kind::Regressed {
        entry.data = serde_json::json!({ "release": new.release, "event_id": pending.event_id });
        entry.release.clone_from(&new.release);
    }
    activity::sql::add(tx, issue.id, &entry, received)
}
