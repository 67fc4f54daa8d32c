//! Statements that change membership. What the actor may do is checked again in the transaction: if two
//! people take away each other's role at the same time, one of them is too late.

use super::{Change, may};
use crate::accounts::admission::{self, is_floored};
use crate::accounts::links::{self, Purpose};
use crate::accounts::{self, sign_in};
use crate::audit::{self, Actor};
use crate::config::SignInConfig;
use crate::error::{Error, Result};
use crate::ids::{OrganizationId, UserId};
use crate::organizations::{invitations, sql};
use crate::roles::Role;
use crate::signals;
use crate::time::Timestamp;
use rusqlite::{Connection, Transaction, params};
use serde_json::json;

/// An act of one person on another.
pub struct MemberAct {
    pub organization: OrganizationId,
    pub actor: Actor,
    pub target: UserId,
}

impl MemberAct {
    /// The current roles of both.
    fn roles(&self, c: &Connection) -> Result<(Role, Role)> {
        let actor = self.actor.id.map(|id| sql::role(c, id, self.organization)).transpose()?.flatten();
        let actor = actor.ok_or_else(Error::no_organization_access)?;
        let target = sql::role(c, self.target, self.organization)?.ok_or_else(unknown)?;
        Ok((actor, target))
    }

    fn account(&self, c: &Connection) -> Result<admission::Account> {
        admission::sql::by_id(c, self.target)?.ok_or_else(unknown)
    }
}

fn unknown() -> Error {
    Error::not_found("There is no such member")
}

/// Changes somebody's role, which takes effect with their next request, or disables or enables them, which
/// ends their sessions.
///
/// # Errors
/// Forbidden above the actor's role; conflict for the owner, and if the `ADMIN_EMAILS` floor would be
/// violated.
pub fn change(
    tx: &Transaction<'_>,
    (config, single_org): (&SignInConfig, bool),
    deed: &MemberAct,
    change: Change,
    now: Timestamp,
) -> Result<()> {
    let (actor, target) = deed.roles(tx)?;
    may(actor, target, change.role)?;
    let account = deed.account(tx)?;
    let email = &account.user.email;
    if let Some(role) = change.role.filter(|role| *role != target) {
        if single_org && role < Role::Admin && is_floored(config, &account) {
            return Err(Error::conflict(format!(
                "{email} is listed in ADMIN_EMAILS and so has at least the role admin. Take the address off the list first."
            )));
        }
        sql::set_role(tx, deed.organization, deed.target, role)?;
        let detail = json!({ "from": target.as_str(), "to": role.as_str() });
        signal_role(tx, deed, deed.target, detail.clone(), now)?;
        note(tx, deed, "member.role_changed", email, detail, now)?;
        // Whoever created a link for them was allowed to for their old role only.
        links::sql::kill_all(tx, deed.target, now)?;
    }
    if let Some(disabled) = change.disabled.filter(|disabled| *disabled != account.disabled) {
        if disabled && deed.actor.id == Some(deed.target) {
            return Err(Error::conflict("You cannot disable your own account."));
        }
        accounts::sql::set_disabled(tx, deed.target, disabled, now)?;
        // Nothing of theirs may become valid again if they are enabled.
        admission::sql::shut_out(tx, deed.target, now)?;
        let action = if disabled { "member.disabled" } else { "member.enabled" };
        note(tx, deed, action, email, json!({}), now)?;
    }
    Ok(())
}

/// Removes somebody from the organization, or lets them leave; their sessions end.
///
/// # Errors
/// Forbidden above the actor's role; conflict for the owner.
pub fn remove(tx: &Transaction<'_>, single_org: bool, deed: &MemberAct, now: Timestamp) -> Result<()> {
    let (actor, target) = deed.roles(tx)?;
    let leaves = deed.actor.id == Some(deed.target);
    may(if leaves { actor.max(Role::Admin) } else { actor }, target, None)?;
    let email = deed.account(tx)?.user.email;
    tx.execute(
        "update memberships set removed_at = ?3 where organization_id = ?1 and user_id = ?2",
        params![deed.organization.0, deed.target.0, now.millis()],
    )?;
    invitations::sql::revoke_open(tx, deed.organization, &email, now)?;
    sign_in::sql::end_all(tx, deed.target, None)?;
    if single_org {
        // Nothing of theirs may become valid again if they return.
        admission::sql::shut_out(tx, deed.target, now)?;
    }
    note(tx, deed, "member.removed", &email, json!({ "role": target.as_str(), "left": leaves }), now)
}

/// Hands the organization over: the owner becomes admin, an active member becomes owner.
///
/// If the new owner's mailbox is unproven, an administrator may have created the account and may know its
/// password. In that case all its credentials are deleted, and the new owner sets a password with a link
/// whose token has the hash `token_hash`. Returns when that link expires, if there is one.
///
/// # Errors
/// Forbidden for everybody except the owner; conflict if the other person is disabled, or is unproven and
/// accounts do not belong to an organization.
pub fn hand_over(
    tx: &Transaction<'_>,
    single_org: bool,
    deed: &MemberAct,
    token_hash: Option<[u8; 32]>,
    now: Timestamp,
) -> Result<Option<Timestamp>> {
    let (actor, target) = deed.roles(tx)?;
    if actor != Role::Owner {
        return Err(Error::forbidden("Only the owner can hand the organization over."));
    }
    let account = deed.account(tx)?;
    if account.disabled {
        return Err(Error::conflict(format!(
            "{} is disabled: enable the account first.",
            account.user.email
        )));
    }
    if !single_org && !account.email_proven {
        return Err(Error::conflict(format!(
            "The mailbox {} is not proven to be theirs yet. Have them set a password with “Forgot your password?”, or \
             sign in through a provider, first.",
            account.user.email
        )));
    }
    let Some(owner) = deed.actor.id.filter(|id| *id != deed.target) else {
        return Err(Error::conflict("You already own the organization."));
    };
    sql::set_role(tx, deed.organization, owner, Role::Admin)?;
    sql::set_role(tx, deed.organization, deed.target, Role::Owner)?;
    for (user, from, to) in [(owner, Role::Owner, Role::Admin), (deed.target, target, Role::Owner)] {
        signal_role(tx, deed, user, json!({ "from": from.as_str(), "to": to.as_str() }), now)?;
    }
    sign_in::sql::end_all(tx, deed.target, None)?;
    links::sql::kill_all(tx, deed.target, now)?;
    let detail = json!({ "from": deed.actor.name, "was": target.as_str() });
    note(tx, deed, "owner.handed_over", &account.user.email, detail, now)?;
    if account.email_proven {
        return Ok(None);
    }
    admission::sql::strip(tx, deed.target, now)?;
    note(tx, deed, "account.secured", &account.user.email, json!({}), now)?;
    token_hash.map(|hash| add_reset_link(tx, deed, &account, hash, now)).transpose()
}

/// Creates a link with which somebody can set a new password; returns when it expires.
///
/// # Errors
/// Forbidden above the actor's role; conflict for a disabled account.
pub fn make_reset_link(
    tx: &Transaction<'_>,
    deed: &MemberAct,
    token_hash: [u8; 32],
    now: Timestamp,
) -> Result<Timestamp> {
    let (actor, target) = deed.roles(tx)?;
    if deed.actor.id == Some(deed.target) {
        return Err(Error::conflict("Change your own password under Account, using your current one."));
    }
    if actor < Role::Admin || target > actor {
        return Err(Error::forbidden(format!(
            "Your role is {}: you cannot create a link for somebody with a higher role.",
            actor.as_str()
        )));
    }
    let account = deed.account(tx)?;
    if account.disabled {
        return Err(Error::conflict("This account is disabled: enable it first."));
    }
    add_reset_link(tx, deed, &account, token_hash, now)
}

/// Adds a link for the actor to pass on; returns when it expires.
fn add_reset_link(
    tx: &Transaction<'_>,
    deed: &MemberAct,
    account: &admission::Account,
    token_hash: [u8; 32],
    now: Timestamp,
) -> Result<Timestamp> {
    let link = links::sql::NewLink {
        user: deed.target,
        purpose: Purpose::PasswordReset,
        token_hash,
        email: &account.user.email,
        mailed: false,
        created_by: deed.actor.id,
        lifetime: links::HANDED,
    };
    links::sql::add(tx, &link, now)?;
    note(tx, deed, "password.reset_link_made", &account.user.email, json!({}), now)?;
    Ok(now.plus(links::HANDED))
}

fn signal_role(
    tx: &Transaction<'_>,
    deed: &MemberAct,
    user: UserId,
    roles: serde_json::Value,
    now: Timestamp,
) -> Result<()> {
    let changed = signals::NewSignal::of_member(signals::Kind::MemberRoleChanged, deed.organization, user);
    signals::sql::add(tx, &changed.by(deed.actor.id).with(roles), now)
}

fn note(
    tx: &Transaction<'_>,
    deed: &MemberAct,
    action: &'static str,
    email: &str,
    detail: serde_json::Value,
    now: Timestamp,
) -> Result<()> {
    audit::sql::add(tx, &deed.actor.did(action, email).within(deed.organization).with(detail), now)
}
