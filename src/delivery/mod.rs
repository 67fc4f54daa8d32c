//! Ways to send things to the outside. What is sent, and the outcome, belongs to `deliveries`.

pub mod details;
pub mod hook;
pub mod mail;

use crate::text;
use crate::time::Timestamp;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

/// The most characters kept of an answer.
const ANSWER_MAX: usize = 300;

/// Something to send.
#[derive(Debug, Clone)]
pub struct Parcel {
    /// The recipient, as the transport reads it; for mail, the address.
    pub target: String,
    /// What is sent, as the transport writes and reads it.
    pub payload: Vec<u8>,
    /// The same for every attempt, so that the receiver can recognize a repetition.
    pub idempotency_key: String,
    /// Whether this is the last attempt.
    pub is_last: bool,
    pub created_at: Timestamp,
}

/// Why something was not sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Whether the target or the payload is refused for good, so that a retry is useless.
    pub permanent: bool,
    /// Whether the receiver wants no further messages.
    pub is_gone: bool,
    /// How long the receiver asks us to pause.
    pub wait: Option<Duration>,
    /// The receiver's answer: one line for people, without secrets.
    pub text: String,
}

impl Failure {
    /// At most 300 characters of `text` are kept.
    pub fn passing(text: impl AsRef<str>) -> Self {
        Self { permanent: false, is_gone: false, wait: None, text: text::shown(text.as_ref(), ANSWER_MAX) }
    }

    /// The same for a failure that a retry would not fix.
    pub fn permanent(text: impl AsRef<str>) -> Self {
        Self { permanent: true, ..Self::passing(text) }
    }
}

/// An attempt in flight.
pub type Attempt<'a> = Pin<Box<dyn Future<Output = Result<(), Failure>> + Send + 'a>>;

/// A way to send.
pub trait Transport: Send + Sync {
    /// Sends a parcel, or returns within a bounded time why it failed.
    fn send<'a>(&'a self, parcel: &'a Parcel) -> Attempt<'a>;
}
