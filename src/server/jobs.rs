//! The one list of jobs.

use super::snapshots::Copies;
use crate::accounts::notices::Notices;
use crate::alerts::consumer::Alerts;
use crate::automations::consumer::Automations;
use crate::error::Error;
use crate::error::Result;
use crate::instance::heartbeat::service::HeartbeatService;
use crate::instance::updates::service::UpdateService;
use crate::issues::service::IssueService;
use crate::jobs::{Job, Registry};
use crate::notifications::consumer::Notifier;
use crate::notifications::service::post::Post;
use crate::projects::service::ProjectService;
use crate::releases::late::service::LateMaps;
use crate::retention::service::RetentionService;
use crate::signals::consumer::Consumer;
use crate::state::{App, Shared};
use crate::tickets::consumer::Resolved;
use crate::{
    accounts, alerts, audit, automations, backup, connections, deliveries, gateway, instance, intake, issues,
    logs, notifications, projects, releases, replays, retention, sessions, signals, tickets, usage,
};
use axum::extract::FromRef as _;
use std::sync::Arc;
use std::time::Duration;

/// How often the databases give pages of deleted rows back to the file system, unless somebody deleted much,
const GIVE_BACK: Duration = Duration::from_mins(1);
/// and how often all of them while the disk is nearly full.
const SHRINK: Duration = Duration::from_secs(1);

/// Every job of the server.
///
/// # Errors
/// Internal, if two jobs have the same name.
pub(super) fn registry(app: &Arc<App>) -> Result<Registry> {
    let App { main, live, texts, directory, disk, logs, .. } = &**app;
    let consumers: Vec<Arc<dyn Consumer>> = vec![
        Arc::new(Notices::new(&app.people.deliveries)),
        Arc::new(Notifier::new(&app.people)),
        Arc::new(Alerts(app.teller())),
        Arc::new(Automations(app.sessions.clone())),
        Arc::new(Resolved(app.people.deliveries.clone())),
    ];
    // Their positions are entered before the digest starts, by name.
    if !consumers.iter().map(|consumer| consumer.name()).eq(super::CONSUMERS) {
        return Err(Error::internal("the consumers are not those whose positions are kept"));
    }
    let jobs = [
        accounts::jobs::jobs(main),
        alerts::jobs::jobs(main, logs, &app.teller()),
        audit::jobs::jobs(main),
        automations::jobs::jobs(&app.sessions),
        backup::jobs::jobs(&app.backups, Arc::new(Copies(app.clone())), &app.turn, &app.metrics.backup),
        connections::jobs::jobs(&app.connector),
        deliveries::jobs::jobs(main, &app.people.deliveries),
        gateway::jobs::jobs(app.gateway().as_ref()),
        outside(app),
        intake::jobs::jobs(disk, directory),
        issues::jobs::jobs(main, live, texts),
        logs::jobs::jobs(logs),
        notifications::jobs::jobs(main, &Post::new(&app.people)),
        projects::jobs::jobs(&ProjectService::from_ref(&Shared(app.clone()))),
        replays::jobs::jobs(&app.replays),
        releases::jobs::jobs(main),
        releases::late::jobs::jobs(&LateMaps {
            main: main.clone(),
            maps: app.maps.clone(),
            live: live.clone(),
            texts: texts.clone(),
        }),
        retention::jobs::jobs(&RetentionService::from_ref(&Shared(app.clone()))),
        sessions::jobs::jobs(&app.sessions, &app.connector),
        signals::jobs::jobs(main, &app.people.subscribers, consumers),
        tickets::jobs::jobs(&app.connector, &IssueService::from_ref(&Shared(app.clone()))),
        usage::jobs::jobs(&app.meter),
        room(app),
    ];
    Registry::reporting(jobs.into_iter().flatten().collect(), &app.metrics.jobs, &app.jobs)
}

/// Jobs that exchange data with other servers.
fn outside(app: &App) -> Vec<Job> {
    let App { main, outbound, people, .. } = app;
    let heartbeat = HeartbeatService::new(main, outbound, &people.config);
    let updates = UpdateService::new(main, outbound, &people.config, &people.subscribers);
    instance::jobs::jobs(heartbeat, updates)
}

/// Room that deleting left free in the databases.
fn room(app: &Arc<App>) -> Vec<Job> {
    let (main, logs, wake) = (app.main.clone(), app.logs.db.clone(), app.free_pages.clone());
    let app = app.clone();
    let give_back = move |_| {
        let (main, logs) = (main.clone(), logs.clone());
        async move {
            main.give_back().await?;
            logs.give_back().await.map(|()| GIVE_BACK)
        }
    };
    let shrink = move || {
        if app.disk.is_low() {
            app.main.writer.shrink();
        }
        std::future::ready(Ok(()))
    };
    vec![Job::woken("free_pages", wake, give_back), Job::every("shrink", SHRINK, shrink).at_start()]
}
