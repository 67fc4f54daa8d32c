//! Tickets of trackers and code hosts that were made from an issue, or attached to it.
//!
//! A ticket's row is written first, with a random mark, and a delivery that makes the ticket ([`service`]): a crash between
//! the two, or an answer that is lost, makes it once all the same, because the tracker is searched for the mark before
//! anything is made. A job asks what became of tickets ([`jobs`]); one that was closed is an activity of the issue. An issue
//! that is resolved tells its tickets ([`consumer`]), as the settings of the connection say.

pub mod consumer;
pub mod http;
pub mod jobs;
pub mod service;
pub mod sql;

use crate::connections::Kind;
use crate::error::{Error, Result};
use crate::ids::{ConnectionId, TicketId};
use crate::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

/// The most tickets of an issue.
pub const TICKETS_MAX: i64 = 20;

/// How far a ticket is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = TicketStatus)]
pub enum Status {
    /// It is being made.
    Pending,
    /// It could not be made, see the reason.
    Failed,
    Open,
    Closed,
    /// The tracker no longer has it.
    Gone,
}

/// A ticket of an issue.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Ticket {
    pub id: TicketId,
    pub kind: Kind,
    /// `null`: it was disconnected.
    pub connection_id: Option<ConnectionId>,
    /// Where it is, such as a repository.
    pub destination: String,
    pub status: Status,
    /// Why it was not made, or not yet.
    pub reason: Option<String>,
    /// What people call it there, such as `ENG-42`; `null` until it is made.
    pub key: Option<String>,
    pub title: String,
    /// Its page.
    pub url: Option<String>,
    /// In the tracker's words.
    pub state: Option<String>,
    pub created_at: Timestamp,
    /// When its state was last asked for.
    pub checked_at: Option<Timestamp>,
}

/// # Errors
/// 422 if it is too long.
pub fn check_text(field: &str, text: Option<String>, max: usize) -> Result<String> {
    let text = text.unwrap_or_default();
    let length = text.chars().count();
    if length > max {
        return Err(Error::invalid(format!("{field}: expected at most {max} characters, got {length}")));
    }
    Ok(text)
}
