//! Reopens issues that are ignored until a time when that time has come, whether or not they get an event.

use crate::error::Result;
use crate::issues;
use crate::live::Changes;
use crate::state::App;
use crate::time::Timestamp;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::MissedTickBehavior;

/// How often to check.
const LOOK: Duration = Duration::from_secs(5);
/// Issues in one transaction; others write in between.
const AT_ONCE: i64 = 100;

/// Checks until aborted.
pub(super) async fn watch(app: Arc<App>) {
    let mut ticks = tokio::time::interval(LOOK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if let Err(error) = wake(&app).await {
            tracing::warn!(?error, "reopening ignored issues is postponed");
        }
    }
}

async fn wake(app: &App) -> Result<()> {
    let now = Timestamp::now();
    while app.main.read(move |c| issues::sql::is_any_due(c, now)).await? {
        let awake = app.main.write(move |tx| issues::sql::wake(tx, AT_ONCE, now)).await?;
        let mut changes: BTreeMap<_, Changes> = BTreeMap::new();
        for (project, issue) in awake {
            changes.entry(project).or_default().add_issue(issue);
        }
        changes.iter().for_each(|(project, changes)| app.live.publish(*project, changes));
    }
    Ok(())
}
