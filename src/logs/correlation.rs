//! What belongs to the same trace: the log entries around an error, and the errors of a log entry.

use crate::time::{MINUTE, Timestamp};

/// Entries of a trace belong to an error up to this long before and after it, inclusive, in milliseconds.
pub const WINDOW: i64 = 5 * MINUTE;

/// The range of time for an error.
pub fn window(error: Timestamp) -> (Timestamp, Timestamp) {
    (error.plus(-WINDOW), error.plus(WINDOW))
}
