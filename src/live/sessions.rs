//! Wakes the streams of agent sessions. Nothing is kept for them: a woken stream reads the session.

use super::channel::GAP;
use super::{Hub, Watcher};
use crate::error::Result;
use crate::ids::SessionId;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::watch;

/// The watched sessions.
#[derive(Default)]
pub(super) struct Watched(HashMap<SessionId, watch::Sender<()>>);

impl Watched {
    /// Called while the leaving stream still counts.
    fn leave(&mut self, id: SessionId) {
        if self.0.get(&id).is_some_and(|wake| wake.receiver_count() <= 1) {
            self.0.remove(&id);
        }
    }
}

impl Hub {
    /// Wakes whoever watches a session; costs almost nothing if nobody does. Call this after the commit.
    pub fn session_changed(&self, id: SessionId) {
        if let Some(wake) = self.state().sessions.0.get(&id) {
            wake.send_replace(());
        }
    }

    /// Watches a session.
    ///
    /// # Errors
    /// Too many streams of this watcher, or in total.
    pub fn watch_session(self: &Arc<Self>, id: SessionId, watcher: Watcher) -> Result<SessionSubscription> {
        let mut state = self.state();
        state.enter(watcher)?;
        let mut wake = state.sessions.0.entry(id).or_default().subscribe();
        // A new stream has not read anything yet.
        wake.mark_changed();
        Ok(SessionSubscription { hub: self.clone(), id, watcher, wake, told_at: None })
    }
}

/// Frees its slot when dropped.
pub struct SessionSubscription {
    hub: Arc<Hub>,
    id: SessionId,
    watcher: Watcher,
    wake: watch::Receiver<()>,
    told_at: Option<Instant>,
}

impl SessionSubscription {
    /// Waits until there may be something new: returns at once at first, then at most four times a second. Nothing is
    /// lost if the caller stops waiting.
    pub async fn changed(&mut self) {
        // The sender lives as long as its receivers.
        drop(self.wake.changed().await);
        if let Some(told_at) = self.told_at {
            self.wake.mark_changed();
            tokio::time::sleep_until((told_at + GAP).into()).await;
            self.wake.mark_unchanged();
        }
        self.told_at = Some(Instant::now());
    }

    /// Makes the next wait return at once, because there is more to read.
    pub fn again(&mut self) {
        self.wake.mark_changed();
        self.told_at = None;
    }
}

impl Drop for SessionSubscription {
    fn drop(&mut self) {
        let mut state = self.hub.state();
        state.sessions.leave(self.id);
        state.leave(self.watcher);
    }
}
