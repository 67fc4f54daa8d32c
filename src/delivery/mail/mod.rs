//! Mail: its texts, and the ways to send it.

mod api;
mod draft;
mod link;
pub mod messages;
mod smtp;

use super::details::{Details, FindDetails};
use super::{Attempt, Failure, Parcel, Transport};
use crate::config::{MailConfig, MailWay};
use crate::crypto::secret::Secret;
use crate::error::{Error, Result};
use crate::ids::{IssueId, ProjectId};
use crate::outbound::Client;
use crate::text;
use crate::text::email;
use crate::time::Timestamp;
use lettre::message::Mailbox;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

/// How long one mail may take, from the connection to the answer.
pub const DEADLINE: Duration = Duration::from_secs(30);
/// The time limit for connecting.
const CONNECT: Duration = Duration::from_secs(10);
/// The longest subject, in characters.
const SUBJECT_MAX: usize = 200;

/// What a mail is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Invitation,
    PasswordReset,
    EmailChange,
    Notice,
    /// A notification; the category is its kind.
    ErrorNotification,
    TeamNotification,
    IntegrationNotification,
    SystemNotification,
    /// A summary of notifications of any category above the hourly limit.
    NotificationDigest,
    WeeklyReport,
}

impl Kind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Invitation => "invitation",
            Self::PasswordReset => "password_reset",
            Self::EmailChange => "email_change",
            Self::Notice => "notice",
            Self::ErrorNotification => "notification_error",
            Self::TeamNotification => "notification_team",
            Self::IntegrationNotification => "notification_integration",
            Self::SystemNotification => "notification_system",
            Self::NotificationDigest => "notification_digest",
            Self::WeeklyReport => "weekly_report",
        }
    }
}

/// A mail to one person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    pub kind: Kind,
    /// Normalized, as accounts are.
    pub to: String,
    pub subject: String,
    pub text: String,
    /// The same as HTML; without it the mail is plain text.
    pub html: Option<String>,
    /// Groups mails about the same subject in mail programs: a message id without its brackets.
    pub thread: Option<String>,
    /// The issue whose details are added when it is sent.
    pub issue: Option<(ProjectId, IssueId)>,
    /// The address that ends mails of this kind (`List-Unsubscribe`), by a POST without a session (RFC 8058).
    pub unsubscribe: Option<String>,
}

/// The stored part of a mail.
#[derive(Serialize, Deserialize)]
struct Content<'a> {
    subject: Cow<'a, str>,
    text: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    html: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    thread: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    issue: Option<(ProjectId, IssueId)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unsubscribe: Option<Cow<'a, str>>,
}

impl Mail {
    /// The subject is one line of at most 200 characters; a longer one is cut.
    ///
    /// # Errors
    /// Invalid if `to` is not an address or contains a line break.
    pub fn new(kind: Kind, to: &str, subject: &str, text: String) -> Result<Self> {
        if to.contains(char::is_control) {
            return Err(Error::invalid("email: expected one address, got a line break or control character"));
        }
        let to = email::normal_email(to)?;
        let subject = text::shown(subject, SUBJECT_MAX);
        Ok(Self { kind, to, subject, text, html: None, thread: None, issue: None, unsubscribe: None })
    }

    /// What [`Mailer`] sends as a [`Parcel`] to [`Mail::to`].
    ///
    /// # Errors
    /// Internal; never happens, since texts can always be serialized.
    pub fn payload(&self) -> Result<Vec<u8>> {
        let content = Content {
            subject: self.subject.as_str().into(),
            text: self.text.as_str().into(),
            html: self.html.as_deref().map(Into::into),
            thread: self.thread.as_deref().map(Into::into),
            issue: self.issue,
            unsubscribe: self.unsubscribe.as_deref().map(Into::into),
        };
        serde_json::to_vec(&content).map_err(Error::internal)
    }
}

/// A mail being sent.
#[derive(Debug, Clone)]
pub struct Letter {
    pub to: String,
    pub subject: String,
    pub text: String,
    pub html: Option<String>,
    /// See [`Mail::thread`].
    pub thread: Option<String>,
    /// See [`Mail::unsubscribe`].
    pub unsubscribe: Option<String>,
    /// The same for every attempt. The API sends one mail for each key, and it is part of the message id.
    pub idempotency_key: String,
    pub created_at: Timestamp,
}

impl Letter {
    /// A stored mail, with the issue of which it says details.
    fn read(parcel: &Parcel) -> Result<(Self, Option<(ProjectId, IssueId)>), Failure> {
        let content: Content<'_> = serde_json::from_slice(&parcel.payload)
            .map_err(|_| Failure::permanent("the mail can no longer be read: send it again"))?;
        let letter = Self {
            to: parcel.target.clone(),
            subject: content.subject.into_owned(),
            text: content.text.into_owned(),
            html: content.html.map(Cow::into_owned),
            thread: content.thread.map(Cow::into_owned),
            unsubscribe: content.unsubscribe.map(Cow::into_owned),
            idempotency_key: parcel.idempotency_key.clone(),
            created_at: parcel.created_at,
        };
        Ok((letter, content.issue))
    }

    /// Inserts the details.
    fn with(mut self, details: &Details) -> Self {
        let parts = messages::details(details);
        self.text = draft::with_text(&self.text, &parts);
        self.html = self.html.map(|html| draft::with_html(&html, &parts));
        self
    }
}

/// The header that says that a POST to `List-Unsubscribe` is enough (RFC 8058), and its only value.
const UNSUBSCRIBE_POST: (&str, &str) = ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click");

/// Sends mails in one way.
pub struct Mailer {
    way: Way,
    from: Mailbox,
    deadline: Duration,
    details: Option<Arc<dyn FindDetails>>,
}

enum Way {
    Api { client: Client, url: String, key: Secret },
    Smtp(smtp::Relay),
}

impl Mailer {
    /// # Errors
    /// If the configuration is invalid, which is normally found earlier.
    pub fn new(config: &MailConfig, client: &Client) -> Result<Self> {
        let from: Mailbox =
            config.from.parse().map_err(|error| Error::internal(format!("MAIL_FROM_EMAIL: {error}")))?;
        let way = match &config.way {
            MailWay::Api { url, key } => {
                Way::Api { client: client.clone(), url: url.clone(), key: key.clone() }
            }
            MailWay::Smtp(url) => Way::Smtp(smtp::Relay::new(url, from.email.domain())?),
        };
        Ok(Self { way, from, deadline: DEADLINE, details: None })
    }

    /// Sets where the details of issues come from.
    #[must_use]
    pub fn with_details(mut self, details: Arc<dyn FindDetails>) -> Self {
        self.details = Some(details);
        self
    }

    /// For tests of servers that hang.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    async fn post(&self, parcel: &Parcel) -> Result<(), Failure> {
        let (letter, issue) = Letter::read(parcel)?;
        let Some((project, issue)) = issue else { return self.send(&letter).await };
        let details = match &self.details {
            Some(details) => details.find(project, issue).await,
            None => Details::default(),
        };
        self.send(&letter.with(&details)).await
    }

    /// Sends a letter, or returns within the deadline why it was not sent.
    pub async fn send(&self, letter: &Letter) -> Result<(), Failure> {
        let sending = async {
            match &self.way {
                Way::Api { client, url, key } => api::send(client, url, key, &self.from, letter).await,
                Way::Smtp(relay) => relay.send(&self.from, letter).await,
            }
        };
        let seconds = self.deadline.as_secs_f32();
        let late = || Failure::passing(format!("the mail server did not answer within {seconds} s"));
        tokio::time::timeout(self.deadline, sending).await.map_err(|_| late())?
    }
}

impl Transport for Mailer {
    fn send<'a>(&'a self, parcel: &'a Parcel) -> Attempt<'a> {
        Box::pin(self.post(parcel))
    }
}

#[cfg(test)]
pub(crate) mod tests;
