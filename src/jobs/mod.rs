//! What is done now and then beside requests and digest.

use crate::app::App;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::MissedTickBehavior;

/// How often last uses of keys are written and ended sign-ins removed.
const TIDY: Duration = Duration::from_mins(1);

/// Starts the jobs; they end when the handle is aborted.
pub fn start(app: Arc<App>) -> JoinHandle<()> {
    tokio::spawn(async move {
        let mut ticks = tokio::time::interval(TIDY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ticks.tick().await;
        loop {
            ticks.tick().await;
            if let Err(error) = app.tidy().await {
                tracing::warn!(%error, "tidying up is put off");
            }
        }
    })
}
