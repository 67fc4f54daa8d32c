//! How long runners have not been heard from, and how long they have been working. Measured by the monotonic clock in
//! memory, so that setting the clock takes no session away; after a restart each runner has a whole lease to return.

use crate::ids::SessionId;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The leases that are held.
#[derive(Debug, Default)]
pub struct Leases(Mutex<HashMap<SessionId, Lease>>);

#[derive(Debug)]
struct Lease {
    id: String,
    /// When its holder last called.
    heard: Instant,
    /// For how long the session was running, up to `looked`.
    active: Duration,
    looked: Instant,
}

impl Lease {
    fn new(id: &str, now: Instant) -> Self {
        Self { id: id.to_owned(), heard: now, active: Duration::ZERO, looked: now }
    }
}

impl Leases {
    /// The runner with this lease has called.
    pub fn hear(&self, id: SessionId, lease: &str, now: Instant) {
        self.of(id, lease, now, |held| held.heard = now);
    }

    pub fn forget(&self, id: SessionId) {
        self.with(|heard| heard.remove(&id));
    }

    /// Whether the holder has not called for `length`. An unknown lease counts as just heard from.
    pub fn is_over(&self, id: SessionId, lease: &str, length: Duration, now: Instant) -> bool {
        self.of(id, lease, now, |held| {
            let silent = now.saturating_duration_since(held.heard);
            held.heard < now && silent >= length
        })
    }

    /// How long the session has been running under this lease. `is_running` adds the time since the last call of
    /// this.
    pub fn active(&self, id: SessionId, lease: &str, is_running: bool, now: Instant) -> Duration {
        self.of(id, lease, now, |held| {
            if is_running {
                held.active += now.saturating_duration_since(held.looked);
            }
            held.looked = now;
            held.active
        })
    }

    /// An unknown lease begins now.
    fn of<T>(&self, id: SessionId, lease: &str, now: Instant, look: impl FnOnce(&mut Lease) -> T) -> T {
        self.with(|held| {
            let known = held.entry(id).or_insert_with(|| Lease::new(lease, now));
            if known.id != lease {
                *known = Lease::new(lease, now);
            }
            look(known)
        })
    }

    /// Forgets the leases that no longer are.
    pub fn keep(&self, is_held: impl Fn(SessionId) -> bool) {
        self.with(|heard| heard.retain(|id, _| is_held(*id)));
    }

    fn with<T>(&self, work: impl FnOnce(&mut HashMap<SessionId, Lease>) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_is_over_after_its_length_without_a_call() {
        let (leases, id, start) = (Leases::default(), SessionId::new(), Instant::now());
        let (length, after) = (Duration::from_secs(300), |seconds| start + Duration::from_secs(seconds));
        assert!(!leases.is_over(id, "a", length, start), "new here");
        assert!(!leases.is_over(id, "a", length, after(299)));
        leases.hear(id, "a", after(299));
        assert!(!leases.is_over(id, "a", length, after(598)));
        assert!(leases.is_over(id, "a", length, after(599)));
        // Another claim starts over.
        assert!(!leases.is_over(id, "b", length, after(599)));
        leases.keep(|_| false);
        assert!(!leases.is_over(id, "b", length, after(10_000)));
    }

    #[test]
    fn a_pause_does_not_count_as_active() {
        let (leases, id, start) = (Leases::default(), SessionId::new(), Instant::now());
        let active = |lease, is_running, seconds| {
            leases.active(id, lease, is_running, start + Duration::from_secs(seconds)).as_secs()
        };
        leases.hear(id, "a", start);
        assert_eq!(active("a", true, 10), 10);
        leases.hear(id, "a", start + Duration::from_secs(15));
        assert_eq!(active("a", false, 20), 10, "paused at some time since it was last asked");
        assert_eq!(active("a", false, 100), 10);
        assert_eq!(active("a", true, 130), 40);
        assert_eq!(active("b", true, 140), 0, "another claim begins anew");
    }
}
