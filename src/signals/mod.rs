//! What happened, for others to react to.
//!
//! A signal is a row of `signals`, written in the transaction of its cause ([`sql::add`]): a few ids and a small
//! payload. A [`consumer::Consumer`] reads them in order from its stored position, and writes its effect and its new
//! position in one transaction, so each is taken exactly once through any crash. Signals are deleted after [`KEPT`],
//! once every consumer has passed them.

pub mod consumer;
pub mod jobs;
pub mod sql;
mod subscribers;

pub use subscribers::Subscribers;

use crate::ids::{InvitationId, IssueId, OrganizationId, ProjectId, SignalId, UserId};
use crate::time::{DAY, Timestamp};
use serde_json::{Value, json};

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
    /// The condition until which it was ignored has come true.
    IssueUnignored,
    /// `{in_release?}`
    IssueResolved,
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
}

impl Kind {
    const ALL: [Self; 16] = [
        Self::IssueCreated,
        Self::IssueRegressed,
        Self::IssueEscalating,
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
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::IssueCreated => "issue.created",
            Self::IssueRegressed => "issue.regressed",
            Self::IssueEscalating => "issue.escalating",
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

/// A stored signal. What its ids refer to may be gone.
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
