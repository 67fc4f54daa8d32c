//! Accepted events that could not be digested: shown to those who administer the project, who try
//! them again once the cause is mended, or delete them.

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

/// Events that are kept for a project; an older one makes room.
pub const KEPT: i64 = 1_000;
/// Characters of a reason.
pub const REASON_MAX: usize = 1_000;

/// An event that was set aside.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SetAsideEvent {
    pub id: SetAsideId,
    pub event_id: String,
    pub received_at: Timestamp,
    /// Why it could not be digested.
    pub reason: String,
    /// Bytes that are stored of it.
    pub size: i64,
}

/// An event that was set aside, with what was accepted.
#[derive(Debug, Serialize, ToSchema)]
pub struct SetAsideDetail {
    #[serde(flatten)]
    pub event: SetAsideEvent,
    /// What was accepted; null when it cannot be read.
    #[schema(value_type = Option<Object>)]
    pub payload: Option<Box<RawValue>>,
    /// Why the payload cannot be read.
    pub unreadable: Option<String>,
    /// The stored bytes in Base64, where they cannot be read.
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
    serde_json::from_slice(&json).map_err(|error| format!("It is no JSON: {error}"))
}

/// What became of an event that was tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It can be read.
    Digested,
    /// It failed again, and is in the list under another id.
    SetAside,
    /// It is in the queue: others are before it.
    Waiting,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct RetriedEvent {
    pub event_id: String,
    pub outcome: Outcome,
    /// The issue that it belongs to, once it is digested.
    pub issue_id: Option<IssueId>,
    /// Why it failed, if it did again.
    pub reason: Option<String>,
}

/// What could not be digested, to be set aside.
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
