//! All statements on single-use links.

use super::Purpose;
use crate::error::Result;
use crate::ids::UserId;
use crate::time::{DAY, HOUR, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

/// A link to create.
pub struct NewLink<'a> {
    pub user: UserId,
    pub purpose: Purpose,
    pub token_hash: [u8; 32],
    /// The mailbox: the account's current one, or the new one.
    pub email: &'a str,
    /// The link is mailed to that mailbox, so using it proves the mailbox.
    pub mailed: bool,
    /// The administrator who passes it on; the link is valid only as long as they could create it. `None`:
    /// the operator's, or it is mailed.
    pub created_by: Option<UserId>,
    /// Milliseconds.
    pub lifetime: i64,
}

/// Creates a link and invalidates the account's earlier ones of the kind. A mailed link, which anybody can
/// request, does not invalidate those that an administrator passed on.
pub fn add(tx: &Transaction<'_>, new: &NewLink<'_>, now: Timestamp) -> Result<()> {
    tx.execute(
        "update one_time_links set used_at = ?4
         where user_id = ?1 and purpose = ?2 and mailed = ?3 and used_at is null",
        params![new.user.0, new.purpose.as_str(), new.mailed, now.millis()],
    )?;
    tx.execute(
        "insert into one_time_links (user_id, purpose, token_hash, email, mailed, created_by, created_at, expires_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            new.user.0,
            new.purpose.as_str(),
            new.token_hash,
            new.email,
            new.mailed,
            new.created_by.map(|id| id.0),
            now.millis(),
            now.plus(new.lifetime).millis()
        ],
    )?;
    Ok(())
}

/// How many links of the kind were created for an account in the last hour.
pub fn made_lately(c: &Connection, user: UserId, purpose: Purpose, now: Timestamp) -> Result<i64> {
    Ok(c.query_row(
        "select count(*) from one_time_links where user_id = ?1 and purpose = ?2 and created_at > ?3",
        params![user.0, purpose.as_str(), now.plus(-HOUR).millis()],
        |row| row.get(0),
    )?)
}

/// A link that is still valid.
pub struct Link {
    pub id: i64,
    pub user: UserId,
    pub email: String,
    pub mailed: bool,
}

pub fn find(c: &Connection, purpose: Purpose, token_hash: &[u8; 32], now: Timestamp) -> Result<Option<Link>> {
    let mut statement = c.prepare_cached(
        "select l.id, l.user_id, l.email, l.mailed from one_time_links l join users u on u.id = l.user_id
         where l.token_hash = ?1 and l.purpose = ?2 and l.used_at is null and l.expires_at > ?3
           and u.disabled_at is null and (l.created_by is null or exists (
                select 1 from memberships m join users c on c.id = m.user_id
                where m.user_id = l.created_by and m.removed_at is null and m.role in ('admin', 'owner')
                    and c.disabled_at is null))",
    )?;
    let link = statement.query_row(params![token_hash, purpose.as_str(), now.millis()], |row| {
        Ok(Link { id: row.get(0)?, user: UserId(row.get(1)?), email: row.get(2)?, mailed: row.get(3)? })
    });
    Ok(link.optional()?)
}

/// Invalidates an account's links of the kind.
fn kill(tx: &Transaction<'_>, user: UserId, purpose: Purpose, now: Timestamp) -> Result<()> {
    tx.execute(
        "update one_time_links set used_at = ?3 where user_id = ?1 and purpose = ?2 and used_at is null",
        params![user.0, purpose.as_str(), now.millis()],
    )?;
    Ok(())
}

/// Invalidates all of an account's links.
pub fn kill_all(tx: &Transaction<'_>, user: UserId, now: Timestamp) -> Result<()> {
    kill(tx, user, Purpose::PasswordReset, now)?;
    kill(tx, user, Purpose::EmailChange, now)
}

/// Deletes links that expired over a day ago.
pub fn sweep(tx: &Transaction<'_>, now: Timestamp) -> Result<()> {
    tx.execute("delete from one_time_links where expires_at < ?1", [now.plus(-DAY).millis()])?;
    Ok(())
}
