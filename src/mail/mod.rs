//! Mail: its texts, and the ways to send it.
//!
//! To send a mail, write a row of the outbox in the transaction of the change it reports ([`sql::add`]), then
//! call [`Outbox::wake`]; a job (`jobs/outbox.rs`) sends what is due. So no mail reports a change that was
//! rolled back, and a restart sends what is left, with the same idempotency key.

mod api;
mod cap;
pub mod messages;
mod smtp;
pub mod sql;

pub use cap::{Caps, PER_HOUR};

use crate::config::{MailConfig, MailWay};
use crate::crypto::seal::Seal;
use crate::crypto::secret::Secret;
use crate::error::{Error, Result};
use crate::ids::InvitationId;
use crate::outbound::Client;
use crate::text;
use crate::text::email;
use crate::time::Timestamp;
use lettre::message::Mailbox;
use std::time::Duration;
use tokio::sync::Notify;

/// How long one mail may take, from the connection to the answer.
pub const DEADLINE: Duration = Duration::from_secs(30);
/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(10);
/// The most characters kept of an error.
const FAULT_MAX: usize = 300;
/// The longest subject, in characters.
const SUBJECT_MAX: usize = 200;

/// What a mail is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Invitation,
    PasswordReset,
    EmailChange,
    Notice,
}

impl Kind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Invitation => "invitation",
            Self::PasswordReset => "password_reset",
            Self::EmailChange => "email_change",
            Self::Notice => "notice",
        }
    }
}

/// A mail to one person, in plain text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    pub kind: Kind,
    /// Normalized, as accounts are.
    pub to: String,
    pub subject: String,
    pub text: String,
    /// The invitation whose `delivery_status` follows this mail.
    pub invitation: Option<InvitationId>,
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
        Ok(Self { kind, to, subject: text::shown(subject, SUBJECT_MAX), text, invitation: None })
    }

    #[must_use]
    pub fn about(mut self, invitation: InvitationId) -> Self {
        self.invitation = Some(invitation);
        self
    }
}

/// A mail being sent.
#[derive(Debug, Clone)]
pub struct Letter {
    pub to: String,
    pub subject: String,
    pub text: String,
    /// The same for every attempt. The API sends one mail for each key, and it is part of the message id.
    pub idempotency_key: String,
    pub created_at: Timestamp,
}

/// Why a mail was not sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Whether the recipient or the mail is refused for good, so that trying again is useless.
    pub permanent: bool,
    /// One line for the operator and the inviter, without secrets.
    pub text: String,
}

impl Failure {
    fn passing(text: impl AsRef<str>) -> Self {
        Self { permanent: false, text: text::shown(text.as_ref(), FAULT_MAX) }
    }

    fn permanent(text: impl AsRef<str>) -> Self {
        Self { permanent: true, text: text::shown(text.as_ref(), FAULT_MAX) }
    }
}

/// Sends letters one way.
pub struct Mailer {
    way: Way,
    from: Mailbox,
    deadline: Duration,
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
        Ok(Self { way, from, deadline: DEADLINE })
    }

    /// For tests of servers that hang.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
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

/// What the writers of mail and the job that sends it share.
pub struct Outbox {
    /// `None`: mail is not configured, and nothing may be added.
    pub mailer: Option<Mailer>,
    pub seal: Seal,
    pub(crate) added: Notify,
}

impl Outbox {
    /// # Errors
    /// As [`Mailer::new`].
    pub fn new(config: Option<&MailConfig>, client: &Client, seal: Seal) -> Result<Self> {
        Ok(Self {
            mailer: config.map(|config| Mailer::new(config, client)).transpose()?,
            seal,
            added: Notify::new(),
        })
    }

    /// Whether mail can be sent. If it cannot, an invitation's delivery is `skipped`.
    pub fn is_on(&self) -> bool {
        self.mailer.is_some()
    }

    /// Call this after the transaction that added a mail.
    pub fn wake(&self) {
        self.added.notify_one();
    }
}

#[cfg(test)]
mod tests;
