//! Compares two releases: is one worse than the other?
//!
//! A release is compared by its events per hour since it came out, for at most [`HOURS_MAX`]; the other by its events
//! in the same number of hours just before. So both are measured over adjacent periods: after a day both include
//! nights, and neither includes months in which nobody used it.
//!
//! In an environment, a release comes out with its first deploy or its first event there, and its events there are
//! compared.

pub mod http;
pub mod sql;

use super::ReleaseHealth;
use crate::event::accepted::Level;
use crate::ids::IssueId;
use crate::issues::Status;
use crate::time::{HOUR, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

/// The most hours that are compared: a week.
pub const HOURS_MAX: i64 = 7 * 24;
/// The most issues of a list.
pub const ISSUES_SHOWN: usize = 20;

/// A release and the one that it is compared with.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Comparison {
    pub release: ComparedRelease,
    /// `null`: there is no release before it.
    pub base: Option<ComparedRelease>,
    /// Issues first seen in the release.
    pub new_issues: ComparedIssues,
    /// Issues that had been resolved, and came back in it.
    pub regressions: ComparedIssues,
    /// Issues of the base that the release has no event of.
    pub gone: ComparedIssues,
}

impl Comparison {
    /// Leaves out data from events.
    pub fn withhold(&mut self) {
        let lists = [&mut self.new_issues, &mut self.regressions, &mut self.gone];
        for issue in lists.into_iter().flat_map(|list| &mut list.issues) {
            (issue.title, issue.culprit) = (None, None);
        }
    }
}

/// A release as it is compared.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ComparedRelease {
    #[serde(flatten)]
    pub health: ReleaseHealth,
    /// Its first deploy or its first event, whichever was first; `null`: neither.
    pub out_at: Option<Timestamp>,
    /// What is compared: its events from here
    pub from: Option<Timestamp>,
    /// to here,
    pub to: Option<Timestamp>,
    /// how many they are (`null`: it is not known any more, since hours of an environment are only kept for 30 days
    /// before the release's last event there),
    pub compared_events: Option<i64>,
    /// and how many an hour.
    pub events_per_hour: Option<f64>,
    /// Of all its events, those that say whom they happened to or not; `null`: none says.
    pub events_per_user: Option<f64>,
}

/// Issues, those with most events first.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
pub struct ComparedIssues {
    /// At most 20.
    pub issues: Vec<ComparedIssue>,
    pub total: i64,
}

/// An issue with its events in both releases.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ComparedIssue {
    pub id: IssueId,
    pub short_id: String,
    /// Like the culprit `null` for a key without the permission `read`: titles may hold what people typed.
    pub title: Option<String>,
    pub culprit: Option<String>,
    pub level: Level,
    pub status: Status,
    /// In the release,
    pub events: i64,
    /// and in the base.
    pub base_events: i64,
}

/// Hours of events that are compared: from the first to the last, counted from the epoch, and how long that is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Period {
    pub first: i64,
    pub last: i64,
    /// The elapsed part in hours, at least one.
    pub hours: f64,
}

impl Period {
    /// From when a release came out, for at most [`HOURS_MAX`].
    pub fn since(out: Timestamp, now: Timestamp) -> Self {
        let first = out.hour();
        let last = now.hour().max(first).min(first + HOURS_MAX - 1);
        let passed = (now.millis() - first * HOUR).min(HOURS_MAX * HOUR) as f64 / HOUR as f64;
        Self { first, last, hours: passed.max(1.0) }
    }

    /// As many hours just before it.
    pub fn before(self) -> Self {
        let count = self.last - self.first + 1;
        Self { first: self.first - count, last: self.first - 1, hours: count as f64 }
    }

    pub fn from(self) -> Timestamp {
        Timestamp::from_millis(self.first * HOUR)
    }

    pub fn to(self, now: Timestamp) -> Timestamp {
        Timestamp::from_millis((self.last + 1) * HOUR).min(now)
    }
}

#[cfg(test)]
mod tests {
    use super::Period;
    use crate::time::{HOUR, MINUTE, Timestamp};

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(1_000 * HOUR + millis)
    }

    #[test]
    fn a_release_is_compared_with_as_many_hours_before_it() {
        for (out, now, own, before) in [
            (10 * MINUTE, 20 * MINUTE, (1_000, 1_000, 1.0), (999, 999, 1.0)),
            (10 * MINUTE, 90 * MINUTE, (1_000, 1_001, 1.5), (998, 999, 2.0)),
            (0, 400 * HOUR, (1_000, 1_167, 168.0), (832, 999, 168.0)),
            // By a clock that is ahead of ours.
            (2 * HOUR, 0, (1_002, 1_002, 1.0), (1_001, 1_001, 1.0)),
        ] {
            let period = Period::since(at(out), at(now));
            let of = |period: Period| (period.first, period.last, period.hours);
            assert_eq!((of(period), of(period.before())), (own, before), "{out} {now}");
            assert!(period.to(at(now)) <= at(now));
        }
    }
}
