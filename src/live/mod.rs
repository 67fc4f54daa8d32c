//! Notifies watchers of changes in a project, and people of what is new in their inbox.
//!
//! Code that commits a change publishes it to the [`Hub`], which sums up the changes of each quarter of a second and
//! keeps the sums for a while. A watcher is only a position in these: one that reads slowly or reconnects gets what
//! it missed as one message, and uses no memory of its own.

mod channel;
pub mod http;
mod hub;
mod inbox;
mod sessions;

pub use channel::GAP;
pub use hub::{Control, Hub, StreamSlot, Subscription, Watcher};
pub use inbox::InboxSubscription;
pub use sessions::SessionSubscription;

use crate::ids::IssueId;
use serde::Serialize;
use std::collections::BTreeSet;
use std::time::Duration;
use utoipa::ToSchema;

/// The most issues that a message names.
pub const IDS_MAX: usize = 100;
/// The most streams of the whole instance, and of one person or key.
pub const STREAMS_MAX: usize = 256;
/// Of these, those that keys, and people with many streams, leave to people with few.
pub const STREAMS_OF_PEOPLE: usize = 32;
pub const STREAMS_EACH_MAX: usize = 32;
/// A person with this many streams has many.
pub const STREAMS_MANY: usize = 8;
/// The interval between heartbeats. Before each, the watcher's access is checked again, which axum's own
/// keep-alive does not do. (Tests use less.)
pub const HEARTBEAT: Duration = if cfg!(test) { Duration::from_millis(50) } else { Duration::from_secs(15) };
/// How long a client waits before it reconnects.
pub const RETRY: Duration = Duration::from_secs(2);

/// `event: issue`: issues that were created, changed or deleted, or got new events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct IssuesChanged {
    /// At most 100.
    pub ids: Vec<IssueId>,
    /// Others have changed, too, or it is unknown which: load everything again.
    pub more: bool,
}

/// `event: event`: new events that can be read now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct EventsArrived {
    /// Since the last message.
    pub count: u64,
    /// The last of them.
    pub latest: Latest,
}

/// An event and its issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Latest {
    pub event_id: String,
    pub issue_id: IssueId,
}

/// What changed in a project, summed up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    issues: BTreeSet<IssueId>,
    more: bool,
    events: u64,
    latest: Option<Latest>,
}

impl Changes {
    /// Unknown changes.
    pub fn unknown() -> Self {
        Self { more: true, ..Self::default() }
    }

    pub fn of_issues(ids: impl IntoIterator<Item = IssueId>) -> Self {
        let mut changes = Self::default();
        ids.into_iter().for_each(|id| changes.add_issue(id));
        changes
    }

    pub fn add_issue(&mut self, id: IssueId) {
        if self.issues.len() < IDS_MAX {
            self.issues.insert(id);
        } else if !self.issues.contains(&id) {
            self.more = true;
        }
    }

    /// Adds a new event, which changes its issue.
    pub fn add_event(&mut self, issue: IssueId, event_id: &str) {
        self.add_issue(issue);
        self.events += 1;
        self.latest = Some(Latest { event_id: event_id.to_owned(), issue_id: issue });
    }

    /// Adds later changes.
    pub fn add(&mut self, later: &Self) {
        later.issues.iter().for_each(|id| self.add_issue(*id));
        self.more |= later.more;
        self.events += later.events;
        if later.latest.is_some() {
            self.latest.clone_from(&later.latest);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.issues.is_empty() && !self.more && self.events == 0
    }

    fn issues_changed(&self) -> Option<IssuesChanged> {
        let changed = !self.issues.is_empty() || self.more;
        changed.then(|| IssuesChanged { ids: self.issues.iter().copied().collect(), more: self.more })
    }

    fn events_arrived(&self) -> Option<EventsArrived> {
        Some(EventsArrived { count: self.events, latest: self.latest.clone()? })
    }
}

#[cfg(test)]
mod tests;
