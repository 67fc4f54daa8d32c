//! Tells people of sessions that go on only with a person.

use crate::error::Result;
use crate::ids::{OrganizationId, UserId};
use crate::sessions::sql::leases::Report;
use crate::sessions::sql::{self, leases, output};
use crate::sessions::{Mode, Session};
use crate::signals::{self, NewSignal};
use crate::store::Transaction;
use crate::time::{MINUTE, Timestamp};
use serde_json::json;

/// Of an agent that asks again and again people are told at most once in so many milliseconds. A runner refuses what nobody
/// answers for ten minutes.
pub(super) const ASKS_APART: i64 = 5 * MINUTE;

/// The agent asks something, or wants to be allowed something, and goes on waiting.
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

/// Pauses a session at a cap.
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

/// What it did was not pushed, although it may push: a person has to look at it. (What one that only reads does always waits.)
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
