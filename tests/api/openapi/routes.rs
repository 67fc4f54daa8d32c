//! Every documented operation is a route, and no other method is.

use super::document::{Fixture, document, operations};
use crate::support::{Project, json, world};

#[test]
fn the_document_is_openapi_3_1() {
    let world = world();
    let answer = world.anonymous().get("/api/openapi.json").send();
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let document = document(&world.anonymous());
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"), "{}", document["openapi"]);
    assert_eq!(document["info"]["title"], "Mayday");
    for scheme in ["session", "cookie", "key"] {
        assert!(document["components"]["securitySchemes"][scheme].is_object(), "{scheme}");
    }
}

#[test]
fn every_reference_leads_somewhere() {
    fn references<'a>(value: &'a serde_json::Value, found: &mut Vec<&'a str>) {
        match value {
            serde_json::Value::Object(fields) => {
                fields.iter().for_each(|(name, value)| match value.as_str() {
                    Some(target) if name == "$ref" => found.push(target),
                    _ => references(value, found),
                })
            }
            serde_json::Value::Array(items) => items.iter().for_each(|item| references(item, found)),
            _ => {}
        }
    }
    let world = world();
    let document = document(&world.anonymous());
    let mut found = Vec::new();
    references(&document, &mut found);
    assert!(found.len() > 50);
    for target in found {
        let pointer = target.strip_prefix('#').unwrap_or_else(|| panic!("{target}"));
        assert!(document.pointer(pointer).is_some(), "{target} is not there");
    }
}

#[test]
fn every_operation_documents_its_purpose_and_its_answers() {
    let world = world();
    let mut ids = Vec::new();
    for operation in operations(&world.anonymous()) {
        let details = &operation.details;
        let name = operation.name();
        assert!(details["summary"].is_string() || details["description"].is_string(), "{name}");
        assert!(details["tags"][0].is_string(), "{name}");
        let responses = details["responses"].as_object().unwrap();
        let codes: Vec<&String> = responses.keys().collect();
        for (code, response) in responses {
            assert!(!response["description"].as_str().unwrap().is_empty(), "{name} {code}");
            // 202 and redirects may have no body.
            let has_none =
                matches!(code.as_str(), "204" | "302") || code == "202" && response["content"].is_null();
            assert_eq!(response["content"].is_null(), has_none, "{name} {code}: a body is described");
        }
        for parameter in details["parameters"].as_array().into_iter().flatten() {
            let schema = &parameter["schema"];
            let is_optional = parameter["required"] == false && schema["type"][1] == "null";
            let has_type = schema["type"].is_string() || is_optional;
            assert!(has_type || schema["$ref"].is_string(), "{name}: {parameter}");
        }
        assert!(codes.iter().any(|code| code.starts_with('2') || *code == "302"), "{name}: {codes:?}");
        ids.push(details["operationId"].as_str().unwrap().to_owned());
        for placeholder in
            operation.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
        {
            let parameters = details["parameters"].as_array().unwrap();
            assert!(
                parameters.iter().any(|p| p["name"] == placeholder && p["in"] == "path"),
                "{name}: {placeholder}"
            );
        }
    }
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "operation ids are used once");
}

#[test]
fn every_operation_documents_who_may_call_it() {
    let world = world();
    for operation in operations(&world.anonymous()) {
        let (name, access) = (operation.name(), operation.access());
        let known =
            ["anybody", "key_in_body", "organization_key", "project_key", "runner", "session", "token"];
        let by = access["by"].as_array().unwrap_or_else(|| panic!("{name} does not say who may call it"));
        assert!(!by.is_empty() && by.iter().all(|kind| known.contains(&kind.as_str().unwrap())), "{name}");
        // Conditions are documented for exactly the kinds of callers that may call it.
        assert_eq!(operation.is_for("token"), access["token_scope"].is_string(), "{name}: {access}");
        let of_organizations = access["organization_scope"].is_string();
        assert_eq!(operation.is_for("organization_key"), of_organizations, "{name}: {access}");
        let of_keys = operation.is_for("project_key") || operation.is_for("key_in_body");
        assert_eq!(of_keys, access["key_scopes"].is_array(), "{name}: {access}");
        let within = ["{project_id}", "{organization_id}"].iter().any(|outer| operation.path.contains(outer));
        assert!(!within || access["role"].is_string(), "{name}: {access}");
        // The security schemes, from which clients are generated, agree.
        let scheme = match () {
            () if operation.is_public() => json!([{}]),
            () if operation.takes_release_key() => json!([{"key": []}]),
            () if operation.takes_runner() => json!([{"runner": []}]),
            () => serde_json::Value::Null,
        };
        assert_eq!(operation.details["security"], scheme, "{name}: {access}");
    }
}

#[test]
fn every_documented_operation_is_a_route() {
    let project = Project::alone();
    let mut fixture = Fixture::in_project(project.other());
    for operation in operations(&project.owner).into_iter().filter(|operation| !operation.is_stream()) {
        let name = operation.name();
        let answer = operation.request(&fixture.caller(&operation), &fixture).send();
        match name.as_str() {
            // The instance of the tests is claimed and has no sign-in providers.
            "POST /auth/setup" => drop(answer.refuse(404, "claimed")),
            "GET /desktop/updater/latest.json" => drop(answer.refuse(404, "no releases")),
            "DELETE /api/v1/me/identities/{identity_id}" => drop(answer.refuse(404, "identity")),
            "GET /api/v1/organizations/{organization_id}/sign-in/tests/{test_id}" => {
                drop(answer.refuse(404, "test"))
            }
            // There may be one of that number by now.
            _ if name.contains("{notification_id}") => {
                assert!([200, 404].contains(&answer.status()), "{name}: {answer:?}");
            }
            "GET /api/v1/notifications/unsubscribe" => assert_eq!(answer.status(), 302, "{answer:?}"),
            // Errors of the body are reported first.
            _ if name.contains("{connection_id}") => {
                assert!([404, 415, 422].contains(&answer.status()), "{answer:?}")
            }
            _ if name.contains("{ticket_id}") => drop(answer.refuse(404, "ticket")),
            "GET /auth/github/installed" => {
                assert_eq!(answer.header("location"), Some("/?error=wrong_browser"), "{answer:?}");
            }
            _ if name.contains("{set_aside_id}") => drop(answer.refuse(404, "set aside")),
            _ if answer.status() == 302 => {
                assert!(
                    answer.header("location").unwrap().starts_with("/login?error="),
                    "{name}: {answer:?}"
                );
            }
            _ => assert!(!matches!(answer.status(), 404 | 405 | 500..), "{name}: {answer:?}"),
        }
        // A deletion is followed by a new thing for the next operation.
        if operation.method == "DELETE" || name.contains("logout") {
            fixture = Fixture::in_project(project.other());
        }
    }
}

#[test]
fn other_methods_are_refused_in_the_apis_words() {
    let project = Project::alone();
    let fixture = Fixture::in_project(project.other());
    let all = operations(&project.owner);
    for operation in &all {
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
            let documented = all.iter().any(|other| other.path == operation.path && other.method == method);
            if !documented {
                let path = fixture.fill_but(&operation.path, "{none}", "");
                project.owner.request(method, &path).send().refuse(405, "method");
            }
        }
    }
}

#[test]
fn an_unknown_route_is_a_404_in_the_apis_format() {
    let world = world();
    for method in ["GET", "POST"] {
        for path in
            ["/api/v1/nonsense", "/api/v1", "/auth/nonsense", "/api/v1/errors/", "/webhooks", "/metrics"]
        {
            world.owner.request(method, path).send().refuse(404, "route");
        }
        // The platform API has its own format of errors.
        for path in ["/api", "/api/nonsense", "/api/v2/errors"] {
            let answer = world.owner.request(method, path).send();
            assert_eq!(answer.header("content-type"), Some("application/json"), "{path}");
            let refusal = answer.expect(404);
            assert_eq!(refusal["code"], "NOT_FOUND", "{path}");
            assert!(refusal["error"].as_str().unwrap().contains("route"), "{refusal}");
            assert_eq!(refusal.as_object().unwrap().len(), 2, "{refusal}");
        }
    }
}
