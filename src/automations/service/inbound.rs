//! Calls of inbound addresses: each counts once, however often its sender repeats it.

use super::{Call, KeptPayload, Outcome, Skip, accept};
use crate::automations::config::{GithubConfig, TriggerConfig};
use crate::automations::github::{self, GithubCall, GithubComment};
use crate::automations::signature::Signed;
use crate::automations::sql::events;
use crate::automations::sql::triggers::{self, AutomationTrigger};
use crate::automations::{EventStatus, sql};
use crate::error::{Error, Result};
use crate::ids::{
    AutomationEventId, AutomationId, IssueId, OrganizationId, ProjectId, RepositoryId, TriggerId,
};
use crate::repositories;
use crate::sessions::Comment;
use crate::sessions::service::results;
use crate::store::{Connection, Transaction};
use crate::time::{DAY, MINUTE, Timestamp};
use serde_json::Value;

/// For how long a call with the same body counts as a repetition, in milliseconds.
const SAME: i64 = 5 * MINUTE;
/// The same for GitHub, which does not sign the ids of its calls, so that anybody who saw one could send it again
/// with another id. Each GitHub payload contains a time, so two different calls never have the same body.
const SAME_OF_GITHUB: i64 = DAY;

/// A call that was signed.
#[derive(Debug, Clone)]
pub struct InboundCall {
    pub signed: Signed,
    pub body_hash: [u8; 32],
    pub payload: Value,
    /// Its payload as it is stored.
    pub kept: KeptPayload,
    /// GitHub's name of the event.
    pub event: String,
}

/// What the sender is told.
#[derive(Debug, Clone, Copy)]
pub struct Received {
    /// `None` if the call only tested the address.
    pub event: Option<AutomationEventId>,
    pub is_duplicate: bool,
    pub outcome: Option<Outcome>,
    /// An issue that changed because the pull request of its session was merged.
    pub issue: Option<(ProjectId, IssueId)>,
}

/// Accepts a call, unless it was accepted before.
///
/// # Errors
/// 422 for a call from GitHub that is not a JSON object; not found if the trigger is off or deleted; storage trouble.
pub fn receive(tx: &Transaction<'_>, id: TriggerId, call: &InboundCall, now: Timestamp) -> Result<Received> {
    // The trigger may have changed while the body was read.
    let called = &triggers::by_id(tx, id)?.ok_or_else(unknown)?;
    let trigger = &called.trigger;
    let github = match TriggerConfig::read(trigger.provider, &trigger.config) {
        Ok(TriggerConfig::Github(config)) => Some(read_github(call, &config)?),
        _ => None,
    };
    if github == Some(GithubCall::Ping) {
        return Ok(Received { event: None, is_duplicate: false, outcome: None, issue: None });
    }
    let known = match &call.signed.id {
        Some(id) => events::with_id(tx, trigger.id, id)?,
        None => None,
    };
    let known = match known {
        Some(known) => Some(known),
        None => {
            let same = if github.is_some() { SAME_OF_GITHUB } else { SAME };
            events::with_body(tx, trigger.id, &call.body_hash, now.plus(-same))?
        }
    };
    if let Some(event) = known {
        return Ok(Received { event: Some(event), is_duplicate: true, outcome: None, issue: None });
    }
    let (outcome, issue) = take(tx, called, call, github, now)?;
    if let Some(id) = &call.signed.id {
        events::remember(tx, (trigger.id, id), outcome.event, now)?;
    }
    Ok(Received { event: Some(outcome.event), is_duplicate: false, outcome: Some(outcome), issue })
}

/// The answer for an unknown address.
pub fn unknown() -> Error {
    Error::not_found("There is no such webhook")
}

fn read_github(call: &InboundCall, config: &GithubConfig) -> Result<GithubCall> {
    if !call.payload.is_object() {
        return Err(Error::invalid(
            "The body: expected a JSON object. Choose the content type application/json in GitHub's settings.",
        ));
    }
    Ok(github::read(&call.event, &call.payload, config))
}

fn take(
    tx: &Transaction<'_>,
    called: &AutomationTrigger,
    call: &InboundCall,
    github: Option<GithubCall>,
    now: Timestamp,
) -> Result<(Outcome, Option<(ProjectId, IssueId)>)> {
    let (trigger, automation) = (&called.trigger, called.automation);
    let of = |kind, skip| Call {
        body_hash: Some(call.body_hash),
        skip,
        ..Call::of(automation, Some(trigger.id), kind, &call.kept)
    };
    if github.is_some()
        && let Some(said) = github::said(&call.event, &call.payload)
    {
        keep(tx, automation, &said, now)?;
    }
    let outcome = match github {
        None => accept(tx, &of(trigger.provider.as_str(), None), now)?,
        Some(GithubCall::Wanted { kind, repository, is_public }) => {
            let (organization, _) = sql::find(tx, automation)?.ok_or_else(super::unknown)?;
            let repository = match repository {
                Some(named) => repository_of(tx, organization, &named)?,
                None => None,
            };
            accept(tx, &Call { repository, is_public, ..of(&kind, None) }, now)?
        }
        Some(
            call @ (GithubCall::Merged { .. } | GithubCall::Closed { .. } | GithubCall::Reopened { .. }),
        ) => {
            let outcome = accept(tx, &of("github.pull_request", Some(Skip::Filter)), now)?;
            let (organization, _) = sql::find(tx, automation)?.ok_or_else(super::unknown)?;
            let told = tell_of(tx, organization, call, now)?;
            if told.is_some() {
                events::set_status(tx, outcome.event, EventStatus::Completed, now)?;
            }
            return Ok((outcome, told.flatten()));
        }
        Some(GithubCall::Other { kind }) => accept(tx, &of(&kind, Some(Skip::Filter)), now)?,
        // Answered before.
        Some(GithubCall::Ping) => accept(tx, &of("github.ping", Some(Skip::Filter)), now)?,
    };
    Ok((outcome, None))
}

/// Keeps the latest comment on a session's pull request with the session.
fn keep(tx: &Transaction<'_>, automation: AutomationId, said: &GithubComment, now: Timestamp) -> Result<()> {
    let (organization, _) = sql::find(tx, automation)?.ok_or_else(super::unknown)?;
    match repository_of(tx, organization, &said.repository)? {
        Some(repository) => {
            // A time in the future is replaced by the present.
            let at = said.at.map_or(now, |at| at.min(now));
            let comment = Comment { by: said.by.clone(), text: said.text.clone(), at };
            results::said(tx, (organization, repository), (&said.url, &comment))
        }
        None => Ok(()),
    }
}

/// Tells a pull request's session what became of it. Returns the session's issue.
fn tell_of(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    call: GithubCall,
    now: Timestamp,
) -> Result<Option<Option<(ProjectId, IssueId)>>> {
    let of = |named: &github::Repository| repository_of(tx, organization, named);
    match call {
        GithubCall::Merged { url, repository } => match of(&repository)? {
            Some(repository) => results::merged(tx, (organization, repository), &url, now),
            None => Ok(None),
        },
        GithubCall::Closed { url, repository, by } => match of(&repository)? {
            Some(repository) => results::closed(tx, (organization, repository), (&url, &by), now),
            None => Ok(None),
        },
        GithubCall::Reopened { url, repository, by } => match of(&repository)? {
            Some(repository) => results::reopened(tx, (organization, repository), (&url, &by), now),
            None => Ok(None),
        },
        _ => Ok(None),
    }
}

/// The organization's repository with the name that GitHub gives.
fn repository_of(
    c: &Connection,
    organization: OrganizationId,
    named: &github::Repository,
) -> Result<Option<RepositoryId>> {
    let all = repositories::sql::list(c, organization)?;
    let by_id = all.iter().find(|one| one.host_repo_id == named.id);
    let by_name = || all.iter().find(|one| one.host_repo_name.eq_ignore_ascii_case(&named.name));
    Ok(by_id.or_else(by_name).map(|found| found.id))
}
