//! The OpenAPI 3.1 document: what the routes declare, completed so that types for callers can be generated
//! from it.

use crate::access::Needs;
use crate::accounts::tokens::TokenScope;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};

#[derive(utoipa::OpenApi)]
#[openapi(
    info(title = "Mayday",
        description = "Error monitoring and agent automation. Errors answer `{\"detail\": string}`. `x-access` says who may \
            call an operation, and which role, token scope or key scope they need for it.",
        license(name = "Apache-2.0", identifier = "Apache-2.0")),
    security(("session" = []), ("cookie" = [])),
    modifiers(&Security),
    components(schemas(Problem, PlatformProblem, crate::live::IssuesChanged, crate::live::EventsArrived, crate::notifications::Inbox)),
    tags(
        (name = "ingestion", description = "From client libraries; the project key is in the body."),
        (name = "releases", description = "From CI with `Authorization: Bearer <project key>`, and the dashboard's reads."),
        (name = "issues"), (name = "events"), (name = "notifications"), (name = "projects"), (name = "organizations"), (name = "sign-in"),
        (name = "automation", description = "The platform API, `/api` without a version: refusals are `{\"error\", \"code\"}`. \
            Requests are in camelCase (snake_case is taken as well). Somebody with several organizations names one in \
            `X-Organization-Id`. Every answer says in `X-RateLimit-Limit`, `-Remaining` and `-Reset` what may still be asked."),
        (name = "runners", description = "What `mayday runner` says with its token."),
        (name = "mcp", description = "The Model Context Protocol, for agents: docs/mcp.md."),
        (name = "server")
    )
)]
pub(super) struct Document;

struct Security;

impl utoipa::Modify for Security {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let components = document.components.get_or_insert_with(Default::default);
        let bearer = |text: &str| {
            let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(text)).build();
            SecurityScheme::Http(scheme)
        };
        components.add_security_scheme("session", bearer("The `access_token` of a sign-in."));
        components.add_security_scheme("runner", bearer("The token of a runner."));
        components.add_security_scheme("key", bearer("A project key with the scope `releases`."));
        let cookie = ApiKey::Cookie(ApiKeyValue::new("mayday_session"));
        components.add_security_scheme("cookie", SecurityScheme::ApiKey(cookie));
    }
}

/// The body of every refusal.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "describes what `http/shape.rs` writes")]
struct Problem {
    /// What was wrong, what was expected, and what to do.
    detail: String,
}

/// The body of a refusal of the platform API.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "describes what `http/shape.rs` writes")]
struct PlatformProblem {
    /// What was wrong, what was expected, and what to do.
    error: String,
    /// Such as `NOT_FOUND`, `VALIDATION`, `UNAUTHORIZED`, `FORBIDDEN`, `CONFLICT`, `RATE_LIMITED`.
    code: String,
}

/// The OpenAPI 3.1 document.
pub fn openapi() -> Value {
    let mut document = serde_json::to_value(crate::routes::described()).unwrap_or_default();
    for (path, method, operation) in operations(&mut document) {
        complete_access(path, method, operation);
        complete_responses(path, method, operation);
    }
    require_nullable_fields(&mut document);
    document
}

/// Path, method in lower case, and the operation.
fn operations(document: &mut Value) -> impl Iterator<Item = (&str, &str, &mut Value)> {
    let paths = document["paths"].as_object_mut().into_iter().flatten();
    paths.flat_map(|(path, methods)| {
        let operations = methods.as_object_mut().into_iter().flatten();
        operations.map(|(method, operation)| (path.as_str(), method.as_str(), operation))
    })
}

/// Marks operations that are open to anybody, and requires `write` of tokens for every change, whatever else
/// they need. What `/mcp` does with a message depends on the message, and so does what it needs.
fn complete_access(path: &str, method: &str, operation: &mut Value) {
    if operation["security"] == json!([{}]) && operation["x-access"].is_null() {
        operation["x-access"] = json!(Needs::nothing());
    }
    if method != "get" && path != "/mcp" && operation["x-access"]["token_scope"] == json!(TokenScope::Read) {
        operation["x-access"]["token_scope"] = json!(TokenScope::Write);
    }
}

/// A status, and when it is answered.
type Status = (&'static str, &'static str);

/// What the statuses of answers mean that an operation declares without a word.
const DECLARED: [Status; 5] =
    [("200", "Done"), ("201", "Made"), ("202", "Accepted"), ("204", "Done"), ("404", "Not found")];

/// Adds the refusals that every operation may give, where it does not declare its own.
fn complete_responses(path: &str, method: &str, operation: &mut Value) {
    let mut usual = usual_refusals(path, method, operation);
    let Some(responses) = operation["responses"].as_object_mut() else { return };
    for (status, _) in usual.iter() {
        responses.entry(*status).or_insert_with(|| json!({}));
    }
    usual.extend(DECLARED);
    let schema = if is_platform(path) { "PlatformProblem" } else { "Problem" };
    for (status, response) in responses {
        let text = usual.iter().find(|(known, _)| known == status).map_or("", |(_, text)| *text);
        if response["description"].as_str().is_none_or(str::is_empty) {
            response["description"] = text.into();
        }
        if status.starts_with(['4', '5']) && response["content"].is_null() {
            let problem = json!({"$ref": format!("#/components/schemas/{schema}")});
            response["content"] = json!({"application/json": {"schema": problem}});
        }
    }
}

/// The refusals that an operation may give whatever it does. Of several with the same status, the first one counts.
fn usual_refusals(path: &str, method: &str, operation: &Value) -> Vec<Status> {
    let is_open = operation["security"] == json!([{}]);
    let mut usual =
        vec![("422", "A value is not acceptable: `detail` names it"), ("503", "Overloaded: try again")];
    if !is_open {
        usual.extend([("401", "Not authenticated"), ("403", "Not allowed for this caller")]);
    }
    // Where a browser is sent to and comes back from, it is led to a page whatever happens.
    let is_sign_in = path.starts_with("/auth/") && method != "get";
    if !is_open || is_sign_in {
        usual.push(("429", "Too many requests: `Retry-After` says when to try again"));
    }
    if path.starts_with("/auth/password/") {
        usual.push(("404", "Password sign-in is turned off"));
    }
    // A caller without access to the organization or project gets 403, whether or not it exists.
    if path.replace("{organization_id}", "").replace("{project_id}", "").contains('{') {
        usual.push(("404", "Not found"));
    }
    if !operation["requestBody"].is_null() {
        usual.extend([
            ("400", "The body is malformed, or did not arrive in time"),
            ("413", "The body is too large"),
            ("415", "The body's type or encoding is not supported"),
        ]);
    }
    if is_platform(path) && !is_open {
        usual.push(("400", "It is not said which of several organizations is meant"));
    }
    usual
}

/// Whether an operation is of the platform API.
fn is_platform(path: &str) -> bool {
    path.starts_with("/webhooks/") || path.starts_with("/api/") && !path.starts_with("/api/v1/")
}

/// Marks nullable fields of answers as required: `null` is written, never left out.
fn require_nullable_fields(document: &mut Value) {
    let schemas = document["components"]["schemas"].clone();
    let (mut asked, mut answered) = (BTreeSet::new(), BTreeSet::new());
    for (_, _, operation) in operations(document) {
        names_in(&operation["requestBody"], &schemas, &mut asked);
        names_in(&operation["responses"], &schemas, &mut answered);
    }
    for name in answered.difference(&asked) {
        require_in(&mut document["components"]["schemas"][name]);
    }
}

/// The schemas that a part of the document refers to, directly or indirectly.
fn names_in(part: &Value, schemas: &Value, found: &mut BTreeSet<String>) {
    match part {
        Value::Object(fields) => {
            let target = fields.get("$ref").and_then(Value::as_str);
            if let Some(name) = target.and_then(|target| target.strip_prefix("#/components/schemas/"))
                && found.insert(name.to_owned())
            {
                names_in(&schemas[name], schemas, found);
            }
            fields.values().for_each(|value| names_in(value, schemas, found));
        }
        Value::Array(items) => items.iter().for_each(|item| names_in(item, schemas, found)),
        _ => {}
    }
}

fn require_in(schema: &mut Value) {
    for kind in ["allOf", "oneOf"] {
        schema.get_mut(kind).and_then(Value::as_array_mut).into_iter().flatten().for_each(require_in);
    }
    let Some(properties) = schema["properties"].as_object() else { return };
    let nullable =
        properties.iter().filter(|(_, property)| is_nullable(property)).map(|(name, _)| name.clone());
    let listed = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|name| name.as_str().map(str::to_owned));
    let required: BTreeSet<String> = nullable.chain(listed).collect();
    if !required.is_empty() {
        schema["required"] = required.into_iter().collect();
    }
}

fn is_nullable(property: &Value) -> bool {
    let null = Value::from("null");
    property["type"].as_array().is_some_and(|types| types.contains(&null))
        || property["oneOf"]
            .as_array()
            .is_some_and(|choices| choices.iter().any(|choice| choice["type"] == null))
}
