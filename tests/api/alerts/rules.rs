//! `/api/v1/projects/{project_id}/alert-rules`.

use super::{Receiver, lines, open, rule, webhook};
use crate::support::{Project, Value, eventually, json};

#[test]
fn a_rule_is_created_changed_and_deleted() {
    let (project, receiver) = (open(), Receiver::start(&[]));
    let channel = webhook(&project, &receiver);
    let made = rule(&project, &json!({"type": "events", "count": 5, "minutes": 10}), &channel, &json!({}));
    assert_eq!(
        (&made["quiet_minutes"], &made["enabled"], &made["suppressed"]),
        (&json!(60), &json!(true), &json!(0))
    );
    assert_eq!(made["channels"], json!([channel["id"]]));
    let one = project.path(&format!("/alert-rules/{}", made["id"]));
    let change = json!({"enabled": false, "condition": {"type": "logs", "search": "level:error", "count": 0, "minutes": 5}});
    let changed = project.owner.patch(&one).json(&change).send().expect(200);
    assert_eq!((&changed["name"], &changed["enabled"]), (&json!("A rule"), &json!(false)));
    assert_eq!(changed["condition"], change["condition"]);
    assert_eq!(
        project.owner.get(&project.path("/alert-rules")).send().expect(200)["rules"],
        json!([changed])
    );
    project.owner.delete(&one).send().expect(204);
    project.owner.delete(&one).send().refuse(404, "");
    project.owner.patch(&one).json(&json!({})).send().refuse(404, "");
    assert_eq!(project.world.audit("?action=alert_rule.").len(), 3);
}

#[test]
fn invalid_values_are_named() {
    let project = Project::new();
    let path = project.path("/alert-rules");
    let of = |condition: Value| json!({"name": "x", "condition": condition});
    let with = |filters: Value| json!({"name": "x", "condition": {"type": "new"}, "filters": filters});
    for (body, named) in [
        (json!({"condition": {"type": "new"}}), "name"),
        (of(json!({"type": "never"})), "condition"),
        (of(json!({"type": "events", "count": 10_001, "minutes": 5})), "condition.count"),
        (of(json!({"type": "events", "count": -1, "minutes": 5})), "condition.count"),
        (of(json!({"type": "events", "count": 1, "minutes": 5, "users": -1})), "condition.users"),
        (of(json!({"type": "logs", "search": "x", "count": 1, "minutes": 5, "users": 1})), "users"),
        (of(json!({"type": "events", "count": 5, "minutes": 0})), "condition.minutes"),
        (of(json!({"type": "events", "count": 5, "minutes": 1_441})), "condition.minutes"),
        (of(json!({"type": "logs", "search": " ", "count": 5, "minutes": 5})), "condition.search"),
        (of(json!({"type": "logs", "search": "\"", "count": 5, "minutes": "x"})), "condition"),
        (with(json!({"environments": vec!["a"; 21]})), "filters.environments"),
        (with(json!({"releases": [""]})), "filters.releases"),
        (with(json!({"levels": ["loud"]})), "filters"),
        (with(json!({"tags": [{"key": "k", "value": " "}]})), "filters.tags.value"),
        (with(json!({"query": "nope:1"})), "nope"),
        (with(json!({"query": "assignee:x"})), "assignee"),
        (json!({"name": "x", "condition": {"type": "new"}, "quiet_minutes": 0}), "quiet_minutes"),
        (json!({"name": "x", "condition": {"type": "new"}, "quiet_minutes": 10_081}), "quiet_minutes"),
        (json!({"name": "x", "condition": {"type": "new"}, "channels": [1_000_000]}), "channels"),
        (
            json!({"name": "x", "condition": {"type": "logs", "search": "a", "count": 1, "minutes": 1}, "filters": {"levels": ["error"]}}),
            "filters",
        ),
    ] {
        project.owner.post(&path).json(&body).send().refuse(422, named);
    }
    for number in 0..50 {
        let body = json!({"name": format!("{number}"), "condition": {"type": "new"}});
        project.owner.post(&path).json(&body).send().expect(201);
    }
    project.owner.post(&path).json(&of(json!({"type": "new"}))).send().refuse(409, "50");
}

#[test]
fn members_see_rules_and_administrators_change_them() {
    let project = Project::new();
    let member = project.world.member().client;
    for path in ["/alert-rules", "/alert-channels", "/alert-deliveries"] {
        member.get(&project.path(path)).send().expect(200);
    }
    let body = json!({"name": "x", "condition": {"type": "new"}});
    member.post(&project.path("/alert-rules")).json(&body).send().refuse(403, "admin");
    member.post(&project.path("/alert-rules/preview")).json(&body).send().refuse(403, "admin");
}

#[test]
fn filters_choose_the_issues() {
    let (project, receiver) = (open(), Receiver::start(&[]));
    let channel = webhook(&project, &receiver);
    let filters = json!({
        "environments": ["staging", "production"], "levels": ["error"], "releases": ["2.0"],
        "tags": [{"key": "plan", "value": "paid"}], "query": "cart -has:assignee"
    });
    rule(&project, &json!({"type": "new"}), &channel, &json!({"filters": filters}));
    let event = |message: &str, level: &str, environment: &str, release: &str, plan: &str| json!({"message": message, "level": level, "environment": environment, "release": release, "tags": {"plan": plan}});
    for wrong in [
        event("a basket", "error", "production", "2.0", "paid"),
        event("a warned cart", "warning", "production", "2.0", "paid"),
        event("a tested cart", "error", "test", "2.0", "paid"),
        event("an old cart", "error", "production", "1.0", "paid"),
        event("a free cart", "error", "production", "2.0", "free"),
    ] {
        project.digest(&wrong);
    }
    project.digest(&event("the cart", "error", "staging", "2.0", "paid"));
    assert_eq!(lines(&project, "sent", 1)[0]["title"], "New issue: the cart");
    assert_eq!(receiver.count(), 1);
}

#[test]
fn a_preview_counts_the_messages_that_would_have_been_sent() {
    let project = Project::alone();
    for message in ["one", "two", "two", "two", "three"] {
        project.digest(&json!({"message": message, "level": "error"}));
    }
    let preview = |rule: Value| {
        project.owner.post(&project.path("/alert-rules/preview")).json(&rule).send().expect(200)
    };
    let new = preview(json!({"name": "x", "condition": {"type": "new"}}));
    assert_eq!((&new["count"], new["examples"].as_array().unwrap().len()), (&json!(3), 3));
    assert_eq!(new["examples"][0]["title"], "three");
    let some = preview(json!({"name": "x", "condition": {"type": "new"}, "filters": {"query": "two"}}));
    assert_eq!((&some["count"], &some["examples"][0]["title"]), (&json!(1), &json!("two")));
    let many = preview(json!({"name": "x", "condition": {"type": "events", "count": 2, "minutes": 5}}));
    assert_eq!((&many["count"], &many["examples"][0]["title"]), (&json!(1), &json!("two")));
    let more = preview(json!({"name": "x", "condition": {"type": "events", "count": 3, "minutes": 5}}));
    assert_eq!((&more["count"], &more["examples"]), (&json!(0), &json!([])));
    let entry = json!({"timestamp": super::now(), "level": "error", "message": "Payment failed"});
    let body = json!({"api_key": project.key, "logs": [entry, entry]});
    project.world.anonymous().post("/api/v1/logs/batch").json(&body).send().expect(202);
    let logs = |count: i64| json!({"name": "x", "condition": {"type": "logs", "search": "payment", "count": count, "minutes": 60}});
    eventually("the entries", || (preview(logs(1))["count"] == 1).then_some(()));
    assert_eq!(preview(logs(2))["count"], 0);
}

#[test]
fn a_preview_applies_the_hourly_limit_of_messages() {
    let project = Project::alone();
    for number in 0..31_u8 {
        let name = char::from(b'A' + number % 26).to_string().repeat(1 + usize::from(number / 26));
        project.digest(&json!({"message": format!("Trouble {name}"), "level": "error"}));
    }
    let rule = json!({"name": "x", "condition": {"type": "new"}});
    let path = project.path("/alert-rules/preview");
    let preview = project.owner.post(&path).json(&rule).send().expect(200);
    assert_eq!((&preview["count"], &preview["suppressed"]), (&json!(30), &json!(1)));
}
