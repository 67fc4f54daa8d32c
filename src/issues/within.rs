//! Lists of issues limited to an environment, to a period up to now, or to both: they show issues with events within
//! these limits, and count only those events.

use super::TREND_HOURS_MAX;
use super::sort::Sort;
use crate::error::{Error, Result};
use crate::text::shown;
use crate::time::Timestamp;
use serde::Serialize;
use std::collections::HashMap;
use utoipa::ToSchema;

/// The most bars of an issue's trend; more could not be distinguished in a row of a list.
const BARS_MAX: i64 = 30;
/// The most environments that a project lists.
pub const ENVIRONMENTS_MAX: i64 = 100;

/// An environment, a period, or both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Limits {
    Environment(String),
    Period(Period),
    Both(String, Period),
}

impl Limits {
    /// `None` if neither is given.
    pub fn of(environment: Option<String>, period: Option<Period>) -> Option<Self> {
        match (environment, period) {
            (None, None) => None,
            (Some(environment), None) => Some(Self::Environment(environment)),
            (None, Some(period)) => Some(Self::Period(period)),
            (Some(environment), Some(period)) => Some(Self::Both(environment, period)),
        }
    }

    pub fn environment(&self) -> Option<&str> {
        match self {
            Self::Environment(environment) | Self::Both(environment, _) => Some(environment),
            Self::Period(_) => None,
        }
    }

    /// The hours of the trend: those of the period, or else the last day.
    pub fn trend_period(&self) -> Period {
        match self {
            Self::Environment(_) => Period::DAY,
            Self::Period(period) | Self::Both(_, period) => *period,
        }
    }
}

/// The last hours up to now: whole hours, as events are counted; the current one is one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    hours: i64,
}

impl Period {
    const DAY: Self = Self { hours: 24 };

    /// Parses hours, days or weeks: `24h`, `7d`, `2w`.
    ///
    /// # Errors
    /// 422 for anything else, and for less than an hour or more than 30 days.
    pub fn parse(text: &str) -> Result<Self> {
        let hours = [('h', 1), ('d', 24), ('w', 7 * 24)].into_iter().find_map(|(unit, hours)| {
            let count: i64 = text.strip_suffix(unit).and_then(|count| count.parse::<u16>().ok())?.into();
            Some(count * hours)
        });
        let most = TREND_HOURS_MAX.cast_signed();
        hours.filter(|hours| (1..=most).contains(hours)).map(|hours| Self { hours }).ok_or_else(|| {
            let got = shown(text, 64);
            Error::invalid(format!(
                "period: expected 1h to {most}h, or days or weeks such as 7d or 2w up to 30d, got `{got}`"
            ))
        })
    }

    /// The first hour.
    pub fn first_hour(self, now: Timestamp) -> i64 {
        now.hour() - self.hours + 1
    }

    /// How many hours each bar of a trend has.
    pub fn bar_hours(self) -> i64 {
        (self.hours + BARS_MAX - 1) / BARS_MAX
    }

    /// How many bars a trend has; the first one may begin before the period.
    pub fn bars(self) -> i64 {
        (self.hours + self.bar_hours() - 1) / self.bar_hours()
    }
}

/// What an issue had within limits, as it is looked up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Part {
    /// Its events; 1 if it is only known that there are some.
    pub events: i64,
    /// Its first and its last event in the environment, in milliseconds; `None` without an environment.
    pub times: Option<(i64, i64)>,
}

impl Part {
    /// What an order goes by within the limits; `None`: what it goes by without them.
    pub fn order(&self, sort: Sort) -> Option<i64> {
        match sort {
            Sort::Events => Some(self.events),
            Sort::FirstSeen => self.times.map(|(first, _)| first),
            Sort::LastSeen => self.times.map(|(_, last)| last),
            Sort::Users => None,
        }
    }
}

/// The issues that have events within the limits, by id.
pub type PartsByIssue = HashMap<i64, Part>;

/// What an issue had within the limits of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Within {
    pub event_count: i64,
    /// Events in each bar, the current one last; without a `period`, of the last 24 hours.
    pub trend: Vec<i64>,
    /// How many hours each bar of the trend has.
    pub bar_hours: i64,
    /// Its first event in the environment, also if the period began later; without an environment, that of the issue.
    pub first_seen: Timestamp,
    /// Its last event in the environment; without one, that of the issue.
    pub last_seen: Timestamp,
}

/// An environment of a project's events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Environment {
    pub name: String,
    /// Its newest event, also of an issue that was deleted since.
    pub last_seen: Timestamp,
}

/// Adds up hours, given in any order, to the bars of a period that ends with `last`.
pub fn bars(period: Period, last: i64, hours: impl IntoIterator<Item = (i64, i64)>) -> Vec<i64> {
    let mut bars = vec![0; usize::try_from(period.bars()).unwrap_or(0)];
    for (hour, count) in hours {
        let back = usize::try_from((last - hour) / period.bar_hours()).ok().filter(|_| hour <= last);
        let place = back.and_then(|back| bars.len().checked_sub(back + 1));
        if let Some(place) = place {
            bars[place] += count;
        }
    }
    bars
}

#[cfg(test)]
mod tests;
