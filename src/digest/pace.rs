//! When the digest rests.
//!
//! Both intake and digest want every core. While events arrive faster than they can be digested, the
//! backlog grows whatever the digest does, and what it does is paid by those who wait for their 202.
//! So it works a quarter of the time then, and a burst is taken in at the speed of the journal. Once the
//! backlog is long it rests no more: intake becomes slower instead.

use std::time::{Duration, Instant};

/// Events that wait before the digest takes what it can get.
const BACKLOG_MAX: i64 = 100_000;
/// Resting for each unit of working, while it rests.
const REST: u32 = 3;
const REST_MAX: Duration = Duration::from_millis(500);
/// What the rate of arrival is measured over.
const WINDOW: Duration = Duration::from_millis(50);

/// How fast events come and go.
pub(super) struct Pace {
    since: Instant,
    /// The newest position then.
    last: i64,
    /// Events a second.
    arriving: f64,
    /// The same that the digest does while it works; 0: not known yet.
    digesting: f64,
}

impl Pace {
    pub(super) fn new(last: i64, now: Instant) -> Self {
        Self { since: now, last, arriving: 0.0, digesting: 0.0 }
    }

    /// How long to rest after `events` took `worked`. `last` is the newest position of the journal, and
    /// `waiting` the events up to it.
    pub(super) fn rest(
        &mut self,
        events: usize,
        worked: Duration,
        (last, waiting): (i64, i64),
        now: Instant,
    ) -> Duration {
        let speed = events as f64 / worked.as_secs_f64().max(1e-6);
        self.digesting = if self.digesting == 0.0 { speed } else { self.digesting.mul_add(0.8, speed * 0.2) };
        let window = now.duration_since(self.since);
        if window >= WINDOW {
            self.arriving = (last - self.last) as f64 / window.as_secs_f64();
            (self.since, self.last) = (now, last);
        }
        let in_vain = self.arriving > self.digesting && waiting > 0;
        if in_vain && waiting < BACKLOG_MAX { (worked * REST).min(REST_MAX) } else { Duration::ZERO }
    }
}

#[cfg(test)]
mod tests;
