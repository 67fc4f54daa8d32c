//! Decides when an issue escalates: many more events in the current hour than its last week predicts.
//!
//! The limit of an hour is calculated from the hours of the 7 days before it, once an hour for each issue,
//! and only if that hour's count has reached [`LIMIT_MIN`]. Only the counter of the current hour is compared
//! with it: events dated in past hours never make an issue escalate.

pub mod sql;

use crate::time::DAY;

/// Hours from which a limit is calculated.
pub const WINDOW_HOURS: i64 = 7 * 24;
/// No issue escalates with fewer events in the hour.
pub const LIMIT_MIN: i64 = 10;
/// An issue younger than this (milliseconds since its first event) has too little history: after its first
/// hour, it is compared with its project.
pub const YOUNG: i64 = DAY;
/// A young issue may have this many times the hourly events of the project's median issue.
const YOUNG_FACTOR: f64 = 10.0;
/// After this long (milliseconds) above its limit, an issue is compared with what has become usual.
pub const USUAL_AFTER: i64 = DAY;

/// The events at which an issue with these hourly counts escalates. An hour without events counts as 0; hours
/// before the first event are not included.
///
/// Steady issues (with a small coefficient of variation) need five times their busiest hour, erratic ones
/// twice that hour; and none escalates within five standard deviations of its mean.
pub fn limit(counts: &[i64]) -> i64 {
    if counts.is_empty() {
        return LIMIT_MIN;
    }
    let hours = counts.len() as f64;
    let mean = counts.iter().sum::<i64>() as f64 / hours;
    let deviation = (counts.iter().map(|count| (*count as f64 - mean).powi(2)).sum::<f64>() / hours).sqrt();
    let variation = if mean > 0.0 { deviation / mean } else { 0.0 };
    let greatest = counts.iter().copied().max().unwrap_or(0) as f64;
    let factor = (5.0 * (-0.65 * variation).exp()).clamp(2.0, 5.0);
    at_least_min((greatest * factor).max(5.0f64.mul_add(deviation, mean)))
}

/// The events at which a young issue escalates, in a project whose median issue has `median` an hour.
pub fn young_limit(median: f64) -> i64 {
    at_least_min(median * YOUNG_FACTOR)
}

/// A count reaches a limit if it reaches the next whole number.
fn at_least_min(limit: f64) -> i64 {
    // 5·e^0 times a whole number is whole except for its last bits.
    ((limit - 1e-6).ceil() as i64).max(LIMIT_MIN)
}

/// The median; 0 of an empty list.
pub fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    let half = rates.len() / 2;
    match rates.len() {
        0 => 0.0,
        odd if odd % 2 == 1 => rates[half],
        _ => f64::midpoint(rates[half - 1], rates[half]),
    }
}

#[cfg(test)]
mod tests;
