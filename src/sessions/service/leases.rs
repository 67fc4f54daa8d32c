//! How long runners have not been heard. Counted by the monotonic clock in memory, so that a clock that is set takes no
//! session away; after a restart each runner has a whole lease to come back.

use crate::ids::SessionId;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// When the holder of each lease was last heard.
#[derive(Debug, Default)]
pub struct Leases(Mutex<HashMap<SessionId, (String, Instant)>>);

impl Leases {
    /// The runner with this lease has called.
    pub fn hear(&self, id: SessionId, lease: &str, now: Instant) {
        self.with(|heard| heard.insert(id, (lease.to_owned(), now)));
    }

    pub fn forget(&self, id: SessionId) {
        self.with(|heard| heard.remove(&id));
    }

    /// Whether nothing was heard of a lease for `length`. One that is new here was heard just now.
    pub fn is_over(&self, id: SessionId, lease: &str, length: Duration, now: Instant) -> bool {
        self.with(|heard| match heard.get(&id) {
            Some((known, at)) if known == lease => now.saturating_duration_since(*at) >= length,
            _ => {
                heard.insert(id, (lease.to_owned(), now));
                false
            }
        })
    }

    /// Forgets the leases that no longer are.
    pub fn keep(&self, is_held: impl Fn(SessionId) -> bool) {
        self.with(|heard| heard.retain(|id, _| is_held(*id)));
    }

    fn with<T>(&self, work: impl FnOnce(&mut HashMap<SessionId, (String, Instant)>) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_is_over_when_nothing_was_heard_for_its_length() {
        let (leases, id, start) = (Leases::default(), SessionId::new(), Instant::now());
        let (length, after) = (Duration::from_secs(300), |seconds| start + Duration::from_secs(seconds));
        assert!(!leases.is_over(id, "a", length, start), "new here");
        assert!(!leases.is_over(id, "a", length, after(299)));
        leases.hear(id, "a", after(299));
        assert!(!leases.is_over(id, "a", length, after(598)));
        assert!(leases.is_over(id, "a", length, after(599)));
        // Another claim begins anew.
        assert!(!leases.is_over(id, "b", length, after(599)));
        leases.keep(|_| false);
        assert!(!leases.is_over(id, "b", length, after(10_000)));
    }
}
