//! `DELETE /api/v1/projects/{project_id}/releases/{version}`.

use crate::support::{Project, Value, json, maps};

#[test]
fn a_deleted_release_loses_its_maps() {
    let project = Project::new();
    project.upload("1.0.0", "~/assets/cart.min.js", &maps::cart()).expect(201);
    project.make_release("1.0.1");
    let answer = project.owner.delete(&project.path("/releases/1.0.0")).send();
    assert_eq!((answer.expect(204), answer.text()), (Value::Null, String::new()));
    for rest in ["/releases/1.0.0", "/releases/1.0.0/sourcemaps"] {
        project.owner.get(&project.path(rest)).send().refuse(404, "Release '1.0.0' not found");
    }
    let list = project.owner.get(&project.path("/releases")).send().expect(200);
    assert_eq!((&list["total"], &list["releases"][0]["version"]), (&json!(1), &json!("1.0.1")));
    project.owner.delete(&project.path("/releases/1.0.0")).send().refuse(404, "Release '1.0.0' not found");
}

#[test]
fn later_errors_of_a_deleted_release_are_unresolved() {
    let project = Project::new();
    project.upload("1.0.0", "~/assets/cart.min.js", &maps::cart()).expect(201);
    let before = project.digest(&Project::throw(Some("1.0.0")));
    assert_eq!(before["exception"]["frames"][0]["resolved"]["file"], "src/cart.ts");
    project.owner.delete(&project.path("/releases/1.0.0")).send().expect(204);
    let after = project.digest(&Project::throw(Some("1.0.0")));
    let frame = &after["exception"]["frames"][0];
    assert_eq!((&frame["resolved"], &frame["unresolved"]["rule"]), (&Value::Null, &json!("release")));
    // Frames that were resolved when the event arrived stay resolved.
    let again = project.event(before["event_id"].as_str().unwrap());
    assert_eq!(again["exception"]["frames"][0]["resolved"]["file"], "src/cart.ts");
}

#[test]
fn a_deleted_version_can_be_made_again() {
    let project = Project::new();
    project.upload("1.0.0", "~/assets/cart.min.js", &maps::cart()).expect(201);
    project.ci().post("/api/v1/releases/1.0.0/finalize").send().expect(200);
    let old = project.owner.get(&project.path("/releases/1.0.0")).send().expect(200);
    project.owner.delete(&project.path("/releases/1.0.0")).send().expect(204);
    let new = project.make_release("1.0.0");
    assert_ne!(new["id"], old["id"]);
    assert_eq!((&new["finalized_at"], &new["source_map_count"]), (&Value::Null, &json!(0)));
    project.upload("1.0.0", "~/assets/cart.min.js", &maps::cart()).expect(201);
    let event = project.digest(&Project::throw(Some("1.0.0")));
    assert_eq!(event["exception"]["frames"][0]["resolved"]["line"], 4);
}

#[test]
fn a_key_deletes_releases_of_its_project_only() {
    let project = Project::new();
    let other = project.other();
    project.make_release("1.0.0");
    other.ci().delete(&project.path("/releases/1.0.0")).send().refuse(403, "access to this project");
    let reader = project.world.bearer(&project.key_for(&["read"]));
    reader.delete(&project.path("/releases/1.0.0")).send().refuse(403, "releases");
    project.ci().delete(&project.path("/releases/1.0.0")).send().expect(204);
}
