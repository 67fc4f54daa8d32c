//! Statements that admit a person.

use super::{Account, is_floored};
use crate::accounts::sql::{ACCOUNT, account};
use crate::accounts::{self, links, sign_in, tokens};
use crate::audit::{self, Actor};
use crate::config::SignInConfig;
use crate::error::{Error, Result};
use crate::ids::{IdentityId, UserId};
use crate::organizations::sql as organizations;
use crate::roles::Role;
use crate::signals::{self, Kind, NewSignal};
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};
use serde_json::json;

/// Answer to a person who identified themselves but whose account is disabled or removed.
pub const NOT_ACTIVE: &str = "This account is no longer active. Ask an administrator.";

pub fn by_email(c: &Connection, email: &str) -> Result<Option<Account>> {
    let mut statement = c.prepare_cached(&format!("select {ACCOUNT} from users where email = ?1"))?;
    Ok(statement.query_row([email], account).optional()?)
}

pub fn by_id(c: &Connection, id: UserId) -> Result<Option<Account>> {
    let mut statement = c.prepare_cached(&format!("select {ACCOUNT} from users where id = ?1"))?;
    Ok(statement.query_row([id.0], account).optional()?)
}

/// Admits an account that has been authenticated: applies the `ADMIN_EMAILS` floor, then checks that the
/// account belongs to an organization.
///
/// # Errors
/// Forbidden if the account is disabled or was removed from the only organization.
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

/// Makes sure that a listed person is at least admin of the only organization.
fn raise(tx: &Transaction<'_>, account: &Account, actor: &Actor, now: Timestamp) -> Result<()> {
    let Some(organization) = organizations::only(tx)? else { return Ok(()) };
    let (action, from) = match organizations::role(tx, account.id(), organization)? {
        Some(role) if role >= Role::Admin => return Ok(()),
        Some(role) => ("member.role_changed", Some(role.as_str())),
        None => ("member.reinstated", None),
    };
    organizations::add_member(tx, organization, account.id(), Role::Admin, now)?;
    let (kind, payload) = match from {
        Some(from) => (Kind::MemberRoleChanged, json!({ "from": from, "to": Role::Admin.as_str() })),
        None => (Kind::MemberJoined, json!({ "role": Role::Admin.as_str() })),
    };
    signals::sql::add(tx, &NewSignal::of_member(kind, organization, account.id()).with(payload), now)?;
    let detail = json!({ "from": from, "to": Role::Admin.as_str(), "why": "ADMIN_EMAILS" });
    audit::sql::add(tx, &actor.did(action, &account.user.email).within(organization).with(detail), now)
}

/// The credentials that a person used while proving their mailbox, and which are therefore theirs.
#[derive(Debug, Clone, Copy, Default)]
pub struct ProvenCredentials {
    /// They entered the account's password, or have just set it.
    pub password: bool,
    /// They signed in with this identity.
    pub identity: Option<IdentityId>,
}

/// Records that the person owns the account's mailbox. Until then anybody could have created the account, so
/// every credential of it that is not in `shown` is deleted.
pub fn prove_email(
    tx: &Transaction<'_>,
    account: &Account,
    shown: ProvenCredentials,
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

/// Records that the person joined through an invitation to this address whose link an administrator could
/// see.
pub fn note_invited(tx: &Transaction<'_>, user: UserId, now: Timestamp) -> Result<()> {
    tx.execute(
        "update users set invited_at = coalesce(invited_at, ?2) where id = ?1",
        [user.0, now.millis()],
    )?;
    Ok(())
}

/// Deletes all of an account's credentials, because somebody else may have set them.
pub fn strip(tx: &Transaction<'_>, user: UserId, now: Timestamp) -> Result<()> {
    accounts::sql::set_password(tx, user, None, now)?;
    tx.execute("delete from identities where user_id = ?1", [user.0])?;
    shut_out(tx, user, now)
}

/// Ends a person's sessions and revokes their tokens, links and flows.
pub fn shut_out(tx: &Transaction<'_>, user: UserId, now: Timestamp) -> Result<()> {
    sign_in::sql::end_all(tx, user, None)?;
    tokens::sql::revoke_all(tx, user, now)?;
    links::sql::kill_all(tx, user, now)
}
