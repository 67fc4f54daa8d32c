//! Notifies a service manager over `NOTIFY_SOCKET` that the server is ready or stopping and, if its unit has a
//! watchdog, that it is alive. Without a socket, does nothing.

use crate::store::Readers;
use sd_notify::NotifyState;
use std::time::Duration;

/// Sends a state; failures are only logged.
pub(super) fn tell(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "the service manager cannot be reached");
    }
}

/// Pings the watchdog, if there is one, twice within its `WatchdogSec`, as long as threads run and the database can
/// be read. A full disk is no reason for a restart.
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
