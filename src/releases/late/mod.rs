//! Source maps that arrive after the errors. The release's events of the last 30 days, and those with the debug id of
//! one of its source maps, are resolved again in the background. Their issues stay the same, but get the names and
//! fingerprints of their original frames, so that later events of the same place find them.

pub mod jobs;
pub mod service;
pub mod sql;

use crate::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

/// The most debug ids for which an issue waits; of more, the latest.
pub const AWAITED_MAX: i64 = 32;

/// How far the events that came before the source maps are resolved again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct LateProgress {
    /// The last upload of a source map.
    pub requested_at: Timestamp,
    /// `null` while it waits or is under way.
    pub finished_at: Option<Timestamp>,
    pub issue_count: i64,
    pub issues_done: i64,
    /// Issues that have another title or culprit than before, or one more fingerprint.
    pub issues_changed: i64,
}
