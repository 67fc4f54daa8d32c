//! Periodic work of logs.

use super::store::LogStore;
use crate::jobs::Job;
use std::time::Duration;

/// How often the remains of deleted projects are removed, and their space freed.
const SWEEP: Duration = Duration::from_mins(1);

/// The jobs of logs.
pub fn jobs(logs: &LogStore) -> Vec<Job> {
    let logs = logs.clone();
    let sweep = move || {
        let logs = logs.clone();
        async move { logs.tidy().await }
    };
    vec![Job::every("logs", SWEEP, sweep)]
}
