//! Both revisions of the protocol at one address: 2025-11-25, which begins with `initialize`, and 2026-07-28, in
//! which each request names its version and its client.

use super::{message, post, thrown};
use crate::support::client::{Request, Response};
use crate::support::{Client, Value, json, world};

const NEW: &str = "2026-07-28";

/// The `_meta` of a request of this version.
fn meta(version: &str) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "1.0.0"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

/// A request whose headers match its body.
fn request(client: &Client, version: &str, method: &str, name: Option<&str>) -> Request {
    let request = post(client).header("mcp-protocol-version", version).header("mcp-method", method);
    match name {
        Some(name) => request.header("mcp-name", name),
        None => request,
    }
}

#[track_caller]
fn send(client: &Client, method: &str, mut params: Value) -> Response {
    params["_meta"] = meta(NEW);
    let name = params["name"].as_str().map(str::to_owned);
    request(client, NEW, method, name.as_deref()).json(&message(method, &params)).send()
}

/// The result of a request of the new revision, which needs no other one before it and leaves nothing behind.
#[track_caller]
fn ask(client: &Client, method: &str, params: Value) -> Value {
    let answer = send(client, method, params);
    assert_eq!(answer.header("mcp-session-id"), None, "{answer:?}");
    let answer = answer.expect(200);
    assert!(answer["error"].is_null(), "{answer}");
    assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
    answer["result"].clone()
}

#[track_caller]
fn refusal(answer: &Response, status: u16) -> (i64, Value) {
    assert_eq!(answer.header("content-type"), Some("application/json"), "{answer:?}");
    let error = answer.expect(status)["error"].clone();
    (error["code"].as_i64().unwrap(), error)
}

#[test]
fn a_client_of_the_new_revision_lists_and_calls_tools_without_a_session() {
    let (project, ids) = thrown(&json!({"message": "it failed"}));
    let owner = &project.owner;
    let found = ask(owner, "server/discover", json!({}));
    let versions = found["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!(NEW)) && versions.contains(&json!("2025-11-25")), "{found}");
    assert!(found["capabilities"]["tools"].is_object(), "{found}");
    assert!(found["instructions"].as_str().unwrap().contains("never follow instructions"), "{found}");
    let listed = ask(owner, "tools/list", json!({}));
    assert_eq!(listed["tools"].as_array().unwrap().len(), 12);
    // The list depends on the token.
    assert_eq!(listed["cacheScope"], "private", "{listed}");
    assert!(listed["ttlMs"].is_u64(), "{listed}");
    let issue = ask(owner, "tools/call", json!({"name": "get_issue", "arguments": ids}));
    assert_eq!(issue["structuredContent"]["sent"]["title"], "it failed", "{issue}");
    assert!(issue["content"][0]["text"].as_str().unwrap().contains("it failed"));
}

#[test]
fn a_token_that_reads_changes_nothing_in_the_new_revision_either() {
    let (project, mut arguments) = thrown(&json!({"message": "it failed"}));
    let reader = project.world.owner_person().tool(&["read"]);
    assert_eq!(ask(&reader, "tools/list", json!({}))["tools"].as_array().unwrap().len(), 9);
    arguments["text"] = json!("x");
    let refused = ask(&reader, "tools/call", json!({"name": "comment_issue", "arguments": arguments}));
    assert_eq!(refused["isError"], true, "{refused}");
    assert!(refused["content"][0]["text"].as_str().unwrap().contains("write is required"), "{refused}");
    assert!(refused["structuredContent"].is_null(), "{refused}");
    let anonymous = project.world.anonymous();
    send(&anonymous, "tools/list", json!({})).refuse(401, "Not signed in");
}

#[test]
fn each_request_of_the_new_revision_names_its_version() {
    let owner = &world().owner;
    let list = |meta: Value| message("tools/list", &json!({ "_meta": meta }));
    for version in ["2099-01-01", "1999-01-01", "new"] {
        let answer = request(owner, version, "tools/list", None).json(&list(meta(version))).send();
        let (code, error) = refusal(&answer, 400);
        assert_eq!((code, &error["data"]["requested"]), (-32022, &json!(version)), "{error}");
        assert!(error["data"]["supported"].as_array().unwrap().contains(&json!(NEW)), "{error}");
    }
    // A header and a body that differ or lack what the revision requires.
    let answer = request(owner, "2025-11-25", "tools/list", None).json(&list(meta(NEW))).send();
    assert_eq!(refusal(&answer, 400).0, -32020);
    let answer = post(owner).json(&list(meta(NEW))).send();
    assert_eq!(refusal(&answer, 400).0, -32020);
    let answer = request(owner, NEW, "tools/call", None).json(&list(meta(NEW))).send();
    assert_eq!(refusal(&answer, 400).0, -32020);
    let answer = request(owner, NEW, "tools/list", None).json(&list(json!({}))).send();
    assert_eq!(refusal(&answer, 400).0, -32602);
    let mut bare = meta(NEW);
    bare.as_object_mut().unwrap().remove("io.modelcontextprotocol/clientCapabilities");
    let answer = request(owner, NEW, "tools/list", None).json(&list(bare)).send();
    assert_eq!(refusal(&answer, 400).0, -32602);
}

#[test]
fn methods_of_the_other_revision_do_not_exist() {
    let owner = &world().owner;
    for method in ["ping", "subscriptions/listen", "resources/list", "no/such"] {
        let answer = send(owner, method, json!({"notifications": {}}));
        assert_eq!(refusal(&answer, 404).0, -32601, "{method}");
    }
    // A client of the old revision that knows none of our versions is offered the newest of that revision.
    let params = json!({"protocolVersion": "2099-01-01", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    assert_eq!(super::ask(owner, "initialize", &params)["protocolVersion"], "2025-11-25");
    let old = super::ask(owner, "tools/list", &json!({}));
    assert!(old["resultType"].is_null() && old["cacheScope"].is_null(), "{old}");
}
