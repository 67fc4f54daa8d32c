//! `DELETE …/set-aside/{id}` and `DELETE …/set-aside`.

use super::{failing, ids, listed, mended, path_of, set_aside};
use crate::openapi::document::document;
use crate::openapi::schemas::{answer, assert_fits};
use crate::support::json;

#[test]
fn one_is_deleted_and_the_others_stay() {
    let project = failing();
    let list = set_aside(&project, &["a", "b", "c"]);
    let path = path_of(&project, &list["events"][1]);
    assert_eq!(project.owner.delete(&path).send().expect(204), json!(null));
    project.owner.delete(&path).send().refuse(404, "set aside");
    assert_eq!(ids(&listed(&project, 2)), ["c", "a"]);
    let audit = format!("{}/audit?action=set_aside.", project.world.organization_path());
    let log = project.owner.get(&audit).send().expect(200);
    assert_eq!((&log["total"], &log["entries"][0]["target"]), (&json!(1), &json!("b")));
}

#[test]
fn all_are_deleted_up_to_the_one_that_was_seen() {
    let project = failing();
    let list = set_aside(&project, &["a", "b", "c"]);
    let path = project.path(&format!("/set-aside?through={}", list["events"][1]["id"]));
    let deleted = project.owner.delete(&path).send().expect(200);
    assert_eq!(deleted, json!({"deleted": 2}));
    assert_eq!(ids(&listed(&project, 1)), ["c"], "it came later");
    let all = project.path("/set-aside");
    assert_eq!(project.owner.delete(&all).send().expect(200)["deleted"], 1);
    assert_eq!(project.owner.delete(&all).send().expect(200)["deleted"], 0);
    project.owner.delete(&project.path("/set-aside?through=x")).send().refuse(422, "through");
    let document = document(&project.owner);
    let route = "/api/v1/projects/{project_id}/set-aside";
    assert_fits(&document, answer(&document, "delete", route, "200"), &deleted, route);
    // They stay away when the digest works again.
    let project = mended(project);
    project.digest(&json!({"message": "x"}));
    assert_eq!(project.issues("")["total"], 1);
}
