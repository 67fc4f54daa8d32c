//! Periodic work besides requests and the digest.

mod disk;
mod ignored;
pub mod outbox;
mod spikes;

use crate::state::App;
use crate::time::Timestamp;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;
use tokio::time::MissedTickBehavior;

/// How often last uses of keys are written, expired sessions are deleted, and the start of a new hour is
/// noticed.
const TIDY: Duration = Duration::from_mins(1);

/// Starts the jobs, which run until they are aborted.
pub fn start(app: Arc<App>) -> JoinSet<()> {
    let mut jobs = JoinSet::new();
    jobs.spawn(disk::watch(app.clone()));
    jobs.spawn(ignored::watch(app.clone()));
    jobs.spawn(tidy(app));
    jobs
}

async fn tidy(app: Arc<App>) {
    let mut ticks = tokio::time::interval(TIDY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks.tick().await;
    // The hour for which escalations were checked; the first check is at the start.
    let mut looked = None;
    loop {
        let now = Timestamp::now();
        if looked != Some(now.hour()) {
            match spikes::look(&app.main, now).await {
                Ok(()) => looked = Some(now.hour()),
                Err(error) => tracing::warn!(?error, "checking for escalating issues is postponed"),
            }
        }
        ticks.tick().await;
        let start = Instant::now();
        match app.tidy().await {
            Ok(()) => tracing::debug!(ms = start.elapsed().as_millis() as u64, "tidied up"),
            Err(error) => tracing::warn!(?error, "housekeeping is postponed"),
        }
    }
}
