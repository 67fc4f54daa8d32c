//! Resolves events again when their source maps arrive late.

use super::service::LateMaps;
use crate::jobs::Job;
use std::sync::Arc;
use std::time::Duration;

/// How often the job checks for work.
const PERIOD: Duration = Duration::from_secs(2);

/// The job.
pub fn jobs(late: &LateMaps) -> Vec<Job> {
    let late = late.clone();
    let run = move |stopping| {
        let late = late.clone();
        async move {
            late.run(&stopping).await?;
            Ok(PERIOD)
        }
    };
    vec![Job::woken("late_source_maps", Arc::default(), run)]
}
