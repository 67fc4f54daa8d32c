//! What happens when an automation is called, in one transaction: writes the event, and with it the session or the
//! reason why there is none.

mod gate;
pub mod inbound;

use super::sql::{self, events, events::NewEvent};
use super::{Automation, AutomationEvent, EventStatus};
use crate::error::{Error, Result};
use crate::ids::{
    AutomationEventId, AutomationId, IssueId, OrganizationId, ProjectId, RepositoryId, SessionId, TriggerId,
    UserId,
};
use crate::notifications::sql::facts;
use crate::repositories;
use crate::scrubbing::{Scrubber, Scrubbing};
use crate::sessions::caps::Caps;
use crate::sessions::sql::{NewSession, defaults};
use crate::sessions::{Mode, Origin, SessionType};
use crate::store::{Connection, Transaction};
use crate::time::Timestamp;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::sync::LazyLock;

/// Bytes kept of a payload; a longer one is cut.
const PAYLOAD_MAX: usize = 128 << 10;
/// How deep a payload may nest.
const LEVELS_MAX: usize = 64;

/// The kind of a run by hand.
pub const MANUAL: &str = "manual";

/// A call of an automation.
#[derive(Debug, Clone)]
pub struct Call<'a> {
    pub automation: AutomationId,
    pub trigger: Option<TriggerId>,
    /// Such as `webhook` or `issue.created`.
    pub kind: &'a str,
    pub issue: Option<IssueId>,
    pub project: Option<ProjectId>,
    /// The repository that the call is about.
    pub repository: Option<RepositoryId>,
    pub payload: &'a KeptPayload,
    pub body_hash: Option<[u8; 32]>,
    /// A reason, already known, not to start a session; nothing else is checked then.
    pub skip: Option<Skip>,
    /// The person who wants it; otherwise the session counts as the automation's creator's.
    pub by: Option<UserId>,
    /// Somebody wants it now: only budgets are checked.
    pub is_manual: bool,
    /// The caller is a signed-in person, not a key or a token.
    pub is_by_person: bool,
    /// Whether anybody could have written what it is about, for example with a project's public key.
    pub is_public: bool,
}

impl<'a> Call<'a> {
    pub fn of(
        automation: AutomationId,
        trigger: Option<TriggerId>,
        kind: &'a str,
        payload: &'a KeptPayload,
    ) -> Self {
        Self {
            automation,
            trigger,
            kind,
            issue: None,
            project: None,
            repository: None,
            payload,
            body_hash: None,
            skip: None,
            by: None,
            is_manual: false,
            is_by_person: false,
            is_public: false,
        }
    }
}

/// Why a call started no session. The words are stored and shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skip {
    /// The automation is off.
    AutomationDisabled,
    /// It is not what the trigger asks for.
    Filter,
    /// Too many sessions within the hour.
    RateLimited,
    /// There is a session about the issue.
    AlreadyRunning,
    Cooldown,
    /// The issue has too few events.
    MinEvents,
    /// The issue was not seen lately.
    SeenWithin,
    BudgetUsd,
    BudgetMinutes,
    /// Too many sessions wait for a runner.
    QueueFull,
}

impl Skip {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AutomationDisabled => "automation_disabled",
            Self::Filter => "filter",
            Self::RateLimited => "rate_limited",
            Self::AlreadyRunning => "already_running",
            Self::Cooldown => "cooldown",
            Self::MinEvents => "min_events",
            Self::SeenWithin => "seen_within_days",
            Self::BudgetUsd => "budget_usd",
            Self::BudgetMinutes => "budget_minutes",
            Self::QueueFull => "queue_full",
        }
    }
}

/// What became of a call.
#[derive(Debug, Clone, Copy)]
pub struct Outcome {
    pub event: AutomationEventId,
    pub session: Option<SessionId>,
}

/// Why a call would start no session now, if so.
///
/// # Errors
/// Storage trouble.
pub fn skip(
    c: &Connection,
    automation: &Automation,
    call: &Call<'_>,
    now: Timestamp,
) -> Result<Option<Skip>> {
    gate::check(c, automation, call, now)
}

/// Writes the event of a call, and starts a session unless there is a reason not to.
///
/// # Errors
/// Not found if there is no such automation; storage trouble.
pub fn accept(tx: &Transaction<'_>, call: &Call<'_>, now: Timestamp) -> Result<Outcome> {
    let (organization, automation) = sql::find(tx, call.automation)?.ok_or_else(unknown)?;
    let skip = match call.skip {
        Some(skip) => Some(skip),
        None => gate::check(tx, &automation, call, now)?,
    };
    let (session, skip) = match skip {
        Some(skip) => (None, Some(skip)),
        None => start(tx, (organization, &automation), call, now)?,
    };
    let new = NewEvent {
        automation: automation.id,
        trigger: call.trigger,
        kind: call.kind,
        status: if session.is_some() { EventStatus::Queued } else { EventStatus::Skipped },
        reason: skip.map(Skip::as_str),
        session,
        issue: call.issue,
        project: call.project,
        payload: &call.payload.0,
        body_hash: call.body_hash,
    };
    let event = events::add(tx, &new, now)?;
    events::trim(tx, automation.id)?;
    Ok(Outcome { event, session })
}

fn start(
    tx: &Transaction<'_>,
    (organization, automation): (OrganizationId, &Automation),
    call: &Call<'_>,
    now: Timestamp,
) -> Result<(Option<SessionId>, Option<Skip>)> {
    let new = plan(tx, (organization, automation), call)?;
    match crate::sessions::service::start(tx, &new, now) {
        Ok(session) => Ok((Some(session), None)),
        Err(Error::Conflict(_)) => Ok((None, Some(Skip::QueueFull))),
        Err(error) => Err(error),
    }
}

/// The session that a call would start.
///
/// # Errors
/// Storage trouble.
pub fn plan(
    c: &Connection,
    (organization, automation): (OrganizationId, &Automation),
    call: &Call<'_>,
) -> Result<NewSession> {
    let repository = match automation.default_prebuild_id {
        Some(id) => repositories::sql::get_prebuild(c, organization, id)?.map(|found| found.repository_id),
        None => None,
    };
    let of_project = || match call.project {
        Some(project) => Ok(repositories::sql::of_project(c, project)?.first().copied()),
        None => Ok::<_, Error>(None),
    };
    let repository = match repository.or(call.repository) {
        Some(repository) => Some(repository),
        None => of_project()?,
    };
    // Only the issue's number: the rest of it is text from outside.
    let issue = match call.issue {
        Some(id) => facts::issue(c, id)?,
        None => None,
    };
    let title = match issue {
        Some(issue) => format!("{}: {}", automation.name, issue.short_id),
        None => automation.name.clone(),
    };
    Ok(NewSession {
        organization,
        repository,
        automation: Some(automation.id),
        project: call.project,
        issue: call.issue,
        created_by: call.by.or_else(|| automation.created_by.as_ref()?.parse().ok().map(UserId)),
        parent: None,
        session_type: SessionType::Coding,
        origin: Origin::Automation,
        title,
        prompt: automation.agent_instructions.clone(),
        agent_type: automation.agent_type.clone(),
        model_id: automation.model_id.clone(),
        labels: automation.runner_labels.clone(),
        time_limit_minutes: automation.time_limit_minutes,
        caps: caps(c, (organization, automation), call)?,
        agentic_repo: automation.allow_agentic_repo_selection,
        mode: if automation.may_open_pull_requests || call.is_by_person { Mode::Write } else { Mode::Read },
        is_public: call.is_public,
    })
}

/// The automation's caps. A session that a key or a token starts may use no more than the organization's.
fn caps(
    c: &Connection,
    (organization, automation): (OrganizationId, &Automation),
    call: &Call<'_>,
) -> Result<Caps> {
    if call.kind == MANUAL && !call.is_by_person {
        return Ok(automation.caps.within(defaults::get(c, organization)?));
    }
    Ok(automation.caps)
}

/// A payload as it is stored: without recognizable secrets, and cut to its limit.
#[derive(Debug, Clone)]
pub struct KeptPayload(String);

/// Scrubs and cuts a payload. Takes a while for a large one, so not within a transaction.
pub fn kept(payload: &Value) -> KeptPayload {
    static SCRUBBER: LazyLock<Scrubber> = LazyLock::new(|| {
        Scrubbing { card_numbers: false, keep_ip_addresses: true, ..Scrubbing::default() }.compile()
    });
    let text = payload.to_string();
    let clean = SCRUBBER.clean_json(&text, LEVELS_MAX).map(|(clean, _)| clean);
    let clean = clean.unwrap_or_else(|| Cow::Owned(json!({"too_deep": true}).to_string()));
    if clean.len() <= PAYLOAD_MAX {
        return KeptPayload(clean.into_owned());
    }
    let end = clean.floor_char_boundary(PAYLOAD_MAX / 2);
    KeptPayload(json!({"truncated": true, "bytes": clean.len(), "beginning": &clean[..end]}).to_string())
}

/// An automation's event.
///
/// # Errors
/// Storage trouble.
pub fn event(c: &Connection, id: AutomationEventId) -> Result<Option<AutomationEvent>> {
    events::get(c, id)
}

/// The answer for an id that the organization does not have.
pub fn unknown() -> Error {
    Error::not_found("This organization has no such automation")
}
