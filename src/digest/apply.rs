//! A prepared batch → `main.db`, in the transaction that moves the position.

use super::prepare::{Prepared, ZSTD_LEVEL};
use crate::error::{Error, Result};
use crate::ids::{IssueId, ProjectId};
use crate::intake::accepted::Level;
use crate::intake::store::Pending;
use crate::issues::{self, FACET_VALUES_MAX, FACETS_MAX, Reopening, Status};
use crate::time::{HOUR, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};
use std::sync::Arc;

/// What became of an event.
#[derive(Clone)]
pub enum Outcome {
    Prepared(Arc<(Prepared, Pending)>),
    SetAside(Arc<SetAside>),
}

/// An event that cannot be digested, and why.
pub struct SetAside {
    pub event: Pending,
    pub reason: String,
}

impl Outcome {
    fn event(&self) -> &Pending {
        match self {
            Self::Prepared(prepared) => &prepared.1,
            Self::SetAside(aside) => &aside.event,
        }
    }

    /// Bytes that it holds.
    pub fn size(&self) -> usize {
        let held = match self {
            Self::Prepared(prepared) => prepared.0.size(),
            Self::SetAside(_) => 0,
        };
        held + self.event().payload.len()
    }

    pub fn position(&self) -> i64 {
        self.event().position
    }

    pub fn set_aside(&self, reason: String) -> Arc<SetAside> {
        Arc::new(SetAside { event: self.event().clone(), reason })
    }
}

/// The position that has been reached.
pub fn position(c: &Connection) -> Result<i64> {
    Ok(c.query_row("select position from digest where id = 1", (), |row| row.get(0))?)
}

/// Applies events in order and moves the position to `last`. Events at or below the stored position
/// were applied before and are skipped.
pub fn apply(tx: &Transaction<'_>, outcomes: &[Outcome], last: i64) -> Result<()> {
    let reached = position(tx)?;
    for outcome in outcomes.iter().filter(|outcome| outcome.position() > reached) {
        match outcome {
            Outcome::Prepared(prepared) => event(tx, &prepared.0, &prepared.1)?,
            Outcome::SetAside(aside) => set_aside(tx, aside)?,
        }
    }
    tx.prepare_cached("update digest set position = max(position, ?1) where id = 1")?.execute([last])?;
    Ok(())
}

fn set_aside(tx: &Transaction<'_>, aside: &SetAside) -> Result<()> {
    let event = &aside.event;
    tx.execute(
        "insert into set_aside (project_id, event_id, received_at, reason, payload)
         select ?1, ?2, ?3, ?4, ?5 where exists (select 1 from projects where id = ?1)",
        params![event.project.0, event.event_id, event.received_at, aside.reason, event.payload],
    )?;
    Ok(())
}

fn event(tx: &Transaction<'_>, new: &Prepared, pending: &Pending) -> Result<()> {
    let known: bool = tx
        .prepare_cached(
            "select exists (select 1 from events where event_id = ?1 and project_id = ?2)
                 or not exists (select 1 from projects where id = ?2)",
        )?
        .query_row(params![pending.event_id, pending.project.0], |row| row.get(0))?;
    if known {
        // Sent twice: the first stays. Or its project was deleted meanwhile.
        return Ok(());
    }
    let issue = find_or_make(tx, new, pending.project)?;
    let stack = new.stack.as_ref().map(|(json, hash)| stack(tx, issue.id, json, hash)).transpose()?;
    tx.prepare_cached(
        "insert into events (project_id, issue_id, event_id, timestamp, received_at, stack_id, trace_id, payload)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?
    .execute(params![
        pending.project.0,
        issue.id.0,
        pending.event_id,
        new.timestamp,
        pending.received_at,
        stack,
        new.trace_id,
        new.payload
    ])?;
    tx.prepare_cached(
        "insert into issue_hours (issue_id, hour, count) values (?1, ?2, 1)
         on conflict do update set count = count + 1",
    )?
    .execute(params![issue.id.0, new.timestamp / HOUR])?;
    let (users, accounts) = facets(tx, issue.id, new)?;
    count(tx, &issue, new, users, accounts)?;
    reopen(tx, &issue, new, pending)
}

/// The row of an issue that an event touches.
struct Row {
    id: IssueId,
    project: ProjectId,
    status: String,
    last_seen: i64,
}

fn find_or_make(tx: &Transaction<'_>, new: &Prepared, project: ProjectId) -> Result<Row> {
    let found = tx
        .prepare_cached(
            "select id, status, last_seen from issues where project_id = ?1 and fingerprint = ?2",
        )?
        .query_row(params![project.0, new.fingerprint], |row| {
            Ok(Row { id: IssueId(row.get(0)?), project, status: row.get(1)?, last_seen: row.get(2)? })
        })
        .optional()?;
    if let Some(found) = found {
        return Ok(found);
    }
    let number: i64 = tx
        .prepare_cached(
            "update projects set issue_count = issue_count + 1 where id = ?1 returning issue_count",
        )?
        .query_row([project.0], |row| row.get(0))?;
    let now = Timestamp::now().millis();
    tx.prepare_cached(
        "insert into issues (project_id, number, fingerprint, fingerprint_version, title, culprit, type, message,
             search_text, level, platform, first_seen, last_seen, created_at, updated_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?12, ?13, ?13)",
    )?
    .execute(params![
        project.0,
        number,
        new.fingerprint,
        new.fingerprint_version,
        new.title,
        new.culprit,
        new.kind,
        new.message,
        new.search_text,
        new.level.as_str(),
        new.platform,
        new.timestamp,
        now
    ])?;
    let id = IssueId(tx.last_insert_rowid());
    Ok(Row { id, project, status: Status::Unresolved.as_str().to_owned(), last_seen: new.timestamp })
}

fn stack(tx: &Transaction<'_>, issue: IssueId, json: &[u8], hash: &[u8; 16]) -> Result<i64> {
    let found = tx
        .prepare_cached("select id from stacks where issue_id = ?1 and hash = ?2")?
        .query_row(params![issue.0, hash], |row| row.get(0))
        .optional()?;
    if let Some(id) = found {
        return Ok(id);
    }
    let frames = zstd::bulk::compress(json, ZSTD_LEVEL).map_err(Error::internal)?;
    tx.prepare_cached("insert into stacks (issue_id, hash, frames) values (?1, ?2, ?3)")?
        .execute(params![issue.0, hash, frames])?;
    Ok(tx.last_insert_rowid())
}

/// Counts the event's facets; how many users and accounts were new to the issue.
fn facets(tx: &Transaction<'_>, issue: IssueId, new: &Prepared) -> Result<(i64, i64)> {
    let mut update = tx.prepare_cached(
        "update issue_facets set count = count + 1, last_seen = max(last_seen, ?4), first_seen = min(first_seen, ?4)
         where issue_id = ?1 and facet = ?2 and value = ?3",
    )?;
    let mut insert = tx.prepare_cached(
        "insert into issue_facets (issue_id, facet, value, count, first_seen, last_seen) values (?1, ?2, ?3, 1, ?4, ?4)",
    )?;
    let (mut users, mut accounts, mut others) = (0, 0, 0);
    for (facet, value) in &new.facets {
        let row = params![issue.0, facet, value, new.timestamp];
        if update.execute(row)? == 1 {
            continue;
        }
        match facet.as_str() {
            "user" => users += 1,
            "account" => accounts += 1,
            _ if is_full(tx, issue, facet, others)? => continue,
            _ => others += 1,
        }
        insert.execute(row)?;
    }
    if others > 0 {
        tx.prepare_cached("update issues set facet_count = facet_count + ?2 where id = ?1")?
            .execute(params![issue.0, others])?;
    }
    Ok((users, accounts))
}

/// Whether an issue takes no more values of a facet; `added` are not counted in its row yet.
fn is_full(tx: &Transaction<'_>, issue: IssueId, facet: &str, added: i64) -> Result<bool> {
    let all: i64 = tx
        .prepare_cached("select facet_count from issues where id = ?1")?
        .query_row([issue.0], |row| row.get(0))?;
    let values: i64 = tx
        .prepare_cached("select count(*) from issue_facets where issue_id = ?1 and facet = ?2")?
        .query_row(params![issue.0, facet], |row| row.get(0))?;
    Ok(all + added >= FACETS_MAX || values >= FACET_VALUES_MAX)
}

/// Moves the issue's counts; the newest event names it.
fn count(tx: &Transaction<'_>, issue: &Row, new: &Prepared, users: i64, accounts: i64) -> Result<()> {
    tx.prepare_cached(
        "update issues set event_count = event_count + 1, user_count = user_count + ?2,
             account_count = account_count + ?3,
             first_release = case
                 when ?5 is not null and (first_release is null or ?4 < (
                     select f.first_seen from issue_facets f
                     where f.issue_id = ?1 and f.facet = 'release' and f.value = first_release))
                 then ?5 else first_release end,
             last_release = case when ?5 is not null and (last_release is null or ?4 >= last_seen)
                                 then ?5 else last_release end,
             first_seen = min(first_seen, ?4), last_seen = max(last_seen, ?4)
         where id = ?1",
    )?
    .execute(params![issue.id.0, users, accounts, new.timestamp, new.release])?;
    if new.timestamp < issue.last_seen {
        return Ok(());
    }
    tx.prepare_cached(
        "update issues set title = ?2, culprit = ?3, type = ?4, message = ?5, search_text = ?6, level = ?7,
             platform = coalesce(?8, platform)
         where id = ?1 and (title, culprit, message, search_text, level) is not (?2, ?3, ?5, ?6, ?7)",
    )?
    .execute(params![
        issue.id.0,
        new.title,
        new.culprit,
        new.kind,
        new.message,
        new.search_text,
        Level::as_str(new.level),
        new.platform
    ])?;
    Ok(())
}

/// A resolved issue comes back as regressed, an ignored one when what it was ignored until is there.
fn reopen(tx: &Transaction<'_>, issue: &Row, new: &Prepared, pending: &Pending) -> Result<()> {
    let status = Status::parse(&issue.status).unwrap_or(Status::Unresolved);
    if status == Status::Unresolved {
        return Ok(());
    }
    let received = Timestamp::from_millis(pending.received_at);
    match issues::sql::reopening(tx, issue.project, issue.id, new.release.as_deref(), received)? {
        Reopening::Stays => Ok(()),
        Reopening::Regressed => issues::sql::reopen(tx, issue.id, Some(received)),
        Reopening::NoLongerIgnored => issues::sql::reopen(tx, issue.id, None),
    }
}
