//! `GET …/set-aside` and `…/set-aside/{id}`.

use super::{failing, ids, path_of, set_aside};
use crate::openapi::document::document;
use crate::openapi::schemas::{answer, assert_fits};
use crate::support::{Project, json};

#[test]
fn events_that_fail_are_listed_with_their_reason_and_counted_by_the_project() {
    let project = failing();
    let list = set_aside(&project, &["a", "b", "c"]);
    assert_eq!(ids(&list), ["c", "b", "a"], "the newest first");
    let event = &list["events"][0];
    assert_eq!(event["reason"], "sabotaged: all events are set aside");
    assert!(event["received_at"].as_str().unwrap().ends_with('Z') && event["size"].as_i64().unwrap() > 0);
    assert_eq!((&list["has_more"], &list["dropped"]), (&json!(false), &json!(0)));
    let page = project.owner.get(&project.path("/set-aside?limit=1&offset=1")).send().expect(200);
    assert_eq!((ids(&page), &page["has_more"]), (vec!["b"], &json!(true)));
    assert_eq!(project.owner.get(&project.path("")).send().expect(200)["set_aside"], 3);
    assert_eq!(project.issues("")["total"], 0);
    let document = document(&project.owner);
    let route = "/api/v1/projects/{project_id}/set-aside";
    assert_fits(&document, answer(&document, "get", route, "200"), &list, route);
}

#[test]
fn an_event_is_shown_as_it_was_accepted() {
    let project = failing();
    let secret = json!({"event_id": "a", "message": "x", "extra": {"password": "hunter2", "n": 1.50}});
    project.accept(&secret);
    let list = super::listed(&project, 1);
    let answered = project.owner.get(&path_of(&project, &list["events"][0])).send();
    let shown = answered.expect(200);
    assert_eq!(shown["event_id"], "a");
    assert_eq!(shown["payload"]["message"], "x");
    assert_eq!(shown["payload"]["extra"], json!({"password": "[Filtered]", "n": 1.5}), "{shown}");
    assert!(!answered.text().contains("hunter2"));
    let document = document(&project.owner);
    let route = "/api/v1/projects/{project_id}/set-aside/{set_aside_id}";
    assert_fits(&document, answer(&document, "get", route, "200"), &shown, route);
}

#[test]
fn another_projects_are_not_there() {
    let project = failing();
    let list = set_aside(&project, &["a"]);
    let other = project.other();
    let event = &list["events"][0];
    for (method, end) in [("GET", ""), ("POST", "/retry"), ("DELETE", "")] {
        let path = format!("{}{end}", path_of(&other, event));
        other.owner.request(method, &path).send().refuse(404, "set aside in this project");
    }
    let cleared = other.owner.delete(&other.path("/set-aside")).send().expect(200);
    assert_eq!(cleared["deleted"], 0);
    let empty = other.owner.get(&other.path("/set-aside")).send().expect(200);
    assert_eq!((&empty["total"], &empty["events"]), (&json!(0), &json!([])));
    super::listed(&project, 1);
}

#[test]
fn members_and_keys_are_refused() {
    let project = Project::new();
    let path = project.path("/set-aside");
    project.world.member().client.get(&path).send().refuse(403, "dmin");
    let key = project.key_for(&["ingest", "releases", "read"]);
    project.world.bearer(&key).get(&path).send().refuse(403, "");
    project.world.admin().client.get(&path).send().expect(200);
}
