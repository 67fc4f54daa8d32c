//! All statements on sessions.

use super::{IDLE, LIFETIME, Method, NewSignIn, Session};
use crate::accounts::{User, sql::user};
use crate::error::Result;
use crate::ids::{SignInId, UserId};
use crate::time::{MINUTE, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

/// Sessions of a person at once; a new one replaces the least recently used.
const EACH_MAX: i64 = 100;

pub fn add(tx: &Transaction<'_>, user: UserId, new: &NewSignIn, now: Timestamp) -> Result<()> {
    tx.execute(
        "insert into sign_ins (user_id, token_hash, method, address, user_agent, created_at, last_seen_at, expires_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7)",
        params![
            user.0,
            new.token_hash,
            new.method.as_str(),
            new.address,
            new.user_agent,
            now.millis(),
            now.plus(LIFETIME).millis()
        ],
    )?;
    tx.execute(
        "delete from sign_ins where id in
            (select id from sign_ins where user_id = ?1 order by last_seen_at desc, id desc limit -1 offset ?2)",
        params![user.0, EACH_MAX],
    )?;
    Ok(())
}

/// A valid session.
pub struct SignIn {
    pub id: SignInId,
    pub user: User,
    /// Its recorded last use is over a minute old and should be updated.
    pub stale: bool,
}

/// The session of a token, unless it has expired, has been idle for too long, or its person is disabled or,
/// in an instance of one organization, was removed from it.
pub fn find(
    c: &Connection,
    token_hash: &[u8; 32],
    single_org: bool,
    now: Timestamp,
) -> Result<Option<SignIn>> {
    let mut statement = c.prepare_cached(
        "select u.id, u.email, u.name, u.created_at, s.id, s.last_seen_at
         from sign_ins s join users u on u.id = s.user_id
         where s.token_hash = ?1 and s.expires_at > ?2 and s.last_seen_at > ?3 and u.disabled_at is null
           and (not ?4 or exists (select 1 from memberships where user_id = u.id and removed_at is null))",
    )?;
    let idle = now.plus(-IDLE).millis();
    let row = |row: &Row<'_>| {
        let last_seen: i64 = row.get(5)?;
        Ok(SignIn { id: SignInId(row.get(4)?), user: user(row)?, stale: last_seen < now.millis() - MINUTE })
    };
    Ok(statement.query_row(params![token_hash, now.millis(), idle, single_org], row).optional()?)
}

/// A person's sessions, most recently used first.
pub fn list(c: &Connection, user: UserId, current: SignInId, now: Timestamp) -> Result<Vec<Session>> {
    let mut statement = c.prepare_cached(
        "select id, method, address, user_agent, created_at, last_seen_at, expires_at from sign_ins
         where user_id = ?1 and expires_at > ?2 and last_seen_at > ?3 order by last_seen_at desc, id desc",
    )?;
    let row = |row: &Row<'_>| {
        let id = SignInId(row.get(0)?);
        let time = |index| row.get(index).map(Timestamp::from_millis);
        Ok(Session {
            id,
            current: id == current,
            method: Method::parse(row.get_ref(1)?.as_str()?),
            address: row.get(2)?,
            user_agent: row.get(3)?,
            created_at: time(4)?,
            last_seen_at: time(5)?,
            expires_at: time(6)?,
        })
    };
    let rows = statement.query_map(params![user.0, now.millis(), now.plus(-IDLE).millis()], row)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub fn touch(tx: &Transaction<'_>, id: SignInId, now: Timestamp) -> Result<()> {
    tx.execute(
        "update sign_ins set last_seen_at = max(last_seen_at, ?2) where id = ?1",
        params![id.0, now.millis()],
    )?;
    Ok(())
}

/// Ends one of a person's sessions; `false` if there is no such session.
pub fn end(tx: &Transaction<'_>, user: UserId, id: SignInId) -> Result<bool> {
    Ok(tx.execute("delete from sign_ins where user_id = ?1 and id = ?2", params![user.0, id.0])? == 1)
}

/// Ends all of a person's sessions except `kept`; returns how many.
pub fn end_all(tx: &Transaction<'_>, user: UserId, kept: Option<SignInId>) -> Result<usize> {
    Ok(tx.execute(
        "delete from sign_ins where user_id = ?1 and id is not ?2",
        params![user.0, kept.map(|id| id.0)],
    )?)
}

/// Deletes sessions that have expired or been idle for too long.
pub fn sweep(tx: &Transaction<'_>, now: Timestamp) -> Result<()> {
    tx.execute(
        "delete from sign_ins where expires_at <= ?1 or last_seen_at <= ?2",
        params![now.millis(), now.plus(-IDLE).millis()],
    )?;
    Ok(())
}
