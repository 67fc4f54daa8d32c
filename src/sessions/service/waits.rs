//! Notifies people of sessions that need them to continue.

use crate::error::Result;
use crate::ids::{OrganizationId, UserId};
use crate::sessions::sql::leases::Report;
use crate::sessions::sql::{self, leases, output};
use crate::sessions::{Mode, Session};
use crate::signals::{self, NewSignal};
use crate::store::Transaction;
use crate::time::{MINUTE, Timestamp};
use serde_json::json;

/// The minimum interval between notifications about an agent that asks repeatedly, in milliseconds. A runner refuses
/// a request that nobody answers for ten minutes.
pub(super) const ASKS_APART: i64 = 5 * MINUTE;

/// The agent asks something or for permission, and keeps waiting.
pub(super) fn asks(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    session: &Session,
    now: Timestamp,
) -> Result<()> {
    match leases::may_tell(tx, session.id, now, now.plus(-ASKS_APART))? {
        true => tell(tx, organization, session, ("asks", None), now),
        false => Ok(()),
    }
}

/// Pauses a session at a cap or at its time limit.
pub(super) fn park(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    (session, reason): (&Session, &str),
    now: Timestamp,
) -> Result<()> {
    sql::park(tx, session.id, reason, now)?;
    output::note(tx, session.id, &format!("Paused: {reason}."), now)?;
    tell(tx, organization, session, ("capped", Some(reason)), now)
}

/// Its work was not pushed although it may push, because a person has to review it. (The work of a session that may
/// only read always waits.)
pub(super) fn held(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    (session, report): (&Session, &Report),
    now: Timestamp,
) -> Result<()> {
    let waits = report.held_commit.is_some() && !report.held.is_empty();
    match waits && session.mode == Mode::Write {
        true => tell(tx, organization, session, ("held", None), now),
        false => Ok(()),
    }
}

fn tell(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    session: &Session,
    (why, reason): (&str, Option<&str>),
    now: Timestamp,
) -> Result<()> {
    let user = session.created_by.as_ref().and_then(|id| id.parse().ok()).map(UserId);
    let payload = json!({ "session_id": session.id, "title": session.title, "why": why, "reason": reason });
    let about = (session.project_id, session.issue_id);
    signals::sql::add(tx, &NewSignal::of_session(organization, about, user, payload), now)
}
