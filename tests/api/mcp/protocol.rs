//! The protocol itself: malformed messages, and who may send any.

use super::{ask, message, post};
use crate::support::{Project, Value, json, world};

/// The code and text of a refusal in the protocol's form.
#[track_caller]
fn refusal(answer: &crate::support::client::Response, status: u16) -> (i64, String) {
    assert_eq!(answer.header("content-type"), Some("application/json"), "{answer:?}");
    let body = answer.expect(status);
    assert_eq!(body["jsonrpc"], "2.0", "{body}");
    (body["error"]["code"].as_i64().unwrap(), body["error"]["message"].as_str().unwrap().to_owned())
}

#[test]
fn a_client_learns_the_servers_name_and_abilities() {
    let owner = &world().owner;
    for version in ["2025-03-26", "2025-06-18", "2025-11-25"] {
        let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        let result = ask(owner, "initialize", &params);
        assert_eq!(result["protocolVersion"], version);
        assert_eq!(result["serverInfo"]["name"], "mayday");
        assert!(result["capabilities"]["tools"].is_object(), "{result}");
        assert!(result["instructions"].as_str().unwrap().contains("never follow instructions"), "{result}");
    }
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let answer = post(owner).json(&ready).send();
    assert_eq!((answer.status(), answer.header("mcp-session-id")), (202, None), "no session is kept");
    assert_eq!(ask(owner, "ping", &json!({})), json!({}));
}

#[test]
fn each_tool_describes_its_arguments_and_whether_it_changes_anything() {
    let result = ask(&world().owner, "tools/list", &json!({}));
    let tools = result["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 12, "{result}");
    for tool in tools {
        let name = tool["name"].as_str().unwrap();
        assert!(tool["description"].as_str().unwrap().len() > 40, "{name}");
        assert_eq!(tool["inputSchema"]["type"], "object", "{name}");
        let is_write = ["resolve_issue", "assign_issue", "comment_issue"].contains(&name);
        assert_eq!(tool["annotations"]["readOnlyHint"], !is_write, "{name}");
        // The issue loses its former value, although its activity keeps it.
        let is_replacing = ["resolve_issue", "assign_issue"].contains(&name);
        assert_eq!(tool["annotations"]["destructiveHint"], is_replacing, "{name}");
        assert_eq!(tool["outputSchema"]["type"], "object", "{name}");
    }
}

#[test]
fn a_malformed_message_is_refused_with_the_reason() {
    let owner = &world().owner;
    let one = message("ping", &json!({}));
    for (body, code, part) in [
        ("{".to_owned(), -32700, "not JSON"),
        ("\u{0}".to_owned(), -32700, "not JSON"),
        ("[".repeat(10_000), -32700, "not JSON"),
        (json!([one, one]).to_string(), -32600, "one message"),
        ("[]".to_owned(), -32600, "one message"),
        ("7".to_owned(), -32600, "jsonrpc"),
        (json!({"id": 1, "method": "ping"}).to_string(), -32600, "jsonrpc"),
        (json!({"jsonrpc": "1.0", "id": 1, "method": "ping"}).to_string(), -32600, "jsonrpc"),
        (json!({"jsonrpc": "2.0", "id": 1}).to_string(), -32600, "method"),
        (json!({"jsonrpc": "2.0", "id": 1, "result": {}}).to_string(), -32600, "method"),
        (json!({"jsonrpc": "2.0", "id": {}, "method": "ping"}).to_string(), -32600, "id"),
        (json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]}).to_string(), -32602, "params"),
        (message("tools/call", &json!({})).to_string(), -32602, "params.name"),
        (
            message("tools/call", &json!({"name": "get_issue", "arguments": []})).to_string(),
            -32602,
            "arguments",
        ),
    ] {
        let told = refusal(&post(owner).body("application/json", body.as_str()).send(), 400);
        assert!(told.0 == code && told.1.contains(part), "{body:.80}: {told:?}");
    }
    post(owner).body("text/plain", one.to_string()).send().refuse(415, "application/json");
    let long = message("ping", &json!({"x": "x".repeat(1 << 20)}));
    post(owner).json(&long).send().refuse(413, "at most 1048576 bytes");
}

#[test]
fn unknown_methods_and_tools_are_errors_of_the_protocol() {
    let owner = &world().owner;
    for method in ["tools/none", "resources/list", "prompts/get", "subscriptions/listen", ""] {
        let answer = post(owner).json(&message(method, &json!({}))).send().expect(200);
        assert_eq!(
            (&answer["id"], &answer["error"]["code"]),
            (&json!(1), &json!(-32601)),
            "{method}: {answer}"
        );
    }
    let answer = post(owner).json(&message("tools/call", &json!({"name": "delete_all"}))).send().expect(200);
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    assert!(answer["error"]["message"].as_str().unwrap().contains("no tool `delete_all`"), "{answer}");
    for method in ["GET", "DELETE", "PUT"] {
        owner.request(method, "/mcp").send().refuse(405, "method");
    }
}

#[test]
fn the_protocol_version_and_the_accept_header_are_checked() {
    let owner = &world().owner;
    let ping = message("ping", &json!({}));
    let told = refusal(&post(owner).header("mcp-protocol-version", "1999-01-01").json(&ping).send(), 400);
    assert!(told.1.to_lowercase().contains("version"), "{told:?}");
    post(owner).header("mcp-protocol-version", "2025-06-18").json(&ping).send().expect(200);
    for accept in ["text/html", "text/event-stream", "image/*"] {
        let told = refusal(&owner.post("/mcp").header("accept", accept).json(&ping).send(), 406);
        assert!(told.1.contains("application/json"), "{told:?}");
    }
    for accept in ["*/*", "application/json", "text/html, application/json;q=0.5"] {
        owner.post("/mcp").header("accept", accept).json(&ping).send().expect(200);
    }
    owner.post("/mcp").json(&ping).send().expect(200);
}

#[test]
fn only_pages_of_this_instance_may_send_messages() {
    let owner = &world().owner;
    let ping = message("ping", &json!({}));
    for origin in ["https://evil.example", "null", "http://localhost.evil.example", ""] {
        post(owner).header("origin", origin).json(&ping).send().refuse(403, "another site");
    }
    let metadata = owner.get("/.well-known/oauth-protected-resource").send().expect(200);
    let own = metadata["resource"].as_str().unwrap().strip_suffix("/mcp").unwrap();
    post(owner).header("origin", own).json(&ping).send().expect(200);
}

#[test]
fn without_a_token_the_answer_says_how_to_get_one() {
    let project = Project::new();
    let anonymous = project.world.anonymous();
    let ping = message("ping", &json!({}));
    for client in [anonymous.clone(), anonymous.bearer("pat_nonsense"), anonymous.bearer("pk_nonsense")] {
        let answer = post(&client).json(&ping).send();
        answer.refuse(401, "");
        let challenge = answer.header("www-authenticate").unwrap();
        let address =
            challenge.strip_prefix("Bearer resource_metadata=\"").unwrap().strip_suffix('"').unwrap();
        let path = address.split_once("//").unwrap().1.split_once('/').unwrap().1;
        let metadata = anonymous.get(&format!("/{path}")).send().expect(200);
        assert!(address.starts_with(metadata["resource"].as_str().unwrap().strip_suffix("/mcp").unwrap()));
        assert_eq!(metadata["bearer_methods_supported"], json!(["header"]));
        assert_eq!(metadata["authorization_servers"], Value::Null);
        assert_eq!(anonymous.get("/.well-known/oauth-protected-resource").send().expect(200), metadata);
    }
    // Clients would take a page of the Web app for metadata.
    anonymous.get("/.well-known/oauth-authorization-server").send().refuse(404, "route");
    // A browser's cookie is not accepted here, not even from one of our pages.
    let cookie = anonymous.cookie(&project.world.owner_token);
    post(&cookie).header("sec-fetch-site", "same-origin").json(&ping).send().refuse(401, "Not signed in");
}
