//! Sliding windows of failures.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Keys remembered at once: about 20 MB in the worst case, and far less in practice.
const KEYS_MAX: usize = 50_000;

/// When a slot was taken.
pub type SlotTime = Instant;

/// The latest failures of each key.
pub struct Windows<K>(Mutex<HashMap<K, VecDeque<Instant>>>);

impl<K> Default for Windows<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Hash + Eq + Clone> Windows<K> {
    /// Takes one of the `max` slots of `key`, until it is returned or `window` has passed.
    ///
    /// # Errors
    /// How long until one is free.
    pub fn take(&self, key: K, max: usize, window: Duration) -> Result<SlotTime, Duration> {
        let now = Instant::now();
        let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if keys.len() >= KEYS_MAX {
            make_room(&mut keys, window, now);
        }
        let places = keys.entry(key).or_default();
        while places.front().is_some_and(|at| now.duration_since(*at) >= window) {
            places.pop_front();
        }
        match places.front() {
            Some(oldest) if places.len() >= max => Err(window - now.duration_since(*oldest)),
            _ => {
                places.push_back(now);
                Ok(now)
            }
        }
    }

    /// Whether all `max` slots of a key are taken.
    pub fn is_full(&self, key: &K, max: usize, window: Duration) -> bool {
        let now = Instant::now();
        let keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = keys.get(key).map(|places| places.iter().filter(|at| now.duration_since(**at) < window));
        taken.is_some_and(|taken| taken.count() >= max)
    }

    pub fn give_back(&self, key: &K, place: SlotTime) {
        let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(places) = keys.get_mut(key) else { return };
        if let Some(index) = places.iter().position(|at| *at == place) {
            places.remove(index);
        }
        if places.is_empty() {
            keys.remove(key);
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.lock().unwrap().len()
    }
}

/// Drops keys that no longer count, or if there are none, a tenth of the others, so that the table stays
/// bounded.
fn make_room<K: Hash + Eq + Clone>(keys: &mut HashMap<K, VecDeque<Instant>>, window: Duration, now: Instant) {
    keys.retain(|_, places| places.back().is_some_and(|at| now.duration_since(*at) < window));
    if keys.len() >= KEYS_MAX {
        let some: Vec<K> = keys.keys().take(KEYS_MAX / 10).cloned().collect();
        for key in some {
            keys.remove(&key);
        }
    }
}
