//! Wakes the inbox streams of people. Nothing is kept for them: a woken stream reads the inbox.

use super::channel::GAP;
use super::{Hub, Watcher};
use crate::error::Result;
use crate::ids::UserId;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::watch;

/// The people with open streams.
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

    /// Called while the leaving stream still counts.
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

    /// Watches a person's inbox, within the limits of all streams.
    ///
    /// # Errors
    /// Too many streams of this person, or in total.
    pub fn watch_inbox(self: &Arc<Self>, user: UserId) -> Result<InboxSubscription> {
        let mut state = self.state();
        state.enter(Watcher::Person(user))?;
        let mut wake = state.inboxes.watch(user);
        // A new stream has not read anything yet.
        wake.mark_changed();
        Ok(InboxSubscription { hub: self.clone(), user, wake, told_at: None })
    }
}

/// Frees its slot when dropped.
pub struct InboxSubscription {
    hub: Arc<Hub>,
    user: UserId,
    wake: watch::Receiver<()>,
    told_at: Option<Instant>,
}

impl InboxSubscription {
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

    /// Makes the next wait return at once, because the change was not sent.
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
