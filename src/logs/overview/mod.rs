//! Log entries counted: over time and level, by template, by the values of a field.

pub mod http;

use crate::error::{Error, Result};
use crate::event::log_entry::Level;
use crate::search::Scope;
use crate::text::shown;
use crate::time::{DAY, HOUR, MINUTE, SECOND, Timestamp};

/// Steps of a histogram.
pub const STEPS_MAX: i64 = 500;
/// Steps that are aimed at when nobody says how long one is.
const STEPS: i64 = 60;

/// Lengths of a step that people read at a glance, in milliseconds.
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

/// How long a step of a range is: as given in seconds, or one that makes some sixty.
///
/// # Errors
/// 422 when it is no length, or makes over 500 steps.
pub fn length(scope: &Scope, given: Option<&str>) -> Result<i64> {
    let span = scope.end.millis() - scope.start.millis();
    let Some(given) = given.filter(|given| !given.is_empty()) else {
        let fits = |length: &&i64| span / **length <= STEPS;
        let most = LENGTHS[LENGTHS.len() - 1];
        // A range of thousands of years has longer ones.
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
            "interval: expected at most {STEPS_MAX} steps, got {}: make it longer, or the range shorter",
            span / length + 1
        )));
    }
    Ok(length)
}

/// Where the steps of a range begin: at whole lengths since the epoch.
pub fn starts(scope: &Scope, length: i64) -> Vec<Timestamp> {
    let first = scope.start.millis() / length * length;
    let count = (scope.end.millis() - first) / length + 1;
    (0..count).map(|step| Timestamp::from_millis(first + step * length)).collect()
}

/// A count for each level, by its name.
pub fn by_level(counts: [u64; Level::ALL.len()]) -> std::collections::BTreeMap<Level, u64> {
    Level::ALL.into_iter().zip(counts).collect()
}

#[cfg(test)]
mod tests;
