//! What is done for projects now and then.

use super::service::{flush_last_used, refresh};
use crate::intake::directory::Directory;
use crate::jobs::Job;
use crate::store::Main;
use std::sync::Arc;
use std::time::Duration;

/// How often last uses of keys are written and the directory is read again.
const KEYS: Duration = Duration::from_mins(1);

/// The jobs of projects.
pub fn jobs(main: &Main, directory: &Arc<Directory>) -> Vec<Job> {
    let (main, directory) = (main.clone(), directory.clone());
    let keys = move || {
        let (main, directory) = (main.clone(), directory.clone());
        async move {
            flush_last_used(&main, &directory).await?;
            refresh(&main, &directory).await
        }
    };
    vec![Job::every("project_keys", KEYS, keys)]
}
