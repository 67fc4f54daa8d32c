//! Deletes the keys of sessions that are over, through restarts and outages of the gateway.

use super::service::GatewayService;
use crate::jobs::Job;
use std::time::Duration;

/// How often keys are looked for that are over.
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
