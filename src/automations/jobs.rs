//! Runs schedules, and deletes what is old.

use super::config::TriggerConfig;
use super::service::{Call, accept, kept};
use super::sql::triggers::AutomationTrigger;
use super::sql::{events, triggers};
use crate::error::{Error, Result};
use crate::jobs::Job;
use crate::sessions::service::SessionService;
use crate::store::Transaction;
use crate::time::Timestamp;
use serde_json::json;
use std::time::Duration;

/// How often schedules are checked: a session starts at most this late.
const LOOK: Duration = Duration::from_secs(5);
/// How often old events are deleted.
const SWEEP: Duration = Duration::from_mins(10);

/// The jobs of automations.
pub fn jobs(sessions: &SessionService) -> Vec<Job> {
    let scheduling = sessions.clone();
    let schedule = move || {
        let sessions = scheduling.clone();
        async move { call_due(&sessions, Timestamp::now()).await }
    };
    let main = sessions.main.clone();
    let sweep = move || {
        let main = main.clone();
        async move {
            while main.write(|tx| events::sweep(tx, Timestamp::now())).await? {}
            Ok(())
        }
    };
    vec![Job::every("automation_schedules", LOOK, schedule), Job::every("automation_events", SWEEP, sweep)]
}

/// Calls the automations that are due. One that was missed while the server was off is called once.
pub async fn call_due(sessions: &SessionService, now: Timestamp) -> Result<()> {
    for called in sessions.main.read(move |c| triggers::due(c, now)).await? {
        let id = called.trigger.id;
        match sessions.main.write(move |tx| call(tx, &called, now)).await {
            Ok(()) => sessions.waiting.notify_waiters(),
            Err(error @ Error::Unavailable { .. }) => return Err(error),
            Err(error) => tracing::warn!(trigger = %id, ?error, "a schedule could not be called"),
        }
    }
    Ok(())
}

fn call(tx: &Transaction<'_>, called: &AutomationTrigger, now: Timestamp) -> Result<()> {
    let trigger = &called.trigger;
    let next = match TriggerConfig::read(trigger.provider, &trigger.config) {
        Ok(TriggerConfig::Schedule(config)) => config.next(now).ok(),
        _ => None,
    };
    if !triggers::set_next(tx, trigger, next)? {
        return Ok(());
    }
    let payload = kept(&json!({ "event": "schedule", "due_at": trigger.next_run_at, "next_at": next }));
    let call = Call::of(called.automation, Some(trigger.id), "schedule", &payload);
    accept(tx, &call, now).map(drop)
}
