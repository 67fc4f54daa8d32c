//! Keys and rate limits of log batches.

use super::{entry, post, total, until_total};
use crate::support::{Project, Server, Value, World, json};
use std::sync::Arc;

#[test]
fn every_invalid_key_gets_the_same_answer() {
    let project = Project::new();
    let revoked = project.make_key(&json!({"name": "revoked"}));
    project.owner.delete(&project.path(&format!("/api-keys/{}", revoked["id"]))).send().expect(204);
    let mut details = Vec::new();
    for key in [
        Value::Null,
        json!(""),
        json!(format!("pk_{}", "x".repeat(32))),
        revoked["key"].clone(),
        json!(project.key.to_uppercase()),
        json!(format!("{}x", project.key)),
        json!(5),
        json!([project.key]),
        json!({"key": project.key}),
        json!("pk_".repeat(10_000)),
        json!(project.world.owner_token),
    ] {
        for logs in [json!([entry(0, "x")]), json!([]), json!("nonsense")] {
            let body = json!({"api_key": key, "logs": logs});
            let answer = project.world.anonymous().post("/api/v1/logs/batch").json(&body).send();
            details.push(answer.refuse(401, "Invalid API key"));
        }
    }
    let without = project.world.anonymous().post("/api/v1/logs/batch").json(&json!({"logs": []})).send();
    details.push(without.refuse(401, "Invalid API key"));
    // The key is in the body; headers are ignored.
    details.push(project.ci().post("/api/v1/logs/batch").json(&json!({"logs": []})).send().refuse(401, ""));
    details.dedup();
    assert_eq!(details.len(), 1, "{details:?}");
    assert_eq!(total(&project, ""), 0);
}

#[test]
fn a_key_without_the_scope_may_not() {
    let project = Project::new();
    for scope in ["read", "releases"] {
        let body = json!({"api_key": project.key_for(&[scope]), "logs": [entry(0, "x")]});
        project.world.anonymous().post("/api/v1/logs/batch").json(&body).send().refuse(403, "ingest");
    }
    let body = json!({"api_key": project.key_for(&["ingest"]), "logs": [entry(0, "x")]});
    project.world.anonymous().post("/api/v1/logs/batch").json(&body).send().expect(202);
    until_total(&project, 1);
}

/// One entry a second: a bucket holds one batch of 100 then.
#[test]
fn a_project_over_its_rate_is_told_when_to_come_back_and_nothing_is_stored() {
    let server = Server::start_with(&[("SERVICE_RATE_LIMIT_LOGS_PER_SECOND", "1")]);
    let project = Project::in_world(Arc::new(World::new(server)), "Shop");
    let logs = |count: i64| -> Value { (0..count).map(|number| entry(number, "x")).collect() };
    post(&project, &logs(90)).expect(202);
    let refused = post(&project, &logs(100));
    refused.refuse(429, "SERVICE_RATE_LIMIT_LOGS_PER_SECOND");
    let number = |name: &str| -> u64 { refused.header(name).unwrap_or_default().parse().unwrap() };
    assert!((1..=90).contains(&number("retry-after")), "{}", number("retry-after"));
    assert_eq!((number("x-ratelimit-limit"), number("x-ratelimit-remaining")), (1, 1));
    assert!(number("x-ratelimit-reset") > 1_700_000_000);
    // The refused batch used up nothing; errors have a bucket of their own, and so do other projects.
    post(&project, &logs(10)).expect(202);
    post(&project, &logs(100)).refuse(429, "");
    project.accept(&json!({"message": "an error"}));
    let other = project.other();
    post(&other, &logs(90)).expect(202);
    until_total(&project, 100);
}
