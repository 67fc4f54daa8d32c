//! How long data is kept. Nothing is removed unless somebody sets a limit: for all projects by variables
//! (`SERVICE_RETENTION_…`), for one in its settings.
//!
//! A limit is an age in whole days, a number, or a size; of several, the strictest applies. Data is removed from the
//! oldest on, in the order of receipt. Issues keep their counts, which include everything that ever happened.

pub mod http;
pub mod jobs;
pub mod service;

use crate::config::retention::{COUNT_MAX, DAYS_MAX, MEGABYTES_MAX};
use crate::config::{ConfiguredLimits, RetentionConfig};
use crate::error::{Error, Result};
use crate::time::{DAY, Timestamp};
use crate::usage::{DataAmount, DayAmount};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a project decides about the retention of one kind of data. `null`: as the instance; 0: unlimited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RetentionRule {
    /// Whole days (UTC) after the day of receipt, at most 3,650.
    pub days: Option<u64>,
    /// How many events, log entries or replays to keep: the newest.
    pub count: Option<u64>,
    /// How many MiB to keep, as stored: the newest.
    pub megabytes: Option<u64>,
}

/// What a project decides about the retention of its data.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RetentionSettings {
    pub events: RetentionRule,
    pub logs: RetentionRule,
    pub replays: RetentionRule,
}

impl RetentionRule {
    fn check(self, kind: &str) -> Result<()> {
        let fields = [
            ("days", self.days, DAYS_MAX),
            ("count", self.count, COUNT_MAX),
            ("megabytes", self.megabytes, MEGABYTES_MAX),
        ];
        for (name, given, most) in fields {
            if let Some(given) = given.filter(|given| *given > most) {
                return Err(Error::invalid(format!(
                    "settings.retention.{kind}.{name}: expected a whole number from 0 to {most}, got {given}"
                )));
            }
        }
        Ok(())
    }
}

impl RetentionSettings {
    /// # Errors
    /// 422 naming the number that is too large.
    pub fn check(&self) -> Result<()> {
        self.events.check("events")?;
        self.logs.check("logs")?;
        self.replays.check("replays")
    }
}

/// The limits in force for one kind of data; `null`: unlimited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct RetentionLimits {
    /// Whole days (UTC) after the day of receipt.
    pub days: Option<u64>,
    /// How many to keep: the newest.
    pub count: Option<u64>,
    /// How many MiB to keep, as stored: the newest.
    pub megabytes: Option<u64>,
}

impl RetentionLimits {
    /// The limits of a rule, with these as defaults.
    fn overridden(self, rule: RetentionRule) -> Self {
        let pick = |own: Option<u64>, default: Option<u64>| match own {
            None => default,
            Some(0) => None,
            own => own,
        };
        Self {
            days: pick(rule.days, self.days),
            count: pick(rule.count, self.count),
            megabytes: pick(rule.megabytes, self.megabytes),
        }
    }

    /// Whether there are no limits.
    pub fn keeps_all(&self) -> bool {
        *self == Self::default()
    }

    /// Data received before this time is removed: the start of a day.
    pub fn cutoff(&self, now: Timestamp) -> Option<Timestamp> {
        let days = i64::try_from(self.days?).unwrap_or(i64::MAX);
        Some(Timestamp::from_millis(now.day().saturating_sub(days).saturating_mul(DAY)))
    }
}

impl From<ConfiguredLimits> for RetentionLimits {
    fn from(kept: ConfiguredLimits) -> Self {
        let limit = |number| (number > 0).then_some(number);
        Self { days: limit(kept.days), count: limit(kept.count), megabytes: limit(kept.megabytes) }
    }
}

/// The limits in force.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct RetentionPolicy {
    pub events: RetentionLimits,
    pub logs: RetentionLimits,
    pub replays: RetentionLimits,
}

impl From<RetentionConfig> for RetentionPolicy {
    fn from(config: RetentionConfig) -> Self {
        Self { events: config.events.into(), logs: config.logs.into(), replays: config.replays.into() }
    }
}

impl RetentionPolicy {
    #[must_use]
    pub fn overridden(self, settings: &RetentionSettings) -> Self {
        Self {
            events: self.events.overridden(settings.events),
            logs: self.logs.overridden(settings.logs),
            replays: self.replays.overridden(settings.replays),
        }
    }
}

/// What would be removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Removal {
    /// Events, log entries or replays.
    pub count: i64,
    /// Their bytes as stored. Indexes make the space that becomes free larger.
    pub bytes: i64,
}

/// How far a project is beyond its limits.
#[derive(Debug, Clone, Copy)]
pub struct Excess {
    now: Timestamp,
    cutoff: Option<Timestamp>,
    held: DataAmount,
    most: DataAmount,
}

const NO_LIMIT: DataAmount = DataAmount { count: i64::MAX, bytes: i64::MAX };

impl Excess {
    /// Of a project that holds so much.
    pub fn new(limits: &RetentionLimits, held: DataAmount, now: Timestamp) -> Self {
        let signed = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let most = DataAmount {
            count: limits.count.map_or(NO_LIMIT.count, signed),
            bytes: limits
                .megabytes
                .map_or(NO_LIMIT.bytes, |megabytes| signed(megabytes.saturating_mul(1 << 20))),
        };
        Self { now, cutoff: limits.cutoff(now), held, most }
    }

    fn is_over(&self, held: DataAmount) -> bool {
        held.count > self.most.count || held.bytes > self.most.bytes
    }

    /// How many of the oldest rows are to be removed, and their size. The rows are in the order in which they were
    /// stored, with their times of receipt; a row from the future (the clock has been set back) is removed only
    /// together with an older row after it.
    pub fn prefix(&self, rows: impl Iterator<Item = (Timestamp, DataAmount)>) -> (usize, DataAmount) {
        let (mut gone, mut seen) = ((0, DataAmount::default()), DataAmount::default());
        for (number, (received_at, size)) in (1..).zip(rows) {
            let mut left = self.held;
            left.subtract(seen);
            let is_old = self.cutoff.is_some_and(|cutoff| received_at < cutoff);
            seen.add(size);
            if is_old || self.is_over(left) {
                gone = (number, seen);
            } else if received_at <= self.now {
                break;
            }
        }
        gone
    }

    /// Estimates the same from the daily sums, oldest first: exact for whole days, proportional for the day in which
    /// a number or size limit falls.
    pub fn estimate(&self, days: &[DayAmount]) -> Removal {
        let mut gone = DataAmount::default();
        for DayAmount { day, held } in days {
            let mut left = self.held;
            left.subtract(gone);
            if self.cutoff.is_some_and(|cutoff| *day < cutoff.day()) {
                gone.add(*held);
            } else if self.is_over(left) {
                let part = self.part_of(left, *held);
                gone.add(part);
                if part != *held {
                    break;
                }
            } else {
                break;
            }
        }
        Removal { count: gone.count, bytes: gone.bytes }
    }

    /// The part of a day to remove so that the rest meets the limits.
    fn part_of(&self, left: DataAmount, day: DataAmount) -> DataAmount {
        let share = |over: i64, of: i64| if of > 0 { (over.max(0) as f64 / of as f64).min(1.0) } else { 1.0 };
        let by_count = share(left.count - self.most.count, day.count);
        let by_bytes = share(left.bytes - self.most.bytes, day.bytes);
        let part = by_count.max(by_bytes);
        if part >= 1.0 {
            return day;
        }
        DataAmount { count: (day.count as f64 * part).ceil() as i64, bytes: (day.bytes as f64 * part) as i64 }
    }
}

#[cfg(test)]
mod tests;
