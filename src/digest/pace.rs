//! When the digest rests.
//!
//! Both intake and digest want every core. While events arrive faster than both together can keep up,
//! the backlog grows whatever the digest does, and what it does is paid by those who wait for their
//! 202. So it works a tenth of the time then, and a burst is taken in at the speed of the journal. Once
//! the backlog is long it rests no more: intake becomes slower instead.

use std::time::{Duration, Instant};

/// Events that wait before the digest takes what it can get: some five seconds of its work, so that nobody
/// looks for an event much longer.
const BACKLOG_MAX: i64 = 50_000;
/// Resting for each unit of working, while it rests.
const REST: u32 = 9;
const REST_MAX: Duration = Duration::from_millis(1_500);
/// What the rate of arrival is measured over.
const WINDOW: Duration = Duration::from_millis(50);
/// Events that a speed is measured over: a few batches, since one is prepared while another is applied.
const MEASURED: usize = 4_096;
/// What arrives faster than this part of the digest's best speed takes so much of the machine that it
/// cannot be followed for long.
const SHARE: f64 = 0.35;
/// What is left of the best speed at each measurement: machines become slower, too.
const DECAY: f64 = 0.98;

/// How fast events come and go.
pub(super) struct Pace {
    since: Instant,
    /// The newest position then.
    last: i64,
    /// Events a second.
    arriving: f64,
    /// The same that the digest does at its best; 0: not known yet.
    best: f64,
    /// Events and time that are not measured yet.
    events: usize,
    worked: Duration,
}

impl Pace {
    pub(super) fn new(last: i64, now: Instant) -> Self {
        Self { since: now, last, arriving: 0.0, best: 0.0, events: 0, worked: Duration::ZERO }
    }

    /// How long to rest after `events` were stored in the time `worked`, which took `effort` of all threads
    /// together. `last` is the newest position of the journal, and `waiting` the events up to it.
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
