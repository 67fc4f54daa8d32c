//! All statements on sessions and their transcripts.

pub mod branches;
pub mod defaults;
pub mod issue_session;
pub mod leases;
pub mod messages;
pub mod offers;
pub mod output;
mod pauses;
pub mod pulls;
#[cfg(test)]
pub(crate) mod samples;

pub use pauses::{PARKED, forgotten, go_on, park, pause, resume, want};

use super::caps::Caps;
use super::{
    Mode, Origin, Outcome, Phase, Session, SessionStatus, SessionType, TITLE_MAX, WAITING_MAX, Wanted,
};
use crate::error::{Error, Result};
use crate::ids::{AutomationId, IssueId, OrganizationId, ProjectId, RepositoryId, SessionId, UserId};
use crate::projects::issue_short_id;
use crate::repositories;
use crate::store::Page;
use crate::time::{SECOND, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params, params_from_iter, types};
use serde_json::json;

/// Millionths of a US dollar.
pub const USD: f64 = 1_000_000.0;

const SESSION: &str = "id, repo_id, organization_id, created_by, session_type, status, sandbox_id, snapshot_id, branch_name,
    parent_session_id, title, started_at, last_activity_at, paused_at, origin, automation_id, project_id, issue_id,
    runner_id, agent_type, model_id, labels, time_limit_minutes, attempts, wanted, outcome, reason, exit_code, summary,
    head_commit, files_changed, pull_request_url, merged_at, cost_usd_micros + used_micros, active_ms, transcript_rows, left_out,
    created_at, ended_at, (select slug from projects where projects.id = project_id),
    (select number from issues where issues.id = issue_id), mode, is_public, held_commit, is_releasing, phase, phase_since,
    caps, tokens + used_tokens, is_resuming, closed_at, closed_by, last_comment, organization_number";

/// A session to create.
#[derive(Debug, Clone)]
pub struct NewSession {
    pub organization: OrganizationId,
    pub repository: Option<RepositoryId>,
    pub automation: Option<AutomationId>,
    pub project: Option<ProjectId>,
    pub issue: Option<IssueId>,
    pub created_by: Option<UserId>,
    pub parent: Option<SessionId>,
    pub session_type: SessionType,
    pub origin: Origin,
    pub title: String,
    pub prompt: String,
    pub agent_type: String,
    pub model_id: Option<String>,
    pub labels: Vec<String>,
    pub time_limit_minutes: i64,
    pub caps: Caps,
    /// Whether the agent may choose a repository if there is none.
    pub agentic_repo: bool,
    pub mode: Mode,
    pub is_public: bool,
}

/// Creates a session that waits for a runner.
///
/// # Errors
/// Conflict if too many wait already.
pub fn create(tx: &Transaction<'_>, new: &NewSession, now: Timestamp) -> Result<SessionId> {
    if waiting(tx, new.organization)? >= WAITING_MAX {
        return Err(Error::conflict(format!(
            "{WAITING_MAX} sessions are waiting for a runner already: start one, or stop some of them"
        )));
    }
    let id = SessionId::new();
    let number: i64 = tx
        .prepare_cached(
            "update organizations set session_count = session_count + 1 where id = ?1 returning session_count",
        )?
        .query_row([new.organization.0], |row| row.get(0))?;
    tx.prepare_cached(
        "insert into sessions (id, organization_id, repo_id, automation_id, issue_id, project_id, created_by,
             parent_session_id, session_type, status, origin, title, prompt, agent_type, model_id, labels,
             time_limit_minutes, agentic_repo, created_at, last_activity_at, mode, is_public, caps,
             organization_number)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'starting', ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?18, ?19, ?20, ?21, ?22)",
    )?
    .execute(params![
        id,
        new.organization.0,
        new.repository,
        new.automation,
        new.issue.map(|id| id.0),
        new.project.map(|id| id.0),
        new.created_by.map(|id| id.0),
        new.parent,
        new.session_type.as_str(),
        new.origin.as_str(),
        crate::text::line(&new.title, TITLE_MAX),
        new.prompt,
        new.agent_type,
        new.model_id,
        json!(new.labels).to_string(),
        new.time_limit_minutes,
        new.agentic_repo,
        now.millis(),
        new.mode.as_str(),
        new.is_public,
        json!(new.caps).to_string(),
        number
    ])?;
    Ok(id)
}

/// How many sessions of an organization wait, up to the most there may be.
pub fn waiting(c: &Connection, organization: OrganizationId) -> Result<i64> {
    let mut statement = c.prepare_cached(
        "select count(*) from (
             select 1 from sessions where organization_id = ?1 and status in ('starting', 'suspended') limit ?2)",
    )?;
    Ok(statement.query_row([organization.0, WAITING_MAX], |row| row.get(0))?)
}

/// Which sessions to list.
#[derive(Debug, Clone, Default)]
pub struct SessionFilter {
    pub status: Option<SessionStatus>,
    pub repository: Option<RepositoryId>,
    pub automation: Option<AutomationId>,
    pub project: Option<ProjectId>,
    pub issue: Option<IssueId>,
}

/// A page of an organization's sessions, newest first, and how many there are.
pub fn list(
    c: &Connection,
    organization: OrganizationId,
    filter: &SessionFilter,
    page: Page,
) -> Result<(Vec<Session>, i64)> {
    let mut conditions = vec!["organization_id = ?"];
    let mut values: Vec<types::Value> = vec![organization.0.into()];
    let mut require = |condition, value: Option<types::Value>| {
        if let Some(value) = value {
            conditions.push(condition);
            values.push(value);
        }
    };
    require("status = ?", filter.status.map(|status| status.as_str().to_owned().into()));
    require("repo_id = ?", filter.repository.map(|id| id.to_string().into()));
    require("automation_id = ?", filter.automation.map(|id| id.to_string().into()));
    require("project_id = ?", filter.project.map(|id| id.0.into()));
    require("issue_id = ?", filter.issue.map(|id| id.0.into()));
    let conditions = conditions.join(" and ");
    let total = c
        .prepare_cached(&format!("select count(*) from sessions where {conditions}"))?
        .query_row(params_from_iter(&values), |row| row.get(0))?;
    values.extend([page.limit.into(), page.offset.into()]);
    let mut statement = c.prepare_cached(&format!(
        "select {SESSION} from sessions where {conditions} order by number desc limit ? offset ?"
    ))?;
    let rows = statement.query_map(params_from_iter(&values), session)?;
    let mut found = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    found.iter_mut().try_for_each(|session| add_repository(c, organization, session))?;
    Ok((found, total))
}

pub fn get(c: &Connection, organization: OrganizationId, id: SessionId) -> Result<Option<Session>> {
    let mut statement =
        c.prepare_cached(&format!("select {SESSION} from sessions where organization_id = ?1 and id = ?2"))?;
    let Some(mut found) = statement.query_row(params![organization.0, id], session).optional()? else {
        return Ok(None);
    };
    add_repository(c, organization, &mut found)?;
    Ok(Some(found))
}

/// A session with its patch and held-back changes.
pub fn get_whole(c: &Connection, organization: OrganizationId, id: SessionId) -> Result<Option<Session>> {
    let Some(mut found) = get(c, organization, id)? else { return Ok(None) };
    let mut statement = c.prepare_cached("select patch, held from sessions where id = ?1")?;
    let row = |row: &Row<'_>| Ok((row.get(0)?, row.get::<_, String>(1)?));
    let (patch, held) = statement.query_row([id], row)?;
    // Mayday wrote it.
    (found.patch, found.held) = (patch, serde_json::from_str(&held).unwrap_or_default());
    Ok(Some(found))
}

/// Sets what a session may do in its repository.
pub fn set_mode(tx: &Transaction<'_>, id: SessionId, mode: Mode) -> Result<()> {
    tx.prepare_cached("update sessions set mode = ?2 where id = ?1")?.execute(params![id, mode.as_str()])?;
    Ok(())
}

fn add_repository(c: &Connection, organization: OrganizationId, session: &mut Session) -> Result<()> {
    if let Some(id) = session.repo_id {
        session.repo = repositories::sql::get(c, organization, id)?;
    }
    Ok(())
}

/// The organization of a session.
pub fn organization(c: &Connection, id: SessionId) -> Result<Option<OrganizationId>> {
    let mut statement = c.prepare_cached("select organization_id from sessions where id = ?1")?;
    Ok(statement.query_row([id], |row| row.get(0)).optional()?.map(OrganizationId))
}

/// Deletes a session with its transcript, and returns its title.
pub fn delete(tx: &Transaction<'_>, organization: OrganizationId, id: SessionId) -> Result<Option<String>> {
    let title = tx.query_row(
        "delete from sessions where organization_id = ?1 and id = ?2 returning title",
        params![organization.0, id],
        |row| row.get(0),
    );
    Ok(title.optional()?)
}

/// Transcript entries deleted in one transaction, so that others can write in between.
const REMOVED_AT_ONCE: i64 = 2_000;

/// How many sessions ended before a time.
pub fn count_ended(c: &Connection, before: Timestamp) -> Result<i64> {
    let count = c
        .prepare_cached("select count(*) from sessions where ended_at < ?1")?
        .query_row([before.millis()], |row| row.get(0))?;
    Ok(count)
}

/// Deletes some of the data of sessions that ended before a time; `false` if none are left.
pub fn remove_some(tx: &Transaction<'_>, before: Timestamp) -> Result<bool> {
    let oldest = tx
        .prepare_cached("select id from sessions where ended_at < ?1 order by ended_at limit 1")?
        .query_row([before.millis()], |row| row.get::<_, SessionId>(0))
        .optional()?;
    let Some(id) = oldest else { return Ok(false) };
    let deleted = tx
        .prepare_cached(
            "delete from session_messages where id in (
                 select id from session_messages where session_id = ?1 order by id limit ?2)",
        )?
        .execute(params![id, REMOVED_AT_ONCE])?;
    if i64::try_from(deleted).unwrap_or(i64::MAX) < REMOVED_AT_ONCE {
        tx.prepare_cached("delete from sessions where id = ?1")?.execute([id])?;
    }
    Ok(true)
}

/// Stores the title and branch of a session.
pub fn rename(tx: &Transaction<'_>, id: SessionId, title: Option<&str>, branch: Option<&str>) -> Result<()> {
    tx.prepare_cached(
        "update sessions set title = coalesce(?2, title), branch_name = coalesce(?3, branch_name) where id = ?1",
    )?
    .execute(params![id, title, branch])?;
    Ok(())
}

pub(super) fn session(row: &Row<'_>) -> rusqlite::Result<Session> {
    let time = |index| row.get::<_, Option<i64>>(index).map(|at| at.map(Timestamp::from_millis));
    let word = |index| row.get::<_, Option<String>>(index);
    // The schema allows no others.
    let status = SessionStatus::parse(row.get_ref(5)?.as_str()?).unwrap_or(SessionStatus::Failed);
    let outcome = word(25)?.and_then(|word| Outcome::parse(&word));
    let phase = Phase::of(status, outcome, word(45)?.and_then(|word| Phase::parse(&word)));
    let last_activity_at = Timestamp::from_millis(row.get(12)?);
    let since = match phase {
        Phase::Paused => time(13)?,
        Phase::Done | Phase::Cancelled | Phase::Failed => time(38)?,
        Phase::WaitingForRunner => None,
        _ => time(46)?,
    };
    Ok(Session {
        id: row.get(0)?,
        number: row.get(53)?,
        repo_id: row.get(1)?,
        organization_id: row.get::<_, i64>(2)?.to_string(),
        created_by: row.get::<_, Option<i64>>(3)?.map(|id| id.to_string()),
        // The schema allows no others.
        session_type: SessionType::parse(row.get_ref(4)?.as_str()?).unwrap_or(SessionType::Coding),
        status,
        phase,
        phase_since: since.unwrap_or(last_activity_at),
        sandbox_id: row.get(6)?,
        snapshot_id: row.get(7)?,
        branch_name: row.get(8)?,
        parent_session_id: row.get(9)?,
        title: row.get(10)?,
        started_at: time(11)?,
        last_activity_at,
        paused_at: time(13)?,
        origin: Origin::parse(row.get_ref(14)?.as_str()?).unwrap_or(Origin::Api),
        mode: Mode::parse(row.get_ref(41)?.as_str()?).unwrap_or(Mode::Read),
        patch: None,
        held: Vec::new(),
        held_commit: row.get(43)?,
        is_releasing: row.get(44)?,
        caps: serde_json::from_str(row.get_ref(47)?.as_str()?).unwrap_or_default(),
        tokens: row.get(48)?,
        is_resuming: row.get(49)?,
        is_public: row.get(42)?,
        repo: None,
        automation_id: row.get(15)?,
        project_id: row.get::<_, Option<i64>>(16)?.map(ProjectId),
        issue_id: row.get::<_, Option<i64>>(17)?.map(IssueId),
        runner_id: row.get(18)?,
        agent_type: row.get(19)?,
        model_id: row.get(20)?,
        labels: serde_json::from_str(row.get_ref(21)?.as_str()?).unwrap_or_default(),
        time_limit_minutes: row.get(22)?,
        attempts: row.get(23)?,
        wanted: word(24)?.and_then(|word| Wanted::parse(&word)),
        outcome,
        reason: row.get(26)?,
        exit_code: row.get(27)?,
        summary: row.get(28)?,
        head_commit: row.get(29)?,
        files_changed: serde_json::from_str(row.get_ref(30)?.as_str()?).unwrap_or_default(),
        pull_request_url: row.get(31)?,
        merged_at: time(32)?,
        closed_at: time(50)?,
        closed_by: row.get(51)?,
        last_comment: word(52)?.and_then(|comment| serde_json::from_str(&comment).ok()),
        cost_usd: row.get::<_, i64>(33)? as f64 / USD,
        active_seconds: row.get::<_, i64>(34)? / SECOND,
        messages: row.get(35)?,
        left_out: row.get(36)?,
        created_at: Timestamp::from_millis(row.get(37)?),
        ended_at: time(38)?,
        issue_short_id: short_id(row.get(39)?, row.get(40)?),
    })
}

fn short_id(slug: Option<String>, number: Option<i64>) -> Option<String> {
    slug.zip(number).map(|(slug, number)| issue_short_id(&slug, number))
}

/// When an issue regressed after that time, at first.
pub fn regressed_after(c: &Connection, issue: IssueId, at: Timestamp) -> Result<Option<Timestamp>> {
    let mut statement = c.prepare_cached(
        "select at from activity where issue_id = ?1 and kind = 'regressed' and at > ?2 order by id limit 1",
    )?;
    let at = statement.query_row(params![issue.0, at.millis()], |row| row.get(0)).optional()?;
    Ok(at.map(Timestamp::from_millis))
}

/// How a session ended.
#[derive(Debug, Clone)]
pub struct Ending {
    pub status: SessionStatus,
    pub outcome: Outcome,
    pub reason: Option<String>,
}

impl Ending {
    pub fn of(status: SessionStatus, outcome: Outcome) -> Self {
        Self { status, outcome, reason: None }
    }
}

/// Ends a session. Its runner keeps the lease until it has reported, or has not called for too long.
pub fn end(tx: &Transaction<'_>, id: SessionId, ending: &Ending, now: Timestamp) -> Result<()> {
    tx.prepare_cached(
        "update sessions set status = ?2, outcome = ?3, reason = ?4, ended_at = ?5, last_activity_at = ?5,
             is_releasing = 0, is_resuming = 0, paused_at = null, active_ms = active_ms + coalesce(max(0, ?5 - active_since), 0), active_since = null
         where id = ?1",
    )?
    .execute(params![id, ending.status.as_str(), ending.outcome.as_str(), ending.reason, now.millis()])?;
    Ok(())
}
