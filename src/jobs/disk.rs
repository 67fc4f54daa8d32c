//! Keeps an eye on the room that is left.

use crate::store::{self, Disk};
use std::sync::Arc;
use tokio::time::MissedTickBehavior;

/// Looks until it is aborted; beside the asynchronous threads, as a network's disk may hang.
pub(super) async fn watch(disk: Arc<Disk>) {
    let mut ticks = tokio::time::interval(store::DISK_LOOK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let looked = disk.clone();
        if let Err(error) = tokio::task::spawn_blocking(move || looked.look()).await {
            tracing::warn!(%error, "the look at the disk is put off");
        }
    }
}
