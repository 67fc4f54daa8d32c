//! Statements of a registration.

use super::REFUSED;
use crate::accounts::admission::{self, Account, domain_is_allowed, sql::ProvenCredentials};
use crate::accounts::sign_in::{self, NewSignIn};
use crate::accounts::sql::Mailbox;
use crate::accounts::{User, sql};
use crate::audit::{self, Actor};
use crate::config::SignInConfig;
use crate::error::{Error, Result};
use crate::organizations::invitations::{self, OpenInvitation, Way};
use crate::time::Timestamp;
use rusqlite::{Connection, Transaction};
use serde_json::json;
use std::net::IpAddr;

/// The account that a registration would create.
pub struct Registration {
    pub token_hash: [u8; 32],
    pub email: String,
    pub name: String,
    /// For a new account; `None` if the password of an existing account was verified.
    pub password_hash: Option<String>,
    /// The stored hash against which the password was verified.
    pub verified: Option<String>,
    pub address: IpAddr,
    pub sign_in: NewSignIn,
}

/// The invitation of a token and the account with its e-mail, if there is one; `None` if the invitation is
/// not for this e-mail, or no longer valid.
pub fn look(
    c: &Connection,
    config: &SignInConfig,
    token_hash: &[u8; 32],
    email: &str,
    now: Timestamp,
) -> Result<Option<(OpenInvitation, Option<Account>)>> {
    let Some(open) = invitations::sql::open_by_token(c, token_hash, now)? else { return Ok(None) };
    if open.email != email || !domain_is_allowed(&config.allowed_email_domains, email) {
        return Ok(None);
    }
    let account = admission::sql::by_email(c, email)?;
    let barred = account.as_ref().is_some_and(|account| account.disabled);
    Ok((!barred).then_some((open, account)))
}

/// Accepts the invitation: creates the account, or adds the existing one to the organization, and signs in.
///
/// # Errors
/// The single refusal, if anything changed since the invitation was looked up.
pub fn register(
    tx: &Transaction<'_>,
    config: &SignInConfig,
    single_org: bool,
    registration: &Registration,
    now: Timestamp,
) -> Result<User> {
    let refused = || Error::forbidden(REFUSED);
    let found = look(tx, config, &registration.token_hash, &registration.email, now)?;
    let (open, account) = found.ok_or_else(refused)?;
    let user = match (account, &registration.password_hash) {
        (None, Some(password_hash)) => create(tx, (single_org, open.way), registration, password_hash, now)?,
        (Some(account), None) if account.password_hash == registration.verified => {
            let actor = Actor::person(&account.user, registration.address);
            match open.way {
                Way::Mailed => {
                    let shown = ProvenCredentials { password: true, identity: None };
                    admission::sql::prove_email(tx, &account, shown, &actor, now)?;
                }
                Way::Shown if single_org => admission::sql::note_invited(tx, account.id(), now)?,
                Way::Shown => {}
            }
            account.user
        }
        // The account was created or deleted in between.
        _ => return Err(refused()),
    };
    let actor = Actor::person(&user, registration.address);
    if !invitations::sql::accept(tx, &open, user.id, &actor, now)? {
        return Err(refused());
    }
    admission::sql::enter(tx, config, single_org, user.id, &actor, now)?;
    sign_in::sql::add(tx, user.id, &registration.sign_in, now)?;
    let act = actor.did("sign_in.succeeded", &user.email).within(open.organization);
    audit::sql::add(tx, &act.with(json!({ "method": "invitation" })), now)?;
    Ok(user)
}

/// The link in the mail proves the mailbox. The link shown to people who may invite does not, because they
/// may have opened it themselves. That they invited the address counts if there is only one organization, and
/// not if anybody may create one.
fn create(
    tx: &Transaction<'_>,
    (single_org, way): (bool, Way),
    registration: &Registration,
    password_hash: &str,
    now: Timestamp,
) -> Result<User> {
    let mailbox = match way {
        Way::Mailed => Mailbox::Proven,
        Way::Shown if single_org => Mailbox::Invited,
        Way::Shown => Mailbox::Unknown,
    };
    let new = sql::NewUser {
        email: &registration.email,
        name: &registration.name,
        password_hash: Some(password_hash),
        mailbox,
    };
    sql::create(tx, &new, now).map_err(|error| match error {
        Error::Conflict(_) => Error::forbidden(REFUSED),
        other => other,
    })
}
