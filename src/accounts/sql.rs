//! Every statement on users, sign-ins and the instance's row.

use super::{SIGN_IN_IDLE, SIGN_IN_LIFETIME, User, token};
use crate::error::{Error, Result};
use crate::ids::{OrganizationId, UserId};
use crate::organizations;
use crate::time::{MINUTE, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

/// Makes the instance's row when missing and stores the setup token's hash, unless claimed.
pub fn set_setup_token(tx: &Transaction<'_>, hash: &[u8; 32], now: Timestamp) -> Result<()> {
    tx.execute(
        "insert into instance (id, install_uuid, created_at) values (1, ?1, ?2) on conflict do nothing",
        params![token::uuid(), now.millis()],
    )?;
    tx.execute("update instance set setup_token_hash = ?1 where id = 1 and claimed_at is null", [hash])?;
    Ok(())
}

/// The stored hash of the setup token; `None` once claimed, and before there was one.
pub fn setup_token_hash(c: &Connection) -> Result<Option<[u8; 32]>> {
    let hash = c.query_row("select setup_token_hash from instance where id = 1", (), |row| row.get(0));
    Ok(hash.optional()?.flatten())
}

pub fn is_claimed(c: &Connection) -> Result<bool> {
    Ok(c.query_row("select claimed_at is not null from instance where id = 1", (), |row| row.get(0))
        .optional()?
        .unwrap_or(false))
}

/// Who claims, and what the organization is called.
pub struct Claim {
    pub token_hash: [u8; 32],
    pub email: String,
    pub name: String,
    pub password_hash: String,
    pub organization: String,
}

/// Claims the instance: the first account, its organization and its ownership, at once.
///
/// # Errors
/// Not found once claimed; forbidden with another token.
pub fn claim(tx: &Transaction<'_>, claim: &Claim, now: Timestamp) -> Result<(User, OrganizationId)> {
    require_unclaimed(tx)?;
    let changed = tx.execute(
        "update instance set claimed_at = ?1, setup_token_hash = null where id = 1 and setup_token_hash = ?2",
        params![now.millis(), claim.token_hash],
    )?;
    if changed == 0 {
        return Err(wrong_setup_token());
    }
    tx.execute(
        "insert into users (email, name, password_hash, email_proven_at, created_at, updated_at)
         values (?1, ?2, ?3, ?4, ?4, ?4)",
        params![claim.email, claim.name, claim.password_hash, now.millis()],
    )?;
    let user = UserId(tx.last_insert_rowid());
    let organization = organizations::sql::create(tx, &claim.organization, now)?;
    organizations::sql::add_member(tx, organization, user, super::Role::Owner, now)?;
    Ok((
        User { id: user, email: claim.email.clone(), name: claim.name.clone(), created_at: now },
        organization,
    ))
}

/// Whether `hash` is the setup token's, while unclaimed: looked at before a password is hashed.
pub fn check_setup_token(c: &Connection, hash: &[u8; 32]) -> Result<()> {
    require_unclaimed(c)?;
    let matches = c
        .query_row("select setup_token_hash = ?1 from instance where id = 1", params![hash], |row| row.get(0))
        .optional()?;
    if matches == Some(true) { Ok(()) } else { Err(wrong_setup_token()) }
}

/// # Errors
/// Not found once claimed.
pub fn require_unclaimed(c: &Connection) -> Result<()> {
    if is_claimed(c)? {
        return Err(Error::not_found("This instance is claimed already. Sign in at /login."));
    }
    Ok(())
}

fn wrong_setup_token() -> Error {
    Error::forbidden(
        "The setup token is wrong. The server prints it at start while the instance is unclaimed.",
    )
}

/// What a password sign-in looks at.
pub struct Credentials {
    pub user: User,
    pub password_hash: Option<String>,
    pub disabled: bool,
    /// A member of at least one organization.
    pub member: bool,
}

pub fn credentials(c: &Connection, email: &str) -> Result<Option<Credentials>> {
    let mut statement = c.prepare_cached(
        "select id, email, name, created_at, password_hash, disabled_at is not null,
                exists (select 1 from memberships where user_id = users.id and removed_at is null)
         from users where email = ?1",
    )?;
    let row = |row: &Row<'_>| {
        Ok(Credentials {
            user: user(row)?,
            password_hash: row.get(4)?,
            disabled: row.get(5)?,
            member: row.get(6)?,
        })
    };
    Ok(statement.query_row([email], row).optional()?)
}

fn user(row: &Row<'_>) -> rusqlite::Result<User> {
    Ok(User {
        id: UserId(row.get(0)?),
        email: row.get(1)?,
        name: row.get(2)?,
        created_at: Timestamp::from_millis(row.get(3)?),
    })
}

/// Stores a new sign-in.
pub fn add_sign_in(tx: &Transaction<'_>, user: UserId, token_hash: &[u8; 32], now: Timestamp) -> Result<()> {
    tx.execute(
        "insert into sign_ins (user_id, token_hash, method, created_at, last_seen_at, expires_at)
         values (?1, ?2, 'password', ?3, ?3, ?4)",
        params![user.0, token_hash, now.millis(), now.plus(SIGN_IN_LIFETIME).millis()],
    )?;
    Ok(())
}

/// A valid sign-in.
pub struct SignIn {
    pub id: i64,
    pub user: User,
    /// Its last use is over a minute old and should be written.
    pub stale: bool,
}

/// The sign-in of a token, unless it expired, idled out, or its person is disabled or removed.
pub fn sign_in(c: &Connection, token_hash: &[u8; 32], now: Timestamp) -> Result<Option<SignIn>> {
    let mut statement = c.prepare_cached(
        "select u.id, u.email, u.name, u.created_at, s.id, s.last_seen_at
         from sign_ins s join users u on u.id = s.user_id
         where s.token_hash = ?1 and s.expires_at > ?2 and s.last_seen_at > ?3 and u.disabled_at is null
           and exists (select 1 from memberships where user_id = u.id and removed_at is null)",
    )?;
    let idle = now.plus(-SIGN_IN_IDLE).millis();
    let row = |row: &Row<'_>| {
        let last_seen: i64 = row.get(5)?;
        Ok(SignIn { id: row.get(4)?, user: user(row)?, stale: last_seen < now.millis() - MINUTE })
    };
    Ok(statement.query_row(params![token_hash, now.millis(), idle], row).optional()?)
}

pub fn touch_sign_in(tx: &Transaction<'_>, id: i64, now: Timestamp) -> Result<()> {
    tx.execute(
        "update sign_ins set last_seen_at = max(last_seen_at, ?2) where id = ?1",
        params![id, now.millis()],
    )?;
    Ok(())
}

pub fn end_sign_in(tx: &Transaction<'_>, token_hash: &[u8; 32]) -> Result<()> {
    tx.execute("delete from sign_ins where token_hash = ?1", params![token_hash])?;
    Ok(())
}

/// Removes what has expired or idled out.
pub fn sweep_sign_ins(tx: &Transaction<'_>, now: Timestamp) -> Result<()> {
    let idle = now.plus(-SIGN_IN_IDLE).millis();
    tx.execute(
        "delete from sign_ins where expires_at <= ?1 or last_seen_at <= ?2",
        params![now.millis(), idle],
    )?;
    Ok(())
}
