//! The configured channels, and the wake-up of the job that sends.

use super::Channel;
use crate::crypto::seal::Seal;
use crate::delivery::Transport;
use std::sync::Arc;
use tokio::sync::Notify;

/// What the writers of deliveries and the job that sends them share.
pub struct Deliveries {
    /// The configured channels. A delivery for another one waits until that is configured.
    ways: Vec<(Channel, Arc<dyn Transport>)>,
    pub(super) seal: Seal,
    added: Arc<Notify>,
}

impl Deliveries {
    pub fn new(ways: Vec<(Channel, Arc<dyn Transport>)>, seal: Seal) -> Self {
        Self { ways, seal, added: Arc::default() }
    }

    /// Whether a channel is configured. Without mail, no mail may be added, and people pass links on themselves.
    pub fn has(&self, channel: Channel) -> bool {
        self.way(channel).is_some()
    }

    pub(super) fn way(&self, channel: Channel) -> Option<&Arc<dyn Transport>> {
        self.ways.iter().find(|(known, _)| *known == channel).map(|(_, way)| way)
    }

    pub(super) fn channels(&self) -> impl Iterator<Item = Channel> {
        self.ways.iter().map(|(channel, _)| *channel)
    }

    /// Call this after the transaction that added a delivery.
    pub fn wake(&self) {
        self.added.notify_one();
    }

    /// Notified by [`Deliveries::wake`].
    pub(super) fn added(&self) -> &Arc<Notify> {
        &self.added
    }
}
