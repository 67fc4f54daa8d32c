//! What is done for logs now and then.

use super::store::LogStore;
use crate::jobs::Job;
use std::time::Duration;

/// How often what is left of deleted projects is removed, and its room given back.
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
