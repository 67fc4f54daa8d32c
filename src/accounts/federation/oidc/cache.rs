//! Documents of a provider, cached for a while.

use crate::time::Timestamp;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a provider's documents are cached.
const LIFETIME: Duration = Duration::from_secs(3600);

type Source<T> = Arc<dyn Fn() -> T + Send + Sync>;

/// The wall clock for times in tokens, the monotonic one for cache lifetimes.
#[derive(Clone)]
pub struct Clock {
    wall: Source<Timestamp>,
    running: Source<Instant>,
}

impl Clock {
    pub fn new(
        wall: impl Fn() -> Timestamp + Send + Sync + 'static,
        running: impl Fn() -> Instant + Send + Sync + 'static,
    ) -> Self {
        Self { wall: Arc::new(wall), running: Arc::new(running) }
    }

    pub(super) fn wall(&self) -> Timestamp {
        (self.wall)()
    }

    pub(super) fn running(&self) -> Instant {
        (self.running)()
    }
}

impl Default for Clock {
    /// The real clocks.
    fn default() -> Self {
        Self::new(Timestamp::now, Instant::now)
    }
}

/// A value that is kept for an hour. There is only one, so a cache crate would have nothing to choose
/// between.
pub(super) struct HourCache<T>(Mutex<Option<(Instant, Arc<T>)>>);

impl<T> Default for HourCache<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<T> HourCache<T> {
    pub(super) fn get(&self, now: Instant) -> Option<Arc<T>> {
        let slot = self.slot();
        let (at, value) = slot.as_ref()?;
        (now.saturating_duration_since(*at) < LIFETIME).then(|| value.clone())
    }

    pub(super) fn put(&self, now: Instant, value: T) -> Arc<T> {
        let value = Arc::new(value);
        *self.slot() = Some((now, value.clone()));
        value
    }

    fn slot(&self) -> MutexGuard<'_, Option<(Instant, Arc<T>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
