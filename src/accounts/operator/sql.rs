//! Statements of `mayday user`.

use crate::accounts::admission::{self, Account};
use crate::accounts::{User, sql};
use crate::audit::{self, Actor};
use crate::error::{Error, Result};
use crate::organizations::sql as organizations;
use crate::roles::Role;
use crate::signals;
use crate::time::Timestamp;
use rusqlite::{Connection, Transaction};
use serde_json::json;

/// Creates an account without a password as a member of an organization. Its e-mail counts as unproven,
/// because the operator may be wrong about whose it is.
///
/// # Errors
/// Conflict if the account exists, if the instance is not claimed, and if there is no such organization.
pub fn add(
    tx: &Transaction<'_>,
    single_org: bool,
    email: &str,
    name: &str,
    (role, slug): (Role, Option<&str>),
    now: Timestamp,
) -> Result<User> {
    if role == Role::Owner {
        return Err(Error::conflict("Nobody can be made owner: the owner hands the organization over."));
    }
    let organization = match slug {
        Some(slug) => {
            let found = organizations::by_slug(tx, slug)?;
            Some(found.ok_or_else(|| Error::conflict(format!("There is no organization {slug:?}")))?)
        }
        None if single_org => {
            let unclaimed = "The instance is not claimed yet: claim it at /setup, which creates the first account, the owner.";
            Some(organizations::only(tx)?.ok_or_else(|| Error::conflict(unclaimed))?)
        }
        None => None,
    };
    if !single_org {
        sql::open_to_many(tx, now)?;
    }
    let user = sql::create(
        tx,
        &sql::NewUser { email, name, password_hash: None, mailbox: sql::Mailbox::Unknown },
        now,
    )?;
    if let Some(organization) = organization {
        organizations::add_member(tx, organization, user.id, role, now)?;
        let joined = signals::NewSignal::of_member(signals::Kind::MemberJoined, organization, user.id);
        signals::sql::add(tx, &joined.with(json!({ "role": role.as_str() })), now)?;
    }
    let mut act = Actor::operator()
        .did("member.joined", email)
        .with(json!({ "role": role.as_str(), "how": "operator" }));
    act.organization = organization;
    audit::sql::add(tx, &act, now)?;
    Ok(user)
}

/// Disables or enables an account.
///
/// # Errors
/// Not found.
pub fn set_disabled(tx: &Transaction<'_>, email: &str, disabled: bool, now: Timestamp) -> Result<()> {
    let account = account(tx, email)?;
    sql::set_disabled(tx, account.id(), disabled, now)?;
    admission::sql::shut_out(tx, account.id(), now)?;
    let action = if disabled { "member.disabled" } else { "member.enabled" };
    audit::sql::add(tx, &Actor::operator().did(action, email), now)
}

/// The account that gets a link to set a new password.
///
/// # Errors
/// Not found; conflict for a disabled one.
pub fn for_link(tx: &Transaction<'_>, email: &str, now: Timestamp) -> Result<User> {
    let account = account(tx, email)?;
    if account.disabled {
        return Err(Error::conflict(format!("{email} is disabled: enable it first")));
    }
    audit::sql::add(tx, &Actor::operator().did("password.reset_link_made", email), now)?;
    Ok(account.user)
}

fn account(c: &Connection, email: &str) -> Result<Account> {
    admission::sql::by_email(c, email)?
        .ok_or_else(|| Error::not_found(format!("There is no account {email}")))
}

/// A line for each account: e-mail, name, state, and its role in each organization.
pub fn list(c: &Connection) -> Result<Vec<String>> {
    let mut statement = c.prepare(
        "select u.email, u.name, u.disabled_at is not null, u.email_proven_at is not null,
                coalesce((select group_concat(o.slug || ':' || m.role, ' ') from memberships m
                    join organizations o on o.id = m.organization_id
                    where m.user_id = u.id and m.removed_at is null), '-')
         from users u order by u.email",
    )?;
    let rows = statement.query_map((), |row| {
        let state = if row.get(2)? { "disabled" } else { "active" };
        let proven = if row.get(3)? { "proven" } else { "unproven" };
        let (email, name, roles): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(4)?);
        Ok(format!("{email}\t{name}\t{state}\t{proven}\t{roles}"))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
