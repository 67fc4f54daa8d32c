//! Wakes the consumers.

use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Notify;

/// The jobs that wait for signals.
#[derive(Debug, Default)]
pub struct Subscribers(Mutex<Vec<Arc<Notify>>>);

impl Subscribers {
    /// A new subscription, notified from now on.
    pub fn subscribe(&self) -> Arc<Notify> {
        let new = Arc::new(Notify::new());
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(new.clone());
        new
    }

    /// Call this after a commit with a signal that should not wait for the next look, at most a second away.
    pub fn notify(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().for_each(|one| one.notify_one());
    }
}
