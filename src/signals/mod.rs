//! Signals: what happened, for other parts of Mayday to react to.
//!
//! A signal is a row of `signals`, written in the transaction of its cause ([`sql::add`]): a few ids and a small
//! payload. A [`consumer::Consumer`] reads signals in order from its stored position, and writes its effect and its
//! new position in one transaction, so each signal is handled exactly once through any crash. Signals are deleted
//! after [`KEPT`], when every consumer has passed them.

pub mod consumer;
pub mod jobs;
pub mod sql;
mod subscribers;

pub use subscribers::Subscribers;

use crate::ids::{InvitationId, IssueId, OrganizationId, ProjectId, SignalId, UserId};
use crate::time::{DAY, Timestamp};
use serde_json::{Value, json};
use std::net::IpAddr;

/// How long signals are kept, in milliseconds.
pub const KEPT: i64 = 7 * DAY;

/// What happened. The names are stored and must not change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `{event_id}`: the event that created it.
    IssueCreated,
    /// `{release}`: a new event arrived for the resolved issue.
    IssueRegressed,
    /// `{count, limit}` of the hour.
    IssueEscalating,
    /// `{account}`: the first account of high value that met the issue.
    IssueHighValue,
    /// The condition until which it was ignored has come true.
    IssueUnignored,
    /// `{in_release?, ticket?}`
    IssueResolved,
    /// `{ticket?}`
    IssueUnresolved,
    /// `{until?, events?, users?}`
    IssueIgnored,
    /// `{assignee}`
    IssueAssigned,
    IssueUnassigned,
    /// `{priority}`
    IssuePrioritized,
    /// `{invitation, email, role}`, each time it is sent.
    InvitationSent,
    /// `{invitation, email, role}`; the user is whoever accepted.
    InvitationAccepted,
    /// `{role}`
    MemberJoined,
    /// `{from, to}`
    MemberRoleChanged,
    /// `{email}`: the address of the account at that time.
    PasswordChanged,
    /// `{from, to}`
    EmailChanged,
    /// `{provider}`: the account can now be entered by one more provider.
    IdentityLinked,
    /// `{address}`: it is refused for a while, after too many failed sign-ins to the account.
    SignInThrottled,
    /// `{kind, name, network, project?}`: a key (`personal`, `organization` or `project`) was used from a network that
    /// it was never used from. The user is the owner of a personal access token.
    KeyNetwork,
    /// `{name, kind, reason}`: the receiver of an alert channel wants nothing any more, so it was switched off.
    AlertChannelOff,
    /// `{rule_id, rule, condition}`: an alert rule of the project holds; of an issue, or of logs without one.
    AlertFired,
    /// `{connection_id, kind, name, status}`: a connection works, for the first time or again.
    ConnectionConnected,
    /// `{connection_id, kind, name, status, reason}`: a connection no longer works.
    ConnectionFailed,
    /// `{kind, key, title, repository}`: a ticket was made from the issue.
    TicketCreated,
    /// `{session_id, title, why, reason?}`: a session of an agent goes on only with a person. `why` is `asks`, `capped` or `held`;
    /// the user is whoever started it.
    SessionWaits,
    /// `{kind, title, text, url?}`: an administrator's words to everybody; `kind` is `announcement` or `maintenance`.
    Announced,
    /// `{version, url?}`: a newer release of the server was seen, once for each.
    UpdateAvailable,
}

impl Kind {
    const ALL: [Self; 28] = [
        Self::IssueCreated,
        Self::IssueRegressed,
        Self::IssueEscalating,
        Self::IssueHighValue,
        Self::IssueUnignored,
        Self::IssueResolved,
        Self::IssueUnresolved,
        Self::IssueIgnored,
        Self::IssueAssigned,
        Self::IssueUnassigned,
        Self::IssuePrioritized,
        Self::InvitationSent,
        Self::InvitationAccepted,
        Self::MemberJoined,
        Self::MemberRoleChanged,
        Self::PasswordChanged,
        Self::EmailChanged,
        Self::IdentityLinked,
        Self::SignInThrottled,
        Self::KeyNetwork,
        Self::AlertChannelOff,
        Self::AlertFired,
        Self::ConnectionConnected,
        Self::ConnectionFailed,
        Self::TicketCreated,
        Self::SessionWaits,
        Self::Announced,
        Self::UpdateAvailable,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::IssueCreated => "issue.created",
            Self::IssueRegressed => "issue.regressed",
            Self::IssueEscalating => "issue.escalating",
            Self::IssueHighValue => "issue.high_value",
            Self::IssueUnignored => "issue.unignored",
            Self::IssueResolved => "issue.resolved",
            Self::IssueUnresolved => "issue.unresolved",
            Self::IssueIgnored => "issue.ignored",
            Self::IssueAssigned => "issue.assigned",
            Self::IssueUnassigned => "issue.unassigned",
            Self::IssuePrioritized => "issue.prioritized",
            Self::InvitationSent => "invitation.sent",
            Self::InvitationAccepted => "invitation.accepted",
            Self::MemberJoined => "member.joined",
            Self::MemberRoleChanged => "member.role_changed",
            Self::PasswordChanged => "account.password_changed",
            Self::EmailChanged => "account.email_changed",
            Self::IdentityLinked => "account.identity_linked",
            Self::SignInThrottled => "account.throttled",
            Self::KeyNetwork => "key.network",
            Self::AlertChannelOff => "alert_channel.off",
            Self::AlertFired => "alert.fired",
            Self::ConnectionConnected => "connection.connected",
            Self::ConnectionFailed => "connection.failed",
            Self::TicketCreated => "ticket.created",
            Self::SessionWaits => "session.waits",
            Self::Announced => "instance.announced",
            Self::UpdateAvailable => "instance.update_available",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// A signal to write.
#[derive(Debug, Clone)]
pub struct NewSignal {
    pub kind: Kind,
    pub organization: Option<OrganizationId>,
    pub project: Option<ProjectId>,
    pub issue: Option<IssueId>,
    /// The person it is about.
    pub user: Option<UserId>,
    /// Who did it; `None` for Mayday itself, the operator or a key.
    pub actor: Option<UserId>,
    /// An object with a few short values, depending on the kind; never a secret.
    pub payload: Value,
}

impl NewSignal {
    fn new(kind: Kind) -> Self {
        let (organization, project, issue, user, actor) = (None, None, None, None, None);
        Self { kind, organization, project, issue, user, actor, payload: json!({}) }
    }

    /// About a member of an organization.
    pub fn of_member(kind: Kind, organization: OrganizationId, user: UserId) -> Self {
        Self { organization: Some(organization), user: Some(user), ..Self::new(kind) }
    }

    /// About an invitation into an organization.
    pub fn of_invitation(
        kind: Kind,
        organization: OrganizationId,
        (invitation, email, role): (InvitationId, &str, &str),
    ) -> Self {
        let payload = json!({ "invitation": invitation, "email": email, "role": role });
        Self { organization: Some(organization), payload, ..Self::new(kind) }
    }

    /// About an account, done by its owner.
    pub fn of_account(kind: Kind, user: UserId) -> Self {
        Self { user: Some(user), actor: Some(user), ..Self::new(kind) }
    }

    /// About too many failed sign-ins to an account.
    pub fn of_throttle(user: UserId, address: IpAddr) -> Self {
        let payload = json!({ "address": address });
        Self { user: Some(user), payload, ..Self::new(Kind::SignInThrottled) }
    }

    /// A signal about a key: a person's, an organization's or a project's.
    pub fn of_key(organization: Option<OrganizationId>, owner: Option<UserId>, payload: Value) -> Self {
        Self { organization, user: owner, payload, ..Self::new(Kind::KeyNetwork) }
    }

    /// About an alert channel of a project.
    pub fn of_channel(organization: Option<OrganizationId>, project: ProjectId, payload: Value) -> Self {
        Self { organization, project: Some(project), payload, ..Self::new(Kind::AlertChannelOff) }
    }

    /// About an alert rule that holds.
    pub fn of_alert(
        organization: Option<OrganizationId>,
        (project, issue): (ProjectId, Option<IssueId>),
        payload: Value,
    ) -> Self {
        Self { organization, project: Some(project), issue, payload, ..Self::new(Kind::AlertFired) }
    }

    /// About a connection of an organization.
    pub fn of_connection(kind: Kind, organization: OrganizationId, payload: Value) -> Self {
        Self { organization: Some(organization), payload, ..Self::new(kind) }
    }

    /// About a ticket that was made from an issue.
    pub fn of_ticket(
        organization: OrganizationId,
        (project, issue): (ProjectId, IssueId),
        payload: Value,
    ) -> Self {
        let (organization, project, issue) = (Some(organization), Some(project), Some(issue));
        Self { organization, project, issue, payload, ..Self::new(Kind::TicketCreated) }
    }

    /// About a session that waits for a person.
    pub fn of_session(
        organization: OrganizationId,
        (project, issue): (Option<ProjectId>, Option<IssueId>),
        user: Option<UserId>,
        payload: Value,
    ) -> Self {
        Self {
            organization: Some(organization),
            project,
            issue,
            user,
            payload,
            ..Self::new(Kind::SessionWaits)
        }
    }

    /// About a newer release of the server.
    pub fn of_update(version: &str, url: Option<&str>) -> Self {
        Self { payload: json!({ "version": version, "url": url }), ..Self::new(Kind::UpdateAvailable) }
    }

    /// An administrator's words to everybody.
    pub fn of_announcement(by: UserId, said: (&str, &str, &str, Option<&str>)) -> Self {
        let (kind, title, text, url) = said;
        let payload = json!({ "kind": kind, "title": title, "text": text, "url": url });
        Self { actor: Some(by), payload, ..Self::new(Kind::Announced) }
    }

    #[must_use]
    pub fn about(mut self, user: UserId) -> Self {
        self.user = Some(user);
        self
    }

    #[must_use]
    pub fn by(mut self, actor: Option<UserId>) -> Self {
        self.actor = actor;
        self
    }

    #[must_use]
    pub fn with(mut self, payload: Value) -> Self {
        self.payload = payload;
        self
    }
}

/// A stored signal. What its ids refer to may have been deleted.
#[derive(Debug, Clone)]
pub struct Signal {
    pub id: SignalId,
    pub kind: Kind,
    pub organization: Option<OrganizationId>,
    pub project: Option<ProjectId>,
    pub issue: Option<IssueId>,
    pub user: Option<UserId>,
    pub actor: Option<UserId>,
    pub payload: Value,
    pub at: Timestamp,
}

impl Signal {
    /// A text of the payload; empty if it has none of that name.
    pub fn text(&self, name: &str) -> &str {
        self.payload[name].as_str().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
