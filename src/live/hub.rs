//! Who watches which project, and the limits on that.

use super::channel::{Channel, PendingChanges};
use super::inbox::Inboxes;
use super::sessions::Watched;
use super::{Changes, STREAMS_EACH_MAX, STREAMS_MANY, STREAMS_MAX, STREAMS_OF_PEOPLE};
use crate::error::{Error, Result};
use crate::ids::{KeyId, ProjectId, UserId};
use crate::sabotage;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How long, and for how many projects, changes are kept without a watcher.
const KEEP: Duration = Duration::from_mins(5);
const KEEP_MAX: usize = 64;
/// Seconds after which somebody with too many streams may try again.
const RETRY_AFTER: u32 = 10;

/// The owner of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Watcher {
    Person(UserId),
    Key(KeyId),
    OrganizationKey(KeyId),
}

/// Instructions for all streams.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Control {
    /// End.
    pub stopping: bool,
    /// Check their watcher's access again; counts up.
    pub check: u64,
}

/// All projects that are watched, or were recently.
#[derive(Default)]
pub struct Hub {
    state: Mutex<State>,
    control: watch::Sender<Control>,
}

#[derive(Default)]
pub(super) struct State {
    channels: HashMap<ProjectId, Channel>,
    pub(super) inboxes: Inboxes,
    pub(super) sessions: Watched,
    streams: usize,
    each: HashMap<Watcher, usize>,
}

impl Hub {
    /// Tells the watchers of a project; costs almost nothing if there are none. Call this after the commit,
    /// because watchers will read.
    pub fn publish(&self, project: ProjectId, changes: &Changes) {
        if changes.is_empty() {
            return;
        }
        if let Some(channel) = self.state().channels.get_mut(&project) {
            channel.publish(changes);
        }
    }

    /// Makes all streams check their watcher's access again: somebody signed out, or a key was revoked.
    pub fn check_watchers(&self) {
        if sabotage::on("streams_are_not_told") {
            return;
        }
        self.control.send_modify(|control| control.check += 1);
    }

    /// Ends all streams.
    pub fn stop(&self) {
        self.control.send_modify(|control| control.stopping = true);
    }

    /// The instructions to a stream. The first is to check its watcher's access, which may have changed
    /// before it began to listen.
    pub fn control(&self) -> watch::Receiver<Control> {
        let mut control = self.control.subscribe();
        control.mark_changed();
        control
    }

    /// Watches a project from now on, or from the message that `last` names.
    ///
    /// # Errors
    /// Too many streams of this watcher, or in total.
    pub fn subscribe(
        self: &Arc<Self>,
        project: ProjectId,
        watcher: Watcher,
        last: Option<&str>,
    ) -> Result<Subscription> {
        let now = Instant::now();
        let mut state = self.state();
        state.forget(now);
        state.enter(watcher)?;
        let channel = state.channels.entry(project).or_insert_with(|| Channel::new(now));
        channel.watchers += 1;
        let known = last.map_or(Some(channel.position()), |id| channel.find(id));
        let position = known.unwrap_or(channel.position());
        Ok(Subscription {
            hub: self.clone(),
            project,
            watcher,
            position,
            id: channel.id(position),
            is_lost: known.is_none(),
            wake: channel.wake(),
        })
    }

    /// Reserves a slot for a stream that gets its messages elsewhere.
    ///
    /// # Errors
    /// Too many streams of this watcher, or in total.
    pub fn place(self: &Arc<Self>, watcher: Watcher) -> Result<StreamSlot> {
        self.state().enter(watcher)?;
        Ok(StreamSlot { hub: self.clone(), watcher })
    }

    /// The project's current position, as understood by [`subscribe`](Self::subscribe): a stream from there reports
    /// every change that a read after this call may lack. Valid as long as a project without watchers is remembered.
    pub fn position(&self, project: ProjectId) -> String {
        let now = Instant::now();
        let mut state = self.state();
        let channel = state.channels.entry(project).or_insert_with(|| Channel::new(now));
        channel.left_at = now;
        let id = channel.id(channel.position());
        state.forget(now);
        id
    }

    /// The number of people with an open inbox stream.
    #[cfg(test)]
    pub(super) fn inboxes(&self) -> usize {
        self.state().inboxes.count()
    }

    /// Projects that are kept in memory.
    #[cfg(test)]
    pub(super) fn kept(&self) -> usize {
        self.state().channels.len()
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    pub(super) fn enter(&mut self, watcher: Watcher) -> Result<()> {
        let own = if sabotage::on("streams_for_the_first") { 0 } else { self.count(watcher) };
        if own >= STREAMS_EACH_MAX {
            let text = format!(
                "You have {STREAMS_EACH_MAX} live streams open, which is the maximum. Close some of your pages."
            );
            return Err(Error::TooMany { text: text.into(), retry_after: RETRY_AFTER, quota: None });
        }
        let most = match watcher {
            Watcher::Person(_) if own < STREAMS_MANY => STREAMS_MAX,
            _ => STREAMS_MAX - STREAMS_OF_PEOPLE,
        };
        if self.streams >= most {
            return Err(Error::overloaded(
                "All of this server's live streams are in use. Reload the page to see what is new.",
            ));
        }
        *self.each.entry(watcher).or_default() += 1;
        self.streams += 1;
        Ok(())
    }

    fn count(&self, watcher: Watcher) -> usize {
        self.each.get(&watcher).copied().unwrap_or_default()
    }

    pub(super) fn leave(&mut self, watcher: Watcher) {
        self.streams -= 1;
        if let Some(streams) = self.each.get_mut(&watcher) {
            *streams -= 1;
            if *streams == 0 {
                self.each.remove(&watcher);
            }
        }
    }

    fn leave_project(&mut self, project: ProjectId) {
        let now = Instant::now();
        if let Some(channel) = self.channels.get_mut(&project) {
            channel.watchers -= 1;
            channel.left_at = now;
        }
        self.forget(now);
    }

    /// Drops projects that nobody has watched for a while, and beyond the limit those that have been
    /// unwatched longest.
    fn forget(&mut self, now: Instant) {
        let is_left = |channel: &Channel| channel.watchers == 0;
        self.channels.retain(|_, channel| !is_left(channel) || now.duration_since(channel.left_at) < KEEP);
        let left = self.channels.iter().filter(|(_, channel)| is_left(channel));
        if left.clone().count() > KEEP_MAX {
            let oldest = left.min_by_key(|(_, channel)| channel.left_at).map(|(project, _)| *project);
            oldest.map(|project| self.channels.remove(&project));
        }
    }
}

/// A stream's slot; freed when dropped.
pub struct StreamSlot {
    hub: Arc<Hub>,
    watcher: Watcher,
}

impl Drop for StreamSlot {
    fn drop(&mut self) {
        self.hub.state().leave(self.watcher);
    }
}

/// A position in a project's changes; frees its slot when dropped.
pub struct Subscription {
    hub: Arc<Hub>,
    project: ProjectId,
    watcher: Watcher,
    position: u64,
    /// The position as the client remembers it.
    id: String,
    /// Whether it is unknown what was missed.
    is_lost: bool,
    wake: watch::Receiver<()>,
}

/// Changes between two positions.
#[derive(Debug, PartialEq, Eq)]
pub struct Delivery {
    pub changes: Changes,
    pub from: String,
    pub to: String,
}

impl Subscription {
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Waits for changes. Nothing is lost if the caller stops waiting.
    pub async fn next(&mut self) -> Delivery {
        loop {
            self.wake.borrow_and_update();
            let due = match self.take() {
                Ok(delivery) => return delivery,
                Err(due) => due,
            };
            match due {
                Some(due) => tokio::time::sleep_until(due.into()).await,
                // The sender lives as long as the channel, which outlives this.
                None => drop(self.wake.changed().await),
            }
        }
    }

    /// # Errors
    /// If there is nothing yet, when to look again.
    fn take(&mut self) -> Result<Delivery, Option<Instant>> {
        let mut state = self.hub.state();
        let Some(channel) = state.channels.get_mut(&self.project) else { return Err(None) };
        let changes = match channel.take(self.position, Instant::now()) {
            PendingChanges::Changes(changes) => changes,
            PendingChanges::Nothing(_) if self.is_lost => Changes::default(),
            PendingChanges::Nothing(due) => return Err(due),
        };
        let changes = if self.is_lost { Changes::unknown() } else { changes };
        self.is_lost = false;
        self.position = channel.position();
        let to = channel.id(self.position);
        let from = std::mem::replace(&mut self.id, to.clone());
        Ok(Delivery { changes, from, to })
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let mut state = self.hub.state();
        state.leave(self.watcher);
        state.leave_project(self.project);
    }
}
