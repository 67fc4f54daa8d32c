//! The one list of jobs.

use crate::accounts::notices::Notices;
use crate::error::Error;
use crate::error::Result;
use crate::jobs::{Job, Registry};
use crate::projects::service::ProjectService;
use crate::signals::consumer::Consumer;
use crate::state::{App, Shared};
use crate::store::{self, Main};
use crate::{accounts, audit, deliveries, intake, issues, logs, projects, signals};
use axum::extract::FromRef as _;
use std::sync::Arc;
use std::time::Duration;

/// How often `main.db` gives pages of deleted rows back to the file system,
const GIVE_BACK: Duration = Duration::from_mins(1);
/// and how often all of them while the disk is nearly full.
const SHRINK: Duration = Duration::from_secs(1);

/// Every job of the server.
///
/// # Errors
/// Internal, when two jobs have one name.
pub(super) fn registry(app: &Arc<App>) -> Result<Registry> {
    let App { main, live, texts, directory, disk, logs, .. } = &**app;
    let consumers: Vec<Arc<dyn Consumer>> = vec![Arc::new(Notices::new(&app.people.deliveries))];
    // Their positions are entered before the digest starts, by name.
    if !consumers.iter().map(|consumer| consumer.name()).eq(super::CONSUMERS) {
        return Err(Error::internal("the consumers are not those whose positions are kept"));
    }
    let jobs = [
        accounts::jobs::jobs(main),
        audit::jobs::jobs(main),
        deliveries::jobs::jobs(main, &app.people.deliveries),
        intake::jobs::jobs(disk, directory),
        issues::jobs::jobs(main, live, texts),
        logs::jobs::jobs(logs),
        projects::jobs::jobs(&ProjectService::from_ref(&Shared(app.clone()))),
        signals::jobs::jobs(main, &app.people.subscribers, consumers),
        room(app),
    ];
    Registry::new(jobs.into_iter().flatten().collect(), &app.metrics.jobs)
}

/// Room that deleting left free in `main.db`.
fn room(app: &Arc<App>) -> Vec<Job> {
    let (main, app) = (app.main.clone(), app.clone());
    let shrink = move || {
        if app.disk.is_low() {
            app.main.writer.shrink();
        }
        std::future::ready(Ok(()))
    };
    vec![
        Job::every("free_pages", GIVE_BACK, move || give_back(main.clone())),
        Job::every("shrink", SHRINK, shrink).at_start(),
    ]
}

async fn give_back(main: Main) -> Result<()> {
    main.write(store::give_back).await
}
