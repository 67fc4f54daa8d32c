//! Checks every hour whether connections still work.

use super::service::Connector;
use super::sql;
use crate::error::Result;
use crate::jobs::Job;
use crate::time::Timestamp;
use futures_util::{TryStreamExt as _, stream};
use std::sync::Arc;
use std::time::Duration;

/// How often to look for connections that are due,
const LOOK: Duration = Duration::from_mins(1);
/// how many to check each time, those that have waited longest first,
const DUE_MAX: i64 = 50;
/// and how many at once, so that one that does not answer does not delay the others.
const AT_ONCE: usize = 8;

/// The jobs of connections.
pub fn jobs(connector: &Arc<Connector>) -> Vec<Job> {
    let connector = connector.clone();
    let check = move || check(connector.clone());
    vec![Job::every("connection_checks", LOOK, check).cut_short()]
}

async fn check(connector: Arc<Connector>) -> Result<()> {
    let now = Timestamp::now();
    let due = connector.main.read(move |c| sql::due(c, now, DUE_MAX)).await?;
    let check = |stored| connector.check(stored, None);
    stream::iter(due.into_iter().map(Ok)).try_for_each_concurrent(AT_ONCE, check).await
}
