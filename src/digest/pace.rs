//! Decides when the digest rests.
//!
//! Intake and digest both want every core. While events arrive faster than the two together can handle, the
//! backlog grows whatever the digest does, and its work is at the expense of those waiting for their 202. So
//! in that case it works a tenth of the time, and a burst is accepted at the speed of the journal. Once the
//! backlog is long, the digest no longer rests, and intake becomes slower instead.

use std::time::{Duration, Instant};

/// The backlog from which the digest no longer rests: about five seconds of its work, so that nobody waits
/// for an event much longer.
const BACKLOG_MAX: i64 = 50_000;
/// Time to rest for each unit of work.
const REST: u32 = 9;
const REST_MAX: Duration = Duration::from_millis(1_500);
/// The time over which the rate of arrival is measured.
const WINDOW: Duration = Duration::from_millis(50);
/// Events over which a speed is measured: a few batches, because one is prepared while another is applied.
const MEASURED: usize = 4_096;
/// Events that arrive faster than this share of the digest's best speed take so much of the machine that the
/// digest cannot keep up for long.
const SHARE: f64 = 0.35;
/// Factor by which the best speed decays at each measurement, because machines also become slower.
const DECAY: f64 = 0.98;

/// How fast events arrive and are digested.
pub(super) struct Pace {
    since: Instant,
    /// The newest position at that time.
    last: i64,
    /// Events per second.
    arriving: f64,
    /// Events per second that the digest handles at its best; 0: not known yet.
    best: f64,
    /// Events and time not yet measured.
    events: usize,
    worked: Duration,
}

impl Pace {
    pub(super) fn new(last: i64, now: Instant) -> Self {
        Self { since: now, last, arriving: 0.0, best: 0.0, events: 0, worked: Duration::ZERO }
    }

    /// How long to rest after `events` were stored in the time `worked`, which took `effort` in all threads
    /// together. `last` is the newest position of the journal, and `waiting` is how many events are not
    /// stored yet.
    pub(super) fn rest(
        &mut self,
        events: usize,
        (worked, effort): (Duration, Duration),
        (last, waiting): (i64, i64),
        now: Instant,
    ) -> Duration {
        self.measure(events, worked);
        let window = now.duration_since(self.since);
        if window >= WINDOW {
            self.arriving = (last - self.last) as f64 / window.as_secs_f64();
            (self.since, self.last) = (now, last);
        }
        let in_vain = self.best > 0.0 && self.arriving > self.best * SHARE && waiting > 0;
        if in_vain && waiting < BACKLOG_MAX { (effort * REST).min(REST_MAX) } else { Duration::ZERO }
    }

    fn measure(&mut self, events: usize, worked: Duration) {
        self.events += events;
        self.worked += worked;
        if self.events >= MEASURED {
            let speed = self.events as f64 / self.worked.as_secs_f64().max(1e-6);
            self.best = speed.max(self.best * DECAY);
            (self.events, self.worked) = (0, Duration::ZERO);
        }
    }
}

#[cfg(test)]
mod tests;
