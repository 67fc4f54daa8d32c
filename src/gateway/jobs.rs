//! Deletes the keys of ended sessions, even after restarts and outages of the gateway.

use super::service::GatewayService;
use crate::jobs::Job;
use std::time::Duration;

/// How often to look for keys to delete.
const LOOK: Duration = Duration::from_secs(2);

/// The jobs of a configured gateway.
pub fn jobs(gateway: Option<&GatewayService>) -> Vec<Job> {
    let job = |gateway: &GatewayService| {
        let gateway = gateway.clone();
        let tidy = move || {
            let gateway = gateway.clone();
            async move { gateway.tidy().await }
        };
        Job::every("gateway_keys", LOOK, tidy).at_start().cut_short()
    };
    gateway.map(job).into_iter().collect()
}
