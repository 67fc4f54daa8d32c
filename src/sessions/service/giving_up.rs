//! Ends the sessions that nobody takes or continues.

use super::{SessionService, ToldIssue, ended};
use crate::error::Result;
use crate::ids::SessionId;
use crate::sessions::sql::{self, Ending, leases, offers};
use crate::sessions::{Outcome, Session, SessionStatus};
use crate::store::{Connection, Transaction};
use crate::time::Timestamp;

impl SessionService {
    /// Ends the sessions that no runner took, and those that nobody let go on.
    ///
    /// # Errors
    /// Storage trouble.
    pub async fn give_up(&self, now: Timestamp) -> Result<()> {
        let read = move |c: &Connection| Ok([offers::forlorn(c, now)?, sql::forgotten(c, now)?].concat());
        for id in self.main.read(read).await? {
            let issue = self.main.write(move |tx| give_up(tx, id, now)).await?;
            self.changed(id);
            self.issue_changed(issue);
        }
        Ok(())
    }
}

/// Ends a session unless somebody has taken or continued it in the meantime. Returns the issue that was updated.
fn give_up(tx: &Transaction<'_>, id: SessionId, now: Timestamp) -> Result<ToldIssue> {
    let Some(organization) = sql::organization(tx, id)? else { return Ok(None) };
    let Some(session) = sql::get(tx, organization, id)? else { return Ok(None) };
    let is_over = |since: Timestamp, patience: i64| since <= now.plus(-patience);
    let ending = match session.status {
        SessionStatus::Starting | SessionStatus::Suspended
            if is_over(session.last_activity_at, offers::PATIENCE) =>
        {
            Ending::of(SessionStatus::Stopped, Outcome::NoRunner)
        }
        SessionStatus::Paused
            if session.paused_at.is_some_and(|at| is_over(at, sql::PARKED)) && !leases::is_held(tx, id)? =>
        {
            // Its runner keeps it no longer: whoever lets the session go on has it begin anew.
            leases::drop_kept(tx, id)?;
            forgotten(&session)
        }
        _ => return Ok(None),
    };
    sql::end(tx, id, &ending, now)?;
    ended(tx, organization, id, now)
}

/// How a session ends that waited for a person in vain.
fn forgotten(session: &Session) -> Ending {
    let why = "nobody let it go on within 30 days";
    let reason = session.reason.as_ref().map_or_else(|| why.to_owned(), |paused| format!("{paused}; {why}"));
    Ending { reason: Some(reason), ..Ending::of(SessionStatus::Stopped, Outcome::TimedOut) }
}
