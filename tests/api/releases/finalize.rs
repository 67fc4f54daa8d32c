//! `POST /api/v1/releases/{version}/finalize`.

use crate::support::{Project, Value, json, maps};

#[test]
fn a_release_is_finalized_once_and_stays_so() {
    let project = Project::new();
    project.make_release("1.0.0");
    let finalize = || project.ci().post("/api/v1/releases/1.0.0/finalize").send().expect(200);
    let first = finalize();
    assert!(first["finalized_at"].as_str().unwrap() >= first["created_at"].as_str().unwrap());
    assert_eq!(finalize(), first);
    let read = project.owner.get(&project.path("/releases/1.0.0")).send().expect(200);
    assert_eq!(read["finalized_at"], first["finalized_at"]);
    // Making it again returns it finalized.
    let form = crate::support::Form::new().text("version", "1.0.0");
    assert_eq!(project.ci().post("/api/v1/releases").form(&form).send().expect(200), first);
}

#[test]
fn an_unknown_release_is_not_found_by_its_name() {
    let project = Project::new();
    project.other().make_release("theirs");
    for (path, version) in [("9.9.9", "9.9.9"), ("theirs", "theirs"), ("a%20b", "a b"), ("..%2f", "../")] {
        let detail = project.ci().post(&format!("/api/v1/releases/{path}/finalize")).send().refuse(404, "");
        assert_eq!(detail, format!("Release '{version}' not found"));
    }
}

#[test]
fn a_body_makes_no_difference() {
    let project = Project::new();
    project.make_release("1.0.0");
    let finalize = project.ci().post("/api/v1/releases/1.0.0/finalize");
    finalize.json(&json!({"anything": 1})).send().expect(200);
}

#[test]
fn late_maps_are_still_accepted() {
    let project = Project::new();
    project.upload("1.0.0", "~/a.js", &maps::cart()).expect(201);
    let before = project.ci().post("/api/v1/releases/1.0.0/finalize").send().expect(200);
    project.upload("1.0.0", "~/late.js", &maps::cart()).expect(201);
    let after = project.owner.get(&project.path("/releases/1.0.0")).send().expect(200);
    assert_eq!((&after["finalized_at"], &after["source_map_count"]), (&before["finalized_at"], &json!(2)));
    assert_ne!(after["finalized_at"], Value::Null);
}
