//! Installations of the code host's app in progress.
//!
//! As with a sign-in at a provider, two random values bind an installation to the browser that started it: a `state`,
//! which passes through the host, and a cookie, which does not. Their hashes are kept for ten minutes and accepted
//! once.

use crate::error::Result;
use crate::ids::{OrganizationId, UserId};
use crate::time::{MINUTE, Timestamp};
use rusqlite::{OptionalExtension as _, Transaction, params};

/// How long a person may take at the host, in milliseconds.
pub const LIFETIME: i64 = 10 * MINUTE;
/// The most in progress; a new one replaces the oldest.
const OPEN_MAX: i64 = 10_000;

/// An installation in progress.
#[derive(Debug, Clone, Copy)]
pub struct PendingInstall {
    pub organization: OrganizationId,
    pub user: UserId,
    pub at: Timestamp,
}

pub fn add(
    tx: &Transaction<'_>,
    begun: PendingInstall,
    (state_hash, browser_hash): (&[u8; 32], &[u8; 32]),
) -> Result<()> {
    tx.execute("delete from connection_flows where expires_at <= ?1", [begun.at.millis()])?;
    tx.execute(
        "insert into connection_flows (state_hash, browser_hash, organization_id, user_id, created_at, expires_at)
         values (?1, ?2, ?3, ?4, ?5, ?6)",
        params![
            state_hash,
            browser_hash,
            begun.organization.0,
            begun.user.0,
            begun.at.millis(),
            begun.at.plus(LIFETIME).millis()
        ],
    )?;
    tx.execute("delete from connection_flows where id <= ?1", [tx.last_insert_rowid() - OPEN_MAX])?;
    Ok(())
}

/// Takes the installation that this browser and this person started. One of another browser or person is left alone.
pub fn take(
    tx: &Transaction<'_>,
    (state_hash, browser_hash): (&[u8; 32], &[u8; 32]),
    user: UserId,
    now: Timestamp,
) -> Result<Option<PendingInstall>> {
    let found = tx
        .query_row(
            "delete from connection_flows where state_hash = ?1 and browser_hash = ?2 and user_id = ?3 and expires_at > ?4
             returning organization_id, created_at",
            params![state_hash, browser_hash, user.0, now.millis()],
            |row| {
                let (organization, at) = (OrganizationId(row.get(0)?), Timestamp::from_millis(row.get(1)?));
                Ok(PendingInstall { organization, user, at })
            },
        )
        .optional()?;
    Ok(found)
}
