//! Sums of times, which no test can wait for. The rest is tested over HTTP.

use super::*;
use crate::automations::Gates;
use crate::automations::sql::{self as automations_sql, AutomationSettings};
use crate::ids::{AutomationId, SessionId};
use crate::organizations::sql as organizations_sql;
use crate::sessions::Origin;
use crate::sessions::caps::Caps;
use crate::sessions::sql::NewSession;
use crate::sessions::sql::samples::new_session;
use crate::store::{Fatal, Main, Transaction};

fn automation(tx: &Transaction<'_>, organization: OrganizationId, now: Timestamp) -> Result<AutomationId> {
    let settings = AutomationSettings {
        name: "Look".to_owned(),
        description: String::new(),
        enabled: true,
        agent_instructions: String::new(),
        default_prebuild: None,
        allow_agentic_repo_selection: false,
        may_open_pull_requests: true,
        agent_type: "agent".to_owned(),
        model_id: None,
        gates: Gates::default(),
        runner_labels: Vec::new(),
        time_limit_minutes: 60,
        caps: Caps::default(),
    };
    Ok(automations_sql::create(tx, organization, &settings, None, now)?.id)
}

/// A session that runners had for `active` milliseconds, with the columns that `set` changes.
fn session(
    tx: &Transaction<'_>,
    (organization, automation): (OrganizationId, AutomationId),
    (active, set): (i64, &str),
    now: Timestamp,
) -> Result<SessionId> {
    let new =
        NewSession { automation: Some(automation), origin: Origin::Automation, ..new_session(organization) };
    let id = crate::sessions::sql::create(tx, &new, now)?;
    let sql = format!("update sessions set active_ms = ?2, pull_request_url = 'x', {set} where id = ?1");
    tx.execute(&sql, params![id, active])?;
    Ok(id)
}

#[tokio::test]
async fn only_merged_work_counts_as_saved_time() {
    let data = tempfile::tempdir().unwrap();
    let main = Main::open(data.path(), &Fatal::new().0).unwrap();
    let now = Timestamp::now();
    let write = main.write(move |tx| {
        let organization = organizations_sql::create(tx, "Acme", now)?;
        let all = (organization, automation(tx, organization, now)?);
        session(tx, all, (7 * MINUTE, "merged_at = 1"), now)?;
        // Merged while its agent still runs.
        let going = format!("merged_at = 1, active_since = {}", now.plus(-2 * MINUTE).millis());
        session(tx, all, (MINUTE, &going), now)?;
        session(tx, all, (20 * MINUTE, "closed_at = 1"), now)?;
        session(tx, all, (40 * MINUTE, "merged_at = null"), now)?;
        // Before the requested days.
        session(tx, all, (80 * MINUTE, "created_at = 1, merged_at = 1"), now)?;
        summary(tx, organization, (now.plus(-MINUTE), now))
    });
    let found = write.await.unwrap();
    let one = &found.automations[0];
    for (name, expected, sums) in [
        ("runs", 4, (found.runs, one.runs)),
        ("merged", 2, (found.merged, one.merged)),
        ("closed", 1, (found.closed, one.closed)),
        ("minutes", 70, (found.minutes, one.minutes)),
        ("saved", 10, (found.saved_minutes, one.saved_minutes)),
    ] {
        assert_eq!(sums, (expected, expected), "{name}");
    }
}
