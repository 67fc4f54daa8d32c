//! Lets a person continue a session that reached a cap or its time limit.

use super::unknown;
use crate::automations::check_time_limit;
use crate::error::{Error, Result};
use crate::gateway;
use crate::ids::{OrganizationId, SessionId};
use crate::runners;
use crate::sessions::caps::Caps;
use crate::sessions::sql::{self, output};
use crate::sessions::{Outcome, Session, SessionStatus};
use crate::store::Transaction;
use crate::time::Timestamp;

/// How to continue a session.
#[derive(Debug, Clone, Copy, Default)]
pub struct Proceed {
    /// `None` keeps the previous caps.
    pub caps: Option<Caps>,
    pub time_limit_minutes: Option<i64>,
}

/// Continues a session from the work that its runner kept.
///
/// # Errors
/// Not found; conflict if it neither paused at a cap or its time limit nor was ended there, or has already used up its
/// caps; 422 for a cap that is invalid or that the keeping runner cannot enforce.
pub fn proceed(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    id: SessionId,
    (asked, by): (Proceed, Option<&str>),
    now: Timestamp,
) -> Result<Session> {
    let session = sql::get(tx, organization, id)?.ok_or_else(unknown)?;
    let is_parked = session.status == SessionStatus::Paused && !sql::leases::is_held(tx, id)?;
    if !is_parked && session.outcome != Some(Outcome::TimedOut) {
        return Err(Error::conflict(
            "Only a session that paused at a cap or at its time limit, or was ended there, can go on in this way.",
        ));
    }
    let caps = asked.caps.unwrap_or(session.caps).check()?;
    if session.held_commit.is_some() {
        check_holder(tx, (organization, id), caps)?;
    }
    if caps.cost_usd.is_some() && gateway::sql::is_unsettled(tx, id)? {
        return Err(Error::conflict(
            "The model gateway has not said yet what this session has cost. Try again in a minute, or without a cap on cost.",
        ));
    }
    if let Some(why) = caps.reached(session.cost_usd, session.tokens) {
        return Err(Error::conflict(format!("caps: {why}. Allow more")));
    }
    let minutes = check_time_limit(asked.time_limit_minutes.unwrap_or(session.time_limit_minutes))?;
    sql::go_on(tx, id, (caps, minutes), now)?;
    let who = by.unwrap_or("Somebody");
    output::note(tx, id, &format!("{who} lets this session go on."), now)?;
    sql::get_whole(tx, organization, id)?.ok_or_else(unknown)
}

/// Only the runner that kept its work can continue it.
fn check_holder(
    tx: &Transaction<'_>,
    (organization, id): (OrganizationId, SessionId),
    caps: Caps,
) -> Result<()> {
    let holder = match sql::leases::holder(tx, id)? {
        Some(runner) => runners::sql::get(tx, organization, runner)?,
        None => None,
    };
    let Some(runner) = holder else {
        return Err(Error::conflict(
            "The runner that kept what was done until then was removed. Apply the patch yourself, or start another session.",
        ));
    };
    match caps.names().into_iter().flatten().find(|name| runner.uncounted.iter().any(|other| other == name)) {
        Some(name) => Err(Error::invalid(format!(
            "caps: the runner that kept what was done until then, {}, can keep no cap on {name}. Go on without it",
            runner.name
        ))),
        None => Ok(()),
    }
}
