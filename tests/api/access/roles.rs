//! What each role and each kind of token may do, for every route of the API document.

use super::anonymous::untouched;
use crate::openapi::document::{Fixture, Operation, operations};
use crate::support::world::text;
use crate::support::{Client, Project, Response, json};

fn of_people(client: &Client) -> Vec<Operation> {
    let is_for_people = |operation: &Operation| {
        !operation.is_public() && !operation.takes_release_key() && !operation.takes_runner()
    };
    operations(client).into_iter().filter(is_for_people).collect()
}

#[test]
fn a_member_may_do_only_what_members_may() {
    let fixture = Fixture::in_project(Project::alone());
    let member = fixture.project.world.member();
    let mut count = 0;
    for operation in of_people(&member.client) {
        if operation.least_role() == "member" {
            continue;
        }
        let refused = operation.request(&member.client, &fixture).json(&operation.body()).send();
        let words = refused.refuse(403, "");
        assert!(words.contains("dministrator") || words.contains("admin"), "{words}");
        count += 1;
    }
    assert!(count >= 20, "{count} operations");
    untouched(&fixture);
}

/// Operations that refuse the caller for a reason other than the role.
const REFUSED_ANYWAY: [&str; 3] =
    ["POST /api/v1/organizations", "POST /api/v1/me/email", "POST /auth/password/change"];

#[test]
fn a_member_does_all_that_the_document_gives_to_members() {
    let project = Project::alone();
    let mut fixture = Fixture::in_project(project.other());
    let mut count = 0;
    for operation in of_people(&project.owner) {
        let name = operation.name();
        let is_apart = operation.is_stream() || REFUSED_ANYWAY.contains(&name.as_str());
        if is_apart || operation.least_role() != "member" {
            continue;
        }
        let answer = operation.request(&fixture.person.client, &fixture).json(&operation.body()).send();
        assert!(!matches!(answer.status(), 401 | 403 | 500..), "{name}: {answer:?}");
        count += 1;
        if operation.method == "DELETE" || name == "POST /auth/logout" {
            fixture = Fixture::in_project(project.other());
        }
    }
    assert!(count >= 40, "{count} operations");
}

#[test]
fn an_admin_may_do_everything_but_what_only_the_owner_may() {
    let project = Project::alone();
    let admin = project.world.admin();
    let mut fixture = Fixture::in_project(project.other());
    for operation in of_people(&admin.client).into_iter().filter(|operation| !operation.is_stream()) {
        let apart = ["/api/v1/me", "/auth/"].iter().any(|start| operation.path.starts_with(start));
        if apart || operation.name() == "POST /api/v1/organizations" {
            continue;
        }
        let answer = operation.request(&admin.client, &fixture).json(&operation.body()).send();
        if operation.least_role() == "owner" {
            answer.refuse(403, "owner");
        } else {
            assert!(!matches!(answer.status(), 401 | 403 | 500..), "{}: {answer:?}", operation.name());
        }
        if operation.method == "DELETE" {
            fixture = Fixture::in_project(project.other());
        }
    }
}

/// Holds an answer to be what was asked for, or nothing where there is none.
#[track_caller]
fn answered(answer: &Response) {
    answer.expect(if answer.status() == 204 { 204 } else { 200 });
}

#[test]
fn a_tool_that_reads_writes_nothing() {
    let fixture = Fixture::in_project(Project::alone());
    let owner = fixture.project.world.owner_person();
    let tool = owner.tool(&["read"]);
    for operation in of_people(&tool) {
        let answer = operation.request(&tool, &fixture).json(&operation.body());
        if !operation.takes_token("read") {
            answer.send().refuse(403, "token");
        } else if !operation.is_stream() {
            answered(&answer.send());
        }
    }
    untouched(&fixture);
}

#[test]
fn a_tool_that_writes_administers_nothing() {
    let fixture = Fixture::in_project(Project::alone());
    let owner = fixture.project.world.owner_person();
    for scopes in [["write", "write"], ["read", "write"]] {
        let tool = owner.tool(&scopes);
        for operation in of_people(&tool) {
            if !operation.takes_token("write") {
                operation.request(&tool, &fixture).json(&operation.body()).send().refuse(403, "token");
            }
        }
        // It may do what its scope is for.
        let comments = fixture.project.path(&format!("/issues/{}/comments", fixture.value("{issue_id}")));
        tool.post(&comments).json(&json!({"text": "by a tool"})).send().expect(201);
        tool.get(&comments).send().expect(200);
    }
    untouched(&fixture);
}

#[test]
fn an_administrators_tool_may_do_what_its_person_may() {
    let project = Project::alone();
    let world = &project.world;
    let by_role = [world.owner_person(), world.admin(), world.member()];
    let [owner, admin, member] = by_role.map(|person| person.tool(&["admin"]));
    let fixture = Fixture::in_project(project.other());
    for operation in of_people(&owner) {
        if operation.is_session_only() {
            operation.request(&owner, &fixture).json(&operation.body()).send().refuse(403, "token");
        } else if operation.least_role() != "member" {
            operation.request(&member, &fixture).json(&operation.body()).send().refuse(403, "dmin");
        }
    }
    untouched(&fixture);
    for (tool, name) in [(&owner, "One"), (&admin, "Two")] {
        let rename = tool.patch(&world.organization_path()).json(&json!({"name": name})).send();
        assert_eq!(rename.expect(200)["name"], name);
        tool.get(&format!("{}/audit", world.organization_path())).send().expect(200);
    }
    let path = format!("{}/invitations/{}", world.organization_path(), fixture.value("{invitation_id}"));
    admin.delete(&path).send().expect(204);
}

#[test]
fn an_organizations_key_only_reads() {
    let fixture = Fixture::in_project(Project::alone());
    let project = &fixture.project;
    let keys = format!("{}/api-keys", project.world.organization_path());
    let key = project.owner.post(&keys).json(&json!({"name": "reader"})).send().expect(201);
    let reader = project.world.bearer(&text(&key["key"]));
    let mut read = 0;
    for operation in of_people(&reader) {
        let answer = operation.request(&reader, &fixture).json(&operation.body());
        if !operation.takes_organization_key("read") {
            answer.send().refuse(403, "");
        } else if !operation.is_stream() {
            answered(&answer.send());
            read += 1;
        }
    }
    assert!(read >= 15, "{read} operations");
    // It does not replace a project's key either.
    for operation in operations(&reader).iter().filter(|operation| operation.takes_release_key()) {
        operation.request(&reader, &fixture).send().refuse(401, "");
    }
    untouched(&fixture);
    let me = reader.get("/api/v1/me").send().expect(200);
    let organization_id = project.world.organization;
    assert_eq!(me, json!({"kind": "organization_key", "organization_id": organization_id, "name": "reader"}));
    project.owner.delete(&format!("{keys}/{}", key["id"])).send().expect(204);
    reader.get("/api/v1/me").send().refuse(401, "Invalid API key");
    reader.get(&project.path("/issues")).send().refuse(401, "Invalid API key");
}

#[test]
fn a_projects_key_does_nothing_that_people_do() {
    let fixture = Fixture::in_project(Project::alone());
    let other = fixture.project.other();
    let key = other.world.bearer(&other.key_for(&["ingest", "releases", "read"]));
    let mut count = 0;
    for operation in of_people(&key) {
        // The project's own key: see `scopes`.
        if !operation.is_for("project_key") && !operation.path.contains("{project_id}") {
            operation.request(&key, &fixture).json(&operation.body()).send().refuse(403, "key");
            count += 1;
        }
    }
    assert!(count >= 30, "{count} operations");
    untouched(&fixture);
}

#[test]
fn a_form_of_another_site_changes_nothing() {
    let fixture = Fixture::in_project(Project::alone());
    let owner = &fixture.project.world.owner_token;
    let browsers =
        [owner, &fixture.person.token].map(|token| fixture.project.world.anonymous().cookie(token));
    let mut count = 0;
    for operation in operations(&fixture.project.owner) {
        // Ingestion, CI and webhooks accept no cookie at all.
        if operation.method == "GET"
            || operation.path.starts_with("/webhooks/")
            || operation.path.starts_with("/api/v1/errors")
            || operation.path.starts_with("/api/v1/logs")
            || operation.is_public() && operation.path.starts_with("/api/v1/replays")
            || operation.takes_release_key()
        {
            continue;
        }
        for browser in &browsers {
            for origin in [None, Some("https://evil.example"), Some("null")] {
                let form = "name=taken&role=admin&status=resolved&email=evil%40example.com";
                let request = operation.request(browser, &fixture);
                let request = request.body("application/x-www-form-urlencoded", form);
                let request = origin.into_iter().fold(request, |request, o| request.header("origin", o));
                request.send().refuse(403, "another site");
            }
        }
        count += 1;
    }
    assert!(count >= 40, "{count} operations");
    untouched(&fixture);
}
