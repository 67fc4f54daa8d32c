//! Periodic work of replays.

use super::service::ReplayService;
use crate::jobs::Job;

/// The job.
pub fn jobs(replays: &ReplayService) -> Vec<Job> {
    let replays = replays.clone();
    let sweep = move || {
        let replays = replays.clone();
        async move { replays.sweep().await }
    };
    // It may wait for the digest.
    vec![Job::hourly("replay_files", sweep).cut_short()]
}
