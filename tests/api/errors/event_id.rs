//! `event_id`: kept unchanged, stored once.

use crate::support::project::{encoded, fresh_id};
use crate::support::{Project, Server, World, json};
use std::sync::Arc;

#[test]
fn an_id_is_kept_unchanged_and_finds_its_event() {
    let project = Project::new();
    for id in [
        "fc6d8c0c43fc4630ad850ee518f1b9d0",
        "FC6D8C0C43FC4630AD850EE518F1B9D0",
        "fc6d8c0c-43fc-4630-ad85-0ee518f1b9d0",
        " spaces ",
        "../../../etc/passwd",
        "..",
        ".",
        "a/b?c#d&e=f",
        "%2e%2e%2f",
        "ключ-\u{1f511}",
        &"ü".repeat(128),
        "'; drop table events; --",
    ] {
        let answer = project.post(&json!({"event_id": id, "message": "x"})).expect(202);
        assert_eq!(answer, json!({"event_id": id}));
        assert_eq!(project.event(id)["event_id"], id);
    }
}

#[test]
fn an_event_without_an_id_gets_one() {
    let project = Project::new();
    let ids: Vec<String> = (0..3).map(|_| project.accept(&json!({"message": "x"}))).collect();
    assert!(ids.iter().all(|id| id.len() == 32 && id.bytes().all(|b| b.is_ascii_hexdigit())), "{ids:?}");
    assert!(ids[0] != ids[1] && ids[1] != ids[2]);
    project.event(&ids[2]);
}

#[test]
fn the_first_of_an_id_is_stored_and_every_answer_is_a_success() {
    let project = Project::new();
    let id = fresh_id();
    for number in 0..3 {
        project.post(&json!({"event_id": id, "message": format!("number {number}")})).expect(202);
    }
    let last = project.digest(&json!({"event_id": fresh_id(), "message": "number 9"}));
    assert_eq!(project.event(&id)["message"], "number 0");
    assert_eq!(project.issue()["event_count"], 2);
    assert_eq!(project.issue()["id"], last["issue_id"]);
}

#[test]
fn an_event_that_is_sent_a_hundred_times_at_once_is_stored_once() {
    let project = Project::new();
    let id = fresh_id();
    let event = json!({"event_id": id, "message": "at once", "user": {"id": "u"}});
    std::thread::scope(|scope| {
        let posts: Vec<_> = (0..100).map(|_| scope.spawn(|| project.post(&event).expect(202))).collect();
        posts.into_iter().for_each(|post| assert_eq!(post.join().unwrap()["event_id"], id));
    });
    project.digest(&json!({"message": "at once"}));
    let issue = project.issue();
    assert_eq!((&issue["event_count"], &issue["user_count"]), (&json!(2), &json!(1)));
}

#[test]
fn an_id_is_remembered_over_a_restart() {
    let world = Arc::new(World::new(Server::start()));
    let mut project = Project::in_world(world, "Shop");
    project.digest(&json!({"event_id": "once", "message": "first"}));
    let (id, key) = (project.id, project.key.clone());
    project.owner = project.world.anonymous();
    let world = Arc::into_inner(project.world).unwrap().restart();
    let project = Project { owner: world.owner.clone(), world: Arc::new(world), id, key };
    project.post(&json!({"event_id": "once", "message": "second"})).expect(202);
    project.digest(&json!({"message": "third"}));
    assert_eq!(project.event("once")["message"], "first");
    assert_eq!(
        project.issues("")["issues"]
            .as_array()
            .unwrap()
            .iter()
            .map(|issue| issue["event_count"].as_i64().unwrap())
            .sum::<i64>(),
        2
    );
}

#[test]
fn an_id_in_two_projects_needs_the_project() {
    let project = Project::new();
    let other = project.other();
    let id = fresh_id();
    project.digest(&json!({"event_id": id, "message": "mine"}));
    let path = format!("/api/v1/events/{}", encoded(&id));
    assert_eq!(project.owner.get(&path).send().expect(200)["message"], "mine");

    other.digest(&json!({"event_id": id, "message": "the other's"}));
    let detail = project.owner.get(&path).send().refuse(409, "project_id");
    assert!(detail.contains(&project.id.to_string()) && detail.contains(&other.id.to_string()), "{detail}");
    let of = |id: &str| project.owner.get(&format!("{path}?project_id={id}")).send();
    assert_eq!(of(&project.id.to_string()).expect(200)["message"], "mine");
    assert_eq!(of(&other.id.to_string()).expect(200)["message"], "the other's");
    of("999999999").refuse(404, "event");
    of("x").refuse(422, "project_id");

    // A key sees its own project only.
    let reader = project.world.bearer(&project.key_for(&["read"]));
    assert_eq!(reader.get(&path).send().expect(200)["message"], "mine");
    reader.get(&format!("{path}?project_id={}", other.id)).send().refuse(404, "event");
}

#[test]
fn an_unknown_id_is_not_found() {
    let project = Project::new();
    for id in ["none", "%00", "..%2f..%2fetc%2fpasswd", &"x".repeat(300), "%F0%9F%94%91"] {
        project.owner.get(&format!("/api/v1/events/{id}")).send().refuse(404, "event");
    }
    project.owner.get("/api/v1/events/%ff%fe").send().refuse(404, "");
}
