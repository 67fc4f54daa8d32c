//! All statements on personal access tokens.

use super::{EACH_MAX, PersonalToken, TokenScope};
use crate::accounts::{User, sql::user};
use crate::error::{Error, Result};
use crate::ids::{TokenId, UserId};
use crate::time::{MINUTE, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

const COLUMNS: &str = "id, name, prefix, scopes, created_at, expires_at, last_used_at, revoked_at";

/// A token to create.
pub struct NewToken {
    pub user: UserId,
    pub name: String,
    pub prefix: String,
    pub hash: [u8; 32],
    pub scopes: Vec<TokenScope>,
    pub expires_at: Option<Timestamp>,
}

/// # Errors
/// Conflict if the person has the maximum number.
pub fn create(tx: &Transaction<'_>, new: &NewToken, now: Timestamp) -> Result<PersonalToken> {
    let valid: i64 = tx.query_row(
        "select count(*) from personal_tokens
         where user_id = ?1 and revoked_at is null and (expires_at is null or expires_at > ?2)",
        params![new.user.0, now.millis()],
        |row| row.get(0),
    )?;
    if valid >= EACH_MAX {
        return Err(Error::conflict(format!(
            "You have {EACH_MAX} valid tokens, which is the maximum: revoke one first"
        )));
    }
    tx.execute(
        "insert into personal_tokens (user_id, name, prefix, token_hash, scopes, created_at, expires_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            new.user.0,
            new.name,
            new.prefix,
            new.hash,
            TokenScope::join(&new.scopes),
            now.millis(),
            new.expires_at.map(Timestamp::millis)
        ],
    )?;
    let query = format!("select {COLUMNS} from personal_tokens where id = ?1");
    Ok(tx.query_row(&query, [tx.last_insert_rowid()], token)?)
}

pub fn list(c: &Connection, user: UserId) -> Result<Vec<PersonalToken>> {
    let mut statement = c.prepare_cached(&format!(
        "select {COLUMNS} from personal_tokens where user_id = ?1 order by id desc limit 500"
    ))?;
    let rows = statement.query_map([user.0], token)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Revokes a token and returns its name; revoking twice keeps the first time.
pub fn revoke(tx: &Transaction<'_>, user: UserId, id: TokenId, now: Timestamp) -> Result<Option<String>> {
    let name = tx.query_row(
        "update personal_tokens set revoked_at = coalesce(revoked_at, ?3) where user_id = ?1 and id = ?2
         returning name",
        params![user.0, id.0, now.millis()],
        |row| row.get(0),
    );
    Ok(name.optional()?)
}

/// Revokes all of a person's tokens.
pub fn revoke_all(tx: &Transaction<'_>, user: UserId, now: Timestamp) -> Result<()> {
    tx.execute(
        "update personal_tokens set revoked_at = ?2 where user_id = ?1 and revoked_at is null",
        params![user.0, now.millis()],
    )?;
    Ok(())
}

/// A valid token and its owner.
pub struct ValidToken {
    pub id: TokenId,
    pub user: User,
    pub scopes: Vec<TokenScope>,
    /// Its recorded last use is over a minute old and should be updated.
    pub stale: bool,
}

/// The token with a hash, unless it has ended or its person may not sign in.
pub fn find(c: &Connection, hash: &[u8; 32], single_org: bool, now: Timestamp) -> Result<Option<ValidToken>> {
    let mut statement = c.prepare_cached(
        "select u.id, u.email, u.name, u.created_at, t.id, t.scopes, t.last_used_at
         from personal_tokens t join users u on u.id = t.user_id
         where t.token_hash = ?1 and t.revoked_at is null and (t.expires_at is null or t.expires_at > ?2)
           and u.disabled_at is null
           and (not ?3 or exists (select 1 from memberships where user_id = u.id and removed_at is null))",
    )?;
    let row = |row: &Row<'_>| {
        let used: Option<i64> = row.get(6)?;
        Ok(ValidToken {
            id: TokenId(row.get(4)?),
            user: user(row)?,
            scopes: TokenScope::split(row.get_ref(5)?.as_str()?),
            stale: used.is_none_or(|used| used < now.millis() - MINUTE),
        })
    };
    Ok(statement.query_row(params![hash, now.millis(), single_org], row).optional()?)
}

pub fn touch(tx: &Transaction<'_>, id: TokenId, now: Timestamp) -> Result<()> {
    tx.execute(
        "update personal_tokens set last_used_at = max(coalesce(last_used_at, 0), ?2) where id = ?1",
        params![id.0, now.millis()],
    )?;
    Ok(())
}

fn token(row: &Row<'_>) -> rusqlite::Result<PersonalToken> {
    let time =
        |index| Ok::<_, rusqlite::Error>(row.get::<_, Option<i64>>(index)?.map(Timestamp::from_millis));
    Ok(PersonalToken {
        id: TokenId(row.get(0)?),
        name: row.get(1)?,
        prefix: row.get(2)?,
        scopes: TokenScope::split(row.get_ref(3)?.as_str()?),
        created_at: Timestamp::from_millis(row.get(4)?),
        expires_at: time(5)?,
        last_used_at: time(6)?,
        revoked_at: time(7)?,
    })
}
