//! Deletes the users of releases that are no longer used.

use super::{USERS_KEPT, sql};
use crate::jobs::Job;
use crate::store::Main;
use crate::time::Timestamp;
use std::sync::Arc;
use std::time::Duration;

const PERIOD: Duration = Duration::from_hours(1);
/// Rows deleted in one transaction, so that others can write in between.
const AT_ONCE: i64 = 5_000;

/// The job.
pub fn jobs(main: &Main) -> Vec<Job> {
    let main = main.clone();
    let run = move |stopping: crate::jobs::Stopping| {
        let main = main.clone();
        async move {
            let until = Timestamp::now().plus(-USERS_KEPT);
            while !stopping.is_on() && main.write(move |tx| sql::forget_users(tx, until, AT_ONCE)).await? {}
            Ok(PERIOD)
        }
    };
    vec![Job::woken("release_users", Arc::default(), run)]
}
