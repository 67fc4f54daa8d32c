//! The changes of one project: those not yet sent, and those sent recently.

use super::Changes;
use crate::crypto::token;
use std::collections::VecDeque;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// The interval between messages: four per second.
pub const GAP: Duration = Duration::from_millis(250);
/// Messages kept for watchers that return, and issues they name together.
pub(super) const KEPT: usize = 256;
const KEPT_IDS: usize = 4_096;

pub(super) struct Channel {
    /// Identifies this channel: positions of another one, for example from before a restart, are unknown.
    epoch: String,
    /// The position of the newest message; the first is 1.
    position: u64,
    told: VecDeque<Changes>,
    told_ids: usize,
    waiting: Changes,
    told_at: Option<Instant>,
    wake: watch::Sender<()>,
    pub(super) watchers: usize,
    /// When the last watcher left, or somebody last asked for the position.
    pub(super) left_at: Instant,
}

/// What a watcher gets.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PendingChanges {
    /// Everything since its position.
    Changes(Changes),
    /// Nothing before this time; without a time, nothing until it is woken.
    Nothing(Option<Instant>),
}

impl Channel {
    pub(super) fn new(now: Instant) -> Self {
        Self {
            epoch: token::random_hex(8),
            position: 0,
            told: VecDeque::new(),
            told_ids: 0,
            waiting: Changes::default(),
            told_at: None,
            wake: watch::Sender::new(()),
            watchers: 0,
            left_at: now,
        }
    }

    pub(super) fn wake(&self) -> watch::Receiver<()> {
        self.wake.subscribe()
    }

    pub(super) fn publish(&mut self, changes: &Changes) {
        self.waiting.add(changes);
        self.wake.send_replace(());
    }

    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// A position as clients remember it.
    pub(super) fn id(&self, position: u64) -> String {
        format!("{}-{position}", self.epoch)
    }

    /// The position of an id; `None` if it does not belong to this channel, or is too old to know what came
    /// after.
    pub(super) fn find(&self, id: &str) -> Option<u64> {
        let (epoch, position) = id.rsplit_once('-')?;
        let position: u64 = position.parse().ok()?;
        (epoch == self.epoch && (self.oldest()..=self.position).contains(&position)).then_some(position)
    }

    /// The oldest position after which everything is known.
    fn oldest(&self) -> u64 {
        self.position - self.told.len() as u64
    }

    /// What a watcher at `position` has not received; the caller then moves it to the newest position.
    pub(super) fn take(&mut self, position: u64, now: Instant) -> PendingChanges {
        let due = self.told_at.map_or(now, |told| told + GAP);
        if !self.waiting.is_empty() && due <= now {
            self.tell(now);
        }
        if position == self.position {
            return PendingChanges::Nothing((!self.waiting.is_empty()).then_some(due));
        }
        if position < self.oldest() {
            return PendingChanges::Changes(Changes::unknown());
        }
        let known = usize::try_from(position - self.oldest()).unwrap_or(usize::MAX);
        let mut missed = Changes::default();
        self.told.iter().skip(known).for_each(|changes| missed.add(changes));
        PendingChanges::Changes(missed)
    }

    /// Turns the pending changes into a message, and drops the oldest messages.
    fn tell(&mut self, now: Instant) {
        let changes = std::mem::take(&mut self.waiting);
        self.position += 1;
        self.told_at = Some(now);
        self.told_ids += changes.issues.len();
        self.told.push_back(changes);
        while self.told.len() > KEPT || self.told_ids > KEPT_IDS {
            let Some(oldest) = self.told.pop_front() else { break };
            self.told_ids -= oldest.issues.len();
        }
    }
}
