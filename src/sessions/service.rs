//! Changes of sessions, each in one transaction.

mod giving_up;
pub mod jobs;
mod leases;
pub mod proceed;
pub mod pull_states;
pub mod pulls;
pub mod release;
mod report;
pub mod results;
pub mod runs;
mod setbacks;
mod start;
mod waits;

pub use leases::Leases;
pub use start::{completed, start, start_checked};

use super::sql::leases::{LeasedSession, Loss, SessionLease};
use super::sql::{self, messages};
use super::{Message, Mode, Outcome, Session, SessionStatus, Wanted};
use crate::audit::{self, Actor};
use crate::automations::EventStatus;
use crate::automations::sql::events;
use crate::deliveries::Deliveries;
use crate::error::{Error, Result};
use crate::ids::{IssueId, OrganizationId, ProjectId, SessionId};
use crate::live::{Changes, Hub};
use crate::scrubbing::{Scrubber, Scrubbing};
use crate::store::{Main, Transaction};
use crate::time::Timestamp;
use serde_json::json;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// How much longer than its time limit a session may run: its work is pushed, and its agent has time to end.
const OVER_MAX: Duration = Duration::from_mins(15);

/// What all code that works with sessions shares.
#[derive(Clone)]
pub struct SessionService {
    pub main: Main,
    /// Is notified of every change.
    pub live: Arc<Hub>,
    pub leases: Arc<Leases>,
    /// Wakes the runners that wait for work.
    pub waiting: Arc<Notify>,
    /// How long a runner may be silent.
    pub lease: Duration,
    /// Removes secrets from output.
    pub scrubber: Arc<Scrubber>,
    /// Open pull requests.
    pub deliveries: Arc<Deliveries>,
}

impl SessionService {
    pub fn new(main: &Main, live: &Arc<Hub>, deliveries: &Arc<Deliveries>, lease: Duration) -> Self {
        // Tests often contain made-up card numbers and addresses.
        let scrubbing = Scrubbing { card_numbers: false, keep_ip_addresses: true, ..Scrubbing::default() };
        Self {
            main: main.clone(),
            live: live.clone(),
            leases: Arc::default(),
            waiting: Arc::default(),
            lease,
            scrubber: Arc::new(scrubbing.compile()),
            deliveries: deliveries.clone(),
        }
    }

    /// Notifies those who watch a session, and runners, because it may wait again.
    pub fn changed(&self, id: SessionId) {
        self.live.session_changed(id);
        self.waiting.notify_waiters();
    }

    /// Notifies those who watch the session's issue.
    pub fn issue_changed(&self, issue: ToldIssue) {
        if let Some((project, issue)) = issue {
            self.live.publish(project, &Changes::of_issues([issue]));
        }
    }

    /// Takes the sessions of lost runners away from them.
    ///
    /// # Errors
    /// Storage trouble.
    pub async fn expire(&self) -> Result<()> {
        self.expire_at(Instant::now()).await
    }

    async fn expire_at(&self, now: Instant) -> Result<()> {
        let lent = self.main.read(|c| sql::leases::lent(c, Timestamp::now())).await?;
        let ids: HashSet<SessionId> = lent.iter().map(|lent| lent.held.id).collect();
        self.leases.keep(|id| ids.contains(&id));
        let length = self.lease;
        for LeasedSession { held, is_running, limit } in lent {
            let active = self.leases.active(held.id, &held.lease, is_running, now);
            let is_lost = self.leases.is_over(held.id, &held.lease, length, now);
            if !is_lost && active < limit + OVER_MAX {
                continue;
            }
            let (leases, id) = (self.leases.clone(), held.id);
            let write = move |tx: &Transaction<'_>| match is_lost {
                // The runner may have called by now.
                true if !leases.is_over(held.id, &held.lease, length, Instant::now().max(now)) => Ok(None),
                true => lose(tx, &held, Timestamp::now()),
                false => overrun(tx, &held, Timestamp::now()),
            };
            let issue = self.main.write(write).await?;
            self.changed(id);
            self.issue_changed(issue);
        }
        Ok(())
    }
}

/// Ends a session far beyond its time limit and takes it away, because its agent may control the runner. Returns the
/// issue that was updated.
fn overrun(tx: &Transaction<'_>, held: &SessionLease, now: Timestamp) -> Result<ToldIssue> {
    let Some(organization) = sql::organization(tx, held.id)? else { return Ok(None) };
    if !sql::leases::take_away(tx, held)? {
        return Ok(None);
    }
    let reason = "its runner did not end it at its time limit";
    sql::output::note(
        tx,
        held.id,
        "The runner did not end the session at its time limit: it was taken away.",
        now,
    )?;
    let ending = sql::Ending {
        reason: Some(reason.to_owned()),
        ..sql::Ending::of(SessionStatus::Stopped, Outcome::TimedOut)
    };
    sql::end(tx, held.id, &ending, now)?;
    ended(tx, organization, held.id, now)
}

/// Takes a session from a runner that is lost or was deleted. Returns the issue that was updated.
///
/// # Errors
/// Storage trouble.
pub fn lose(tx: &Transaction<'_>, lost: &SessionLease, now: Timestamp) -> Result<ToldIssue> {
    let loss = sql::leases::lose(tx, lost, now)?;
    let Some(organization) = sql::organization(tx, lost.id)? else { return Ok(None) };
    match loss {
        Loss::Nothing => Ok(None),
        Loss::Suspended => {
            sql::output::note(tx, lost.id, "The runner was lost. The session waits for another one.", now)?;
            events::follow(tx, lost.id, EventStatus::Queued, None, now)?;
            Ok(sql::get(tx, organization, lost.id)?.and_then(|session| session.issue()))
        }
        Loss::Failed => ended(tx, organization, lost.id, now),
    }
}

/// The issue of a session that changed, for [`SessionService::issue_changed`].
pub type ToldIssue = Option<(ProjectId, IssueId)>;

/// The consequences of a session's end.
fn ended(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    id: SessionId,
    now: Timestamp,
) -> Result<ToldIssue> {
    let session = sql::get(tx, organization, id)?.ok_or_else(unknown)?;
    let Some(outcome) = session.outcome else { return Ok(None) };
    results::ended(tx, &session, now)?;
    let (status, reason) = match outcome {
        Outcome::Completed => (EventStatus::Completed, None),
        Outcome::NoRunner => (EventStatus::Skipped, Some(outcome.as_str().to_owned())),
        _ => (EventStatus::Failed, session.reason.clone().or_else(|| Some(outcome.as_str().to_owned()))),
    };
    events::follow(tx, id, status, reason.as_deref(), now)?;
    Ok(session.issue())
}

/// Lets a session write, or only read. Where it has ended, there is nothing left to decide.
fn set_mode(
    tx: &Transaction<'_>,
    session: &Session,
    mode: Mode,
    by: Option<&str>,
    now: Timestamp,
) -> Result<()> {
    if session.status.has_ended() {
        return Err(Error::conflict(
            "mode: the session has ended. Release what it changed, or start another one, which goes on from it.",
        ));
    }
    sql::set_mode(tx, session.id, mode)?;
    let who = by.unwrap_or("Somebody");
    let what = match mode {
        Mode::Write => "lets this session push what the agent changes",
        Mode::Read => "lets this session only read",
    };
    sql::output::note(tx, session.id, &format!("{who} {what}."), now)
}

/// A change to a session.
#[derive(Debug, Clone, Default)]
pub struct SessionChange {
    pub title: Option<String>,
    pub branch_name: Option<String>,
    pub status: Option<SessionStatus>,
    pub mode: Option<Mode>,
    /// The person or key that changes it.
    pub by: Option<String>,
    /// A key or a token does.
    pub is_by_tool: bool,
}

/// Changes a session.
///
/// # Errors
/// Not found; conflict for a status that does not follow from the present one.
pub fn change(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    id: SessionId,
    change: &SessionChange,
    now: Timestamp,
) -> Result<Session> {
    let before = sql::get(tx, organization, id)?.ok_or_else(unknown)?;
    if before.attempts > 0
        && change.branch_name.as_ref().is_some_and(|name| before.branch_name.as_ref() != Some(name))
    {
        return Err(Error::conflict(
            "branchName: a runner has had the session, and its branch stays what it is",
        ));
    }
    if let Some(name) = change.branch_name.as_deref()
        && sql::branches::has_branch(tx, organization, name, id)?
    {
        return Err(Error::conflict("branchName: this is the branch of another session"));
    }
    sql::rename(tx, id, change.title.as_deref(), change.branch_name.as_deref())?;
    if let Some(mode) = change.mode.filter(|mode| *mode != before.mode) {
        set_mode(tx, &before, mode, change.by.as_deref(), now)?;
    }
    if let Some(status) = change.status.filter(|status| *status != before.status) {
        if change.is_by_tool && (before.status, status) == (SessionStatus::Paused, SessionStatus::Running) {
            return Err(Error::forbidden(
                "status: only a person who is signed in may let a paused session go on, no key and no token",
            ));
        }
        if (before.status, status) == (SessionStatus::Paused, SessionStatus::Running)
            && !sql::leases::is_held(tx, id)?
        {
            return Err(Error::conflict(
                "status: no runner has the session, which was paused at a cap or its time limit: POST \
                 /api/sessions/<id>/continue lets it go on",
            ));
        }
        set_status(tx, id, (before.status, status), now)?;
        if status.has_ended() {
            ended(tx, organization, id, now)?;
        }
    }
    sql::get(tx, organization, id)?.ok_or_else(unknown)
}

fn set_status(
    tx: &Transaction<'_>,
    id: SessionId,
    (from, to): (SessionStatus, SessionStatus),
    now: Timestamp,
) -> Result<()> {
    use SessionStatus::{Paused, Running, Starting, Stopped, Suspended};
    match (from, to) {
        (Running, Paused) => sql::pause(tx, id, now),
        (Paused, Running) => sql::resume(tx, id, now),
        (Starting | Running | Paused | Suspended, Stopped) => {
            sql::end(tx, id, &sql::Ending::of(Stopped, Outcome::Cancelled), now)?;
            sql::want(tx, id, Wanted::Stop)
        }
        _ => Err(Error::conflict(format!(
            "status: a session that is {} cannot be {}. What is running can be paused, what is paused can be running, and \
             what has not ended can be stopped",
            from.as_str(),
            to.as_str()
        ))),
    }
}

/// Adds a message of a person, which the agent gets.
///
/// # Errors
/// Not found; conflict if the session has ended.
pub fn say(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    id: SessionId,
    (content, by): (&str, messages::Author),
    now: Timestamp,
) -> Result<Message> {
    let session = sql::get(tx, organization, id)?.ok_or_else(unknown)?;
    if session.status.has_ended() {
        return Err(Error::conflict(format!(
            "This session is {}, so nobody would read the message. Start another one with parentSessionId",
            session.status.as_str()
        )));
    }
    let bytes_max = messages::BYTES_MAX + messages::SAID_MAX;
    if session.messages >= messages::ROWS_MAX || messages::bytes(tx, id)? >= bytes_max {
        return Err(Error::conflict("The transcript of this session is full: start another one"));
    }
    let said = messages::add(tx, id, content, by, now)?;
    // A message from a key or a token may be an agent's wish, or come from a text that an agent read.
    if !by.is_signed_in && session.mode == Mode::Write {
        sql::set_mode(tx, id, Mode::Read)?;
        let note =
            "A key or a token wrote this, so the session only reads until a person lets it push again.";
        sql::output::note(tx, id, note, now)?;
    }
    Ok(said)
}

/// Deletes a session; a runner that has it is told with its next call that there is none. Returns the issue that was
/// updated.
///
/// # Errors
/// Not found.
pub fn delete(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    (id, actor): (SessionId, &Actor),
    now: Timestamp,
) -> Result<ToldIssue> {
    let before = sql::get(tx, organization, id)?.ok_or_else(unknown)?;
    if !before.status.has_ended() {
        events::follow(tx, id, EventStatus::Failed, Some("session_deleted"), now)?;
    }
    sql::delete(tx, organization, id)?.ok_or_else(unknown)?;
    let act = actor.did("agent_session.deleted", &before.title).within(organization);
    audit::sql::add(tx, &act.with(json!({ "session_id": id, "status": before.status })), now)?;
    Ok(before.issue())
}

/// The answer for an id that is not the organization's.
pub fn unknown() -> Error {
    Error::not_found("This organization has no such session")
}

#[cfg(test)]
mod tests;
