//! Periodic work of issues.

use super::spike;
use super::sql;
use super::texts::Texts;
use crate::error::Result;
use crate::jobs::Job;
use crate::live::{Changes, Hub};
use crate::store::Main;
use crate::time::Timestamp;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// How often ignored issues are checked for being due.
const IGNORED: Duration = Duration::from_secs(5);
/// How often texts that nobody searches are dropped.
const TEXTS: Duration = Duration::from_mins(1);
/// Issues per transaction, so that others can write in between.
const AT_ONCE: usize = 100;
/// The most issues with many events in the current hour that one run checks; the rest are checked as their events
/// arrive.
const SUSPECTS: i64 = 5_000;

/// The jobs of issues.
pub fn jobs(main: &Main, live: &Arc<Hub>, texts: &Arc<Texts>) -> Vec<Job> {
    let (waking, hub, looking, texts) = (main.clone(), live.clone(), main.clone(), texts.clone());
    let wake = move || wake(waking.clone(), hub.clone());
    let look = move || look_for_spikes(looking.clone(), Timestamp::now());
    let forget = move || {
        texts.forget_unused();
        std::future::ready(Ok(()))
    };
    vec![
        Job::every("ignored_issues", IGNORED, wake).at_start(),
        Job::hourly("escalating_issues", look),
        Job::every("issue_texts", TEXTS, forget),
    ]
}

/// Reopens ignored issues whose time has come, whether or not an event arrives.
async fn wake(main: Main, live: Arc<Hub>) -> Result<()> {
    let (now, limit) = (Timestamp::now(), AT_ONCE as i64);
    while main.read(move |c| sql::is_any_due(c, now)).await? {
        let awake = main.write(move |tx| sql::wake(tx, limit, now)).await?;
        let mut changes: BTreeMap<_, Changes> = BTreeMap::new();
        for (project, issue) in awake {
            changes.entry(project).or_default().add_issue(issue);
        }
        changes.iter().for_each(|(project, changes)| live.publish(*project, changes));
    }
    Ok(())
}

/// Checks escalating issues against their last full hour, and others against the current one.
async fn look_for_spikes(main: Main, now: Timestamp) -> Result<()> {
    let read =
        main.read(move |c| Ok((spike::sql::escalating(c, now)?, spike::sql::suspects(c, now, SUSPECTS)?)));
    let (escalating, suspects) = read.await?;
    for ids in escalating.chunks(AT_ONCE) {
        let ids = ids.to_vec();
        main.write(move |tx| ids.iter().try_for_each(|id| spike::sql::calm(tx, *id, now).map(drop))).await?;
    }
    for issues in suspects.chunks(AT_ONCE) {
        let issues = issues.to_vec();
        let check = move |tx: &crate::store::Transaction<'_>| {
            issues.iter().try_for_each(|(id, count)| spike::sql::check(tx, *id, *count, now))
        };
        main.write(check).await?;
    }
    Ok(())
}
