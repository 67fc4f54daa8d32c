//! Every statement on links that are used once.

use super::Purpose;
use crate::error::Result;
use crate::ids::UserId;
use crate::time::{DAY, HOUR, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

/// A link to be made.
pub struct NewLink<'a> {
    pub user: UserId,
    pub purpose: Purpose,
    pub token_hash: [u8; 32],
    /// The mailbox: the account's, or the new one.
    pub email: &'a str,
    /// Sent to that mailbox, so that using it proves it.
    pub mailed: bool,
    /// Who hands it over: the link is good as long as they could make it. `None`: the operator, or it
    /// is mailed.
    pub created_by: Option<UserId>,
    /// Milliseconds.
    pub lifetime: i64,
}

/// Makes a link; the account's earlier ones of the kind are dead from then on. What anybody may wish
/// for by mail leaves those alone that are handed over.
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

/// How many links of the kind were made for an account within the last hour.
pub fn made_lately(c: &Connection, user: UserId, purpose: Purpose, now: Timestamp) -> Result<i64> {
    Ok(c.query_row(
        "select count(*) from one_time_links where user_id = ?1 and purpose = ?2 and created_at > ?3",
        params![user.0, purpose.as_str(), now.plus(-HOUR).millis()],
        |row| row.get(0),
    )?)
}

/// A link that is still good.
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

/// Makes an account's links of the kind unusable.
fn kill(tx: &Transaction<'_>, user: UserId, purpose: Purpose, now: Timestamp) -> Result<()> {
    tx.execute(
        "update one_time_links set used_at = ?3 where user_id = ?1 and purpose = ?2 and used_at is null",
        params![user.0, purpose.as_str(), now.millis()],
    )?;
    Ok(())
}

/// Makes all of an account's links unusable.
pub fn kill_all(tx: &Transaction<'_>, user: UserId, now: Timestamp) -> Result<()> {
    kill(tx, user, Purpose::PasswordReset, now)?;
    kill(tx, user, Purpose::EmailChange, now)
}

/// Removes what ended over a day ago.
pub fn sweep(tx: &Transaction<'_>, now: Timestamp) -> Result<()> {
    tx.execute("delete from one_time_links where expires_at < ?1", [now.plus(-DAY).millis()])?;
    Ok(())
}
