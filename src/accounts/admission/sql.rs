//! Statements that let somebody in.

use super::{Account, is_floored};
use crate::accounts::sql::{ACCOUNT, account};
use crate::accounts::{self, links, sign_in, tokens};
use crate::audit::{self, Actor};
use crate::config::SignInConfig;
use crate::error::{Error, Result};
use crate::ids::{IdentityId, UserId};
use crate::organizations::sql as organizations;
use crate::roles::Role;
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};
use serde_json::json;

/// For a disabled or removed account, after it showed who it is.
pub const NOT_ACTIVE: &str = "This account is not active any more. Ask an administrator.";

pub fn by_email(c: &Connection, email: &str) -> Result<Option<Account>> {
    let mut statement = c.prepare_cached(&format!("select {ACCOUNT} from users where email = ?1"))?;
    Ok(statement.query_row([email], account).optional()?)
}

pub fn by_id(c: &Connection, id: UserId) -> Result<Option<Account>> {
    let mut statement = c.prepare_cached(&format!("select {ACCOUNT} from users where id = ?1"))?;
    Ok(statement.query_row([id.0], account).optional()?)
}

/// Lets an account in that showed who it is: asserts the floor, then asks whether there is anything
/// left to come into.
///
/// # Errors
/// Forbidden for a disabled account, and for one that was removed from the only organization.
pub fn enter(
    tx: &Transaction<'_>,
    config: &SignInConfig,
    single_org: bool,
    id: UserId,
    actor: &Actor,
    now: Timestamp,
) -> Result<Account> {
    let account = by_id(tx, id)?.ok_or_else(|| Error::forbidden(NOT_ACTIVE))?;
    if account.disabled {
        return Err(Error::forbidden(NOT_ACTIVE));
    }
    if single_org {
        if is_floored(config, &account) {
            raise(tx, &account, actor, now)?;
        }
        if organizations::list(tx, id)?.is_empty() {
            return Err(Error::forbidden(NOT_ACTIVE));
        }
    }
    Ok(account)
}

/// Makes a listed person at least admin of the only organization.
fn raise(tx: &Transaction<'_>, account: &Account, actor: &Actor, now: Timestamp) -> Result<()> {
    let Some(organization) = organizations::only(tx)? else { return Ok(()) };
    let (action, from) = match organizations::role(tx, account.id(), organization)? {
        Some(role) if role >= Role::Admin => return Ok(()),
        Some(role) => ("member.role_changed", Some(role.as_str())),
        None => ("member.reinstated", None),
    };
    organizations::add_member(tx, organization, account.id(), Role::Admin, now)?;
    let detail = json!({ "from": from, "to": Role::Admin.as_str(), "why": "ADMIN_EMAILS" });
    audit::sql::add(tx, &actor.did(action, &account.user.email).within(organization).with(detail), now)
}

/// What a person who proves their mailbox has shown to be theirs.
#[derive(Debug, Clone, Copy, Default)]
pub struct Shown {
    /// They gave the account's password, or set it just now.
    pub password: bool,
    /// They came over this identity.
    pub identity: Option<IdentityId>,
}

/// Notes that the person was shown to own the account's mailbox. Until then anybody may have had the
/// account: whatever it had to sign in with and is not `shown` to be theirs goes.
pub fn prove_email(
    tx: &Transaction<'_>,
    account: &Account,
    shown: Shown,
    actor: &Actor,
    now: Timestamp,
) -> Result<()> {
    if account.email_proven {
        return Ok(());
    }
    let user = account.id();
    if !shown.password {
        accounts::sql::set_password(tx, user, None, now)?;
    }
    tx.execute(
        "delete from identities where user_id = ?1 and id is not ?2",
        params![user.0, shown.identity.map(|id| id.0)],
    )?;
    shut_out(tx, user, now)?;
    tx.execute(
        "update users set email_proven_at = coalesce(email_proven_at, ?2) where id = ?1",
        [user.0, now.millis()],
    )?;
    audit::sql::add(tx, &actor.did("account.secured", &account.user.email), now)
}

/// Notes that the person came by an invitation to this address whose link an administrator was shown.
pub fn note_invited(tx: &Transaction<'_>, user: UserId, now: Timestamp) -> Result<()> {
    tx.execute(
        "update users set invited_at = coalesce(invited_at, ?2) where id = ?1",
        [user.0, now.millis()],
    )?;
    Ok(())
}

/// Drops whatever an account has to sign in with: somebody else may have set it.
pub fn strip(tx: &Transaction<'_>, user: UserId, now: Timestamp) -> Result<()> {
    accounts::sql::set_password(tx, user, None, now)?;
    tx.execute("delete from identities where user_id = ?1", [user.0])?;
    shut_out(tx, user, now)
}

/// Ends a person's sessions for good: their tokens, links and flows go, too.
pub fn shut_out(tx: &Transaction<'_>, user: UserId, now: Timestamp) -> Result<()> {
    sign_in::sql::end_all(tx, user, None)?;
    tokens::sql::revoke_all(tx, user, now)?;
    links::sql::kill_all(tx, user, now)
}
