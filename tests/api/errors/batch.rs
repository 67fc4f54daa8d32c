//! `POST /api/v1/errors/batch`.

use crate::support::project::fresh_id;
use crate::support::{Project, Response, Value, json};

fn post(project: &Project, batch: &Value) -> Response {
    project.world.anonymous().post("/api/v1/errors/batch").json(batch).send()
}

fn event(project: &Project, message: &str) -> Value {
    project.with_key(&json!({"event_id": fresh_id(), "message": message}))
}

#[test]
fn a_hundred_events_are_accepted_at_once() {
    let project = Project::new();
    let batch: Vec<Value> = (0..100).map(|_| event(&project, "of a batch")).collect();
    assert_eq!(post(&project, &json!(batch)).expect(202), json!({"accepted": 100, "dropped": 0}));
    project.event(batch[99]["event_id"].as_str().unwrap());
    assert_eq!(project.issue()["event_count"], 100);
}

#[test]
fn over_a_hundred_is_refused_and_nothing_of_it_stored() {
    let project = Project::new();
    let batch: Vec<Value> = (0..101).map(|_| event(&project, "x")).collect();
    let detail = post(&project, &json!(batch)).refuse(422, "100");
    assert!(detail.contains("101"), "{detail}");
    assert!(project.is_empty());
}

#[test]
fn unusable_events_are_dropped_and_the_rest_stored() {
    let project = Project::new();
    let good = event(&project, "good");
    let batch = json!([
        project.with_key(&json!({"type": "transaction"})),
        good,
        project.with_key(&json!({})),
        project.with_key(&json!({"message": "x", "level": "loud"})),
        project.with_key(&json!({"message": 5})),
        project.with_key(&json!({"message": "x", "event_id": "x".repeat(129)})),
        5,
        null,
        "text",
        [],
    ]);
    assert_eq!(post(&project, &batch).expect(202), json!({"accepted": 1, "dropped": 9}));
    project.event(good["event_id"].as_str().unwrap());
    assert_eq!(project.issue()["event_count"], 1);
}

#[test]
fn the_first_key_counts_and_events_with_another_are_dropped() {
    let project = Project::new();
    let other = project.other();
    let (mine, theirs) = (event(&project, "mine"), event(&other, "theirs"));
    let second_key = project.with_key(&json!({"api_key": project.key_for(&["ingest"]), "message": "x"}));
    let batch = json!([mine, theirs, {"message": "no key"}, second_key, {"api_key": 5, "message": "x"}]);
    assert_eq!(post(&project, &batch).expect(202), json!({"accepted": 1, "dropped": 4}));
    project.event(mine["event_id"].as_str().unwrap());
    assert_eq!(project.issue()["event_count"], 1);
    assert!(other.is_empty());

    let batch = json!([{"api_key": "pk_none", "message": "x"}, mine]);
    post(&project, &batch).refuse(401, "Invalid API key");
    post(&project, &json!([{"message": "x"}, mine])).refuse(401, "Invalid API key");
}

#[test]
fn of_an_id_given_twice_in_a_batch_the_first_is_stored() {
    let project = Project::new();
    let (first, mut second) = (event(&project, "number 1"), event(&project, "number 2"));
    second["event_id"] = first["event_id"].clone();
    assert_eq!(post(&project, &json!([first, second])).expect(202)["dropped"], 0);
    assert_eq!(project.event(first["event_id"].as_str().unwrap())["message"], "number 1");
    assert_eq!(project.issue()["event_count"], 1);
}

#[test]
fn a_body_that_is_no_array_is_refused() {
    let project = Project::new();
    for body in [json!({}), json!({"events": [event(&project, "x")]}), json!(5), json!("x"), Value::Null] {
        post(&project, &body).refuse(422, "array");
    }
    post(&project, &json!([])).refuse(401, "Invalid API key");
    assert!(project.is_empty());
}

#[test]
fn a_batch_has_eight_mib_at_most() {
    let project = Project::new();
    let text = json!([event(&project, "x")]).to_string();
    let send = |size: usize| {
        let padded = format!("{text}{}", " ".repeat(size - text.len()));
        project.world.anonymous().post("/api/v1/errors/batch").body("application/json", padded).send()
    };
    send(8 << 20).expect(202);
    send((8 << 20) + 1).refuse(413, "8388608");
}

#[test]
fn each_event_of_a_batch_is_cut_to_its_own_limits() {
    let project = Project::new();
    let mut batch = vec![event(&project, &"x".repeat(9_000)), event(&project, "short")];
    batch[1]["tags"] = json!({"token": "canary"});
    post(&project, &json!(batch)).expect(202);
    let first = project.event(batch[0]["event_id"].as_str().unwrap());
    assert_eq!(first["truncated"], json!(["message"]));
    let second = project.event(batch[1]["event_id"].as_str().unwrap());
    assert_eq!((&second["truncated"], &second["tags"]["token"]), (&json!([]), &json!("[Filtered]")));
}
