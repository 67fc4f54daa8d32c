//! What the instance sends to others and requests from them, once a day. The jobs check every hour whether it is due:
//! the last time is stored, so that a restart neither repeats nor postpones it.

use super::heartbeat::service::HeartbeatService;
use super::updates::service::UpdateService;
use crate::jobs::Job;
use std::sync::Arc;
use std::time::Duration;

/// How often the jobs check.
const LOOK: Duration = Duration::from_hours(1);

/// A job for each that is configured.
pub fn jobs(heartbeat: Option<HeartbeatService>, updates: Option<UpdateService>) -> Vec<Job> {
    let heartbeat = heartbeat.map(Arc::new).map(|service| {
        let send = move || {
            let service = service.clone();
            async move { service.send_if_due().await }
        };
        Job::every("heartbeat", LOOK, send).at_start().cut_short()
    });
    let updates = updates.map(Arc::new).map(|service| {
        let check = move || {
            let service = service.clone();
            async move { service.check_if_due().await }
        };
        Job::every("update_check", LOOK, check).at_start().cut_short()
    });
    heartbeat.into_iter().chain(updates).collect()
}
