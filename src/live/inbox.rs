//! Wakes those who watch what they are told. There is nothing to keep for them: whoever is woken reads.

use super::channel::GAP;
use super::{Hub, Watcher};
use crate::error::Result;
use crate::ids::UserId;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::watch;

/// The people who watch.
#[derive(Default)]
pub(super) struct Inboxes(HashMap<UserId, watch::Sender<()>>);

impl Inboxes {
    fn watch(&mut self, user: UserId) -> watch::Receiver<()> {
        self.0.entry(user).or_default().subscribe()
    }

    fn tell(&self, user: UserId) {
        if let Some(wake) = self.0.get(&user) {
            wake.send_replace(());
        }
    }

    /// Called while the one who leaves still counts.
    fn leave(&mut self, user: UserId) {
        if self.0.get(&user).is_some_and(|wake| wake.receiver_count() <= 1) {
            self.0.remove(&user);
        }
    }

    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }
}

impl Hub {
    /// Wakes these people's streams; costs almost nothing for those who have none. Call this after the commit.
    pub fn tell(&self, people: impl IntoIterator<Item = UserId>) {
        let state = self.state();
        people.into_iter().for_each(|user| state.inboxes.tell(user));
    }

    /// Watches what a person is told. It is theirs alone, so the limits are those of any stream.
    ///
    /// # Errors
    /// Too many streams of this person, or in total.
    pub fn watch_inbox(self: &Arc<Self>, user: UserId) -> Result<InboxSubscription> {
        let mut state = self.state();
        state.enter(Watcher::Person(user))?;
        let mut wake = state.inboxes.watch(user);
        // Whoever begins knows nothing.
        wake.mark_changed();
        Ok(InboxSubscription { hub: self.clone(), user, wake, told_at: None })
    }
}

/// Frees its place when dropped.
pub struct InboxSubscription {
    hub: Arc<Hub>,
    user: UserId,
    wake: watch::Receiver<()>,
    told_at: Option<Instant>,
}

impl InboxSubscription {
    /// Waits until there may be something new; at once at first, then at most four times a second. Nothing is lost if
    /// the caller stops waiting.
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

    /// What was waited for is still to be told.
    pub fn again(&mut self) {
        self.wake.mark_changed();
    }
}

impl Drop for InboxSubscription {
    fn drop(&mut self) {
        let mut state = self.hub.state();
        state.inboxes.leave(self.user);
        state.leave(Watcher::Person(self.user));
    }
}
