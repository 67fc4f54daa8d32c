//! What a service manager is told over `NOTIFY_SOCKET`: that the server is ready, that it stops, and, if its unit has
//! a watchdog, that it is alive. Without a socket, nothing is sent.

use crate::store::Readers;
use sd_notify::NotifyState;
use std::time::Duration;

/// Tells the service manager one thing; that it cannot be reached is only logged.
pub(super) fn tell(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "the service manager cannot be reached");
    }
}

/// If the unit has a watchdog, sends a sign of life twice within its `WatchdogSec` for as long as threads run and the
/// database can be read; a full disk is no reason for a restart.
pub(super) async fn watch(main: Readers) {
    let Some(limit) = sd_notify::watchdog_enabled() else { return };
    let mut ticks = tokio::time::interval((limit / 2).max(Duration::from_millis(100)));
    loop {
        ticks.tick().await;
        if main.look_up(|_| Ok(())).await.is_ok() {
            tell(NotifyState::Watchdog);
        }
    }
}
