//! Keeps an eye on the room that is left.

use crate::store::{self, Disk, Main};
use std::sync::Arc;
use tokio::time::MissedTickBehavior;

/// Looks between two tries to give room back: about a second.
const SHRINK_EVERY: u32 = 4;

/// Looks until it is aborted; beside the asynchronous threads, as a network's disk may hang. While the
/// disk is nearly full, `main.db` gives back what deleting left free.
pub(super) async fn watch(disk: Arc<Disk>, main: Main) {
    let mut ticks = tokio::time::interval(store::DISK_LOOK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for look in (0_u32..).cycle() {
        ticks.tick().await;
        let looked = disk.clone();
        if let Err(error) = tokio::task::spawn_blocking(move || looked.look()).await {
            tracing::warn!(%error, "the look at the disk is put off");
        }
        if disk.is_low() && look.is_multiple_of(SHRINK_EVERY) {
            main.writer.shrink();
        }
    }
}
