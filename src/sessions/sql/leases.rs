//! Leases of sessions. A lease is the random id of a claim: a runner without the current one has lost the session.

use super::offers::{Offer, next};
use super::pulls::FIRST_CHECK;
use super::{SESSION, session};
use crate::crypto::token;
use crate::error::Result;
use crate::ids::{OrganizationId, RunnerId, SessionId};
use crate::sabotage;
use crate::sessions::{FileChanged, HeldChange, Outcome, Phase, Session, SessionStatus, Wanted};
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use serde_json::json;
use std::time::Duration;

/// After this many lost runners a session fails, and after this many claims one that is handed back.
pub const LOSSES_MAX: i64 = 3;
pub const ATTEMPTS_MAX: i64 = 50;

/// The lease by which a runner holds a session.
#[derive(Debug, Clone)]
pub struct SessionLease {
    pub id: SessionId,
    pub lease: String,
}

/// Gives the session that has waited longest to a runner, in one transaction, so that no two get the same.
pub fn claim(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    (runner, offer): (RunnerId, &Offer),
    now: Timestamp,
) -> Result<Option<SessionLease>> {
    let Some(id) = next(tx, organization, offer, now)? else { return Ok(None) };
    let lease = token::uuid();
    let is_forgotten = sabotage::on("claims_are_forgotten");
    let status = if is_forgotten { SessionStatus::Starting } else { SessionStatus::Running };
    tx.prepare_cached(
        "update sessions set status = ?5, runner_id = ?2, lease = ?3, attempts = attempts + 1, wanted = null,
             reason = null, not_before = null, output_next = 0, phase = 'preparing', phase_since = ?4,
             cost_usd_micros = cost_usd_micros + used_micros, used_micros = 0, tokens = tokens + used_tokens, used_tokens = 0,
             started_at = coalesce(started_at, ?4), active_since = ?4, last_activity_at = ?4
         where id = ?1",
    )?
    .execute(params![id, runner, lease, now.millis(), status.as_str()])?;
    Ok(Some(SessionLease { id, lease }))
}

/// The state of a session for a runner's call.
pub struct RunnerSession {
    pub session: Session,
    pub lease: Option<String>,
    pub released: Option<String>,
    pub prompt: String,
    pub agentic_repo: bool,
    pub output_next: i64,
    pub base_branch: Option<String>,
}

pub fn ask(c: &Connection, organization: OrganizationId, id: SessionId) -> Result<Option<RunnerSession>> {
    let mut statement = c.prepare_cached(&format!(
        "select {SESSION}, lease, released, prompt, agentic_repo, output_next, base_branch from sessions
         where organization_id = ?1 and id = ?2"
    ))?;
    let row = |row: &Row<'_>| {
        Ok(RunnerSession {
            session: session(row)?,
            lease: row.get("lease")?,
            released: row.get("released")?,
            prompt: row.get("prompt")?,
            agentic_repo: row.get("agentic_repo")?,
            output_next: row.get("output_next")?,
            base_branch: row.get("base_branch")?,
        })
    };
    Ok(statement.query_row(params![organization.0, id], row).optional()?)
}

/// Stores the branch that a session works on, and the one where it begins.
pub fn set_branches(tx: &Transaction<'_>, id: SessionId, branch: &str, base: Option<&str>) -> Result<()> {
    tx.prepare_cached(
        "update sessions set branch_name = coalesce(branch_name, ?2), base_branch = coalesce(base_branch, ?3) where id = ?1",
    )?
    .execute(params![id, branch, base])?;
    Ok(())
}

/// The branch that a session's work begins at.
pub fn base_branch(c: &Connection, id: SessionId) -> Result<Option<String>> {
    let mut statement = c.prepare_cached("select base_branch from sessions where id = ?1")?;
    Ok(statement.query_row([id], |row| row.get(0))?)
}

/// A runner's final report.
#[derive(Debug, Clone, Default)]
pub struct Report {
    pub exit_code: Option<i64>,
    pub branch: Option<String>,
    pub head_commit: Option<String>,
    pub snapshot_id: Option<String>,
    pub sandbox_id: Option<String>,
    pub files_changed: Vec<FileChanged>,
    pub summary: Option<String>,
    pub pull_request_url: Option<String>,
    pub patch: Option<String>,
    pub held: Vec<HeldChange>,
    pub held_commit: Option<String>,
    /// Millionths of a US dollar.
    pub cost: i64,
    pub tokens: i64,
}

/// Stores a runner's report. Missing values stay unchanged; costs of several runners add up.
pub fn report(tx: &Transaction<'_>, id: SessionId, report: &Report, now: Timestamp) -> Result<()> {
    tx.prepare_cached(
        "update sessions set exit_code = coalesce(?2, exit_code), branch_name = coalesce(?3, branch_name),
             head_commit = coalesce(?4, head_commit), snapshot_id = coalesce(?5, snapshot_id),
             sandbox_id = coalesce(?6, sandbox_id), files_changed = case ?7 when '[]' then files_changed else ?7 end,
             summary = coalesce(?8, summary), pull_request_url = coalesce(?9, pull_request_url),
             cost_usd_micros = cost_usd_micros + max(?10, used_micros), used_micros = 0, last_activity_at = ?11, patch = coalesce(?12, patch),
             held = case ?13 when '[]' then held else ?13 end, held_commit = coalesce(?14, held_commit),
             held_by = case when ?14 is null then held_by else runner_id end, tokens = tokens + max(?15, used_tokens),
             used_tokens = 0,
             pull_check_at = case when ?9 is not null and pull_request_url is not ?9 and merged_at is null
                 then ?16 else pull_check_at end
         where id = ?1",
    )?
    .execute(params![
        id,
        report.exit_code,
        report.branch,
        report.head_commit,
        report.snapshot_id,
        report.sandbox_id,
        json!(report.files_changed).to_string(),
        report.summary,
        report.pull_request_url,
        report.cost,
        now.millis(),
        report.patch,
        json!(report.held).to_string(),
        report.held_commit,
        report.tokens,
        now.plus(FIRST_CHECK).millis()
    ])?;
    Ok(())
}

/// Stores what a session has used since its claim: tokens, and millionths of a US dollar.
pub fn use_up(tx: &Transaction<'_>, id: SessionId, (tokens, cost): (i64, i64)) -> Result<()> {
    tx.prepare_cached(
        "update sessions set used_tokens = max(used_tokens, ?2), used_micros = max(used_micros, ?3)
         where id = ?1 and (used_tokens < ?2 or used_micros < ?3)",
    )?
    .execute(params![id, tokens, cost])?;
    Ok(())
}

/// Stores what a runner is doing with a session.
pub fn set_phase(tx: &Transaction<'_>, id: SessionId, phase: Phase, now: Timestamp) -> Result<bool> {
    let update = "update sessions set phase = ?2, phase_since = ?3 where id = ?1 and phase is not ?2";
    Ok(tx.prepare_cached(update)?.execute(params![id, phase.as_str(), now.millis()])? > 0)
}

/// Records that people are now notified of what a session waits for; `false` if they were already, or were notified
/// of something else after `since`.
pub fn may_tell(tx: &Transaction<'_>, id: SessionId, now: Timestamp, since: Timestamp) -> Result<bool> {
    let update = "update sessions set told_at = ?2
        where id = ?1 and (told_at is null or (told_at < phase_since and told_at <= ?3))";
    Ok(tx.prepare_cached(update)?.execute(params![id, now.millis(), since.millis()])? > 0)
}

/// Requests that the runner that holds back a session's work pushes it: the session waits for it, and may write from
/// now on.
pub fn want_released(tx: &Transaction<'_>, id: SessionId, now: Timestamp) -> Result<()> {
    tx.prepare_cached(
        "update sessions set status = 'starting', is_releasing = 1, mode = 'write', outcome = null, reason = null,
             ended_at = null, wanted = null, last_activity_at = ?2
         where id = ?1",
    )?
    .execute(params![id, now.millis()])?;
    Ok(())
}

/// Records that nothing is kept any more from which a session could go on.
pub fn drop_kept(tx: &Transaction<'_>, id: SessionId) -> Result<()> {
    tx.prepare_cached("update sessions set held_commit = null, held_by = null where id = ?1")?
        .execute([id])?;
    Ok(())
}

/// Records that held-back work was pushed.
pub fn released(tx: &Transaction<'_>, id: SessionId) -> Result<()> {
    tx.prepare_cached("update sessions set held_commit = null, held_by = null,
             held = case when is_resuming then '[]' else held end, patch = case when is_resuming then null else patch end
         where id = ?1")?
        .execute([id])?;
    Ok(())
}

/// The runner that holds a session's work back.
pub fn holder(c: &Connection, id: SessionId) -> Result<Option<RunnerId>> {
    let mut statement = c.prepare_cached("select held_by from sessions where id = ?1")?;
    Ok(statement.query_row([id], |row| row.get(0))?)
}

/// The sessions that wait for a runner to push held-back work.
pub fn releasing(c: &Connection, runner: RunnerId) -> Result<Vec<SessionId>> {
    let mut statement = c.prepare_cached(
        "select id from sessions where held_by = ?1 and (is_releasing or is_resuming) and status in ('starting', 'suspended') order by number",
    )?;
    let rows = statement.query_map([runner], |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Whether a runner has a session.
pub fn is_held(c: &Connection, id: SessionId) -> Result<bool> {
    let mut statement = c.prepare_cached("select lease is not null from sessions where id = ?1")?;
    Ok(statement.query_row([id], |row| row.get(0))?)
}

/// Ends a lease after the runner's report.
pub fn release(tx: &Transaction<'_>, id: SessionId) -> Result<()> {
    tx.prepare_cached("update sessions set released = lease, lease = null, wanted = null where id = ?1")?
        .execute([id])?;
    Ok(())
}

/// Takes back a claim that its runner does not know of, without counting a loss. `false` if the lease or the session
/// has ended before.
pub fn take_back(tx: &Transaction<'_>, held: &SessionLease, now: Timestamp) -> Result<bool> {
    let status = tx
        .prepare_cached(
            "update sessions set lease = null, wanted = null where id = ?1 and lease = ?2 returning status",
        )?
        .query_row(params![held.id, held.lease], |row| Ok(SessionStatus::parse(row.get_ref(0)?.as_str()?)))
        .optional()?;
    let Some(Some(SessionStatus::Running | SessionStatus::Paused)) = status else { return Ok(false) };
    suspend(tx, held.id, now)?;
    Ok(true)
}

/// Lets a session wait for another runner.
pub fn suspend(tx: &Transaction<'_>, id: SessionId, now: Timestamp) -> Result<()> {
    tx.prepare_cached(
        "update sessions set status = 'suspended', runner_id = null, paused_at = null, last_activity_at = ?2,
             active_ms = active_ms + coalesce(max(0, ?2 - active_since), 0), active_since = null
         where id = ?1",
    )?
    .execute(params![id, now.millis()])?;
    Ok(())
}

/// How often a session was put off since a runner last had all that it needs.
pub fn setbacks(tx: &Transaction<'_>, id: SessionId) -> Result<i64> {
    let mut statement = tx.prepare_cached("select setbacks from sessions where id = ?1")?;
    Ok(statement.query_row([id], |row| row.get(0))?)
}

/// Lets a waiting session be claimed only after a time, and stores why.
pub fn put_off(tx: &Transaction<'_>, id: SessionId, reason: &str, until: Timestamp) -> Result<()> {
    tx.prepare_cached(
        "update sessions set setbacks = setbacks + 1, reason = ?2, not_before = ?3 where id = ?1",
    )?
    .execute(params![id, reason, until.millis()])?;
    Ok(())
}

/// A runner has all that it needs for a session.
pub fn went_well(tx: &Transaction<'_>, id: SessionId) -> Result<()> {
    tx.prepare_cached("update sessions set setbacks = 0 where id = ?1 and setbacks > 0")?.execute([id])?;
    Ok(())
}

/// A session that a runner holds, and for how long it may.
#[derive(Debug, Clone)]
pub struct LeasedSession {
    pub held: SessionLease,
    /// Neither paused nor waiting for a person.
    pub is_running: bool,
    pub limit: Duration,
}

/// How long a session may wait for a person's answer without using its time, in milliseconds.
const PATIENCE_MAX: i64 = 60 * 60 * 1_000;

/// Every session that a runner holds.
pub fn lent(c: &Connection, now: Timestamp) -> Result<Vec<LeasedSession>> {
    let mut statement = c.prepare_cached(
        "select id, lease, status = 'running' and (phase is not 'waiting_for_person' or phase_since < ?1), time_limit_minutes
         from sessions
         where lease is not null and last_activity_at > 0",
    )?;
    let rows = statement.query_map([now.millis() - PATIENCE_MAX], |row| {
        let held = SessionLease { id: row.get(0)?, lease: row.get(1)? };
        Ok(LeasedSession {
            held,
            is_running: row.get(2)?,
            limit: Duration::from_mins(row.get::<_, u32>(3)?.into()),
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Takes a lease away from a runner that does not end. `false` if the lease has ended before, or the session does not
/// run.
pub fn take_away(tx: &Transaction<'_>, held: &SessionLease) -> Result<bool> {
    let changed = tx
        .prepare_cached(
            "update sessions set lease = null, wanted = null where id = ?1 and lease = ?2 and status = 'running'",
        )?
        .execute(params![held.id, held.lease])?;
    Ok(changed > 0)
}

/// The sessions that a runner holds.
pub fn held_by(c: &Connection, runner: RunnerId) -> Result<Vec<SessionLease>> {
    let mut statement = c.prepare_cached(
        "select id, lease from sessions where runner_id = ?1 and lease is not null order by number",
    )?;
    let rows =
        statement.query_map([runner], |row| Ok(SessionLease { id: row.get(0)?, lease: row.get(1)? }))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The effect of taking a lease away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// The session waits for another runner.
    Suspended,
    /// It had lost too many.
    Failed,
    /// It had ended before, or the lease was no longer current.
    Nothing,
}

/// Takes a session from a lost runner.
pub fn lose(tx: &Transaction<'_>, lost: &SessionLease, now: Timestamp) -> Result<Loss> {
    let found = tx
        .prepare_cached(
            "update sessions set lease = null, wanted = null,
                 losses = losses + (status in ('running', 'paused'))
             where id = ?1 and lease = ?2 returning status, losses",
        )?
        .query_row(params![lost.id, lost.lease], |row| {
            Ok((SessionStatus::parse(row.get_ref(0)?.as_str()?), row.get::<_, i64>(1)?))
        })
        .optional()?;
    let Some((Some(SessionStatus::Running | SessionStatus::Paused), losses)) = found else {
        return Ok(Loss::Nothing);
    };
    if losses < LOSSES_MAX {
        suspend(tx, lost.id, now)?;
        return Ok(Loss::Suspended);
    }
    let reason = Some("the runner was lost three times".to_owned());
    super::end(
        tx,
        lost.id,
        &super::Ending { status: SessionStatus::Failed, outcome: Outcome::Failed, reason },
        now,
    )?;
    Ok(Loss::Failed)
}

/// What people want of the runner of a session.
pub fn wanted(asked: &RunnerSession) -> Option<Wanted> {
    if asked.session.status.has_ended() { Some(Wanted::Stop) } else { asked.session.wanted }
}
