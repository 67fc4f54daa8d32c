//! Releases what a runner held back, so that it is pushed.

use super::{ToldIssue, ended, unknown};
use crate::error::{Error, Result};
use crate::ids::{OrganizationId, RunnerId, SessionId};
use crate::sessions::sql::{self, leases, output};
use crate::sessions::{Outcome, Session, SessionStatus};
use crate::store::Transaction;
use crate::time::Timestamp;

const REMOVED: &str = "The runner that kept what the agent changed was removed.";

/// Releases the held-back work of a session: the runner that kept it takes the session once more.
///
/// # Errors
/// Not found; conflict if nothing is held back, the session has not ended, or its runner was removed.
pub fn release(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    id: SessionId,
    by: Option<&str>,
    now: Timestamp,
) -> Result<Session> {
    let session = sql::get(tx, organization, id)?.ok_or_else(unknown)?;
    if session.held_commit.is_none() {
        return Err(Error::conflict("Nothing of this session is held back."));
    }
    if session.is_releasing && !session.status.has_ended() {
        return Err(Error::conflict("It is being released already: its runner pushes it."));
    }
    if !session.status.has_ended() {
        return Err(Error::conflict("The session has not ended: what it changes is released at its end."));
    }
    if leases::holder(tx, id)?.is_none() {
        return Err(Error::conflict(format!(
            "{REMOVED} Apply the patch yourself, or start another session."
        )));
    }
    leases::want_released(tx, id, now)?;
    let who = by.unwrap_or("Somebody");
    output::note(tx, id, &format!("{who} released what was held back: its runner pushes it."), now)?;
    sql::get_whole(tx, organization, id)?.ok_or_else(unknown)
}

/// Ends the sessions that wait for a removed runner to push held-back work. Returns their issues.
///
/// # Errors
/// If the database fails.
pub fn abandon(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    runner: RunnerId,
    now: Timestamp,
) -> Result<Vec<(SessionId, ToldIssue)>> {
    let end = |id: SessionId| {
        let reason = Some(REMOVED.to_owned());
        sql::end(
            tx,
            id,
            &sql::Ending { status: SessionStatus::Failed, outcome: Outcome::Failed, reason },
            now,
        )?;
        Ok((id, ended(tx, organization, id, now)?))
    };
    leases::releasing(tx, runner)?.into_iter().map(end).collect()
}
