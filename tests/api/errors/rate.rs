//! `SERVICE_RATE_LIMIT_ERRORS_PER_SECOND`.

use crate::support::{Project, Response, Server, World, json};
use std::sync::Arc;

/// One event a second: a bucket holds one batch of 100 then, and nothing much flows in during a test.
fn project() -> Project {
    let server = Server::start_with(&[("SERVICE_RATE_LIMIT_ERRORS_PER_SECOND", "1")]);
    Project::in_world(Arc::new(World::new(server)), "Shop")
}

fn batch(project: &Project, events: usize) -> Response {
    let events: Vec<_> = (0..events).map(|_| project.with_key(&json!({"message": "x"}))).collect();
    project.world.anonymous().post("/api/v1/errors/batch").json(&json!(events)).send()
}

#[test]
fn a_project_over_its_rate_gets_a_retry_time_and_nothing_is_stored() {
    let project = project();
    assert_eq!(batch(&project, 90).expect(202)["accepted"], 90);
    let refused = batch(&project, 100);
    refused.refuse(429, "SERVICE_RATE_LIMIT_ERRORS_PER_SECOND");
    let number = |name: &str| -> u64 { refused.header(name).unwrap_or_default().parse().unwrap() };
    assert!((1..=90).contains(&number("retry-after")), "{}", number("retry-after"));
    assert_eq!((number("x-ratelimit-limit"), number("x-ratelimit-remaining")), (1, 1));
    assert!(number("x-ratelimit-reset") > 1_700_000_000);
    // The refused batch took nothing from the rate: 10 events are left, and no more.
    batch(&project, 10).expect(202);
    batch(&project, 100).refuse(429, "");
    let other = project.other();
    other.digest(&json!({"message": "after them all"}));
    assert_eq!(project.issue()["event_count"], 100);
}

#[test]
fn keys_of_a_project_share_its_rate_and_making_one_gives_no_more() {
    let project = project();
    batch(&project, 100).expect(202);
    let second = project.key_for(&["ingest"]);
    let events: Vec<_> = (0..100).map(|_| json!({"message": "x", "api_key": second})).collect();
    let refused = project.world.anonymous().post("/api/v1/errors/batch").json(&json!(events)).send();
    refused.refuse(429, "");
}

#[test]
fn refused_single_events_cost_too_and_a_wrong_key_is_refused_first() {
    let project = project();
    let refused = (0..300).map(|_| project.post(&json!({"type": "transaction"})).status());
    let statuses: Vec<u16> = refused.collect();
    assert!(statuses.starts_with(&[422; 100]), "{statuses:?}");
    assert!(statuses.contains(&429), "{statuses:?}");
    project.post(&json!({"message": "x", "api_key": "pk_none"})).refuse(401, "Invalid API key");
    project.world.anonymous().post("/api/v1/errors").body("application/json", "{").send().refuse(400, "JSON");
}

#[test]
fn a_page_of_another_origin_can_read_the_retry_time() {
    let project = project();
    let request = project.world.anonymous().post("/api/v1/errors").header("origin", "https://shop.example");
    let answer = request.json(&project.with_key(&json!({"message": "x"}))).send();
    let exposed = answer.header("access-control-expose-headers").unwrap_or_default().to_ascii_lowercase();
    for name in ["retry-after", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"] {
        assert!(exposed.contains(name), "{name}: {exposed}");
    }
}
