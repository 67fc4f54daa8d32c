//! The same url again.

use super::upload::sha256;
use crate::support::project::SCRIPT_URL;
use crate::support::{Project, json, maps};

#[test]
fn the_same_bytes_again_return_the_stored_record() {
    let project = Project::new();
    let first = project.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    assert_eq!(project.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(200), first);
    project.ci().post("/api/v1/releases/1.0.0/finalize").send().expect(200);
    assert_eq!(project.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(200), first);
}

#[test]
fn a_changed_map_replaces_the_stored_one() {
    let project = Project::new();
    project.upload("1.0.0", SCRIPT_URL, &maps::cart_rebuilt()).expect(201);
    let event = project.digest(&Project::throw(Some("1.0.0")));
    assert_ne!(event["exception"]["frames"][0]["resolved"]["line"], 4);

    let replaced = project.upload("1.0.0", SCRIPT_URL, &maps::cart());
    assert!(matches!(replaced.status(), 200 | 201), "{replaced:?}");
    assert_eq!(replaced.value()["content_hash"], sha256(&maps::cart()));
    let list = project.owner.get(&project.path("/releases/1.0.0/sourcemaps")).send().expect(200);
    assert_eq!(
        (&list["total"], &list["source_maps"][0]["content_hash"]),
        (&json!(1), &json!(sha256(&maps::cart())))
    );
    let event = project.digest(&Project::throw(Some("1.0.0")));
    assert_eq!(event["exception"]["frames"][0]["resolved"]["line"], 4);
}

#[test]
fn a_finalized_release_keeps_its_maps() {
    let project = Project::new();
    project.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    project.ci().post("/api/v1/releases/1.0.0/finalize").send().expect(200);
    let detail = project.upload("1.0.0", SCRIPT_URL, &maps::cart_rebuilt()).refuse(409, "finalized");
    assert!(detail.contains("1.0.0") && detail.contains(SCRIPT_URL), "{detail}");
    let list = project.owner.get(&project.path("/releases/1.0.0/sourcemaps")).send().expect(200);
    assert_eq!(list["source_maps"][0]["content_hash"], sha256(&maps::cart()));
    project.upload("1.0.0", "~/late.js", &maps::cart_rebuilt()).expect(201);
    let event = project.digest(&Project::throw(Some("1.0.0")));
    assert_eq!(event["exception"]["frames"][0]["resolved"]["line"], 4);
}
