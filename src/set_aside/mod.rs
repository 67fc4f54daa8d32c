//! Accepted events that could not be digested. The project's administrators can see them, and retry them once the
//! cause is fixed, or delete them.

pub mod http;
pub mod sql;

use crate::event::STORED_MAX;
use crate::event::record::{self, AcceptedRecord, Kind};
use crate::ids::{IssueId, ProjectId, SetAsideId};
use crate::store::unpack;
use crate::time::Timestamp;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

/// Events kept for a project; a new one replaces the oldest.
pub const KEPT: i64 = 1_000;
/// The longest reason, in characters.
pub const REASON_MAX: usize = 1_000;

/// An event that was set aside.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SetAsideEvent {
    pub id: SetAsideId,
    pub event_id: String,
    pub received_at: Timestamp,
    /// Why it could not be digested.
    pub reason: String,
    /// Its stored size in bytes.
    pub size: i64,
}

/// An event that was set aside, with what was accepted.
#[derive(Debug, Serialize, ToSchema)]
pub struct SetAsideDetail {
    #[serde(flatten)]
    pub event: SetAsideEvent,
    /// What was accepted; null if it cannot be read.
    #[schema(value_type = Option<Object>)]
    pub payload: Option<Box<RawValue>>,
    /// Why the payload cannot be read.
    pub unreadable: Option<String>,
    /// The stored bytes in Base64, if they cannot be read.
    pub stored: Option<String>,
}

impl SetAsideDetail {
    pub fn new(event: SetAsideEvent, accepted: &AcceptedRecord) -> Self {
        match readable(accepted) {
            Ok(payload) => Self { event, payload: Some(payload), unreadable: None, stored: None },
            Err(why) => {
                let stored = Some(STANDARD.encode(record::payload(accepted.form, &accepted.body)));
                Self { event, payload: None, unreadable: Some(why), stored }
            }
        }
    }
}

fn readable(accepted: &AcceptedRecord) -> Result<Box<RawValue>, String> {
    if Kind::of(accepted.form).is_none() {
        return Err(record::unknown(accepted.form));
    }
    let packed = record::payload(accepted.form, &accepted.body);
    let json = unpack(packed, STORED_MAX).map_err(|error| match error {
        crate::error::Error::Internal(cause) => format!("It cannot be unpacked: {cause}"),
        other => format!("It cannot be unpacked: {other}"),
    })?;
    serde_json::from_slice(&json).map_err(|error| format!("It is not JSON: {error}"))
}

/// The outcome of a retry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The event can be read.
    Digested,
    /// The event failed again, and is in the list under another id.
    SetAside,
    /// The event is in the queue behind others.
    Waiting,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct RetriedEvent {
    pub event_id: String,
    pub outcome: Outcome,
    /// The issue it belongs to, once it is digested.
    pub issue_id: Option<IssueId>,
    /// Why it failed, if it failed again.
    pub reason: Option<String>,
}

/// An event that could not be digested, to set aside.
pub struct NewSetAside<'a> {
    pub project: ProjectId,
    pub event_id: &'a str,
    pub received_at: i64,
    pub record: AcceptedRecord,
    /// Why it could not be digested.
    pub reason: &'a str,
}

#[cfg(test)]
mod tests;
