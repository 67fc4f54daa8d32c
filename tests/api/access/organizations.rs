//! Two organizations of one instance: to every kind of caller and on every route, the other one looks as if it did
//! not exist.

use super::anonymous::untouched;
use crate::openapi::document::{Fixture, Operation, operations};
use crate::support::world::text;
use crate::support::{Client, Project, Server, World, json};
use std::sync::Arc;

/// An id that nothing has.
const NOBODYS: &str = "999999999";

/// Mine and theirs, on one server.
fn two() -> (Fixture, Fixture) {
    let server = Arc::new(Server::of_many());
    let fixture = |name: &str| {
        let world = Arc::new(World::founded(&server, name));
        Fixture::in_project(Project::in_world(world, name))
    };
    (fixture("Mine"), fixture("Theirs"))
}

/// Every kind of caller; none has access to the other organization.
fn callers(mine: &Fixture) -> Vec<(&'static str, Client)> {
    let world = &mine.project.world;
    let owner = world.owner_person();
    let admin = world.admin();
    let keys = format!("{}/api-keys", world.organization_path());
    let key = world.owner.post(&keys).json(&json!({"name": "reader"})).send().expect(201);
    let anonymous = world.anonymous();
    let nobodys = |token: &str| anonymous.bearer(&format!("{token}{}", "x".repeat(40)));
    vec![
        ("anonymous", anonymous.clone()),
        ("a member", mine.person.again().client),
        ("an admin", admin.client.clone()),
        ("the owner", owner.client.clone()),
        ("a project's key", world.bearer(&mine.project.key_for(&["ingest", "releases", "read"]))),
        ("an organization's key", world.bearer(&text(&key["key"]))),
        ("a tool that reads", owner.tool(&["read"])),
        ("a tool that writes", owner.tool(&["read", "write"])),
        ("an administrator's tool", owner.tool(&["read", "write", "admin"])),
        ("nobody's session", nobodys("st_")),
        ("nobody's token", nobodys("pat_")),
        ("nobody's project key", nobodys("pk_")),
        ("nobody's organization key", nobodys("ok_")),
    ]
}

/// Sends the operation to both paths; the answers must be the same refusal.
#[track_caller]
fn assert_alike(operation: &Operation, who: &str, client: &Client, paths: [&str; 2]) {
    let body = operation.body();
    let [theirs, nowhere] =
        paths.map(|path| client.request(&operation.method, path).json(&body).send().told());
    assert_eq!(theirs, nowhere, "{who}: {}", operation.name());
    assert!(matches!(theirs.0, 401 | 403 | 404), "{who}: {}: {theirs:?}", operation.name());
}

#[test]
fn another_organizations_ids_look_unknown_to_everybody() {
    let (mine, theirs) = two();
    let callers = callers(&mine);
    let mut count = 0;
    for operation in operations(&mine.project.owner) {
        for outer in ["{organization_id}", "{project_id}"] {
            if !operation.path.contains(outer) {
                continue;
            }
            let their_path = theirs.fill_but(&operation.path, "{none}", "");
            let nowhere = theirs.fill_but(&operation.path, outer, NOBODYS);
            for (who, client) in &callers {
                assert_alike(&operation, who, client, [&their_path, &nowhere]);
            }
            count += 1;
        }
    }
    assert!(count >= 40, "{count} operations");
    untouched(&theirs);
}

#[test]
fn things_of_another_organization_are_not_found_in_mine() {
    let (mine, theirs) = two();
    let callers = callers(&mine);
    let inner = [
        "{user_id}",
        "{invitation_id}",
        "{key_id}",
        "{session_id}",
        "{token_id}",
        "{automation_id}",
        "{trigger_id}",
        "{repository_id}",
        "{prebuild_id}",
        "{agent_session_id}",
        "{runner_id}",
        "{connection_id}",
    ];
    let mut count = 0;
    for operation in operations(&mine.project.owner) {
        for placeholder in inner.into_iter().filter(|placeholder| operation.path.contains(placeholder)) {
            // The outer id says whose key it is, so `{key_id}` is filled in last.
            let with = |id: &str| mine.fill_but(&operation.path.replace(placeholder, id), "{none}", "");
            let their_id = match placeholder {
                "{key_id}" if operation.path.contains("{organization_id}") => {
                    let path = theirs.fill_but(&operation.path, "{none}", "");
                    path.rsplit('/').next().unwrap().to_owned()
                }
                _ => theirs.value(placeholder).to_owned(),
            };
            for (who, client) in &callers {
                assert_alike(&operation, who, client, [&with(&their_id), &with(NOBODYS)]);
            }
            count += 1;
        }
    }
    assert!(count >= 8, "{count} cases");
    untouched(&theirs);
}

#[test]
fn lists_show_the_callers_organizations_only() {
    let (mine, theirs) = two();
    let callers = callers(&mine);
    for (who, client) in callers.iter().filter(|(who, _)| !who.contains("nobody") && *who != "anonymous") {
        let list = client.get("/api/v1/organizations").send();
        if *who == "a project's key" {
            list.refuse(403, "key");
            continue;
        }
        let list = list.expect(200);
        assert_eq!(list.as_array().unwrap().len(), 1, "{who}: {list}");
        assert_eq!(list[0]["id"], mine.project.world.organization, "{who}");
    }
    // An event is found by its id alone, so its project decides.
    let event = format!("/api/v1/events/{}", theirs.value("{event_id}"));
    let nowhere = format!("/api/v1/events/{NOBODYS}");
    for (who, client) in &callers {
        assert_eq!(client.get(&event).send().told(), client.get(&nowhere).send().told(), "{who}");
    }
}
