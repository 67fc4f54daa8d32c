//! Changes of issues call automations, unless gates prevent it.

use super::fixture::{automation, events, repository, runner, session, trigger};
use crate::issues::escalating::escalate;
use crate::support::project::fresh_id;
use crate::support::world::text;
use crate::support::{Client, Project, Server, Value, World, eventually, json};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use std::sync::Arc;

/// An automation with a trigger for issues and these gates.
fn watching(owner: &Client, config: &Value, gates: &Value) -> Value {
    let body = json!({"agentInstructions": "Mend it.", "gates": gates});
    let made = automation(owner, &body);
    trigger(owner, &made, &json!({"provider": "errors", "config": config}));
    made
}

#[track_caller]
fn wait_for(owner: &Client, automation: &Value, count: usize) -> Vec<Value> {
    eventually("the events", || {
        let found = events(owner, automation);
        (found.len() >= count).then_some(found)
    })
}

/// Throws an error of a type of its own; returns its issue.
fn throw(project: &Project, more: &Value) -> Value {
    let mut event = json!({"exception": {"type": format!("Boom{}", fresh_id()), "message": "x"}});
    event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    project.digest(&event)["issue_id"].clone()
}

#[test]
fn a_new_issue_starts_a_session_about_it() {
    let project = Project::alone();
    let owner = &project.owner;
    let repo = repository(owner);
    owner.patch(&project.path("")).json(&json!({"repositories": [repo["id"]]})).send().expect(200);
    let mine = watching(owner, &json!({"events": ["issue.created"]}), &json!({}));
    let issue = throw(&project, &json!({}));
    let called = wait_for(owner, &mine, 1);
    let event = &called[0];
    assert_eq!(
        (&event["kind"], &event["status"], &event["issue_id"], &event["project_id"]),
        (&json!("issue.created"), &json!("queued"), &issue, &json!(project.id))
    );
    assert_eq!(event["issue_short_id"], "SHOP-1");
    let path = format!("/api/sessions/{}", text(&event["session_id"]));
    let session = owner.get(&path).send().expect(200)["session"].clone();
    assert_eq!((&session["issue_id"], &session["repo_id"]), (&issue, &repo["id"]));
    assert!(text(&session["title"]).starts_with("Untitled Automation: SHOP-"), "{session}");
    // A runner claims it, and its event changes accordingly.
    let (_, runner) = runner(owner);
    let claimed = runner.post("/api/runners/self/claim").json(&json!({})).send().expect(200);
    let job = &claimed["job"];
    assert!(text(&job["branch"]).starts_with("mayday/shop-1-"), "{job}");
    assert_eq!(events(owner, &mine)[0]["status"], "processing");
    let path = format!("/api/runners/self/sessions/{}/finish", text(&job["session_id"]));
    let report = json!({"lease": job["lease"], "outcome": "failed", "reason": "no idea"});
    runner.post(&path).json(&report).send().expect(200);
    let event = &events(owner, &mine)[0];
    assert_eq!((&event["status"], &event["reason"]), (&json!("failed"), &json!("no idea")));
    assert!(event["ended_at"].is_string());
}

#[test]
fn only_matching_changes_call_an_automation() {
    let project = Project::alone();
    let owner = &project.owner;
    let other = project.other();
    let none = json!({"max_runs_per_hour": null});
    let by_project = watching(owner, &json!({"events": ["issue.created"], "projectIds": [other.id]}), &none);
    let by_kind = watching(owner, &json!({"events": ["issue.regressed"]}), &none);
    let by_environment =
        watching(owner, &json!({"events": ["issue.created"], "environments": ["staging"]}), &none);
    let by_level = watching(owner, &json!({"events": ["issue.created"], "levels": ["fatal"]}), &none);
    let by_query = watching(owner, &json!({"events": ["issue.created"], "query": "needle"}), &none);
    let all = watching(owner, &json!({"events": ["issue.created"]}), &none);
    throw(&project, &json!({}));
    throw(&project, &json!({"environment": "staging", "level": "fatal"}));
    throw(&project, &json!({"exception": {"type": "Needle", "message": "a needle"}}));
    wait_for(owner, &all, 3);
    let told = |automation: &Value| -> Vec<String> {
        let found = events(owner, automation);
        found
            .iter()
            .rev()
            .map(|event| text(event.get("reason").filter(|r| r.is_string()).unwrap_or(&event["status"])))
            .collect()
    };
    assert_eq!(told(&by_project), Vec::<String>::new());
    assert_eq!(told(&by_kind), Vec::<String>::new());
    assert_eq!(told(&by_environment), ["filter", "queued", "filter"]);
    assert_eq!(told(&by_level), ["filter", "queued", "filter"]);
    assert_eq!(told(&by_query), ["filter", "filter", "queued"]);
    throw(&other, &json!({}));
    wait_for(owner, &by_project, 1);
}

#[test]
fn a_regression_calls_and_an_alert_rule_does() {
    let project = Project::alone();
    let owner = &project.owner;
    let regressed = watching(owner, &json!({"events": ["issue.regressed"]}), &json!({}));
    let rule = json!({"name": "New ones", "condition": {"type": "new"}});
    let rule = owner.post(&project.path("/alert-rules")).json(&rule).send().expect(201);
    let alerted = watching(owner, &json!({"events": ["alert.fired"], "ruleIds": [rule["id"]]}), &json!({}));
    let deaf = watching(owner, &json!({"events": ["alert.fired"], "ruleIds": [999_999]}), &json!({}));
    let event = json!({"exception": {"type": "Again", "message": "x"}});
    let issue = project.digest(&event)["issue_id"].clone();
    let fired = &wait_for(owner, &alerted, 1)[0];
    assert_eq!((&fired["kind"], &fired["issue_id"]), (&json!("alert.fired"), &issue));
    let path = project.path(&format!("/issues/{issue}"));
    owner.patch(&path).json(&json!({"status": "resolved"})).send().expect(200);
    project.digest(&event);
    let again = &wait_for(owner, &regressed, 1)[0];
    assert_eq!((&again["kind"], &again["issue_id"]), (&json!("issue.regressed"), &issue));
    assert_eq!(events(owner, &deaf), Vec::<Value>::new());
}

#[test]
fn an_escalation_calls() {
    let project = Project::alone();
    let owner = &project.owner;
    let escalated = watching(owner, &json!({"events": ["issue.escalating"]}), &json!({}));
    let deaf = watching(owner, &json!({"events": ["issue.regressed"]}), &json!({}));
    let issue = escalate(&project);
    let called = wait_for(owner, &escalated, 1);
    assert_eq!(
        (&called[0]["kind"], &called[0]["status"], &called[0]["issue_id"]),
        (&json!("issue.escalating"), &json!("queued"), &issue["id"])
    );
    let path = format!("/api/sessions/{}", text(&called[0]["session_id"]));
    assert_eq!(owner.get(&path).send().expect(200)["session"]["issue_id"], issue["id"]);
    assert_eq!((called.len(), events(owner, &deaf)), (1, Vec::new()), "it escalates once");
}

#[test]
fn gates_give_the_reason_why_nothing_was_started() {
    let project = Project::alone();
    let owner = &project.owner;
    let rule = json!({"name": "New ones", "condition": {"type": "new"}});
    owner.post(&project.path("/alert-rules")).json(&rule).send().expect(201);
    // Each new issue calls twice.
    let config = json!({"events": ["issue.created", "alert.fired"]});
    let one = watching(owner, &config, &json!({"max_runs_per_hour": null}));
    let many = watching(owner, &config, &json!({"max_runs_per_hour": null, "one_per_issue": false}));
    let hourly = watching(owner, &config, &json!({"max_runs_per_hour": 1, "one_per_issue": false}));
    let cool = watching(owner, &config, &json!({"cooldown_minutes": 5, "one_per_issue": false}));
    let events_wanted = watching(owner, &config, &json!({"min_events": 2}));
    throw(&project, &json!({}));
    let reasons = |automation: &Value| -> Vec<Value> {
        let mut found: Vec<Value> =
            wait_for(owner, automation, 2).iter().map(|event| event["reason"].clone()).collect();
        found.reverse();
        found
    };
    assert_eq!(reasons(&one), [Value::Null, json!("already_running")]);
    assert_eq!(reasons(&many), [Value::Null, Value::Null]);
    assert_eq!(reasons(&hourly), [Value::Null, json!("rate_limited")]);
    assert_eq!(reasons(&cool), [Value::Null, json!("cooldown")]);
    assert_eq!(reasons(&events_wanted), [json!("min_events"), json!("min_events")]);
}

#[test]
fn a_session_that_waits_for_a_person_keeps_its_issue_at_first() {
    let project = Project::alone();
    let owner = &project.owner;
    let mine = watching(owner, &json!({"events": ["issue.created", "issue.regressed"]}), &json!({}));
    let event = json!({"exception": {"type": "Again", "message": "x"}});
    let issue = project.digest(&event)["issue_id"].clone();
    wait_for(owner, &mine, 1);
    let (_, runner) = runner(owner);
    let job = runner.post("/api/runners/self/claim").json(&json!({})).send().expect(200)["job"].clone();
    let path = project.path(&format!("/issues/{issue}"));
    let regress = |count: usize| {
        owner.patch(&path).json(&json!({"status": "resolved"})).send().expect(200);
        project.digest(&event);
        wait_for(owner, &mine, count)[0].clone()
    };
    assert_eq!(regress(2)["reason"], "already_running");
    let path = format!("/api/runners/self/sessions/{}/finish", text(&job["session_id"]));
    runner.post(&path).json(&json!({"lease": job["lease"], "outcome": "capped"})).send().expect(200);
    assert_eq!(regress(3)["reason"], "already_running");
    let path = format!("/api/sessions/{}", text(&job["session_id"]));
    assert_eq!(owner.get(&path).send().expect(200)["session"]["status"], "paused");
}

#[test]
fn an_issue_that_was_not_seen_lately_calls_no_automation() {
    let project = Project::alone();
    let owner = &project.owner;
    let recent = watching(owner, &json!({"events": ["issue.created"]}), &json!({"seen_within_days": 7}));
    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(20 * 86_400);
    let seconds = long_ago.duration_since(std::time::UNIX_EPOCH).unwrap().as_secs() as i64;
    let at = mayday::time::Timestamp::from_millis(seconds * 1_000).to_string();
    throw(&project, &json!({"timestamp": at}));
    assert_eq!(wait_for(owner, &recent, 1)[0]["reason"], "seen_within_days");
    throw(&project, &json!({}));
    assert_eq!(wait_for(owner, &recent, 2)[0]["reason"], Value::Null);
}

#[test]
fn a_budget_applies_to_the_month_including_deleted_sessions() {
    let project = Project::alone();
    let owner = &project.owner;
    let (_, runner) = runner(owner);
    let dear = automation(owner, &json!({"gates": {"monthly_budget_usd": 1.0}}));
    let run = || owner.post(&format!("/api/automations/{}/run", text(&dear["id"]))).send().expect(201);
    let spend = |usd: f64| {
        let session = run()["session"]["id"].clone();
        assert!(session.is_string());
        let claimed = runner.post("/api/runners/self/claim").json(&json!({})).send().expect(200);
        let path = format!("/api/runners/self/sessions/{}/finish", text(&session));
        let report = json!({"lease": claimed["job"]["lease"], "outcome": "completed", "cost_usd": usd});
        runner.post(&path).json(&report).send().expect(200);
        session
    };
    let first = spend(0.6);
    owner.delete(&format!("/api/sessions/{}", text(&first))).send().expect(200);
    spend(0.6);
    let refused = run();
    assert_eq!((&refused["session"], &refused["event"]["reason"]), (&Value::Null, &json!("budget_usd")));
    // Others have their own.
    session(owner, &json!({}));
}

/// Noon of the 27th of the month after this one: five days later is another month.
fn late_in_a_month() -> DateTime {
    let month = Timestamp::now().to_zoned(TimeZone::UTC).date().first_of_month();
    month.checked_add(1.month().days(26)).unwrap().at(12, 0, 0, 0)
}

#[test]
fn a_budget_of_minutes_holds_for_the_month() {
    let offset = tempfile::NamedTempFile::new().unwrap();
    let begin = late_in_a_month().to_zoned(TimeZone::UTC).unwrap().timestamp();
    let first = begin.as_millisecond() - Timestamp::now().as_millisecond();
    let set = |minutes: i64| std::fs::write(offset.path(), (first + minutes * 60_000).to_string()).unwrap();
    set(0);
    let server = Server::start_with(&[("MAYDAY_CLOCK_OFFSET", offset.path().to_str().unwrap())]);
    let project = Project::in_world(Arc::new(World::new(server)), "Shop");
    let owner = &project.owner;
    let (_, runner) = runner(owner);
    let slow = automation(owner, &json!({"gates": {"monthly_minutes": 10}}));
    let run = || owner.post(&format!("/api/automations/{}/run", text(&slow["id"]))).send().expect(201);
    let is_refused = || run()["event"]["reason"] == "budget_minutes";
    let session = run()["session"]["id"].clone();
    let claimed = runner.post("/api/runners/self/claim").json(&json!({})).send().expect(200);
    assert_eq!(claimed["job"]["session_id"], session);
    assert!(!is_refused(), "it has just begun");
    // Running, ended and deleted sessions all count; the server reads the clock only now and then.
    set(11);
    eventually("a refusal", || is_refused().then_some(()));
    let path = format!("/api/runners/self/sessions/{}/finish", text(&session));
    let report = json!({"lease": claimed["job"]["lease"], "outcome": "completed"});
    runner.post(&path).json(&report).send().expect(200);
    assert!(is_refused());
    owner.delete(&format!("/api/sessions/{}", text(&session))).send().expect(200);
    assert!(is_refused());
    set(5 * 24 * 60);
    eventually("the next month", || (!is_refused()).then_some(()));
}
