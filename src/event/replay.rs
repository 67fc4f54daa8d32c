//! A segment of a session replay in the journal: its metadata, and the name of the file with its events.

use crate::crypto::token::hex;
use crate::time::{DAY, HOUR, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Bytes of a request on the wire.
pub const WIRE_MAX: usize = 10 << 20;
/// Bytes of a request, decompressed.
pub const BODY_MAX: u64 = 100 << 20;
/// The longest replay, in milliseconds.
pub const DURATION_MAX: i64 = 60 * 60 * 1_000;
/// The most segments of a replay.
pub const SEGMENTS_MAX: u32 = 10_000;
/// The most pieces of a chunk.
pub const PIECES_MAX: u32 = 64;

/// How far a browser's clock may be ahead, in milliseconds.
const FUTURE_MAX: i64 = HOUR;
const PAST_MAX: i64 = 30 * DAY;

/// The name of a file in `replays/`: generated, never a client's.
pub type FileName = [u8; 32];

/// One request's worth of a replay.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Segment {
    /// The client's, or [`derived_id`].
    pub replay_id: String,
    /// The window, if known, is the other half of what links it to the errors of that window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window_id: Option<String>,
    /// From 0.
    pub index: u32,
    #[serde(default, skip_serializing_if = "Piece::is_all")]
    pub piece: Piece,
    /// How many there are; `None` while that is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<u32>,
    /// The error event that it was sent with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_id: Option<String>,
    /// More error events that happened in it, for clients that name them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub error_ids: Vec<String>,
    /// Sent with the first segment, and with later ones to add what has become known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<String>,
    /// `None` if it has no events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<FileName>,
    pub summary: Summary,
    /// Values that were removed as secrets.
    #[serde(default)]
    pub scrubbed: u32,
    /// How far the client's clock was behind ours, in milliseconds; below zero, ahead. `None` if it did not say when it
    /// sent the request. Includes what the request was on its way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lag: Option<i64>,
}

impl Segment {
    /// The name of its record in the journal.
    pub fn name(&self) -> String {
        let Self { replay_id, index, piece, .. } = self;
        match piece.count {
            1 => format!("{replay_id}/{index}"),
            _ => format!("{replay_id}/{index}.{}", piece.index),
        }
    }

    /// The key that links it to the errors of its window, if it names one.
    pub fn window_key(&self) -> Option<[u8; 16]> {
        let window = self.session_id.as_deref().zip(self.window_id.as_deref());
        window.map(|(session, window)| window_key(session, window))
    }
}

/// Which piece of its chunk a segment is: what is larger than a request is sent in several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// From 0.
    pub index: u32,
    /// At most [`PIECES_MAX`].
    pub count: u32,
}

impl Piece {
    fn is_all(&self) -> bool {
        *self == Self::default()
    }
}

impl Default for Piece {
    /// The whole chunk.
    fn default() -> Self {
        Self { index: 0, count: 1 }
    }
}

/// What a replay as a whole is about.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Metadata {
    /// Milliseconds since the epoch.
    pub start: i64,
    pub end: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub release: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The recorder's version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rrweb_version: Option<String>,
    /// As on error events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<Value>,
}

/// A summary of a segment's events.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    pub events: u32,
    pub clicks: u32,
    /// The pages it visits, each once, the first ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub urls: Vec<String>,
    pub has_full_snapshot: bool,
    /// Of the first of its full snapshots, in milliseconds since the epoch, by the client's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<i64>,
    /// Milliseconds since the epoch, by the client's clock; `None` without events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<i64>,
    /// Bytes of the file.
    pub stored_bytes: i64,
    /// Bytes of its events.
    pub plain_bytes: i64,
}

/// The id of a replay that was sent without one, derived from its session and window.
pub fn derived_id(session: &str, window: &str) -> String {
    hex(&window_key(session, window))
}

/// The key that links the events of a session's window to its replays: 16 bytes.
pub fn window_key(session: &str, window: &str) -> [u8; 16] {
    let mut hash = blake3::Hasher::new();
    hash.update(&(session.len() as u64).to_le_bytes()).update(session.as_bytes()).update(window.as_bytes());
    let mut key = [0; 16];
    key.copy_from_slice(&hash.finalize().as_bytes()[..16]);
    key
}

/// Whether a time from a browser, in milliseconds since the epoch, is plausible.
pub fn is_believable(time: i64, now: Timestamp) -> bool {
    (-PAST_MAX..=FUTURE_MAX).contains(&(time - now.millis()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn session_and_window_make_a_unique_replay_id() {
        assert_eq!(derived_id("s", "w"), derived_id("s", "w"));
        assert_eq!(derived_id("s", "w").len(), 32);
        assert_ne!(derived_id("s", "w"), derived_id("sw", ""));
    }
}
