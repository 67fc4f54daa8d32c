//! What is done for projects now and then.

use super::service::{ProjectService, flush_last_used, refresh};
use crate::jobs::Job;
use std::time::Duration;

/// How often last uses of keys are written and the directory is read again.
const KEYS: Duration = Duration::from_mins(1);
/// How often deletions that were cut off are taken up again.
const DELETIONS: Duration = Duration::from_mins(1);

/// The jobs of projects.
pub fn jobs(projects: &ProjectService) -> Vec<Job> {
    let (main, directory) = (projects.main.clone(), projects.directory.clone());
    let keys = move || {
        let (main, directory) = (main.clone(), directory.clone());
        async move {
            flush_last_used(&main, &directory).await?;
            refresh(&main, &directory).await
        }
    };
    let projects = projects.clone();
    let deletions = move || {
        let projects = projects.clone();
        async move { projects.finish_deletions().await }
    };
    vec![
        Job::every("project_keys", KEYS, keys),
        Job::every("deleted_projects", DELETIONS, deletions).at_start(),
    ]
}
