//! What happened to an issue, and what people said about it.

pub mod http;
pub mod sql;

use crate::error::{Error, Result};
use crate::ids::{ActivityId, UserId};
use crate::roles::Role;
use crate::signals;
use crate::time::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

/// The newest entries kept for an issue: those that Mayday makes itself,
pub const AUTOMATIC_MAX: i64 = 100;
/// and the changes that people make.
pub const CHANGES_MAX: i64 = 500;
/// The most comments of an issue. Another one is refused: what a person wrote is never dropped.
pub const COMMENTS_MAX: i64 = 1_000;
/// Characters of a comment.
const COMMENT_MAX: usize = 10_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ActivityKind)]
pub enum Kind {
    /// `{release}`. Always the last of a list, with no id of its own.
    FirstSeen,
    /// `{in_release?, ticket?}`: the ticket that was closed in the tracker, if the issue follows it.
    Resolved,
    /// `{ticket?}`: the same of one that was opened again.
    Unresolved,
    /// `{until?, events?, users?}`, as given.
    Ignored,
    /// `{assignee}`: the person, `null` once the account is deleted.
    Assigned,
    Unassigned,
    /// `{priority}`
    Priority,
    /// `{release}`: the resolved issue got a new event.
    Regressed,
    /// `{count, limit}`: of the hour in which it began.
    Escalating,
    /// The condition it was ignored until was met.
    Unignored,
    /// `{issue_id, short_id}`: source maps that came late show that another issue is the same.
    SameAs,
    /// `{account}`: the first high-value account that met it.
    HighValue,
    /// `{session_id, title, automation_id?}`: an agent began to work on it.
    RunStarted,
    /// `{session_id, title, outcome, branch?, pull_request_url?}`
    RunEnded,
    /// `{session_id, title, pull_request_url}`: what an agent did was merged.
    RunMerged,
    /// `{kind, key, url, state}`: a ticket was made from it.
    TicketCreated,
    /// `{kind, key, url, state}`: its ticket was closed in the tracker,
    TicketClosed,
    /// and opened again.
    TicketReopened,
    /// `{text}`
    Comment,
}

impl Kind {
    const ALL: [Self; 19] = [
        Self::FirstSeen,
        Self::Resolved,
        Self::Unresolved,
        Self::Ignored,
        Self::Assigned,
        Self::Unassigned,
        Self::Priority,
        Self::Regressed,
        Self::Escalating,
        Self::Unignored,
        Self::SameAs,
        Self::HighValue,
        Self::RunStarted,
        Self::RunEnded,
        Self::RunMerged,
        Self::TicketCreated,
        Self::TicketClosed,
        Self::TicketReopened,
        Self::Comment,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::FirstSeen => "first_seen",
            Self::Resolved => "resolved",
            Self::Unresolved => "unresolved",
            Self::Ignored => "ignored",
            Self::Assigned => "assigned",
            Self::Unassigned => "unassigned",
            Self::Priority => "priority",
            Self::Regressed => "regressed",
            Self::Escalating => "escalating",
            Self::Unignored => "unignored",
            Self::SameAs => "same_as",
            Self::HighValue => "high_value",
            Self::RunStarted => "run_started",
            Self::RunEnded => "run_ended",
            Self::RunMerged => "run_merged",
            Self::TicketCreated => "ticket_created",
            Self::TicketClosed => "ticket_closed",
            Self::TicketReopened => "ticket_reopened",
            Self::Comment => "comment",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }

    /// The signal of such an entry.
    fn signal(self) -> Option<signals::Kind> {
        Some(match self {
            // The signal of a new issue is written with the issue; comments, runs, tickets and what was found out later have none.
            Self::FirstSeen
            | Self::Comment
            | Self::SameAs
            | Self::RunStarted
            | Self::RunEnded
            | Self::RunMerged
            | Self::TicketCreated
            | Self::TicketClosed
            | Self::TicketReopened => return None,
            Self::Resolved => signals::Kind::IssueResolved,
            Self::Unresolved => signals::Kind::IssueUnresolved,
            Self::Ignored => signals::Kind::IssueIgnored,
            Self::Assigned => signals::Kind::IssueAssigned,
            Self::Unassigned => signals::Kind::IssueUnassigned,
            Self::Priority => signals::Kind::IssuePrioritized,
            Self::Regressed => signals::Kind::IssueRegressed,
            Self::Escalating => signals::Kind::IssueEscalating,
            Self::Unignored => signals::Kind::IssueUnignored,
            Self::HighValue => signals::Kind::IssueHighValue,
        })
    }

    /// The kinds counted together with this one, and how many of them an issue keeps. `None`: all.
    fn kept(self) -> Option<(&'static str, i64)> {
        match self {
            Self::FirstSeen | Self::Comment => None,
            Self::Regressed | Self::Escalating | Self::Unignored | Self::SameAs | Self::HighValue => {
                Some(("'regressed', 'escalating', 'unignored', 'same_as', 'high_value'", AUTOMATIC_MAX))
            }
            Self::RunStarted | Self::RunEnded | Self::RunMerged => {
                Some(("'run_started', 'run_ended', 'run_merged'", AUTOMATIC_MAX))
            }
            Self::TicketCreated | Self::TicketClosed | Self::TicketReopened => {
                Some(("'ticket_created', 'ticket_closed', 'ticket_reopened'", AUTOMATIC_MAX))
            }
            _ => Some((
                "'resolved', 'unresolved', 'ignored', 'assigned', 'unassigned', 'priority'",
                CHANGES_MAX,
            )),
        }
    }
}

/// An entry to create.
#[derive(Debug, Clone)]
pub struct New {
    /// `None`: Mayday itself.
    pub by: Option<UserId>,
    pub kind: Kind,
    pub data: Value,
    pub release: Option<String>,
}

impl New {
    pub fn automatic(kind: Kind) -> Self {
        Self { by: None, kind, data: json!({}), release: None }
    }
}

/// The person who did it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Actor {
    pub id: UserId,
    pub email: String,
    pub name: String,
}

/// Something that happened to an issue.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Activity {
    /// `null` for `first_seen`.
    pub id: Option<ActivityId>,
    pub kind: Kind,
    pub at: Timestamp,
    /// `null`: Mayday itself, or a deleted account.
    pub user: Option<Actor>,
    /// By kind.
    #[schema(value_type = Object)]
    pub data: Value,
}

/// A comment on an issue.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Comment {
    pub id: ActivityId,
    pub text: String,
    pub at: Timestamp,
    /// `null` once the account is deleted.
    pub user: Option<Actor>,
    /// Whether a program wrote it, with a token of that person.
    pub by_token: bool,
}

/// Who writes a comment.
#[derive(Debug, Clone, Copy)]
pub struct Author {
    pub user: UserId,
    pub by_token: bool,
}

/// # Errors
/// 422 if it is only white space, or has over 10,000 characters without surrounding white space.
pub fn check_comment(text: &str) -> Result<String> {
    let text = text.trim();
    let length = text.chars().count();
    if length == 0 || length > COMMENT_MAX {
        return Err(Error::invalid(format!(
            "text: expected 1 to {COMMENT_MAX} characters, not counting surrounding white space, got {length}"
        )));
    }
    Ok(text.to_owned())
}

/// Whether a person may delete a comment: its author may, and administrators. If the author's account is
/// deleted, only administrators may.
pub fn may_delete(author: Option<UserId>, person: UserId, role: Option<Role>) -> bool {
    role.is_some_and(|role| author == Some(person) || role >= Role::Admin)
}

#[cfg(test)]
mod tests;
