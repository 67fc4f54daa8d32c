//! Rules that are limited to the issues of a view.

use super::{Receiver, lines, open, rule, webhook};
use crate::support::{Client, Project, Value, json};

fn save(client: &Client, project: &Project, view: &Value) -> Value {
    client.post(&project.path("/views")).json(view).send().expect(201)
}

fn shared(project: &Project, query: &str) -> Value {
    save(&project.owner, project, &json!({"name": "Chosen", "query": query, "shared": true}))
}

fn new_issues(view: &Value) -> Value {
    json!({"name": "A rule", "condition": {"type": "new"}, "filters": {"view_id": view["id"]}})
}

#[test]
fn a_rule_with_a_view_tells_of_its_issues_alone_at_any_time() {
    let (project, receiver) = (open(), Receiver::start(&[]));
    let channel = webhook(&project, &receiver);
    let view = json!({"name": "Carts", "query": "cart level:error", "environment": "production", "period": "24h", "shared": true});
    let view = save(&project.owner, &project, &view);
    let filters = json!({"view_id": view["id"], "query": "-broken"});
    let made = rule(&project, &json!({"type": "new"}), &channel, &json!({"filters": filters}));
    assert_eq!(made["filters"]["view_id"], view["id"]);
    let event = |message: &str, level: &str, environment: &str| json!({"message": message, "level": level, "environment": environment});
    for wrong in [
        event("a basket", "error", "production"),
        event("a warned cart", "warning", "production"),
        event("a staged cart", "error", "staging"),
        event("a broken cart", "error", "production"),
    ] {
        project.digest(&wrong);
    }
    let long_ago = jiff::Timestamp::now().saturating_sub(jiff::SignedDuration::from_hours(50)).unwrap();
    let mut old = event("an old cart", "error", "production");
    old["timestamp"] = json!(long_ago.to_string());
    project.digest(&old);
    project.digest(&event("the cart", "error", "production"));
    let sent = lines(&project, "sent", 2);
    let titles = [&sent[0]["title"], &sent[1]["title"]];
    assert_eq!(titles, ["New issue: the cart", "New issue: an old cart"]);
    assert_eq!(receiver.count(), 2);
}

#[test]
fn a_rule_follows_what_becomes_of_its_view() {
    let (project, receiver) = (open(), Receiver::start(&[]));
    let channel = webhook(&project, &receiver);
    let view = shared(&project, "cart");
    rule(&project, &json!({"type": "new"}), &channel, &json!({"filters": {"view_id": view["id"]}}));
    project.digest(&json!({"message": "the first basket"}));
    project.digest(&json!({"message": "the first cart"}));
    // Once the second is told, the rule was asked about both.
    lines(&project, "sent", 1);
    let one = project.path(&format!("/views/{}", view["id"]));
    project.owner.patch(&one).json(&json!({"query": "basket"})).send().expect(200);
    project.digest(&json!({"message": "the second cart"}));
    project.digest(&json!({"message": "the second basket"}));
    let sent = lines(&project, "sent", 2);
    let titles: Vec<&Value> = sent.iter().map(|line| &line["title"]).collect();
    assert_eq!(titles, ["New issue: the second basket", "New issue: the first cart"]);
}

#[test]
fn a_preview_counts_the_issues_of_the_view() {
    let project = Project::alone();
    for message in ["one", "two", "two", "three"] {
        project.digest(&json!({"message": message, "level": "error"}));
    }
    let view = shared(&project, "two");
    for condition in [json!({"type": "new"}), json!({"type": "events", "count": 0, "minutes": 5})] {
        let body = json!({"name": "x", "condition": condition, "filters": {"view_id": view["id"]}});
        let found = project.owner.post(&project.path("/alert-rules/preview")).json(&body).send().expect(200);
        assert_eq!((&found["count"], &found["examples"][0]["title"]), (&json!(1), &json!("two")), "{body}");
    }
}

#[test]
fn a_view_that_a_rule_cannot_use_is_refused() {
    let project = Project::new();
    let (owner, path) = (&project.owner, project.path("/alert-rules"));
    let own = save(owner, &project, &json!({"name": "Own", "query": "cart"}));
    let other = project.other();
    let gone = shared(&project, "cart");
    owner.delete(&project.path(&format!("/views/{}", gone["id"]))).send().expect(204);
    let unknown = "filters.view_id: expected a view that is shared in this project";
    let good = owner.post(&path).json(&new_issues(&shared(&project, "cart"))).send().expect(201);
    let one = format!("{path}/{}", good["id"]);
    for (view, words) in [
        (&own, unknown),
        (&shared(&other, "cart"), unknown),
        (&gone, unknown),
        (&shared(&project, "is:mine"), "filters.view_id: the query of this view depends on who asks"),
    ] {
        let body = new_issues(view);
        owner.post(&path).json(&body).send().refuse(422, words);
        owner.post(&format!("{path}/preview")).json(&body).send().refuse(422, words);
        owner.patch(&one).json(&json!({"filters": body["filters"]})).send().refuse(422, words);
    }
    let logs = json!({"type": "logs", "search": "x", "count": 1, "minutes": 5});
    owner.patch(&one).json(&json!({"condition": logs})).send().refuse(422, "filters");
}

#[test]
fn what_a_view_in_use_asks_is_changed_by_administrators_who_are_signed_in() {
    let project = Project::new();
    let (owner, member) = (&project.owner, project.world.member());
    let view = save(&member.client, &project, &json!({"name": "Theirs", "query": "cart", "shared": true}));
    let one = project.path(&format!("/views/{}", view["id"]));
    let change = |client: &Client, body: Value| client.patch(&one).json(&body).send();
    let tool = project.world.owner_person().tool(&["admin"]);
    change(&member.client, json!({"query": "shoes"})).expect(200);
    change(&tool, json!({"query": "coats"})).expect(200);
    owner.post(&project.path("/alert-rules")).json(&new_issues(&view)).send().expect(201);
    for client in [&member.client, &tool] {
        for body in [json!({"query": "hats"}), json!({"environment": "staging"})] {
            change(client, body).refuse(403, "only an administrator who is signed in");
        }
        change(client, json!({"name": "Renamed", "query": "coats", "period": "7d"})).expect(200);
    }
    let changed = change(owner, json!({"query": "hats", "environment": "staging"})).expect(200);
    assert_eq!((&changed["query"], &changed["environment"]), (&json!("hats"), &json!("staging")));
}

#[test]
fn a_view_that_a_rule_uses_stays_and_stays_usable() {
    let project = Project::new();
    let (owner, path) = (&project.owner, project.path("/alert-rules"));
    let view = shared(&project, "cart");
    let rules: Vec<Value> =
        (0..7).map(|_| owner.post(&path).json(&new_issues(&view)).send().expect(201)).collect();
    let one = project.path(&format!("/views/{}", view["id"]));
    let used = "This view is used by the alert rule `A rule`, ";
    let refusal = owner.delete(&one).send().refuse(409, used);
    assert!(refusal.contains(" and 2 more: "), "{refusal}");
    owner.patch(&one).json(&json!({"shared": false})).send().refuse(409, used);
    owner.patch(&one).json(&json!({"query": "is:mine"})).send().refuse(409, used);
    owner.patch(&one).json(&json!({"name": "Better", "query": "basket"})).send().expect(200);
    for rule in rules {
        owner.patch(&format!("{path}/{}", rule["id"])).json(&json!({"filters": {}})).send().expect(200);
    }
    owner.delete(&one).send().expect(204);
}
