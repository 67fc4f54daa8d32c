//! The suspect release of an issue: the one that came out last before the issue rose.
//!
//! - The *rise* is the latest of: its first event, the event that reopened it, the hour in which it began to escalate.
//! - A release *came out* with its last deploy to an environment that the issue occurs in; without one, with its first
//!   event in the project.
//! - Only releases that the events are of at the rise can be to blame (of the event that reopened it, if one
//!   did), those that came out at most [`PAST`] before the rise, and only if another release was there before: a project's
//!   first release brings all of its issues.

use crate::time::{DAY, MINUTE, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

/// A release that was out longer than this when the issue rose is not to blame, in milliseconds.
pub const PAST: i64 = 7 * DAY;
/// Clocks differ, and pipelines report a deploy when it is over, so it may be this much after the rise, in
/// milliseconds.
pub const SLACK: i64 = 10 * MINUTE;

/// What an issue's rise was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rise {
    /// Its first event.
    FirstSeen,
    /// The issue regressed.
    Regressed,
    /// It had many more events per hour than usual.
    Escalating,
}

/// The release that an issue is blamed on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct SuspectRelease {
    pub version: String,
    pub rise: Rise,
    pub rose_at: Timestamp,
    /// When the release came out.
    pub out_at: Timestamp,
    /// Where it was deployed to; `null` if no deploy is known and `out_at` is its first event.
    pub environment: Option<String>,
}

/// A release that the events are of.
#[derive(Debug, Clone)]
pub struct Candidate {
    pub version: String,
    /// Its last deploy before the rise to an environment of the issue, and to which.
    pub deployed: Option<(Timestamp, String)>,
    pub first_event_at: Option<Timestamp>,
}

/// The candidate that came out last before the rise, if that is not too long ago.
pub fn suspect((rise, rose_at): (Rise, Timestamp), candidates: Vec<Candidate>) -> Option<SuspectRelease> {
    let outs = candidates.into_iter().filter_map(|candidate| {
        let (out_at, environment) = match candidate.deployed {
            Some((at, environment)) => (at, Some(environment)),
            None => (candidate.first_event_at?, None),
        };
        Some(SuspectRelease { version: candidate.version, rise, rose_at, out_at, environment })
    });
    let last = outs.filter(|one| one.out_at <= rose_at.plus(SLACK)).max_by_key(|one| one.out_at)?;
    (last.out_at >= rose_at.plus(-PAST)).then_some(last)
}

#[cfg(test)]
mod tests {
    use super::{Candidate, PAST, Rise, SLACK, suspect};
    use crate::time::{HOUR, Timestamp};

    fn rose() -> Timestamp {
        Timestamp::from_millis(1_000_000_000_000)
    }

    fn candidate(version: &str, deployed: Option<i64>, first_event: Option<i64>) -> Candidate {
        Candidate {
            version: version.into(),
            deployed: deployed.map(|before| (rose().plus(-before), "production".into())),
            first_event_at: first_event.map(|before| rose().plus(-before)),
        }
    }

    fn blamed(candidates: &[Candidate]) -> Option<String> {
        suspect((Rise::Escalating, rose()), candidates.to_vec()).map(|one| one.version)
    }

    #[test]
    fn the_release_that_came_out_last_before_the_rise_is_the_suspect() {
        let (old, new) = (candidate("1", Some(5 * HOUR), Some(0)), candidate("2", None, Some(HOUR)));
        assert_eq!(blamed(&[old.clone(), new.clone()]).as_deref(), Some("2"));
        assert_eq!(blamed(&[new, old]).as_deref(), Some("2"));
        // Deployed again, for example after another was rolled back.
        let again = candidate("1", Some(HOUR / 2), Some(9 * HOUR));
        assert_eq!(blamed(&[candidate("2", None, Some(HOUR)), again]).as_deref(), Some("1"));
    }

    #[test]
    fn a_release_that_came_out_later_or_long_before_is_not_suspected() {
        assert_eq!(blamed(&[]), None);
        assert_eq!(blamed(&[candidate("1", None, None)]), None);
        for (before, is_blamed) in
            [(-SLACK, true), (-SLACK - 1, false), (0, true), (PAST, true), (PAST + 1, false)]
        {
            for one in [candidate("1", Some(before), Some(0)), candidate("1", None, Some(before))] {
                assert_eq!(blamed(&[one]).is_some(), is_blamed, "{before}");
            }
        }
        // The one before it is not suspected instead.
        assert_eq!(blamed(&[candidate("2", Some(-HOUR), None), candidate("1", Some(PAST + 1), None)]), None);
    }
}
