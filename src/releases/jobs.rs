//! Deletes the users of releases that are no longer used, and what the digest left of releases that are not counted any
//! more.

use super::{DELETE_AT_ONCE, SEEN_MAX, USERS_KEPT, sql};
use crate::jobs::Job;
use crate::store::{Main, Transaction};
use crate::time::Timestamp;
use crate::usage;
use std::sync::Arc;
use std::time::Duration;

const PERIOD: Duration = Duration::from_hours(1);

/// The job.
pub fn jobs(main: &Main) -> Vec<Job> {
    let main = main.clone();
    let run = move |stopping: crate::jobs::Stopping| {
        let main = main.clone();
        async move {
            let until = Timestamp::now().plus(-USERS_KEPT);
            let forget_users = move |tx: &Transaction<'_>| sql::forget_users(tx, until, DELETE_AT_ONCE);
            while !stopping.is_on() && main.write(forget_users).await? {}
            for (project, _) in main.read(usage::sql::projects).await? {
                let forget_seen =
                    move |tx: &Transaction<'_>| sql::forget_seen(tx, project, SEEN_MAX, DELETE_AT_ONCE);
                while !stopping.is_on() && main.write(forget_seen).await? {}
            }
            Ok(PERIOD)
        }
    };
    vec![Job::woken("release_users", Arc::default(), run)]
}
