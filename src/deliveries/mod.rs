//! What Mayday sends to the outside, and the outcome: mail, the messages of alert rules, tickets and pull requests.
//!
//! To send something, write a delivery in the same transaction as the change it reports ([`Deliveries::add`]), then
//! call [`Deliveries::wake`]; a job sends what is due. So no message reports a change that was rolled back, and after
//! a restart the remaining deliveries are sent with the same idempotency keys. Payloads are stored sealed because
//! they contain links.

mod caps;
pub mod jobs;
mod outbox;
pub mod service;
pub mod sql;

pub use outbox::Deliveries;

use crate::alerts::letter::Letter;
use crate::delivery::mail::Mail;
use crate::error::Result;
use crate::ids::AlertChannelId;
use crate::time::{HOUR, SECOND, Timestamp};

/// The first pause, in milliseconds; each later one is three times as long, but at most an hour.
const FIRST_WAIT: i64 = 10 * SECOND;

/// A way of sending deliveries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Channel {
    Mail,
    /// An address that people of a project named.
    Hook,
    /// A ticket to create or comment on; the target is the connection.
    Ticket,
    /// A pull request to open: the target is the connection.
    PullRequest,
}

/// What waits although it was tried.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct StalledDeliveries {
    pub count: i64,
    /// When the oldest was written.
    pub since: Option<Timestamp>,
    /// Why its last attempt failed.
    pub answer: Option<String>,
}

/// The limits of a channel.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Deliveries in flight at once,
    pub at_once: usize,
    /// and of these to one target, so that a slow one leaves places to others.
    pub at_once_each: usize,
    /// Deliveries of a kind to one target within any hour; further ones wait.
    pub each_hour: usize,
}

impl Channel {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Mail => "mail",
            Self::Hook => "hook",
            Self::Ticket => "ticket",
            Self::PullRequest => "pull_request",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        let all = [Self::Mail, Self::Hook, Self::Ticket, Self::PullRequest];
        all.into_iter().find(|channel| channel.as_str() == text)
    }

    /// Attempts after which a delivery fails: with the pauses of [`wait_after`] a little over two hours, and for mail
    /// a little less than the day for which mail APIs remember an idempotency key.
    pub fn attempts(self) -> u32 {
        match self {
            Self::Mail => 28,
            Self::Hook | Self::Ticket | Self::PullRequest => 8,
        }
    }

    pub fn limits(self) -> Limits {
        match self {
            Self::Mail => Limits { at_once: 4, at_once_each: 2, each_hour: 60 },
            Self::Hook => Limits { at_once: 8, at_once_each: 1, each_hour: 300 },
            Self::Ticket | Self::PullRequest => Limits { at_once: 4, at_once_each: 1, each_hour: 300 },
        }
    }
}

/// The state of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It is due, or will be tried again later.
    Pending,
    Sent,
    /// It was refused for good, or tried too often.
    Failed,
    /// It was withdrawn before it was sent.
    Withdrawn,
}

impl Status {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Sent => "sent",
            Self::Failed => "failed",
            Self::Withdrawn => "withdrawn",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        let all = [Self::Pending, Self::Sent, Self::Failed, Self::Withdrawn];
        all.into_iter().find(|status| status.as_str() == text)
    }
}

/// A delivery to write.
#[derive(Debug, Clone)]
pub struct NewDelivery {
    pub channel: Channel,
    /// The recipient, as the channel's transport reads it.
    pub target: String,
    /// What it is about: the hourly limit of a target counts each kind separately.
    pub kind: &'static str,
    /// What is sent; stored sealed.
    pub payload: Vec<u8>,
    /// Whether the row is kept, without its payload, once the delivery has ended, because something reads its status.
    pub is_followed: bool,
}

impl NewDelivery {
    /// # Errors
    /// Internal, if the mail cannot be serialized.
    pub fn mail(mail: &Mail) -> Result<Self> {
        Ok(Self {
            channel: Channel::Mail,
            target: mail.to.clone(),
            kind: mail.kind.as_str(),
            payload: mail.payload()?,
            is_followed: false,
        })
    }

    /// A message to a channel of alert rules, whose outcome people read.
    ///
    /// # Errors
    /// Internal, if it cannot be serialized.
    pub fn letter(channel: AlertChannelId, letter: &Letter) -> Result<Self> {
        let (target, payload) = (channel.to_string(), letter.payload()?);
        Ok(Self { channel: Channel::Hook, target, kind: "alert", payload, is_followed: true })
    }

    /// Keeps the row after the end, because something reads its status.
    #[must_use]
    pub fn followed(mut self) -> Self {
        self.is_followed = true;
        self
    }
}

/// The pause after this many failed attempts, in milliseconds: 10 s, 30 s, 90 s, … at most 1 h.
pub fn wait_after(attempts: u32) -> i64 {
    FIRST_WAIT.saturating_mul(3_i64.saturating_pow(attempts.saturating_sub(1))).min(HOUR)
}

#[cfg(test)]
mod tests;
