//! Answers have exactly the documented fields.

use super::document::{Fixture, document, operations};
use crate::support::{Project, Value, json};

/// Asserts that `value` matches `schema`.
#[track_caller]
pub(crate) fn assert_fits(document: &Value, schema: &Value, value: &Value, path: &str) {
    let problems = problems(document, schema, value, path);
    assert!(problems.is_empty(), "{problems:#?}");
}

fn problems(document: &Value, schema: &Value, value: &Value, path: &str) -> Vec<String> {
    if let Some(target) = schema["$ref"].as_str() {
        return problems(document, document.pointer(&target[1..]).unwrap(), value, path);
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let tried: Vec<Vec<String>> =
            choices.iter().map(|choice| problems(document, choice, value, path)).collect();
        return if tried.iter().any(Vec::is_empty) { Vec::new() } else { tried.concat() };
    }
    let mut found = Vec::new();
    if let Some(allowed) = schema.get("enum").and_then(Value::as_array)
        && !allowed.contains(value)
    {
        found.push(format!("{path}: {value} is none of {allowed:?}"));
    }
    if !has_type(&schema["type"], value) {
        found.push(format!("{path}: {value} is not of type {}", schema["type"]));
    }
    if let (Some(items), Some(schema)) = (value.as_array(), schema.get("items")) {
        for (index, item) in items.iter().enumerate() {
            found.extend(problems(document, schema, item, &format!("{path}[{index}]")));
        }
    }
    if let Some(fields) = value.as_object() {
        let (mut known, mut required) = (Vec::new(), Vec::new());
        gather(document, schema, &mut known, &mut required);
        found.extend(
            required
                .iter()
                .filter(|name| !fields.contains_key(**name))
                .map(|name| format!("{path}.{name} is missing")),
        );
        let is_free = known.is_empty() || schema.get("additionalProperties").is_some();
        for (name, value) in fields {
            match known.iter().find(|(known, _)| known == name) {
                Some((_, schema)) => {
                    found.extend(problems(document, schema, value, &format!("{path}.{name}")))
                }
                None if is_free => {}
                None => found.push(format!("{path}.{name} is not documented")),
            }
        }
    }
    found
}

/// The properties of a schema and of all it is made of.
fn gather<'d>(
    document: &'d Value,
    schema: &'d Value,
    known: &mut Vec<(&'d str, &'d Value)>,
    required: &mut Vec<&'d str>,
) {
    if let Some(target) = schema["$ref"].as_str() {
        return gather(document, document.pointer(&target[1..]).unwrap(), known, required);
    }
    for part in schema["allOf"].as_array().into_iter().flatten() {
        gather(document, part, known, required);
    }
    known.extend(
        schema["properties"].as_object().into_iter().flatten().map(|(name, schema)| (name.as_str(), schema)),
    );
    required.extend(schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str));
}

fn has_type(wanted: &Value, value: &Value) -> bool {
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("an unknown type {other}"),
    };
    match wanted {
        Value::String(name) => is(name),
        Value::Array(names) => names.iter().any(|name| is(name.as_str().unwrap())),
        _ => true,
    }
}

/// The schema of an operation's answer.
pub(crate) fn answer<'d>(document: &'d Value, method: &str, path: &str, status: &str) -> &'d Value {
    let operation = &document["paths"][path][method];
    let content = &operation["responses"][status]["content"]["application/json"]["schema"];
    assert!(!content.is_null(), "{method} {path} documents no JSON for {status}");
    content
}

#[test]
fn every_read_answers_as_documented() {
    let fixture = Fixture::in_project(Project::alone());
    let project = &fixture.project;
    let document = document(&project.owner);
    for operation in operations(&project.owner) {
        let path = &operation.path;
        let answers_json = operation.details["responses"]["200"].is_object();
        let is_apart = operation.is_stream()
            || path == "/api/openapi.json"
            || path.ends_with("/export")
            || path.ends_with("/stylesheets")
            || path.contains("{test_id}")
            || path.contains("{connection_id}")
            || path.contains("{set_aside_id}");
        if operation.method != "GET" || !answers_json || is_apart {
            continue;
        }
        let value = operation.request(&fixture.caller(&operation), &fixture).send().expect(200);
        assert_fits(&document, answer(&document, "get", path, "200"), &value, path);
    }
    let by_key = project.ci().get("/api/v1/me").send().expect(200);
    assert_fits(&document, answer(&document, "get", "/api/v1/me", "200"), &by_key, "me");
}

#[test]
fn writes_answer_as_documented() {
    let fixture = Fixture::in_project(Project::alone());
    let project = &fixture.project;
    let document = document(&project.owner);
    let fits = |method: &str, path: &str, status: u16, request: crate::support::client::Request| {
        let value = request.send().expect(status);
        assert_fits(&document, answer(&document, method, path, &status.to_string()), &value, path);
    };
    let path = |path: &str| fixture.fill_but(path, "{none}", "");
    let projects = "/api/v1/organizations/{organization_id}/projects";
    fits(
        "post",
        projects,
        201,
        project.owner.post(&path(projects)).json(&json!({"name": "x", "platform": "node"})),
    );
    let keys = "/api/v1/projects/{project_id}/api-keys";
    fits("post", keys, 201, project.owner.post(&path(keys)).json(&json!({"name": "x"})));
    let one = "/api/v1/projects/{project_id}";
    fits("patch", one, 200, project.owner.patch(&path(one)).json(&json!({"name": "y"})));
    let issue = "/api/v1/projects/{project_id}/issues/{issue_id}";
    let change = json!({"status": "ignored", "ignore_events": 5, "assignee": project.world.owner_id});
    fits("patch", issue, 200, project.owner.patch(&path(issue)).json(&change));
    let comments = "/api/v1/projects/{project_id}/issues/{issue_id}/comments";
    fits("post", comments, 201, project.owner.post(&path(comments)).json(&json!({"text": "x"})));
    let views = "/api/v1/projects/{project_id}/views";
    let kept = json!({"name": "x", "query": "is:new", "sort": "users", "shared": true});
    fits("post", views, 201, project.owner.post(&path(views)).json(&kept));
    let bulk = "/api/v1/projects/{project_id}/issues";
    fits(
        "patch",
        bulk,
        200,
        project.owner.patch(&path(bulk)).json(&json!({"ids": [1], "status": "resolved"})),
    );
    let error = project.with_key(&json!({"message": "x"}));
    fits("post", "/api/v1/errors", 202, project.world.anonymous().post("/api/v1/errors").json(&error));
    let batch = project.world.anonymous().post("/api/v1/errors/batch").json(&json!([error]));
    fits("post", "/api/v1/errors/batch", 202, batch);
    let release = "/api/v1/releases";
    fits("post", release, 201, project.ci().post(release).json(&json!({"version": "new"})));
    fits("post", release, 200, project.ci().post(release).json(&json!({"version": "new"})));
    let finalize = "/api/v1/releases/{version}/finalize";
    fits("post", finalize, 200, project.ci().post(&path(finalize)));
    let login = json!({"email": crate::support::EMAIL, "password": crate::support::PASSWORD});
    fits(
        "post",
        "/auth/password/login",
        200,
        project.world.anonymous().post("/auth/password/login").json(&login),
    );
}

#[test]
fn fields_that_are_always_present_are_required() {
    let document = document(&crate::support::world().anonymous());
    let schemas = &document["components"]["schemas"];
    // Only `Health` leaves fields out.
    let may_miss = |name: &str| match name {
        "Health" => vec!["reason", "version"],
        _ => Vec::new(),
    };
    for name in
        ["Crumb", "Event", "EventSummary", "FrameView", "Health", "Issue", "Key", "Person", "ResolvedFrame"]
    {
        let schema = &schemas[name];
        let (mut known, mut required) = (Vec::new(), Vec::new());
        gather(&document, schema, &mut known, &mut required);
        let missing: Vec<&str> =
            known.iter().map(|(field, _)| *field).filter(|field| !required.contains(field)).collect();
        assert_eq!(missing, may_miss(name), "{name}");
    }
    // Optional fields may be absent from requests.
    assert!(schemas["Change"]["required"].is_null());
    assert_eq!(schemas["CreateProject"]["required"], json!(["name"]));
}

#[test]
fn an_undocumented_field_is_found() {
    let document = json!({"schemas": {"Inner": {"type": "object", "required": ["a"], "properties": {"a": {"type": ["integer", "null"]}}}}});
    let schema = json!({"allOf": [{"$ref": "#/schemas/Inner"}, {"type": "object", "properties": {"b": {"type": "array", "items": {"enum": ["x"]}}}}]});
    assert_eq!(problems(&document, &schema, &json!({"a": null, "b": ["x"]}), "it"), [""; 0]);
    for wrong in [
        json!({}),
        json!({"a": "1"}),
        json!({"a": 1, "c": 2}),
        json!({"a": 1, "b": ["y"]}),
        json!({"a": 1, "b": {}}),
    ] {
        assert_eq!(problems(&document, &schema, &wrong, "it").len(), 1, "{wrong}");
    }
}
