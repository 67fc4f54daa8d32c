//! Counts log entries: over time and by level, by template, by the values of a field.

use crate::error::{Error, Result};
use crate::event::log_entry::Level;
use crate::search::Scope;
use crate::text::shown;
use crate::time::{DAY, HOUR, MINUTE, SECOND, Timestamp};

/// The most intervals of a histogram.
pub const STEPS_MAX: i64 = 500;
/// The number of intervals to aim for if no length is given.
const STEPS: i64 = 60;

/// Lengths of an interval that people can read at a glance, in milliseconds.
const LENGTHS: [i64; 16] = [
    SECOND,
    5 * SECOND,
    10 * SECOND,
    30 * SECOND,
    MINUTE,
    5 * MINUTE,
    10 * MINUTE,
    30 * MINUTE,
    HOUR,
    3 * HOUR,
    6 * HOUR,
    12 * HOUR,
    DAY,
    7 * DAY,
    30 * DAY,
    365 * DAY,
];

/// The length of an interval: as given in seconds, or one that gives about sixty.
///
/// # Errors
/// 422 if it is not a valid length, or gives over 500 intervals.
pub fn length(scope: &Scope, given: Option<&str>) -> Result<i64> {
    let span = scope.end.millis() - scope.start.millis();
    let Some(given) = given.filter(|given| !given.is_empty()) else {
        let fits = |length: &&i64| span / **length <= STEPS;
        let most = LENGTHS[LENGTHS.len() - 1];
        // A range of thousands of years needs longer ones.
        return Ok(LENGTHS.iter().find(fits).copied().unwrap_or(most * (span / most / STEPS + 1)));
    };
    let seconds = given.parse::<i64>().ok().filter(|seconds| (1..=10 * 365 * 86_400).contains(seconds));
    let seconds = seconds.ok_or_else(|| {
        Error::invalid(format!(
            "interval: expected a whole number of seconds from 1, got `{}`",
            shown(given, 64)
        ))
    })?;
    let length = seconds * SECOND;
    if span / length >= STEPS_MAX {
        return Err(Error::invalid(format!(
            "interval: expected at most {STEPS_MAX} intervals, got {}: make it longer, or the range shorter",
            span / length + 1
        )));
    }
    Ok(length)
}

/// Where the intervals of a range begin: at whole lengths since the epoch.
pub fn starts(scope: &Scope, length: i64) -> Vec<Timestamp> {
    let first = scope.start.millis() / length * length;
    let count = (scope.end.millis() - first) / length + 1;
    (0..count).map(|step| Timestamp::from_millis(first + step * length)).collect()
}

/// The counts by the name of the level.
pub fn by_level(counts: [u64; Level::ALL.len()]) -> std::collections::BTreeMap<Level, u64> {
    Level::ALL.into_iter().zip(counts).collect()
}

#[cfg(test)]
mod tests;
