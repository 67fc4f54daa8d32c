//! `SERVICE_RATE_LIMIT_REPLAYS_PER_SECOND`.

use super::{chunk, replay, whole};
use crate::support::{Project, Response, Server, Value, World, json};
use std::sync::Arc;

/// A page of another origin sends until it is refused: what was accepted, and the refusal.
fn send(project: &Project, path: &str, body: impl Fn(i64) -> Value) -> (Vec<Value>, Response) {
    let mut accepted = Vec::new();
    for index in 0..300 {
        let request = project.world.anonymous().post(path).header("origin", "https://shop.example");
        let answer = request.json(&project.with_key(&body(index))).send();
        if answer.status() == 429 {
            return (accepted, answer);
        }
        accepted.push(answer.expect(202));
    }
    panic!("none of 300 requests is refused");
}

#[test]
fn a_project_over_its_rate_of_replays_gets_a_retry_time_and_nothing_is_stored() {
    // One request a second: a hundred may come at once, and nothing much flows in during a test.
    let server = Server::start_with(&[("SERVICE_RATE_LIMIT_REPLAYS_PER_SECOND", "1")]);
    let project = Project::in_world(Arc::new(World::new(server)), "Shop");
    let part = |index| chunk("many", index, None);
    let (accepted, refused) = send(&project, "/api/v1/replays/chunk", part);
    assert!(accepted.len() >= 100, "{}", accepted.len());
    refused.refuse(429, "SERVICE_RATE_LIMIT_REPLAYS_PER_SECOND");
    let number = |name: &str| -> u64 { refused.header(name).unwrap_or_default().parse().unwrap() };
    assert_eq!((number("retry-after"), number("x-ratelimit-limit")), (1, 1));
    assert_eq!(number("x-ratelimit-remaining"), 0);
    assert!(number("x-ratelimit-reset") > 1_700_000_000);
    assert_eq!(refused.header("access-control-allow-origin"), Some("*"));
    let exposed = refused.header("access-control-expose-headers").unwrap_or_default().to_ascii_lowercase();
    for name in ["retry-after", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"] {
        assert!(exposed.contains(name), "{name}: {exposed}");
    }
    // Whole replays share the rate; errors have their own.
    send(&project, "/api/v1/replays", |_| whole("one")).1.refuse(429, "requests with replays a second");
    project.digest(&json!({"message": "after them all"}));
    let id = accepted[0]["replay_id"].as_str().unwrap();
    replay(&project, id, accepted.len().try_into().unwrap());
}
