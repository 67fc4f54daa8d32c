//! All statements on users and on the instance's row.

use super::admission::Account;
use crate::accounts::User;
use crate::crypto::token;
use crate::error::{Error, Result};
use crate::ids::{OrganizationId, UserId};
use crate::notifications::sql::preferences;
use crate::organizations;
use crate::store::is_unique_violation;
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

/// Creates the instance's row if it is missing.
pub fn install(tx: &Transaction<'_>, now: Timestamp) -> Result<()> {
    tx.execute(
        "insert into instance (id, install_uuid, created_at) values (1, ?1, ?2) on conflict do nothing",
        params![token::uuid(), now.millis()],
    )?;
    Ok(())
}

/// The random id of the installation, in the form of a UUID.
pub fn install_uuid(c: &Connection) -> Result<String> {
    Ok(c.query_row("select install_uuid from instance where id = 1", (), |row| row.get(0))?)
}

/// Creates the instance's row if it is missing, and stores the setup token's hash unless the instance is
/// claimed.
pub fn set_setup_token(tx: &Transaction<'_>, hash: &[u8; 32], now: Timestamp) -> Result<()> {
    install(tx, now)?;
    tx.execute("update instance set setup_token_hash = ?1 where id = 1 and claimed_at is null", [hash])?;
    Ok(())
}

/// The stored hash of the setup token; `None` once claimed, or if there was none yet.
pub fn setup_token_hash(c: &Connection) -> Result<Option<[u8; 32]>> {
    let hash = c.query_row("select setup_token_hash from instance where id = 1", (), |row| row.get(0));
    Ok(hash.optional()?.flatten())
}

pub fn is_claimed(c: &Connection) -> Result<bool> {
    Ok(c.query_row("select claimed_at is not null from instance where id = 1", (), |row| row.get(0))
        .optional()?
        .unwrap_or(false))
}

/// The person who claims, and the organization's name.
pub struct Claim {
    pub token_hash: [u8; 32],
    pub email: String,
    pub name: String,
    /// `None`: they sign in at a provider.
    pub password_hash: Option<String>,
    pub organization: String,
}

/// Claims the instance: creates the first account and its organization, with the account as owner.
///
/// # Errors
/// Not found if already claimed; forbidden with a wrong token.
pub fn claim(tx: &Transaction<'_>, claim: &Claim, now: Timestamp) -> Result<(User, OrganizationId)> {
    require_unclaimed(tx)?;
    let changed = tx.execute(
        "update instance set claimed_at = ?1, setup_token_hash = null, single_org = 1
         where id = 1 and setup_token_hash = ?2",
        params![now.millis(), claim.token_hash],
    )?;
    if changed == 0 {
        return Err(wrong_setup_token());
    }
    let new = NewUser {
        email: &claim.email,
        name: &claim.name,
        password_hash: claim.password_hash.as_deref(),
        mailbox: Mailbox::Proven,
    };
    let user = create(tx, &new, now)?;
    let organization = organizations::sql::create(tx, &claim.organization, now)?;
    organizations::sql::add_member(tx, organization, user.id, crate::roles::Role::Owner, now)?;
    Ok((user, organization))
}

/// Whether the instance has only one organization, as fixed by the claim; `None` before the claim.
pub fn single_org(c: &Connection) -> Result<Option<bool>> {
    let stored = c.query_row("select single_org from instance where id = 1", (), |row| row.get(0));
    Ok(stored.optional()?.flatten())
}

/// Whether organizations exist, created without a claim.
pub fn has_organizations(c: &Connection) -> Result<bool> {
    Ok(c.query_row("select exists (select 1 from organizations)", (), |row| row.get(0))?)
}

/// Fixes the mode of an instance that needs no claim.
pub fn open_to_many(tx: &Transaction<'_>, now: Timestamp) -> Result<()> {
    tx.execute(
        "insert into instance (id, install_uuid, claimed_at, single_org, created_at) values (1, ?1, ?2, 0, ?2)
         on conflict (id) do update set claimed_at = ?2, single_org = 0, setup_token_hash = null
         where claimed_at is null",
        params![token::uuid(), now.millis()],
    )?;
    Ok(())
}

/// Checks the hash of a setup token while unclaimed; called before a password is hashed.
pub fn check_setup_token(c: &Connection, hash: &[u8; 32]) -> Result<()> {
    require_unclaimed(c)?;
    let matches = c
        .query_row("select setup_token_hash = ?1 from instance where id = 1", params![hash], |row| row.get(0))
        .optional()?;
    if matches == Some(true) { Ok(()) } else { Err(wrong_setup_token()) }
}

/// # Errors
/// Not found if already claimed.
pub fn require_unclaimed(c: &Connection) -> Result<()> {
    if is_claimed(c)? {
        return Err(Error::not_found("This instance is already claimed. Sign in at /login."));
    }
    Ok(())
}

fn wrong_setup_token() -> Error {
    Error::forbidden(
        "The setup token is wrong. The server prints it when it starts while the instance is unclaimed.",
    )
}

/// The columns that [`account`] reads.
pub(super) const ACCOUNT: &str = "id, email, name, created_at, password_hash, email_proven_at is not null,
    disabled_at is not null, invited_at is not null";

pub(super) fn account(row: &Row<'_>) -> rusqlite::Result<Account> {
    Ok(Account {
        user: user(row)?,
        password_hash: row.get(4)?,
        email_proven: row.get(5)?,
        disabled: row.get(6)?,
        invited: row.get(7)?,
    })
}

/// A person from the first four columns: id, email, name, created_at.
pub(super) fn user(row: &Row<'_>) -> rusqlite::Result<User> {
    Ok(User {
        id: UserId(row.get(0)?),
        email: row.get(1)?,
        name: row.get(2)?,
        created_at: Timestamp::from_millis(row.get(3)?),
    })
}

/// An account to create.
pub struct NewUser<'a> {
    pub email: &'a str,
    pub name: &'a str,
    pub password_hash: Option<&'a str>,
    pub mailbox: Mailbox,
}

/// What is known about an account's mailbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mailbox {
    /// Nothing.
    Unknown,
    /// An administrator invited the address and could see the link, as could others.
    Invited,
    /// The person has proven that it is theirs.
    Proven,
}

/// # Errors
/// Conflict if the e-mail is already in use.
pub fn create(tx: &Transaction<'_>, new: &NewUser<'_>, now: Timestamp) -> Result<User> {
    let inserted = tx.execute(
        "insert into users (email, name, password_hash, email_proven_at, invited_at, created_at, updated_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?6)",
        params![
            new.email,
            new.name,
            new.password_hash,
            (new.mailbox == Mailbox::Proven).then_some(now.millis()),
            (new.mailbox == Mailbox::Invited).then_some(now.millis()),
            now.millis()
        ],
    );
    match inserted {
        Err(error) if is_unique_violation(&error) => {
            return Err(Error::conflict(format!("An account with the e-mail {} already exists", new.email)));
        }
        other => other?,
    };
    let id = UserId(tx.last_insert_rowid());
    preferences::create(tx, id, now)?;
    Ok(User { id, email: new.email.to_owned(), name: new.name.to_owned(), created_at: now })
}

pub fn rename(tx: &Transaction<'_>, id: UserId, name: &str, now: Timestamp) -> Result<()> {
    tx.execute(
        "update users set name = ?2, updated_at = ?3 where id = ?1",
        params![id.0, name, now.millis()],
    )?;
    Ok(())
}

/// Stores a new password, or none.
pub fn set_password(
    tx: &Transaction<'_>,
    id: UserId,
    password_hash: Option<&str>,
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        "update users set password_hash = ?2, updated_at = ?3 where id = ?1",
        params![id.0, password_hash, now.millis()],
    )?;
    Ok(())
}

/// Changes an account's e-mail to one that was proven.
///
/// # Errors
/// Conflict if it is already in use.
pub fn set_email(tx: &Transaction<'_>, id: UserId, email: &str, now: Timestamp) -> Result<()> {
    let changed = tx.execute(
        "update users set email = ?2, email_proven_at = ?3, updated_at = ?3 where id = ?1",
        params![id.0, email, now.millis()],
    );
    match changed {
        Err(error) if is_unique_violation(&error) => {
            Err(Error::conflict(format!("An account with the e-mail {email} already exists")))
        }
        other => Ok(other.map(drop)?),
    }
}

pub fn set_disabled(tx: &Transaction<'_>, id: UserId, disabled: bool, now: Timestamp) -> Result<()> {
    tx.execute(
        "update users set disabled_at = case when ?2 then coalesce(disabled_at, ?3) end, updated_at = ?3
         where id = ?1",
        params![id.0, disabled, now.millis()],
    )?;
    Ok(())
}
