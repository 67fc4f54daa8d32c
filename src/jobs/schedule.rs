//! When a job runs.

use crate::time::Timestamp;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::Instant;

/// How often the wall clock is checked for a new hour, and the pause after a failed hourly run.
const CLOCK_LOOK: Duration = Duration::from_mins(1);
/// The pause after a failed run of a woken job.
const AFTER_FAULT: Duration = Duration::from_secs(10);
/// A woken job runs at least this often, because the clock may have been set.
const WOKEN_LOOK: Duration = Duration::from_mins(5);
/// Periods from this length on are shortened at random by up to a tenth, so that jobs do not run in step.
const JITTERED: Duration = Duration::from_mins(1);

pub(super) enum Schedule {
    /// From the start of one run to that of the next; a run that takes longer is followed at once.
    Every(Duration),
    /// Once in each hour of the wall clock, and a minute after a failure.
    Hourly,
    /// When woken, or after the wait that the previous run returned.
    Woken(Arc<Notify>),
}

/// The start of a run.
#[derive(Clone, Copy)]
pub(super) struct RunStart {
    at: Instant,
    /// Of the wall clock, since the epoch.
    hour: i64,
}

impl RunStart {
    pub(super) fn now() -> Self {
        Self { at: Instant::now(), hour: Timestamp::now().hour() }
    }
}

/// What the next run waits for.
pub(super) enum Due {
    At(Instant),
    /// An hour of the wall clock other than this one.
    NewHour(i64),
    WokenOrAt(Arc<Notify>, Instant),
}

impl Schedule {
    pub(super) fn first(&self, at_start: bool) -> Due {
        match self {
            Self::Every(period) if !at_start => Due::At(Instant::now() + jittered(*period)),
            _ => Due::At(Instant::now()),
        }
    }

    /// After a run; `wait` is what it returned, or `None` if it failed.
    pub(super) fn next(&self, begun: RunStart, wait: Option<Duration>) -> Due {
        match self {
            Self::Every(period) => Due::At(begun.at + jittered(*period)),
            Self::Hourly if wait.is_some() => Due::NewHour(begun.hour),
            Self::Hourly => Due::At(Instant::now() + CLOCK_LOOK),
            Self::Woken(wake) => {
                Due::WokenOrAt(wake.clone(), Instant::now() + wait.unwrap_or(AFTER_FAULT).min(WOKEN_LOOK))
            }
        }
    }
}

impl Due {
    pub(super) async fn wait(&mut self) {
        match self {
            Self::At(at) => tokio::time::sleep_until(*at).await,
            Self::NewHour(hour) => {
                while Timestamp::now().hour() == *hour {
                    tokio::time::sleep(CLOCK_LOOK).await;
                }
            }
            Self::WokenOrAt(wake, at) => tokio::select! {
                () = wake.notified() => {}
                () = tokio::time::sleep_until(*at) => {}
            },
        }
    }
}

fn jittered(period: Duration) -> Duration {
    if period < JITTERED {
        return period;
    }
    // Without randomness there is no jitter, which does no harm.
    let share = getrandom::u32().map_or(0.0, |random| f64::from(random) / f64::from(u32::MAX));
    period.mul_f64(1.0 - share / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_periods_are_shortened_by_up_to_a_tenth_and_short_ones_kept() {
        let minute = Duration::from_mins(1);
        let cut: Vec<Duration> = (0..100).map(|_| jittered(minute)).collect();
        assert!(cut.iter().all(|period| (minute.mul_f64(0.9)..=minute).contains(period)), "{cut:?}");
        assert!(cut.iter().any(|period| *period != cut[0]));
        assert_eq!(jittered(Duration::from_secs(5)), Duration::from_secs(5));
    }
}
