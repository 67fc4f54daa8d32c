//! Periodically removes what is beyond the limits.

use super::service::RetentionService;
use crate::jobs::Job;
use crate::time::{DAY, Timestamp};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often limits are compared with the stored data, which costs a read of each project's daily sums. Nothing wakes
/// the job earlier, so that whoever saves a wrong limit has a moment to correct it.
const PERIOD: Duration = Duration::from_mins(5);
/// How long a clock that was set forward is not trusted with deleting: somebody may set it back.
const DISTRUST: Duration = Duration::from_hours(24);

/// The job.
pub fn jobs(retention: &RetentionService) -> Vec<Job> {
    let retention = retention.clone();
    let clock = Arc::new(Mutex::new(Clock::new(Timestamp::now(), Instant::now())));
    let remove = move |stopping| {
        let (retention, clock) = (retention.clone(), clock.clone());
        async move {
            let (now, at) = (Timestamp::now(), Instant::now());
            if clock.lock().unwrap_or_else(PoisonError::into_inner).is_trusted(now, at) {
                retention.run(&stopping).await?;
            }
            Ok(PERIOD)
        }
    };
    vec![Job::woken("retention", Arc::default(), remove)]
}

/// Compares the wall clock with the monotonic one.
struct Clock {
    wall: Timestamp,
    monotonic: Instant,
    distrusted_until: Option<Instant>,
}

impl Clock {
    fn new(wall: Timestamp, monotonic: Instant) -> Self {
        Self { wall, monotonic, distrusted_until: None }
    }

    /// Whether the wall clock has not recently been set forward by a day or more. A machine that was asleep looks the
    /// same, and waits a day as well.
    fn is_trusted(&mut self, now: Timestamp, at: Instant) -> bool {
        let passed = i64::try_from(at.duration_since(self.monotonic).as_millis()).unwrap_or(i64::MAX);
        let is_ahead = now.millis() - self.wall.millis() > passed.saturating_add(DAY);
        (self.wall, self.monotonic) = (now, at);
        if is_ahead {
            tracing::warn!(%now, "the clock was set forward: retention removes nothing for a day");
            self.distrusted_until = Some(at + DISTRUST);
        }
        self.distrusted_until.is_none_or(|until| at >= until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_was_set_forward_deletes_nothing_for_a_day() {
        let (wall, start) = (Timestamp::from_millis(20_000 * DAY), Instant::now());
        let mut clock = Clock::new(wall, start);
        let after = |hours: u64| start + Duration::from_hours(hours);
        let hour = crate::time::HOUR;
        assert!(clock.is_trusted(wall.plus(hour), after(1)));
        assert!(clock.is_trusted(wall.plus(30 * hour), after(30)), "time passed");
        assert!(!clock.is_trusted(wall.plus(3_650 * DAY), after(31)));
        assert!(!clock.is_trusted(wall.plus(32 * hour), after(32)), "it was set back, but who knows");
        assert!(!clock.is_trusted(wall.plus(54 * hour), after(54)));
        assert!(clock.is_trusted(wall.plus(56 * hour), after(56)));
    }
}
