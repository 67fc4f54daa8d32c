//! Session replays: what a person did and saw in the browser, as rrweb events.
//!
//! A request with a part of a replay (a *segment*: a chunk, or a piece of one) is checked event by event, scrubbed and
//! written to a file of its own (`service/`); the journal then gets a record that names the file, and the request is
//! answered. The digest applies the record to `main.db` ([`sql::apply`]). Segments may arrive in any order and more than
//! once. A file is never in a transaction: one that no row names after a day is removed ([`jobs`]).

pub mod clock;
pub mod http;
pub mod jobs;
pub mod sequence;
pub mod service;
pub mod sql;
pub mod steps;

use crate::ids::{IssueId, ProjectId};
use crate::time::Timestamp;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// The most pages that a replay names.
pub const URLS_MAX: usize = 20;
/// The most errors that are counted for a replay in a list, and that one replay shows.
pub const ERRORS_MAX: i64 = 100;
/// The most replays of a page.
pub const PAGE_MAX: u64 = 100;
/// The most parts that are named as missing.
pub const MISSING_MAX: usize = 100;
/// How long after its last segment a replay that is not complete counts as live, in milliseconds.
pub const LIVE: i64 = 60_000;
/// How far outside of its replay's time an error may be, in milliseconds: the two are sent apart.
pub const SLACK: i64 = 5_000;

/// A replay, in the words of its intake.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Replay {
    pub replay_id: String,
    pub project_id: ProjectId,
    /// `null` where the client knows none.
    pub session_id: Option<String>,
    pub window_id: Option<String>,
    /// The error event that it was sent with.
    pub event_id: Option<String>,
    /// Milliseconds since the epoch.
    pub start_timestamp: i64,
    /// At most an hour later.
    pub end_timestamp: i64,
    pub duration_ms: i64,
    pub has_full_snapshot: bool,
    pub environment: Option<String>,
    pub release: Option<String>,
    /// The first page.
    pub url: Option<String>,
    /// The pages, each once; at most 20.
    pub urls: Vec<String>,
    /// As on error events; of the last part that names somebody.
    #[schema(value_type = Option<Object>)]
    pub user: Option<Value>,
    #[schema(value_type = Option<Object>)]
    pub account: Option<Value>,
    pub user_agent: Option<String>,
    /// Of rrweb, which recorded it; `null` where the client does not say it.
    pub rrweb_version: Option<String>,
    /// Chunks that have arrived, with all of their parts.
    pub chunks: i64,
    /// `null` while it is unknown.
    pub total_chunks: Option<i64>,
    /// Whether all chunks have arrived. Of a single replay, also whether all are still on the disk, and none was found
    /// damaged when its events were last read.
    pub is_complete: bool,
    /// Whether more may arrive.
    pub is_live: bool,
    pub event_count: i64,
    pub click_count: i64,
    /// Error events that name it, that it names, or that are of the same window and time; at most 100 are counted.
    pub error_count: i64,
    /// Bytes on the disk.
    pub bytes: i64,
    /// Values that were removed as secrets.
    pub scrubbed: i64,
    pub received_at: Timestamp,
    /// How far the browser's clock was behind the server's, in milliseconds; below zero, ahead. `null` if it was less
    /// than 2 seconds. Of a client that does not say when it sends (`?sent=`): if it was less than 15 seconds ahead, or is
    /// not known to have been a minute behind. The recording keeps the browser's times.
    pub clock_lag_ms: Option<i64>,
}

/// An error event that happened during a replay.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ReplayError {
    pub event_id: String,
    pub issue_id: IssueId,
    pub title: String,
    /// Milliseconds since the epoch, by the sender's clock.
    pub timestamp: i64,
    /// By the server's.
    pub received_at: Timestamp,
}

/// A replay and what happened during it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ReplayDetails {
    #[serde(flatten)]
    pub replay: Replay,
    /// In the order in which they happened; at most 100.
    pub errors: Vec<ReplayError>,
    /// Numbers of chunks that never arrived as a whole although later ones did or are known of, and of those that are no
    /// longer on the disk, or were found damaged when their events were last read; the first 100. The rest can be
    /// watched; while it is live, some may yet come.
    pub missing_chunks: Vec<i64>,
}
