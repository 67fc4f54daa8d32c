//! Ids within a permitted project that belong to another: not found, and nothing written.

use super::anonymous::untouched;
use crate::openapi::document::{Fixture, operations};
use crate::support::{Project, json};

const INNER: [&str; 10] = [
    "{issue_id}",
    "{key_id}",
    "{version}",
    "{event_id}",
    "{comment_id}",
    "{ticket_id}",
    "{set_aside_id}",
    "{channel_id}",
    "{rule_id}",
    "{view_id}",
];

#[test]
fn ids_of_another_project_are_not_found() {
    let mine = Fixture::in_project(Project::alone());
    let theirs = Fixture::in_project(mine.project.other());
    // The same version exists in both; one of theirs alone must be unknown here.
    theirs.project.make_release("theirs");
    let reader = mine.project.world.bearer(&mine.project.key_for(&["ingest", "releases", "read"]));
    let mut count = 0;
    for operation in operations(&mine.project.owner) {
        let of_a_project = !operation.path.contains("{organization_id}");
        let inner =
            INNER.into_iter().filter(|placeholder| of_a_project && operation.path.contains(placeholder));
        for placeholder in inner {
            let foreign = match placeholder {
                "{version}" => "theirs".to_owned(),
                _ => theirs.value(placeholder).to_owned(),
            };
            let path = mine.fill_but(&operation.path, placeholder, &foreign);
            let body = json!({"status": "resolved", "text": "x", "reference": "x", "connection_id": mine.value("{connection_id}")});
            let by_key = reader.request(&operation.method, &path).json(&body).send();
            assert!(matches!(by_key.status(), 404 | 403), "{} {path}: {by_key:?}", operation.method);
            if operation.path.contains("{project_id}") {
                mine.project.owner.request(&operation.method, &path).json(&body).send().refuse(404, "");
            } else {
                // Named by the inner id alone: the key's project decides.
                by_key.refuse(404, "");
            }
            count += 1;
        }
    }
    assert!(count >= 10, "{count} cases");
    mine.project.owner.delete(&mine.project.path(&format!("/api-keys/{}", "0"))).send().refuse(404, "key");
    untouched(&theirs);
}

#[test]
fn ids_that_cannot_be_are_not_found() {
    let mine = Fixture::in_project(Project::alone());
    let owner = &mine.project.owner;
    for operation in operations(owner).iter().filter(|operation| operation.path.contains("{project_id}")) {
        for placeholder in INNER.into_iter().filter(|placeholder| operation.path.contains(placeholder)) {
            for id in [
                "0",
                "-1",
                "x",
                "%00",
                "..",
                "%2e%2e%2f",
                "99999999999999999999",
                &"x".repeat(300),
                "%ff",
                "%F0%9F%94%91",
            ] {
                let path = mine.fill_but(&operation.path, placeholder, id);
                let answer = owner
                    .request(&operation.method, &path)
                    .json(&json!({"status": "resolved", "text": "x", "reference": "x", "connection_id": mine.value("{connection_id}")}))
                    .send();
                answer.refuse(404, "");
            }
        }
    }
}
