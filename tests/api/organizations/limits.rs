//! `SERVICE_RATE_LIMIT_DASHBOARD_PER_HOUR`.

use crate::support::world::text;
use crate::support::{Client, Project, Response, Server, World, json};
use std::sync::Arc;

fn ask(client: &Client) -> Response {
    client.get("/api/v1/me").send()
}

/// Sends requests until one is answered with 429; returns how many succeeded before.
fn answered(client: &Client, at_most: usize) -> usize {
    (0..at_most).take_while(|_| ask(client).status() == 200).count()
}

#[test]
fn a_person_over_the_hourly_limit_is_refused_and_nobody_else() {
    let server = Server::start_with(&[("SERVICE_RATE_LIMIT_DASHBOARD_PER_HOUR", "20")]);
    let world = World::new(server);
    let person = world.member();
    let tool = person.tool(&["read"]);
    let project = json!({"name": "Shop"});
    let project = world.owner.post(&format!("{}/projects", world.organization_path())).json(&project).send();
    let project = project.expect(201);
    let key =
        world.owner.post(&format!("{}/api-keys", world.organization_path())).json(&json!({"name": "x"}));
    let key = world.bearer(&text(&key.send().expect(201)["key"]));
    // One went into making the tool.
    assert_eq!(answered(&person.client, 40), 19);
    let refused = ask(&person.client);
    refused.refuse(429, "20");
    let header =
        |name: &str| -> i64 { refused.header(name).unwrap_or_else(|| panic!("{name}")).parse().unwrap() };
    assert!((1..=180).contains(&header("retry-after")), "{refused:?}");
    assert_eq!((header("x-ratelimit-limit"), header("x-ratelimit-remaining")), (20, 0));
    assert!(header("x-ratelimit-reset") > 1_700_000_000, "{refused:?}");
    // Their tools and other sessions are theirs, and so are writes.
    ask(&tool).refuse(429, "20");
    ask(&person.again().client).refuse(429, "20");
    person.client.patch("/api/v1/me").json(&json!({"name": "x"})).send().refuse(429, "20");
    // Signing out works even then.
    person.client.post("/auth/logout").send().expect(204);
    // The limit affects neither other people nor events sent by clients.
    ask(&world.owner).expect(200);
    assert_eq!(answered(&key, 40), 20);
    ask(&key).refuse(429, "20");
    let keys = format!("/api/v1/projects/{}/api-keys", project["id"]);
    let ingest = text(&world.owner.post(&keys).json(&json!({"name": "x"})).send().expect(201)["key"]);
    for _ in 0..40 {
        let event = json!({"message": "x", "api_key": ingest});
        world.anonymous().post("/api/v1/errors").json(&event).send().expect(202);
    }
}

#[test]
fn reads_with_a_project_key_count_for_that_key_and_its_events_do_not() {
    let server = Server::start_with(&[("SERVICE_RATE_LIMIT_DASHBOARD_PER_HOUR", "20")]);
    let project = Project::in_world(Arc::new(World::new(server)), "Shop");
    let reads = |key: &str| project.world.bearer(key).get(&project.path("/issues")).send();
    let (key, other) = (project.key_for(&["read"]), project.key_for(&["ingest", "read"]));
    assert_eq!((0..40).take_while(|_| reads(&key).status() == 200).count(), 20);
    let refused = reads(&key);
    refused.refuse(429, "20");
    assert!(refused.header("retry-after").is_some());
    reads(&other).expect(200);
    for _ in 0..40 {
        let event = json!({"message": "x", "api_key": other});
        project.world.anonymous().post("/api/v1/errors").json(&event).send().expect(202);
    }
    reads(&other).expect(200);
}

#[test]
fn zero_is_no_limit() {
    let world = World::start_with(&[("SERVICE_RATE_LIMIT_DASHBOARD_PER_HOUR", "0")]);
    assert_eq!(answered(&world.owner, 1_100), 1_100);
}

#[test]
fn requests_without_credentials_count_for_nobody() {
    let world = World::start_with(&[("SERVICE_RATE_LIMIT_DASHBOARD_PER_HOUR", "20")]);
    for _ in 0..60 {
        ask(&world.anonymous()).refuse(401, "");
        ask(&world.bearer("st_nonsense")).refuse(401, "");
    }
    ask(&world.owner).expect(200);
}
