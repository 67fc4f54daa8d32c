//! The Model Context Protocol, which agents use.

mod access;
mod pages;
mod protocol;
mod results;
mod revisions;
mod tools;

use crate::support::client::Request;
use crate::support::{Client, Project, Value, json};

/// Characters of an answer, as the documentation promises.
const ANSWER_MAX: usize = 25_000;
const BEGINS: &str = "<<< DATA FROM OUTSIDE.";
const ENDS: &str = ">>> END OF DATA FROM OUTSIDE";

fn message(method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

fn post(client: &Client) -> Request {
    client.post("/mcp").header("accept", "application/json, text/event-stream")
}

/// The result of a request, which must succeed as far as the protocol is concerned.
#[track_caller]
fn ask(client: &Client, method: &str, params: &Value) -> Value {
    let answer = post(client).json(&message(method, params)).send();
    assert_eq!(answer.header("content-type"), Some("application/json"), "{answer:?}");
    let answer = answer.expect(200);
    assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!(1)), "{answer}");
    assert!(answer["error"].is_null(), "{answer}");
    answer["result"].clone()
}

/// Calls a tool: whether it failed, its text, and its object, which obeys the tool's schema.
#[track_caller]
fn answered(client: &Client, tool: &str, arguments: &Value) -> (bool, String, Value) {
    let result = ask(client, "tools/call", &json!({"name": tool, "arguments": arguments}));
    let content = result["content"].as_array().unwrap();
    assert_eq!((content.len(), &content[0]["type"]), (1, &json!("text")), "{result}");
    let text = content[0]["text"].as_str().unwrap().to_owned();
    let (is_error, object) = (result["isError"] == true, result["structuredContent"].clone());
    for length in [text.chars().count(), object.to_string().chars().count()] {
        assert!(length <= ANSWER_MAX, "{tool}: {length} characters");
    }
    if is_error {
        assert!(object.is_null(), "{tool}: {object}");
    } else {
        results::obeys(client, tool, &object);
        assert_eq!(object["next_cursor"].as_str(), next_cursor(&text).as_deref(), "{tool}");
    }
    (is_error, text, object)
}

#[track_caller]
fn called(client: &Client, tool: &str, arguments: &Value) -> (bool, String) {
    let (is_error, text, _) = answered(client, tool, arguments);
    (is_error, text)
}

/// The object of a call that must succeed.
#[track_caller]
fn object(client: &Client, tool: &str, arguments: &Value) -> Value {
    let (is_error, text, object) = answered(client, tool, arguments);
    assert!(!is_error, "{tool} {arguments}: {text}");
    object
}

/// The text of a call that must succeed.
#[track_caller]
fn told(client: &Client, tool: &str, arguments: &Value) -> String {
    let (is_error, text) = called(client, tool, arguments);
    assert!(!is_error, "{tool} {arguments}: {text}");
    text
}

/// The text of a call that must be refused, which holds `part`.
#[track_caller]
fn refused(client: &Client, tool: &str, arguments: &Value, part: &str) -> String {
    let (is_error, text) = called(client, tool, arguments);
    assert!(is_error && text.contains(part), "{tool} {arguments}: {text}");
    text
}

fn tool_names(client: &Client) -> Vec<String> {
    let tools = ask(client, "tools/list", &json!({}))["tools"].clone();
    tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

/// The lines that are marked as from outside, and the others.
fn parted(text: &str) -> (String, String) {
    let (mut outside, mut own, mut is_open) = (String::new(), String::new(), false);
    for line in text.lines() {
        if line.starts_with(BEGINS) {
            is_open = true;
        } else if line == ENDS {
            is_open = false;
        } else {
            let part = if is_open { &mut outside } else { &mut own };
            part.push_str(line);
            part.push('\n');
        }
    }
    assert!(!is_open, "a mark is not closed: {text}");
    (outside, own)
}

/// The cursor that an answer names.
fn next_cursor(text: &str) -> Option<String> {
    text.lines().find_map(|line| line.strip_prefix("Next cursor: ")).map(str::to_owned)
}

/// A project with an issue, and the ids that arguments need.
fn thrown(event: &Value) -> (Project, Value) {
    let project = Project::new();
    let event = project.digest(event);
    let ids = json!({"project_id": project.id, "issue_id": event["issue_id"]});
    (project, ids)
}

fn with(arguments: &Value, more: &Value) -> Value {
    let mut all = arguments.clone();
    for (name, value) in more.as_object().unwrap() {
        all[name] = value.clone();
    }
    all
}
