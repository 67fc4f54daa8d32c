//! Statements about passwords.

use crate::accounts::admission::{self, Account, sql::ProvenCredentials};
use crate::accounts::links::{self, Purpose};
use crate::accounts::sign_in::{self, NewSignIn};
use crate::accounts::{User, sql};
use crate::audit::{self, Actor};
use crate::config::SignInConfig;
use crate::error::{Error, Result};
use crate::ids::{SignInId, UserId};
use crate::signals;
use crate::time::Timestamp;
use rusqlite::Transaction;
use serde_json::json;

/// Signs in a person whose password was right.
///
/// # Errors
/// Forbidden for a disabled or removed account; unauthenticated if the password has changed in the meantime.
pub fn enter(
    tx: &Transaction<'_>,
    config: &SignInConfig,
    single_org: bool,
    verified: &Account,
    new: &NewSignIn,
    actor: &Actor,
    now: Timestamp,
) -> Result<User> {
    let account = admission::sql::enter(tx, config, single_org, verified.id(), actor, now)?;
    if account.password_hash != verified.password_hash {
        return Err(wrong());
    }
    sign_in::sql::add(tx, account.id(), new, now)?;
    let act = actor.did("sign_in.succeeded", &account.user.email).with(json!({ "method": "password" }));
    audit::sql::add(tx, &act, now)?;
    Ok(account.user)
}

/// For an unknown account and a wrong password alike.
pub fn wrong() -> Error {
    Error::Unauthenticated("The e-mail or the password is wrong".into())
}

/// Replaces a person's password: all their sessions end, and a new one starts for the person who changed it.
pub fn change(
    tx: &Transaction<'_>,
    verified: &Account,
    password_hash: &str,
    new: &NewSignIn,
    actor: &Actor,
    now: Timestamp,
) -> Result<()> {
    let stored = admission::sql::by_id(tx, verified.id())?.and_then(|account| account.password_hash);
    if stored != verified.password_hash {
        return Err(Error::conflict("The password has been changed in the meantime. Sign in again."));
    }
    sql::set_password(tx, verified.id(), Some(password_hash), now)?;
    sign_in::sql::end_all(tx, verified.id(), None)?;
    links::sql::kill_all(tx, verified.id(), now)?;
    sign_in::sql::add(tx, verified.id(), new, now)?;
    signal_password(tx, &verified.user, now)?;
    audit::sql::add(tx, &actor.did("password.changed", &actor.name), now)
}

/// Replaces a password by means of a link, which can be used once. A mailed link proves the mailbox.
///
/// # Errors
/// Forbidden if the link is no longer valid.
pub fn reset(
    tx: &Transaction<'_>,
    token_hash: &[u8; 32],
    password_hash: &str,
    address: std::net::IpAddr,
    now: Timestamp,
) -> Result<()> {
    let refused = || Error::forbidden(links::INVALID);
    let link = links::sql::find(tx, Purpose::PasswordReset, token_hash, now)?.ok_or_else(refused)?;
    let account = admission::sql::by_id(tx, link.user)?.ok_or_else(refused)?;
    let actor = Actor::person(&account.user, address);
    sql::set_password(tx, link.user, Some(password_hash), now)?;
    // A password may be reset because somebody else knew it: what they created with it ends, too.
    admission::sql::shut_out(tx, link.user, now)?;
    // Only if this is still the account's address: a link to an earlier one proves nothing about the current
    // one.
    if link.mailed && link.email == account.user.email {
        let shown = ProvenCredentials { password: true, identity: None };
        admission::sql::prove_email(tx, &account, shown, &actor, now)?;
    }
    signal_password(tx, &account.user, now)?;
    audit::sql::add(tx, &actor.did("password.reset", &account.user.email), now)
}

fn signal_password(tx: &Transaction<'_>, user: &User, now: Timestamp) -> Result<()> {
    let changed = signals::NewSignal::of_account(signals::Kind::PasswordChanged, user.id);
    signals::sql::add(tx, &changed.with(json!({ "email": user.email })), now)
}

/// Changes an account's e-mail to the address that the link was mailed to.
///
/// # Errors
/// Forbidden if the link is no longer valid, or somebody else has the address by now.
pub fn confirm_email(
    tx: &Transaction<'_>,
    token_hash: &[u8; 32],
    address: std::net::IpAddr,
    now: Timestamp,
) -> Result<()> {
    let refused = || Error::forbidden(links::INVALID);
    let link = links::sql::find(tx, Purpose::EmailChange, token_hash, now)?.ok_or_else(refused)?;
    let account = admission::sql::by_id(tx, link.user)?.ok_or_else(refused)?;
    links::sql::kill_all(tx, link.user, now)?;
    sql::set_email(tx, link.user, &link.email, now).map_err(|error| match error {
        Error::Conflict(_) => refused(),
        other => other,
    })?;
    let actor = Actor::person(&account.user, address);
    let act = actor.did("email.changed", &link.email).with(json!({ "from": account.user.email }));
    audit::sql::add(tx, &act, now)?;
    let changed = signals::NewSignal::of_account(signals::Kind::EmailChanged, account.id());
    signals::sql::add(tx, &changed.with(json!({ "from": account.user.email, "to": link.email })), now)
}

/// Ends the caller's own session.
pub fn log_out(
    tx: &Transaction<'_>,
    user: UserId,
    id: SignInId,
    actor: &Actor,
    now: Timestamp,
) -> Result<()> {
    if sign_in::sql::end(tx, user, id)? {
        audit::sql::add(tx, &actor.did("sign_out", &actor.name), now)?;
    }
    Ok(())
}
