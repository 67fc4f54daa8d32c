//! Notifications: in the Web app, live, and by mail.
//!
//! A consumer of signals ([`consumer`]) determines who is notified of what ([`service`]), and writes it in the
//! transaction that moves its position, so nothing is lost or told twice: a *notice* (the text, once), a notification
//! for each person who wants one in the app, and a mail for each who wants one. Many signals of a kind in a project
//! become one notice that keeps counting ([`sql::gather`]).

pub mod consumer;
pub mod http;
pub mod jobs;
pub mod service;
pub mod sql;
pub mod texts;
pub mod unsubscribe;

use crate::delivery::mail;
use crate::error::{Error, Result};
use crate::ids::{NotificationId, OrganizationId, PreferenceId, ProjectId, UserId};
use crate::text::shown;
use crate::time::{HOUR, MINUTE, Timestamp};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// Up to this many signals of a kind in a project within [`GATHER`] get separate notices; the next one combines them.
pub const ALONE_MAX: i64 = 5;
/// How long a combined notice waits for another signal, in milliseconds; and how often, while signals continue, it
/// becomes unread and moves to the top for those who have read it.
pub const GATHER: i64 = 10 * MINUTE;
/// How often a combined notice is mailed again while signals continue, in milliseconds.
pub const MAIL_AGAIN: i64 = HOUR;

/// The most separate mails to a person within an hour; further ones are held until its end and combined.
pub const MAILS_EACH_HOUR: i64 = 60;
/// The most mails waiting for a person, for example while the mail server is down; further ones are combined, one
/// each hour.
pub const MAILS_WAITING_MAX: i64 = 2 * MAILS_EACH_HOUR;

/// The page of a person's notifications.
pub const INBOX: &str = "/account/notifications";
/// The page of the instance, which shows its version.
pub const INSTANCE: &str = "/instance";
/// The page of a person's preferences.
pub const PREFERENCES: &str = "/account/notifications/preferences";

/// What a notification is about; preferences are by category.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// Issues.
    Error,
    /// Members and invitations.
    Team,
    /// Connections to other services.
    Integration,
    /// The account's security, the server's updates, announcements.
    System,
}

/// Mails that a person can unsubscribe from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mails {
    Of(Category),
    /// Those of every category.
    All,
    Report,
}

impl Mails {
    const ALL: &'static str = "all";
    const REPORT: &'static str = "report";

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Of(category) => category.as_str(),
            Self::All => Self::ALL,
            Self::Report => Self::REPORT,
        }
    }

    pub fn find(text: &str) -> Option<Self> {
        match text {
            Self::ALL => Some(Self::All),
            Self::REPORT => Some(Self::Report),
            _ => Category::find(text).map(Self::Of),
        }
    }
}

impl Category {
    pub const ALL: [Self; 4] = [Self::Error, Self::Team, Self::Integration, Self::System];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Team => "team",
            Self::Integration => "integration",
            Self::System => "system",
        }
    }

    pub fn find(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|category| category.as_str() == text)
    }

    /// # Errors
    /// Invalid, naming the categories.
    pub fn parse(text: &str) -> Result<Self> {
        let wrong = || {
            let got = shown(text, 64);
            Error::invalid(format!("category: expected error, team, integration or system, got `{got}`"))
        };
        Self::find(text).ok_or_else(wrong)
    }

    /// Each category has its own limit.
    fn mail(self) -> mail::Kind {
        match self {
            Self::Error => mail::Kind::ErrorNotification,
            Self::Team => mail::Kind::TeamNotification,
            Self::Integration => mail::Kind::IntegrationNotification,
            Self::System => mail::Kind::SystemNotification,
        }
    }
}

/// What one person is told.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Notification {
    pub id: NotificationId,
    pub user_id: UserId,
    /// Of what concerns the person's account or the server: one of the person's organizations. `null` for a person
    /// who has none.
    pub organization_id: Option<OrganizationId>,
    pub category: Category,
    /// One line, at most 200 characters.
    pub title: String,
    /// One line, at most 2,000 characters.
    pub summary: String,
    /// `issue`, `project`, `user`, `key`, `invitation`, `connection`, `announcement` or `release`.
    pub source_type: String,
    pub source_id: i64,
    /// A path of the Web app.
    pub action_url: String,
    /// Who did it; `null` if nobody did.
    pub actor_id: Option<UserId>,
    /// `user`, or `null`.
    pub actor_type: Option<String>,
    pub actor_name: Option<String>,
    /// Always `null`: pictures of people are not kept.
    pub actor_avatar: Option<String>,
    /// `error`: `issue_id`, `project_name`, `project_id`, `event_count`, `affected_users`. `team`: `member_name`,
    /// `member_email`, `action`, `role`. `integration`: `integration_type`, `status`, `repository`. `system`: `kind`,
    /// `version`, `url`.
    #[schema(value_type = Object)]
    pub notification_metadata: Value,
    pub read_at: Option<Timestamp>,
    pub archived_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

/// Whether and how a person is told of a category.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Preference {
    pub id: PreferenceId,
    pub user_id: UserId,
    pub category: Category,
    pub in_app_enabled: bool,
    pub email_enabled: bool,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// `event: notification`: what a person's notifications are like now.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Inbox {
    /// Neither read nor archived.
    pub unread_count: i64,
    /// The newest that is not archived.
    pub newest: Option<Notification>,
}

/// A notice to write: the text, shared by all recipients.
#[derive(Debug, Clone)]
pub struct Notice {
    pub category: Category,
    pub organization: Option<OrganizationId>,
    pub project: Option<ProjectId>,
    /// The kind of the signal.
    pub kind: &'static str,
    pub title: String,
    pub summary: String,
    pub source: (&'static str, i64),
    pub action_url: String,
    pub actor: Option<Person>,
    pub metadata: Value,
    /// The number of issues.
    pub issues: i64,
}

/// A person who is named.
#[derive(Debug, Clone)]
pub struct Person {
    pub id: UserId,
    pub name: String,
    pub email: String,
}

/// The possible recipients. Removed and disabled people are always left out.
#[derive(Debug, Clone)]
pub enum Audience {
    Members(OrganizationId),
    /// The organization's admins and owner.
    Admins(OrganizationId),
    /// One member.
    Member(OrganizationId, UserId),
    /// The owner of an account.
    Account(UserId),
    /// The owners of these addresses, if confirmed.
    Addresses(Vec<String>),
    /// All members of all organizations.
    Everybody,
}

/// A recipient.
#[derive(Debug, Clone)]
pub struct Recipient {
    pub user: UserId,
    pub email: String,
    pub organization: Option<OrganizationId>,
    pub in_app: bool,
    pub by_mail: bool,
}

#[cfg(test)]
mod tests;
