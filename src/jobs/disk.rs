//! Watches the free space on the disk.

use crate::state::App;
use crate::store;
use std::sync::Arc;
use tokio::time::MissedTickBehavior;

/// Checks between two attempts to give space back: about a second.
const SHRINK_EVERY: u32 = 4;
/// Checks until the projects' past usage counts a little less: a minute.
const FORGET_EVERY: u32 = 240;

/// Checks until aborted, on a blocking thread, because a network disk may hang. While the disk is nearly
/// full, `main.db` gives back space that deleting has freed, and what is left is divided among the projects.
pub(super) async fn watch(app: Arc<App>) {
    let mut ticks = tokio::time::interval(store::DISK_LOOK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for look in (0_u32..).cycle() {
        ticks.tick().await;
        let disk = app.disk.clone();
        if let Err(error) = tokio::task::spawn_blocking(move || disk.look()).await {
            tracing::warn!(%error, "checking the disk is postponed");
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
