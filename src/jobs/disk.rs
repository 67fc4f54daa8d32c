//! Keeps an eye on the room that is left.

use crate::state::App;
use crate::store;
use std::sync::Arc;
use tokio::time::MissedTickBehavior;

/// Looks between two tries to give room back: about a second.
const SHRINK_EVERY: u32 = 4;
/// Looks until what projects took counts a little less: a minute.
const FORGET_EVERY: u32 = 240;

/// Looks until it is aborted; beside the asynchronous threads, as a network's disk may hang. While the disk is nearly
/// full, `main.db` gives back what deleting left free, and the rest is shared out among the projects.
pub(super) async fn watch(app: Arc<App>) {
    let mut ticks = tokio::time::interval(store::DISK_LOOK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for look in (0_u32..).cycle() {
        ticks.tick().await;
        let disk = app.disk.clone();
        if let Err(error) = tokio::task::spawn_blocking(move || disk.look()).await {
            tracing::warn!(%error, "the look at the disk is put off");
        }
        app.directory.share_room(app.disk.scarce());
        if look.is_multiple_of(FORGET_EVERY) {
            app.directory.forget_taken();
        }
        if app.disk.is_low() && look.is_multiple_of(SHRINK_EVERY) {
            app.main.writer.shrink();
        }
    }
}
