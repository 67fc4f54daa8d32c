//! Requests without credentials and with unknown ones.

use crate::openapi::document::{Fixture, operations};
use crate::support::{Project, json, world};

const MALFORMED: &str = "Invalid authorization header. Use 'Bearer <api_key>'";

#[test]
fn only_these_operations_are_open_to_anybody() {
    let world = world();
    let mut open: Vec<String> =
        operations(&world.anonymous()).iter().filter(|op| op.is_public()).map(|op| op.name()).collect();
    open.sort_unstable();
    let expected = [
        "GET /.well-known/oauth-protected-resource",
        "GET /.well-known/oauth-protected-resource/mcp",
        "GET /api/openapi.json",
        "GET /api/v1/auth/callback",
        "GET /api/v1/notifications/unsubscribe",
        "GET /auth/desktop/methods",
        "GET /auth/github/callback",
        "GET /auth/github/installed",
        "GET /auth/github/start",
        "GET /auth/setup",
        "GET /auth/sso/start",
        "GET /desktop/updater/latest.json",
        "GET /health",
        "GET /meta",
        "POST /api/v1/errors",
        "POST /api/v1/errors/batch",
        "POST /api/v1/logs/batch",
        "POST /api/v1/notifications/unsubscribe",
        "POST /api/v1/replays",
        "POST /api/v1/replays/chunk",
        "POST /auth/email/confirm",
        "POST /auth/github/start",
        "POST /auth/invitation",
        "POST /auth/password/forgot",
        "POST /auth/password/login",
        "POST /auth/password/register",
        "POST /auth/password/reset",
        "POST /auth/setup",
        "POST /auth/sso/start",
        "POST /webhooks/{webhook_path}",
    ];
    assert_eq!(open, expected, "whoever opens a route to anybody says so here");
}

#[test]
fn every_other_operation_requires_credentials() {
    let fixture = Fixture::in_project(Project::alone());
    let anonymous = fixture.project.world.anonymous();
    for operation in operations(&anonymous).iter().filter(|operation| !operation.is_public()) {
        let answer = operation.request(&anonymous, &fixture).send();
        let part = if operation.takes_release_key() { MALFORMED } else { "Not signed in" };
        answer.refuse(401, part);
        let scheme = answer.header("www-authenticate").and_then(|value| value.split(' ').next());
        assert_eq!(scheme, Some("Bearer"), "{}", operation.name());
    }
    untouched(&fixture);
}

#[test]
fn unknown_credentials_are_refused_like_missing_ones() {
    let fixture = Fixture::in_project(Project::alone());
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
        // A key is not accepted as a session cookie.
        let cookie = anonymous.cookie(&project.key);
        operation.request(&cookie, &fixture).header(same_site.0, same_site.1).send().refuse(401, "");
    }
    untouched(&fixture);
}

#[test]
fn the_open_ones_refuse_in_their_own_words() {
    let world = world();
    let anonymous = world.anonymous();
    for path in ["/health", "/meta", "/api/openapi.json", "/auth/setup", "/auth/desktop/methods"] {
        anonymous.get(path).send().expect(200);
    }
    anonymous.post("/api/v1/errors").bytes("{}").send().refuse(401, "Invalid API key");
    anonymous.post("/api/v1/errors/batch").bytes("[{}]").send().refuse(401, "Invalid API key");
    anonymous.post("/auth/password/login").send().refuse(415, "Content-Type");
    let token = json!({"token": "x", "password": "a passphrase of some kind"});
    for path in ["/auth/password/reset", "/auth/email/confirm"] {
        anonymous.post(path).json(&token).send().refuse(403, "link");
    }
    anonymous.post("/auth/invitation").json(&token).send().refuse(403, "invitation");
    for provider in ["sso", "github"] {
        let start = anonymous.post(&format!("/auth/{provider}/start")).json(&json!({})).send();
        start.refuse(404, "not configured");
    }
    // A claimed instance refuses every claim, whatever its body.
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
    nobody_was_touched(fixture);
}

/// The organization, its people and their data are unchanged.
fn nobody_was_touched(fixture: &Fixture) {
    let (world, person) = (&fixture.project.world, &fixture.person);
    let member = world.seen(person.id);
    assert_eq!((&member["role"], &member["status"]), (&json!("member"), &json!("active")), "{member}");
    assert_eq!(world.seen(world.owner_id)["role"], "owner");
    let organization = world.owner.get(&world.organization_path()).send().expect(200);
    assert_ne!(organization["name"], "taken");
    let keys = world.owner.get(&format!("{}/api-keys", world.organization_path())).send().expect(200);
    assert!(keys["api_keys"].as_array().unwrap().iter().all(|key| key["revoked_at"].is_null()), "{keys}");
    let invitations = format!("{}/invitations?status=pending", world.organization_path());
    let pending = world.owner.get(&invitations).send().expect(200);
    let mut ids = pending["invitations"].as_array().unwrap().iter().map(|one| one["id"].to_string());
    assert!(ids.any(|id| id == fixture.value("{invitation_id}")), "{pending}");
    let me = person.client.get("/api/v1/me").send().expect(200);
    assert_ne!(me["name"], "taken");
    let sessions = person.client.get("/api/v1/me/sessions").send().expect(200);
    assert_eq!(sessions["total"], 2, "{sessions}");
    let name = |path: String, field: &str| owner_sees(fixture, &path)[field]["name"].clone();
    assert_eq!(
        name(format!("/api/automations/{}", fixture.value("{automation_id}")), "automation"),
        "Fix it"
    );
    assert_eq!(name(format!("/api/runners/{}", fixture.value("{runner_id}")), "runner"), "a machine");
    owner_sees(fixture, &format!("/api/repos/{}", fixture.value("{repository_id}")));
    let session = owner_sees(fixture, &format!("/api/sessions/{}", fixture.value("{agent_session_id}")));
    let session = &session["session"];
    assert_eq!((&session["status"], &session["messages"]), (&json!("starting"), &json!(1)), "{session}");
    let tokens = person.client.get("/api/v1/me/tokens").send().expect(200);
    assert_eq!((&tokens["total"], &tokens["tokens"][0]["revoked_at"]), (&json!(1), &json!(null)), "{tokens}");
}

fn owner_sees(fixture: &Fixture, path: &str) -> serde_json::Value {
    fixture.project.owner.get(path).send().expect(200)
}
