//! The messages that receivers get, and what happens when a receiver fails.

use super::{Receiver, channel, lines, open, rule, webhook};
use crate::support::{Value, eventually, json};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::collections::BTreeSet;

#[test]
fn a_webhook_is_signed_over_id_time_and_body() {
    let (project, receiver) = (open(), Receiver::start(&[]));
    let made = webhook(&project, &receiver);
    rule(&project, &json!({"type": "new"}), &made, &json!({}));
    let event = project.digest(&json!({"message": "no amount", "release": "1.0"}));
    let got = receiver.got(1).remove(0);
    let body = got.body();
    assert_eq!((&body["type"], &body["data"]["issue"]["id"]), (&json!("issue.created"), &event["issue_id"]));
    assert_eq!((&body["data"]["project"]["name"], &body["data"]["rule"]), (&json!("Shop"), &json!("A rule")));
    let page = format!("/projects/{}/issues/{}", project.id, event["issue_id"]);
    assert!(body["data"]["url"].as_str().unwrap().ends_with(&page), "{body}");
    let [id, time, signature] =
        ["webhook-id", "webhook-timestamp", "webhook-signature"].map(|name| &got.headers[name]);
    assert_eq!(
        mayday::delivery::hook::signature(
            made["secret"].as_str().unwrap(),
            id,
            time.parse().unwrap(),
            &got.text
        )
        .as_ref(),
        Some(signature)
    );
    assert_eq!(STANDARD.decode(signature.strip_prefix("v1,").unwrap()).unwrap().len(), 32);
    let line = &lines(&project, "sent", 1)[0];
    assert_eq!(
        (&line["title"], &line["attempts"], &line["reason"]),
        (&json!("New issue: no amount"), &json!(0), &Value::Null)
    );
    assert_eq!((&line["channel_name"], &line["rule_name"]), (&json!("Hook"), &json!("A rule")));
}

#[test]
fn an_issue_causes_one_message_in_the_rules_quiet_time() {
    let (project, receiver) = (open(), Receiver::start(&[]));
    let made = webhook(&project, &receiver);
    rule(&project, &json!({"type": "events", "count": 2, "minutes": 10}), &made, &json!({}));
    rule(&project, &json!({"type": "regressed"}), &made, &json!({"name": "Back"}));
    for _ in 0..4 {
        project.digest(&json!({"message": "often"}));
    }
    project.digest(&json!({"message": "rare"}));
    let titles = |count: usize| -> Vec<Value> {
        receiver.got(count).iter().map(|got| got.body()["data"]["title"].clone()).collect()
    };
    assert_eq!(titles(1), ["Many events: often"]);
    let issue = project.issues("?query=often")["issues"][0].clone();
    for _ in 0..2 {
        project.change(&issue, &json!({"status": "resolved"}));
        project.digest(&json!({"message": "often"}));
    }
    project.change(&issue, &json!({"status": "resolved"}));
    let rare = project.issues("?query=rare")["issues"][0].clone();
    project.change(&rare, &json!({"status": "resolved"}));
    project.digest(&json!({"message": "rare"}));
    assert_eq!(titles(3), ["Many events: often", "Regressed: often", "Regressed: rare"]);
}

#[test]
fn a_search_of_logs_is_counted() {
    let (project, receiver) = (open(), Receiver::start(&[]));
    let made = webhook(&project, &receiver);
    rule(
        &project,
        &json!({"type": "logs", "search": "payment", "count": 1, "minutes": 5}),
        &made,
        &json!({}),
    );
    let entry = json!({"timestamp": super::now(), "level": "error", "message": "Payment failed"});
    let body = json!({"api_key": project.key, "logs": [entry, entry, entry]});
    project.world.anonymous().post("/api/v1/logs/batch").json(&body).send().expect(202);
    let body = receiver.got(1)[0].body();
    assert_eq!(
        (&body["type"], &body["data"]["title"]),
        (&json!("logs.matched"), &json!("A rule: 3 log entries"))
    );
    assert_eq!(body["data"]["issue"], Value::Null);
}

#[test]
fn a_rule_may_count_people_instead_of_events() {
    let (project, receiver) = (open(), Receiver::start(&[]));
    let made = webhook(&project, &receiver);
    rule(&project, &json!({"type": "events", "count": 0, "users": 1, "minutes": 10}), &made, &json!({}));
    for (message, person) in [("alone", "ada"), ("alone", "ada"), ("together", "ada"), ("together", "bob")] {
        project.digest(&json!({"message": message, "user": {"id": person}}));
    }
    project.digest(&json!({"message": "nobody"}));
    let data = &receiver.got(1)[0].body()["data"];
    assert_eq!(data["title"], "Many events: together");
    assert!(
        data["text"].as_str().unwrap().contains("more than 0 events of more than 1 people within 10 min"),
        "{data}"
    );
    let rule = &project.owner.get(&project.path("/alert-rules")).send().expect(200)["rules"][0];
    assert_eq!(rule["condition"]["users"], 1);
    let preview = json!({"name": "P", "condition": rule["condition"]});
    let found = project.owner.post(&project.path("/alert-rules/preview")).json(&preview).send().expect(200);
    assert_eq!(found["count"], 1, "{found}");
}

#[test]
fn a_message_has_the_place_of_the_error_and_the_logs_before_it() {
    let (project, receiver) = (open(), Receiver::start(&[]));
    let made = webhook(&project, &receiver);
    rule(&project, &json!({"type": "new"}), &made, &json!({}));
    let entry = |before: f64, trace: &str, message: &str| {
        let at = super::now() - before;
        json!({"timestamp": at, "level": "warn", "logger_name": "pay", "trace_id": trace, "message": message})
    };
    let mut logs: Vec<Value> =
        (0..6).map(|n| entry(60.0 - f64::from(n), "7f", &format!("attempt {n}"))).collect();
    logs.extend([entry(1.0, "80", "another's"), entry(-60.0, "7f", "long after")]);
    let body = json!({"api_key": project.key, "logs": logs});
    project.world.anonymous().post("/api/v1/logs/batch").json(&body).send().expect(202);
    eventually("the entries to be found", || {
        let list = project.owner.get(&project.path("/logs")).send().expect(200);
        (list["total"] == 8).then_some(())
    });
    let frames = json!([
        {"function": "send", "filename": "https://cdn.example/node_modules/http/index.js", "lineno": 1, "colno": 2},
        {"function": "pay", "filename": "https://shop.example/cart.js", "lineno": 7, "colno": 3},
    ]);
    project.digest(
        &json!({"trace_id": "7f", "exception": {"type": "E", "message": "no amount", "frames": frames}}),
    );
    let data = &receiver.got(1)[0].body()["data"];
    let stack = data["stack"].as_array().unwrap();
    assert!(stack.len() == 1 && stack[0].as_str().unwrap().starts_with("at pay ("), "{data}");
    let logs: Vec<&str> =
        data["logs"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    assert_eq!(logs.len(), 5, "{data}");
    assert!(
        logs[0].ends_with(" warn pay: attempt 1") && logs[4].ends_with(" warn pay: attempt 5"),
        "{logs:?}"
    );
}

#[test]
fn a_failed_delivery_is_retried_with_the_same_id() {
    let receiver = Receiver::start(&["500 X", "429 X\r\nretry-after: 1"]);
    let project = open();
    let made = webhook(&project, &receiver);
    rule(&project, &json!({"type": "new"}), &made, &json!({}));
    project.digest(&json!({"message": "x"}));
    let line = eventually("the first failure", || {
        lines(&project, "pending", 1).into_iter().find(|line| line["attempts"].as_i64() >= Some(1))
    });
    // It may have been retried already.
    let answered = if line["attempts"] == 1 { 500 } else { 429 };
    assert_eq!(line["reason"], format!("the receiver answered {answered}: no such <thing>"));
    assert!(line["next_attempt_at"].is_string(), "{line}");
    let got = receiver.got(2);
    assert_eq!(got[0].headers["webhook-id"], got[1].headers["webhook-id"]);
}

#[test]
fn a_channel_that_is_gone_for_good_is_switched_off_with_a_notification() {
    let receiver = Receiver::start(&["410 Gone"]);
    let project = open();
    let made = channel(&project, &json!({"name": "Old", "kind": "discord", "url": receiver.url}));
    rule(&project, &json!({"type": "new"}), &made, &json!({}));
    project.digest(&json!({"message": "one"}));
    assert_eq!(lines(&project, "failed", 1)[0]["reason"], "the receiver answered 410: no such <thing>");
    let path = project.path("/alert-channels");
    let off = project.owner.get(&path).send().expect(200)["channels"][0].clone();
    assert_eq!((&off["enabled"], off["off_at"].is_string()), (&json!(false), true));
    assert!(off["off_reason"].as_str().unwrap().contains("410"), "{off}");
    let told = eventually("the notification", || {
        let list = project.owner.get("/api/v1/notifications?category=integration").send().expect(200);
        list["notifications"].as_array().unwrap().first().cloned()
    });
    assert_eq!(told["title"], "The alert channel Old was switched off");
    assert_eq!(
        told["notification_metadata"],
        json!({"integration_type": "discord", "status": "off", "repository": null})
    );
    let fired = || {
        project.owner.get(&project.path("/alert-rules")).send().expect(200)["rules"][0]["last_fired_at"]
            .clone()
    };
    let before = fired();
    project.digest(&json!({"message": "two"}));
    eventually("the rule", || (fired() != before).then_some(()));
    let on = project
        .owner
        .patch(&format!("{path}/{}", off["id"]))
        .json(&json!({"enabled": true}))
        .send()
        .expect(200);
    assert_eq!((&on["enabled"], &on["off_reason"]), (&json!(true), &Value::Null));
    project.digest(&json!({"message": "three"}));
    assert_eq!(lines(&project, "sent", 1)[0]["title"], "New issue: three");
    assert_eq!(receiver.count(), 2);
}

#[test]
fn a_flood_is_thirty_messages_and_a_number() {
    let (project, receiver) = (open(), Receiver::start(&[]));
    let made = webhook(&project, &receiver);
    let made = rule(&project, &json!({"type": "new"}), &made, &json!({}));
    for number in 0..33 {
        project.accept(&json!({"message": "x", "fingerprint": [format!("{number}")]}));
    }
    let rule = eventually("the number", || {
        let list = project.owner.get(&project.path("/alert-rules")).send().expect(200);
        Some(list["rules"][0].clone()).filter(|rule| rule["suppressed"] == 3)
    });
    assert_eq!(rule["id"], made["id"]);
    lines(&project, "sent", 30);
    // A request that was answered too late is repeated with its id.
    let ids: BTreeSet<String> =
        receiver.got(30).iter().map(|got| got.headers["webhook-id"].clone()).collect();
    assert_eq!(ids.len(), 30);
}

#[test]
fn filters_are_about_the_events_that_count() {
    let (project, receiver) = (open(), Receiver::start(&[]));
    let made = webhook(&project, &receiver);
    let production =
        json!({"filters": {"environments": ["production"], "tags": [{"key": "tier", "value": "1"}]}});
    rule(&project, &json!({"type": "events", "count": 2, "minutes": 10}), &made, &production);
    rule(&project, &json!({"type": "regressed"}), &made, &production);
    let event = |environment: &str, message: &str| {
        project.digest(&json!({"message": message, "environment": environment, "tags": {"tier": "1"}}));
    };
    // An issue that production has met, in a storm elsewhere.
    event("production", "a storm elsewhere");
    for _ in 0..5 {
        event("staging", "a storm elsewhere");
    }
    // One that is back elsewhere.
    event("production", "back elsewhere");
    let issue = project.issues("?query=back")["issues"][0].clone();
    project.change(&issue, &json!({"status": "resolved"}));
    event("staging", "back elsewhere");
    project.digest(&json!({"message": "without the tag", "environment": "production"}));
    for _ in 0..3 {
        event("production", "a storm here");
    }
    let titles = |count: usize| -> Vec<Value> {
        receiver.got(count).iter().map(|got| got.body()["data"]["title"].clone()).collect()
    };
    assert_eq!(titles(1), ["Many events: a storm here"]);
    project.change(&issue, &json!({"status": "resolved"}));
    event("production", "back elsewhere");
    assert_eq!(titles(2), ["Many events: a storm here", "Regressed: back elsewhere"]);
}

#[test]
fn a_channel_gets_one_message_an_hour_about_an_issue_unless_it_is_set_to_more() {
    let (project, receiver) = (open(), Receiver::start(&[]));
    let made = webhook(&project, &receiver);
    let other = webhook(&project, &receiver);
    let path = project.path(&format!("/alert-channels/{}", other["id"]));
    project.owner.patch(&path).json(&json!({"issue_quiet_minutes": 0})).send().expect(200);
    let many = json!({"type": "events", "count": 1, "minutes": 10});
    for (channel, name) in [(&made, "quiet"), (&other, "all")] {
        rule(&project, &json!({"type": "new"}), channel, &json!({"name": format!("{name} new")}));
        rule(&project, &many, channel, &json!({"name": format!("{name} many")}));
    }
    for _ in 0..3 {
        project.digest(&json!({"message": "x"}));
    }
    let mut rules: Vec<Value> =
        receiver.got(3).iter().map(|got| got.body()["data"]["rule"].clone()).collect();
    rules.sort_by_key(Value::to_string);
    assert_eq!(rules, ["all many", "all new", "quiet new"]);
    for (given, expected) in [(-1, 422), (10_081, 422), (10_080, 200)] {
        let answer = project.owner.patch(&path).json(&json!({"issue_quiet_minutes": given})).send();
        assert_eq!(answer.status(), expected, "{given}");
    }
}

#[test]
fn a_success_with_a_long_body_counts_as_delivered() {
    let receiver = Receiver::start(&["200 OK\r\ncontent-length: 100000000"; 8]);
    let project = open();
    let made = webhook(&project, &receiver);
    rule(&project, &json!({"type": "new"}), &made, &json!({}));
    project.digest(&json!({"message": "x"}));
    lines(&project, "sent", 1);
}
