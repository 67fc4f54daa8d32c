//! Without credentials, and with nobody's.

use crate::openapi::document::{Fixture, operations};
use crate::support::{Project, world};

const MALFORMED: &str = "Invalid authorization header. Use 'Bearer <api_key>'";

#[test]
fn only_these_operations_are_open_to_anybody() {
    let world = world();
    let mut open: Vec<String> =
        operations(&world.anonymous()).iter().filter(|op| op.is_public()).map(|op| op.name()).collect();
    open.sort_unstable();
    let expected = [
        "GET /api/openapi.json",
        "GET /auth/setup",
        "GET /health",
        "GET /meta",
        "POST /api/v1/errors",
        "POST /api/v1/errors/batch",
        "POST /auth/password/login",
        "POST /auth/setup",
    ];
    assert_eq!(open, expected, "whoever opens a route to anybody says so here");
}

#[test]
fn every_other_operation_asks_who_is_there() {
    let fixture = Fixture::in_project(Project::new());
    let anonymous = fixture.project.world.anonymous();
    for operation in operations(&anonymous).iter().filter(|operation| !operation.is_public()) {
        let answer = operation.request(&anonymous, &fixture).send();
        let part = if operation.takes_release_key() { MALFORMED } else { "Not signed in" };
        answer.refuse(401, part);
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"), "{}", operation.name());
    }
    untouched(&fixture);
}

#[test]
fn nobodys_credentials_are_no_better() {
    let fixture = Fixture::in_project(Project::new());
    let project = &fixture.project;
    let anonymous = project.world.anonymous();
    let same_site = ("sec-fetch-site", "same-origin");
    for operation in operations(&anonymous).iter().filter(|operation| !operation.is_public()) {
        for token in ["st_nonsense", "pk_nonsense", "pat_x", "ok_x", "nonsense", &"x".repeat(5_000)] {
            operation.request(&anonymous.bearer(token), &fixture).send().refuse(401, "");
            operation
                .request(&anonymous.cookie(token), &fixture)
                .header(same_site.0, same_site.1)
                .send()
                .refuse(401, "");
        }
        for header in ["Basic YWRhOng=", "Bearer", "Digest x"] {
            operation.request(&anonymous, &fixture).header("authorization", header).send().refuse(401, "");
        }
        // A key is no session cookie.
        let cookie = anonymous.cookie(&project.key);
        operation.request(&cookie, &fixture).header(same_site.0, same_site.1).send().refuse(401, "");
    }
    untouched(&fixture);
}

#[test]
fn the_open_ones_refuse_in_their_own_words() {
    let world = world();
    let anonymous = world.anonymous();
    for path in ["/health", "/meta", "/api/openapi.json"] {
        anonymous.get(path).send().expect(200);
    }
    anonymous.post("/api/v1/errors").bytes("{}").send().refuse(401, "Invalid API key");
    anonymous.post("/api/v1/errors/batch").bytes("[{}]").send().refuse(401, "Invalid API key");
    anonymous.post("/auth/password/login").send().refuse(415, "Content-Type");
    // Once claimed, there is no claim, whatever the body.
    anonymous.post("/auth/setup").send().refuse(404, "claimed");
}

/// Nothing of the fixture was changed or deleted.
pub(crate) fn untouched(fixture: &Fixture) {
    let project = &fixture.project;
    let issue = project.issue();
    assert_eq!((&issue["status"], &issue["event_count"]), (&"unresolved".into(), &1.into()));
    let release = project.owner.get(&project.path("/releases/1.0.0")).send().expect(200);
    assert_eq!(
        (&release["finalized_at"], &release["source_map_count"]),
        (&serde_json::Value::Null, &1.into())
    );
    let keys = project.owner.get(&project.path("/api-keys")).send().expect(200);
    assert_eq!(keys["total"], 2);
    assert!(keys["api_keys"].as_array().unwrap().iter().all(|key| key["revoked_at"].is_null()));
}
