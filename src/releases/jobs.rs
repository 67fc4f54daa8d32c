//! Deletes the users of releases that are no longer used, and what the digest left of releases that are not counted any
//! more.

use super::{DELETE_AT_ONCE, SEEN_MAX, USERS_KEPT, sql};
use crate::error::Result;
use crate::jobs::{Job, Stopping};
use crate::store::{Main, Transaction};
use crate::time::Timestamp;
use std::sync::Arc;
use std::time::Duration;

const PERIOD: Duration = Duration::from_hours(1);

/// The job.
pub fn jobs(main: &Main) -> Vec<Job> {
    let main = main.clone();
    let run = move |stopping: Stopping| {
        let main = main.clone();
        async move {
            let until = Timestamp::now().plus(-USERS_KEPT);
            let forget_users = move |tx: &Transaction<'_>| sql::forget_users(tx, until, DELETE_AT_ONCE);
            while !stopping.is_on() && main.write(forget_users).await? {}
            forget_seen(&main, &stopping, SEEN_MAX, DELETE_AT_ONCE).await?;
            Ok(PERIOD)
        }
    };
    vec![Job::woken("release_users", Arc::default(), run)]
}

/// Drops the sums of releases that only events name, except `kept` of each project, at most `limit` rows at once.
async fn forget_seen(main: &Main, stopping: &Stopping, kept: i64, limit: i64) -> Result<()> {
    for project in main.read(move |c| sql::with_more_seen(c, kept)).await? {
        let forget = move |tx: &Transaction<'_>| sql::forget_seen(tx, project, kept, limit);
        while !stopping.is_on() && main.write(forget).await? {}
    }
    Ok(())
}

#[cfg(test)]
mod tests;
