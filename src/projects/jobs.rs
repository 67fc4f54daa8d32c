//! Periodic work of projects.

use super::high_value::sql as high_value;
use super::service::{ProjectService, flush_last_used, refresh};
use crate::error::Result;
use crate::jobs::Job;
use crate::store::Main;
use crate::time::Timestamp;
use std::time::Duration;

/// How often last uses of keys are written and the key directory is reloaded.
const KEYS: Duration = Duration::from_mins(1);
/// How often interrupted deletions are continued.
const DELETIONS: Duration = Duration::from_mins(1);

/// How often the busiest accounts are found.
const BUSIEST: Duration = Duration::from_hours(1);

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
    let counted = projects.main.clone();
    let busiest = move || find_busiest(counted.clone(), Timestamp::now());
    let projects = projects.clone();
    let deletions = move || {
        let projects = projects.clone();
        async move { projects.finish_deletions().await }
    };
    vec![
        Job::every("project_keys", KEYS, keys),
        Job::every("deleted_projects", DELETIONS, deletions).at_start(),
        Job::every("busiest_accounts", BUSIEST, busiest).at_start(),
    ]
}

/// Recalculates the busiest accounts of each project.
async fn find_busiest(main: Main, now: Timestamp) -> Result<()> {
    for project in main.read(high_value::projects).await? {
        let busiest = main.read(move |c| high_value::find_busiest(c, project, now)).await?;
        main.write(move |tx| high_value::store_busiest(tx, project, &busiest, now)).await?;
    }
    Ok(())
}
