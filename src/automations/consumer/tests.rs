//! Signals about deleted projects and issues, and calls of deleted triggers. The rest is tested over HTTP.

use super::*;
use crate::automations::service::inbound::{InboundCall, receive};
use crate::automations::signature::Signed;
use crate::automations::sql::triggers::NewTrigger;
use crate::automations::sql::{self as automations_sql, AutomationSettings, events, gates};
use crate::automations::{AutomationEvent, EventStatus, Gates, TriggerType};
use crate::crypto::seal::Seal;
use crate::crypto::secret::Secret;
use crate::deliveries::Deliveries;
use crate::ids::{AutomationId, IssueId, ProjectId, SignalId, TriggerId};
use crate::organizations::sql as organizations_sql;
use crate::projects::{self, sql::NewProject};
use crate::store::{Fatal, Main, Page};
use crate::time::DAY;
use std::sync::Arc;
use std::time::Duration;

struct World {
    main: Main,
    consumer: Arc<Automations>,
    organization: OrganizationId,
    project: ProjectId,
    automation: AutomationId,
    _data: tempfile::TempDir,
}

fn look() -> AutomationSettings {
    AutomationSettings {
        name: "Look".to_owned(),
        description: String::new(),
        enabled: true,
        agent_instructions: String::new(),
        default_prebuild: None,
        allow_agentic_repo_selection: false,
        may_open_pull_requests: false,
        agent_type: "agent".to_owned(),
        model_id: None,
        gates: Gates { max_runs_per_hour: None, ..Gates::default() },
        runner_labels: Vec::new(),
        time_limit_minutes: 60,
        caps: crate::sessions::caps::Caps::default(),
    }
}

impl World {
    /// An automation with an `errors` trigger of this configuration.
    async fn new(config: serde_json::Value) -> Self {
        let data = tempfile::tempdir().unwrap();
        let main = Main::open(data.path(), &Fatal::new().0).unwrap();
        let write = main.write(move |tx| {
            let now = Timestamp::now();
            let organization = organizations_sql::create(tx, "Acme", now)?;
            let settings = projects::Settings::default();
            let new = NewProject { organization, name: "Shop".to_owned(), platform: None, settings };
            let project = projects::sql::create(tx, &new, now)?.id;
            let automation = automations_sql::create(tx, organization, &look(), None, now)?.id;
            let new = NewTrigger {
                id: TriggerId::new(),
                automation,
                provider: Provider::Errors,
                trigger_type: TriggerType::Event,
                name: "x".to_owned(),
                enabled: true,
                config,
                inbound: None,
                connection: None,
                next_run_at: None,
            };
            triggers::create(tx, &new, now)?;
            Ok((organization, project, automation))
        });
        let (organization, project, automation) = write.await.unwrap();
        let deliveries = Arc::new(Deliveries::new(Vec::new(), Seal::new(&Secret::new("key"))));
        let sessions = SessionService::new(&main, &Arc::default(), &deliveries, Duration::from_mins(5));
        let consumer = Arc::new(Automations(sessions));
        Self { main, consumer, organization, project, automation, _data: data }
    }

    /// The events that a signal leads to.
    async fn told(&self, kind: Kind, project: Option<i64>, issue: Option<i64>) -> Vec<AutomationEvent> {
        let signal = Signal {
            id: SignalId(1),
            kind,
            organization: Some(self.organization),
            project: project.map(ProjectId),
            issue: issue.map(IssueId),
            user: None,
            actor: None,
            payload: json!({"rule_id": 1}),
            at: Timestamp::now(),
        };
        let (consumer, automation) = (self.consumer.clone(), self.automation);
        let write = self.main.write(move |tx| {
            consumer.consume(tx, &signal)?;
            Ok(events::list(tx, automation, Page { limit: 10, offset: 0 })?.0)
        });
        write.await.unwrap()
    }
}

#[tokio::test]
async fn a_signal_about_what_was_deleted_calls_nobody() {
    let world = World::new(json!({"events": ["issue.created", "alert.fired"]})).await;
    let there = world.project.0;
    assert_eq!(world.told(Kind::IssueCreated, Some(there), Some(4_711)).await.len(), 0);
    assert_eq!(world.told(Kind::IssueCreated, Some(4_711), Some(4_711)).await.len(), 0);
    assert_eq!(world.told(Kind::IssueCreated, None, Some(4_711)).await.len(), 0);
    assert_eq!(world.told(Kind::AlertFired, Some(4_711), None).await.len(), 0);
    assert_eq!(world.told(Kind::AlertFired, Some(there), None).await.len(), 1);
}

#[tokio::test]
async fn an_alert_without_an_issue_matches_no_issue_filter() {
    for (more, reason) in [
        (json!({}), None),
        (json!({"ruleIds": [1]}), None),
        (json!({"environments": ["production"]}), Some("filter")),
        (json!({"levels": ["error"]}), Some("filter")),
        (json!({"query": "needle"}), Some("filter")),
        (json!({"viewId": 1, "projectIds": [1]}), Some("filter")),
    ] {
        let mut config = json!({"events": ["alert.fired"]});
        config.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let world = World::new(config).await;
        let told = world.told(Kind::AlertFired, Some(world.project.0), None).await;
        assert_eq!((told.len(), told[0].reason.as_deref()), (1, reason), "{more}");
    }
}

/// As many sessions of an organization as may wait.
const MANY_THAT_WAIT: &str = "with recursive waiting (number) as (select 1 union all select number + 1 from waiting where number < ?2)
    insert into sessions (id, organization_number, organization_id, session_type, status, origin, title, prompt,
        agent_type, labels, time_limit_minutes, agentic_repo, created_at, last_activity_at)
    select 'waiting-' || number, -number, ?1, 'coding', 'starting', 'api', 'x', 'x', 'agent', '[]', 60, 0, 0, 0 from waiting";

#[tokio::test]
async fn with_ten_thousand_waiting_sessions_a_call_is_skipped() {
    let world = World::new(json!({"events": ["alert.fired"]})).await;
    let (organization, project) = (world.organization, Some(world.project.0));
    let write = world.main.write(move |tx| Ok(tx.execute(MANY_THAT_WAIT, [organization.0, 10_000])?));
    assert_eq!(write.await.unwrap(), 10_000);
    let told = world.told(Kind::AlertFired, project, None).await;
    let event = &told[0];
    assert_eq!((event.status, event.reason.as_deref()), (EventStatus::Skipped, Some("queue_full")));
    assert_eq!((told.len(), event.session_id), (1, None));
    let change = "update sessions set status = 'stopped' where id = 'waiting-5000'";
    world.main.write(|tx| Ok(tx.execute(change, [])?)).await.unwrap();
    // One more waiting session makes it ten thousand again.
    let reasons = |told: Vec<AutomationEvent>| told.into_iter().map(|event| event.reason).collect::<Vec<_>>();
    let full = Some("queue_full".to_owned());
    assert_eq!(reasons(world.told(Kind::AlertFired, project, None).await), [None, full.clone()]);
    assert_eq!(reasons(world.told(Kind::AlertFired, project, None).await), [full.clone(), None, full]);
}

/// An issue, and a session about it that was paused a second after the epoch and that no runner has.
const ISSUE: &str =
    "insert into issues (id, project_id, number, title, culprit, type, message, level, first_seen, last_seen,
        created_at, updated_at) values (7, ?1, 1, '', '', '', '', 'error', 0, 0, 0, 0)";
const PAUSED: &str =
    "insert into sessions (id, organization_number, organization_id, session_type, status, origin, title, prompt,
        agent_type, labels, time_limit_minutes, agentic_repo, created_at, last_activity_at, issue_id, automation_id,
        paused_at)
    values ('paused', 0, ?1, 'coding', 'paused', 'api', 'x', 'x', 'agent', '[]', 60, 0, 0, 0, 7, ?2, 1000)";

#[tokio::test]
async fn a_session_that_waits_for_a_person_keeps_its_issue_for_a_day() {
    let world = World::new(json!({"events": ["issue.created"]})).await;
    let (organization, project, automation) = (world.organization, world.project, world.automation);
    let write = world.main.write(move |tx| {
        tx.execute(ISSUE, [project.0])?;
        tx.execute(PAUSED, (organization.0, automation))?;
        let day = Timestamp::from_millis(1_000 + DAY);
        let is_running = |now| gates::is_running(tx, automation, IssueId(7), now);
        Ok([is_running(day.plus(-1))?, is_running(day)?])
    });
    assert_eq!(write.await.unwrap(), [true, false]);
}

#[tokio::test]
async fn a_call_of_a_trigger_deleted_meanwhile_is_refused() {
    let world = World::new(json!({"events": ["issue.created"]})).await;
    let payload = json!({});
    let call = InboundCall {
        signed: Signed { id: None },
        body_hash: [0; 32],
        kept: kept(&payload),
        payload,
        event: String::new(),
    };
    let write = world.main.write(move |tx| receive(tx, TriggerId::new(), &call, Timestamp::now()));
    let refused = write.await.unwrap_err();
    assert!(matches!(refused, Error::NotFound(_)), "{refused:?}");
}
