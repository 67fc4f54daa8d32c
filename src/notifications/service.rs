//! Determines who is notified of a signal, and writes their mails.

pub mod post;

use super::sql::facts;
use super::texts::{self, Issue, Team};
use super::{Audience, Notice};
use crate::error::Result;
use crate::ids::{InvitationId, OrganizationId, UserId};
use crate::organizations;
use crate::signals::{Kind, Signal};
use crate::store::Connection;

/// Something to tell.
pub enum News {
    /// About an issue; many of a kind are combined.
    OfIssue(Issue),
    Other {
        notice: Notice,
        audience: Audience,
        /// People who know already: they did it, or get another notice.
        except: Vec<UserId>,
        /// False if another mail reports the same.
        by_mail: bool,
    },
}

/// The kinds of signals that cause notifications.
pub const KINDS: &[Kind] = &[
    Kind::IssueCreated,
    Kind::IssueRegressed,
    Kind::IssueEscalating,
    Kind::IssueHighValue,
    Kind::MemberJoined,
    Kind::MemberRoleChanged,
    Kind::InvitationSent,
    Kind::InvitationAccepted,
    Kind::PasswordChanged,
    Kind::EmailChanged,
    Kind::IdentityLinked,
    Kind::SignInThrottled,
    Kind::KeyNetwork,
    Kind::AlertChannelOff,
    Kind::ConnectionConnected,
    Kind::ConnectionFailed,
    Kind::TicketCreated,
    Kind::SessionWaits,
    Kind::Announced,
    Kind::UpdateAvailable,
];

/// The notices of a signal; none if what it refers to was deleted. `operators` has the addresses of the
/// administrators of an instance with many organizations.
///
/// # Errors
/// Storage trouble.
pub fn news(c: &Connection, signal: &Signal, single_org: bool, operators: &[String]) -> Result<Vec<News>> {
    match signal.kind {
        Kind::IssueCreated | Kind::IssueRegressed | Kind::IssueEscalating | Kind::IssueHighValue => {
            let Some(issue) = signal.issue else { return Ok(Vec::new()) };
            Ok(facts::issue(c, issue)?.map(News::OfIssue).into_iter().collect())
        }
        Kind::PasswordChanged | Kind::EmailChanged | Kind::IdentityLinked | Kind::SignInThrottled => {
            Ok(of_account(signal))
        }
        Kind::KeyNetwork => Ok(of_key(signal)),
        Kind::SessionWaits => of_session(c, signal),
        Kind::AlertChannelOff => {
            let (Some(organization), Some(project)) = (signal.organization, signal.project) else {
                return Ok(Vec::new());
            };
            let notice = texts::channel_off(signal, organization, project);
            Ok(vec![other(signal, notice, Audience::Admins(organization))])
        }
        Kind::ConnectionConnected | Kind::ConnectionFailed => {
            let Some(organization) = signal.organization else { return Ok(Vec::new()) };
            let notice = texts::connection(signal, organization);
            Ok(vec![other(signal, notice, Audience::Admins(organization))])
        }
        Kind::TicketCreated => {
            let issue = signal.issue.map(|issue| facts::issue(c, issue)).transpose()?.flatten();
            let Some(issue) = issue else { return Ok(Vec::new()) };
            let actor = signal.actor.map(|id| facts::person(c, id)).transpose()?.flatten();
            let notice = texts::ticket(signal, &issue, actor);
            Ok(vec![other(signal, notice, Audience::Members(issue.organization))])
        }
        Kind::Announced => {
            let actor = signal.actor.map(|id| facts::person(c, id)).transpose()?.flatten();
            Ok(vec![other(signal, texts::announcement(signal, actor), Audience::Everybody)])
        }
        Kind::UpdateAvailable => {
            let audience = match organizations::sql::only(c)?.filter(|_| single_org) {
                Some(only) => Audience::Admins(only),
                None => Audience::Addresses(operators.to_vec()),
            };
            Ok(vec![other(signal, texts::update(signal), audience)])
        }
        _ => of_team(c, signal),
    }
}

fn other(signal: &Signal, notice: Notice, audience: Audience) -> News {
    News::Other { notice, audience, except: signal.actor.into_iter().collect(), by_mail: true }
}

/// The only notice that goes to the person who did it, because it may have been somebody else. A changed password or
/// address causes a separate mail that cannot be switched off.
fn of_account(signal: &Signal) -> Vec<News> {
    let Some(user) = signal.user else { return Vec::new() };
    let (notice, audience) = (texts::security(signal, user), Audience::Account(user));
    let by_mail = !matches!(signal.kind, Kind::PasswordChanged | Kind::EmailChanged);
    vec![News::Other { notice, audience, except: Vec::new(), by_mail }]
}

/// For whoever can revoke the key.
fn of_key(signal: &Signal) -> Vec<News> {
    let audience = match (signal.user, signal.organization) {
        (Some(owner), _) => Audience::Account(owner),
        (None, Some(organization)) => Audience::Admins(organization),
        (None, None) => return Vec::new(),
    };
    vec![other(signal, texts::key_network(signal), audience)]
}

/// For the person who started the session, or who created the key or automation that did; if that account was
/// deleted, for the admins.
fn of_session(c: &Connection, signal: &Signal) -> Result<Vec<News>> {
    let Some(organization) = signal.organization else { return Ok(Vec::new()) };
    let audience = match signal.user {
        Some(user) if super::sql::tell::is_member(c, organization, user)? => {
            Audience::Member(organization, user)
        }
        _ => Audience::Admins(organization),
    };
    Ok(vec![other(signal, texts::waits(signal, organization), audience)])
}

fn of_team(c: &Connection, signal: &Signal) -> Result<Vec<News>> {
    let Some(organization) = signal.organization else { return Ok(Vec::new()) };
    let organization_name = organizations::sql::name(c, organization)?;
    let actor = signal.actor.map(|id| facts::person(c, id)).transpose()?.flatten();
    let role = signal.text(if signal.kind == Kind::MemberRoleChanged { "to" } else { "role" });
    let team = || Team {
        kind: signal.kind,
        organization: (organization, &organization_name),
        actor: actor.clone(),
        role,
    };
    let invitation = InvitationId(signal.payload["invitation"].as_i64().unwrap_or_default());
    if signal.kind == Kind::InvitationSent {
        let notice = team().invited(invitation, signal.text("email"));
        return Ok(vec![other(signal, notice, Audience::Admins(organization))]);
    }
    let member = signal.user.map(|id| facts::person(c, id)).transpose()?.flatten();
    let Some(member) = member else { return Ok(Vec::new()) };
    Ok(match signal.kind {
        Kind::InvitationAccepted => {
            let inviter = facts::inviter(c, invitation)?;
            let audience = inviter.map(|inviter| Audience::Member(organization, inviter));
            let notice = team().accepted(invitation, &member);
            audience.into_iter().map(|audience| other(signal, notice.clone(), audience)).collect()
        }
        Kind::MemberJoined => {
            let inviter = facts::inviter_of(c, organization, member.id, signal.at)?;
            let except = signal.actor.into_iter().chain([member.id]).chain(inviter).collect();
            let (notice, audience) = (team().joined(&member), Audience::Members(organization));
            vec![News::Other { notice, audience, except, by_mail: true }]
        }
        _ => {
            let words = (team().own_role_changed(&member), team().role_changed(&member));
            role_changed(signal, organization, words, member.id)
        }
    })
}

/// The member and the admins get different texts.
fn role_changed(
    signal: &Signal,
    organization: OrganizationId,
    (own, others): (Notice, Notice),
    member: UserId,
) -> Vec<News> {
    let except = signal.actor.into_iter().chain([member]).collect();
    vec![
        other(signal, own, Audience::Member(organization, member)),
        News::Other { notice: others, audience: Audience::Admins(organization), except, by_mail: true },
    ]
}
