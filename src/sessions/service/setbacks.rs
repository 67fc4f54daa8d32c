//! Sessions that cannot start now, through no fault of their runner: they wait, and show why.

use super::{SessionService, ended, unknown};
use crate::automations::EventStatus;
use crate::automations::sql::events;
use crate::error::Result;
use crate::sessions::sql::leases::{self, SessionLease};
use crate::sessions::sql::{self, Ending, output};
use crate::sessions::{Outcome, SessionStatus};
use crate::time::Timestamp;

/// How often a session is put off before it fails: for about half an hour.
const SETBACKS_MAX: i64 = 13;
/// The first and the longest pause, in milliseconds; each is twice the previous one.
const PAUSE: i64 = 2_000;
const PAUSE_MAX: i64 = 5 * 60_000;

impl SessionService {
    /// Gives back a claim for a reason that people can read. The session waits for a while before a runner can claim it
    /// again, and fails if that happens too often.
    ///
    /// # Errors
    /// Storage trouble.
    pub async fn put_off(&self, held: &SessionLease, why: &str) -> Result<()> {
        let (lost, heard, why) = (held.clone(), self.leases.clone(), why.to_owned());
        let write = self.main.write(move |tx| {
            let now = Timestamp::now();
            let Some(organization) = sql::organization(tx, lost.id)? else { return Ok(None) };
            let asked = leases::ask(tx, organization, lost.id)?.ok_or_else(unknown)?;
            // Another runner may have it by now.
            if asked.lease.as_deref() != Some(&lost.lease) {
                return Ok(None);
            }
            heard.forget(lost.id);
            leases::release(tx, lost.id)?;
            // A session that people have stopped stays stopped.
            if asked.session.status.has_ended() {
                return Ok(None);
            }
            output::note(tx, lost.id, &format!("{why}."), now)?;
            let before = leases::setbacks(tx, lost.id)?;
            if before + 1 >= SETBACKS_MAX {
                let reason = Some(why);
                let ending = Ending { status: SessionStatus::Failed, outcome: Outcome::Failed, reason };
                sql::end(tx, lost.id, &ending, now)?;
                return ended(tx, organization, lost.id, now);
            }
            let wait = (PAUSE << before.clamp(0, 20)).min(PAUSE_MAX);
            leases::suspend(tx, lost.id, now)?;
            leases::put_off(tx, lost.id, &why, now.plus(wait))?;
            events::follow(tx, lost.id, EventStatus::Queued, None, now)?;
            Ok(asked.session.issue())
        });
        let issue = write.await?;
        self.changed(held.id);
        self.issue_changed(issue);
        Ok(())
    }
}
