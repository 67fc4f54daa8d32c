//! Triggers: their fields, and their schedules.

use super::fixture::{automation, events, trigger};
use crate::support::world::text;
use crate::support::{Value, World, eventually, json, world};

const FIELDS: [&str; 13] = [
    "config",
    "created_at",
    "enabled",
    "id",
    "integration",
    "integration_id",
    "name",
    "next_run_at",
    "provider",
    "trigger_type",
    "updated_at",
    "webhookUrl",
    "webhook_secret",
];

#[test]
fn a_webhooks_secret_is_shown_once() {
    let world = world();
    let automation = automation(&world.owner, &json!({}));
    let made = trigger(&world.owner, &automation, &json!({"provider": "webhook", "config": {"any": 1}}));
    let mut fields: Vec<&str> = made.as_object().unwrap().keys().map(String::as_str).collect();
    fields.sort_unstable();
    let mut expected = FIELDS.to_vec();
    expected.push("webhook_url_path");
    expected.sort_unstable();
    assert_eq!(fields, expected);
    let path = text(&made["webhook_url_path"]);
    assert!(path.starts_with("t_") && path.len() == 14, "{path}");
    assert!(text(&made["webhookUrl"]).ends_with(&format!("/webhooks/{path}")));
    let secret = text(&made["webhook_secret"]);
    assert!(secret.starts_with("whsec_") && secret.len() > 30, "{secret}");
    assert_eq!(
        (&made["trigger_type"], &made["name"], &made["enabled"], &made["config"]),
        (&json!("webhook"), &json!("webhook"), &json!(true), &json!({"any": 1}))
    );
    let path = format!("/api/automations/{}", text(&automation["id"]));
    let one = world.owner.get(&path).send().expect(200);
    let mut shown = made.clone();
    shown["webhook_secret"] = Value::Null;
    assert_eq!(one["automation"]["triggers"], json!([shown]));
    let list = world.owner.get("/api/automations").send().expect(200);
    assert!(!list.to_string().contains(&secret) && !one.to_string().contains(&secret));
    let listed =
        list["automations"].as_array().unwrap().iter().find(|one| one["id"] == automation["id"]).unwrap();
    assert_eq!(
        (&listed["_count"], &listed["activeProviders"]),
        (&json!({"triggers": 1, "schedules": 0}), &json!(["webhook"]))
    );
}

#[test]
fn triggers_are_counted_by_kind() {
    let world = world();
    let automation = automation(&world.owner, &json!({}));
    for body in [
        json!({"provider": "errors", "config": {"events": ["issue.created"]}}),
        json!({"provider": "errors", "config": {"events": ["issue.regressed"]}, "enabled": false}),
        json!({"provider": "schedule", "triggerType": "schedule", "config": {"cron": "0 3 * * *"}}),
        json!({"provider": "github", "trigger_type": "webhook", "name": "Pushes"}),
        json!({"provider": "custom", "enabled": false}),
    ] {
        trigger(&world.owner, &automation, &body);
    }
    let list = world.owner.get("/api/automations").send().expect(200);
    let listed =
        list["automations"].as_array().unwrap().iter().find(|one| one["id"] == automation["id"]).unwrap();
    assert_eq!(listed["_count"], json!({"triggers": 4, "schedules": 1}));
    assert_eq!(listed["activeProviders"], json!(["errors", "github", "schedule"]));
}

#[test]
fn a_trigger_is_changed_and_deleted() {
    let world = world();
    let automation = automation(&world.owner, &json!({}));
    let made =
        trigger(&world.owner, &automation, &json!({"provider": "schedule", "config": {"cron": "0 3 * * *"}}));
    assert_eq!(made["config"], json!({"cron": "0 3 * * *", "timezone": "UTC"}));
    assert!(text(&made["next_run_at"]).ends_with("T03:00:00.000Z"), "{made}");
    assert_eq!((&made["webhookUrl"], &made["webhook_secret"]), (&Value::Null, &Value::Null));
    let path = format!("/api/automations/{}/triggers/{}", text(&automation["id"]), text(&made["id"]));
    let change = |body: &Value| world.owner.patch(&path).json(body).send();
    let off = change(&json!({"enabled": false, "name": "Nightly"})).expect(200)["trigger"].clone();
    assert_eq!(
        (&off["enabled"], &off["name"], &off["next_run_at"]),
        (&json!(false), &json!("Nightly"), &Value::Null)
    );
    let berlin = json!({"enabled": true, "config": {"cron": "30 4 * * *", "timezone": "Asia/Kolkata"}});
    let on = change(&berlin).expect(200)["trigger"].clone();
    assert!(text(&on["next_run_at"]).ends_with("T23:00:00.000Z"), "{on}");
    for (body, field) in [
        (json!({"config": {"cron": "0 0 30 2 *"}}), "never"),
        (json!({"config": {"cron": "x"}}), "config.cron"),
        (json!({"config": {"cron": "* * * * *", "timezone": "Nowhere"}}), "config.timezone"),
        (json!({"name": ""}), "name"),
        (json!({"integrationId": "x"}), "integrationId"),
    ] {
        let answer = change(&body);
        answer.refuse(422, field);
        assert_eq!(answer.value()["code"], "VALIDATION");
    }
    assert_eq!(world.owner.delete(&path).send().expect(200), json!({"deleted": true}));
    for answer in [change(&json!({})), world.owner.delete(&path).send()] {
        let expected = json!({"error": "This automation has no such trigger", "code": "NOT_FOUND"});
        assert_eq!(answer.expect(404), expected);
    }
    let other = super::fixture::automation(&world.owner, &json!({}));
    let kept = trigger(&world.owner, &automation, &json!({"provider": "webhook"}));
    let elsewhere = format!("/api/automations/{}/triggers/{}", text(&other["id"]), text(&kept["id"]));
    world.owner.delete(&elsewhere).send().refuse(404, "trigger");
}

#[test]
fn invalid_values_are_named() {
    let world = world();
    let automation = automation(&world.owner, &json!({}));
    let path = format!("/api/automations/{}/triggers", text(&automation["id"]));
    for (body, part) in [
        (json!({}), "provider"),
        (json!({"provider": "nonsense"}), "provider"),
        (json!({"provider": "errors"}), "config"),
        (
            json!({"provider": "errors", "config": {"events": ["issue.created"], "query": "is:nonsense"}}),
            "config.query",
        ),
        (
            json!({"provider": "errors", "triggerType": "webhook", "config": {"events": ["issue.created"]}}),
            "triggerType",
        ),
        (json!({"provider": "schedule", "config": {"cron": "0 0 31 2 *"}}), "never"),
        (json!({"provider": "webhook", "triggerType": "polling"}), "triggerType"),
        (json!({"provider": "slack"}), "secret of its own"),
        (json!({"provider": "linear"}), "secret of its own"),
        (
            json!({"provider": "github", "integrationId": "0b5a1b7e-8f0c-4c1e-9b1f-2d3e4f5a6b7c"}),
            "integrationId: this organization has no connection",
        ),
        (json!({"provider": "webhook", "name": "x".repeat(129)}), "name"),
        (json!({"provider": "webhook", "config": []}), "config"),
        (json!({"provider": "webhook", "config": {"x": "y".repeat(65 << 10)}}), "64 KiB"),
    ] {
        let answer = world.owner.post(&path).json(&body).send();
        answer.refuse(422, part);
        assert_eq!(answer.value()["code"], "VALIDATION", "{body}");
    }
    let huge = json!({"provider": "webhook", "config": {"x": "y".repeat(1 << 20)}});
    world.owner.post(&path).json(&huge).send().refuse(413, "too large");
    let nowhere = "/api/automations/0b5a1b7e-8f0c-4c1e-9b1f-2d3e4f5a6b7c/triggers";
    world.owner.post(nowhere).json(&json!({"provider": "webhook"})).send().refuse(404, "automation");
}

#[test]
fn there_are_at_most_twenty() {
    let world = world();
    let automation = automation(&world.owner, &json!({}));
    for _ in 0..20 {
        trigger(&world.owner, &automation, &json!({"provider": "webhook"}));
    }
    let path = format!("/api/automations/{}/triggers", text(&automation["id"]));
    world.owner.post(&path).json(&json!({"provider": "webhook"})).send().refuse(409, "at most 20");
}

#[test]
fn a_schedule_calls_at_its_time() {
    // A clock that the test sets: no minute is waited for.
    let offset = tempfile::NamedTempFile::new().unwrap();
    let world = World::start_with(&[("MAYDAY_CLOCK_OFFSET", offset.path().to_str().unwrap())]);
    let automation = automation(&world.owner, &json!({"name": "Nightly", "agentInstructions": "Tidy up."}));
    let made =
        trigger(&world.owner, &automation, &json!({"provider": "schedule", "config": {"cron": "0 3 * * *"}}));
    assert_eq!(events(&world.owner, &automation), Vec::<Value>::new());
    std::fs::write(offset.path(), (25 * 3_600_000).to_string()).unwrap();
    let called = eventually("the call", || events(&world.owner, &automation).first().cloned());
    assert_eq!(
        (&called["kind"], &called["status"], &called["trigger_id"]),
        (&json!("schedule"), &json!("queued"), &made["id"])
    );
    let path = format!("/api/sessions/{}", text(&called["session_id"]));
    let session = world.owner.get(&path).send().expect(200)["session"].clone();
    assert_eq!((&session["origin"], &session["title"]), (&json!("automation"), &json!("Nightly")));
    assert_eq!(session["automation_id"], automation["id"]);
    let path = format!("/api/automations/{}", text(&automation["id"]));
    let one = world.owner.get(&path).send().expect(200);
    assert!(one["automation"]["triggers"][0]["next_run_at"].as_str() > made["next_run_at"].as_str());
    // It called once, although the server looks every few seconds.
    assert_eq!(events(&world.owner, &automation).len(), 1);
}

#[test]
fn a_preview_of_a_schedule_has_its_next_times() {
    let world = world();
    let next = |query: &str| world.owner.get(&format!("/api/automations/schedule?{query}")).send();
    let times = next("cron=30%203%20*%20*%20*&timezone=Asia/Kolkata").expect(200)["next"].clone();
    let times: Vec<&str> = times.as_array().unwrap().iter().map(|time| time.as_str().unwrap()).collect();
    assert_eq!(times.len(), 5);
    assert!(times.is_sorted());
    // 3:30 there is 22:00 in UTC.
    assert!(times.iter().all(|time| time.ends_with("T22:00:00.000Z")), "{times:?}");
    next("cron=daily").refuse(422, "config.cron");
    next("cron=0%200%2031%202%20*").refuse(422, "never");
    next("cron=0%200%20*%20*%20*&timezone=Mars").refuse(422, "config.timezone");
}
