//! Every field that is sent is returned.

use crate::support::project::fresh_id;
use crate::support::{Project, Value, json};

/// Asserts that `event` holds all of `sent`, objects field by field.
#[track_caller]
fn assert_holds(event: &Value, sent: &Value, path: &str) {
    match sent {
        Value::Object(fields) => {
            fields
                .iter()
                .for_each(|(name, value)| assert_holds(&event[name], value, &format!("{path}.{name}")));
        }
        Value::Array(items) => {
            let got = event.as_array().unwrap_or_else(|| panic!("{path}: no array: {event}"));
            assert_eq!(got.len(), items.len(), "{path}");
            let pairs = got.iter().zip(items).enumerate();
            pairs.for_each(|(index, (got, sent))| assert_holds(got, sent, &format!("{path}[{index}]")));
        }
        _ => assert_eq!(event, sent, "{path}"),
    }
}

#[test]
fn every_field_of_an_exception_is_returned() {
    let project = Project::new();
    let sent = json!({
        "event_id": fresh_id(), "type": "exception", "level": "fatal",
        "exception": {
            "type": "TypeError", "message": "x is not a function",
            "stack": "TypeError: x is not a function\n    at f (https://shop.example/a.js:1:2)",
            "mechanism": {"type": "onerror", "handled": false},
            "cause": {"type": "RangeError", "message": "the cause", "stack": "RangeError: the cause\n    at g (https://shop.example/b.js:3:4)",
                "cause": {"type": "Error", "message": "its cause"}},
        },
        "message": "beside the exception", "release": "1.2.3", "environment": "staging", "platform": "javascript",
        "url": "https://shop.example/cart?page=2#top", "user_agent": "Mozilla/5.0 (X11; Linux)",
        "user": {"id": "u1", "email": "eve@example.com", "username": "eve", "name": "Eve"},
        "account": {"id": "a1", "name": "Initech"},
        "session_id": "s-1", "window_id": "w-1", "replay_id": "r-1", "trace_id": "t-1", "span_id": "p-1",
        "tags": {"locale": "de", "plan": "pro"},
        "extra": {"cart": {"items": [1, 2.5, null, true, "ü"]}},
        "contexts": {"browser": {"name": "Firefox", "version": "140"}},
        "fingerprint": ["{{ default }}", "mine"],
        "sdk": {"name": "mayday-browser", "version": "0.1.0"},
    });
    let event = project.digest(&sent);
    assert_holds(&event, &sent, "event");
    assert_eq!(event["project_id"], project.id);
    assert_eq!((&event["truncated"], &event["scrubbed"]), (&json!([]), &json!(0)));
    assert_eq!(event["exception"]["frames"][0]["url"], "https://shop.example/a.js");
    assert_eq!(event["exception"]["cause"]["frames"][0]["line"], 3);
    assert!(event["id"].is_i64() && event["issue_id"].is_i64(), "{event}");
}

#[test]
fn breadcrumbs_accept_both_kinds_of_timestamps() {
    let project = Project::new();
    let event = project.digest(&json!({"message": "crumbs", "breadcrumbs": [
        {"timestamp": 1_790_000_000_123_i64, "category": "ui.click", "message": "Buy", "level": "info",
            "type": "user", "data": {"id": "buy", "x": 3}},
        {"timestamp": "2026-09-21T14:13:20.5+02:00", "category": "fetch"},
        {"message": "no time"},
        {"timestamp": "yesterday"},
    ]}));
    let crumbs = event["breadcrumbs"].as_array().unwrap();
    assert_eq!(crumbs[0]["timestamp"], "2026-09-21T14:13:20.123Z");
    assert_eq!(crumbs[1]["timestamp"], "2026-09-21T12:13:20.500Z");
    assert_eq!((&crumbs[2]["timestamp"], &crumbs[3]["timestamp"]), (&Value::Null, &Value::Null));
    let sent = json!({"category": "ui.click", "message": "Buy", "level": "info", "type": "user", "data": {"id": "buy", "x": 3}});
    assert_holds(&crumbs[0], &sent, "breadcrumbs[0]");
}

#[test]
fn the_least_event_has_its_defaults() {
    let project = Project::new();
    let message = project.digest(&json!({"message": "hello"}));
    assert_eq!((&message["type"], &message["level"]), (&json!("message"), &json!("info")));
    assert_eq!(message["environment"], "production");
    assert_eq!(message["exception"], Value::Null);
    assert_eq!((&message["tags"], &message["breadcrumbs"]), (&json!({}), &json!([])));
    let exception = project.digest(&json!({"exception": {"message": "only this"}}));
    assert_eq!((&exception["type"], &exception["level"]), (&json!("exception"), &json!("error")));
    assert_eq!(exception["exception"]["frames"], json!([]));
    let both = json!({"type": "message", "message": "hello", "exception": {"message": "beside it"}});
    assert_eq!(project.digest(&both)["level"], "info");
}

#[test]
fn every_level_is_kept_and_accepted_in_any_case() {
    let project = Project::new();
    for (sent, kept) in [
        ("debug", "debug"),
        ("info", "info"),
        ("warning", "warning"),
        ("error", "error"),
        ("fatal", "fatal"),
        ("WARN", "warning"),
        ("Error", "error"),
    ] {
        assert_eq!(project.digest(&json!({"message": sent, "level": sent}))["level"], kept);
    }
}

#[test]
fn null_counts_as_missing_and_unknown_fields_do_no_harm() {
    let project = Project::new();
    let event = project.digest(&json!({
        "message": "x", "type": null, "level": null, "exception": null, "user": null, "tags": null,
        "breadcrumbs": null, "environment": null, "release": null, "event_id": null, "timestamp": null,
        "no_such_field": {"deep": [1]}, "modules": ["a"],
    }));
    assert_eq!((&event["level"], &event["environment"]), (&json!("info"), &json!("production")));
    assert_eq!((&event["user"], &event["release"]), (&Value::Null, &Value::Null));
}

#[test]
fn any_text_is_returned_unchanged() {
    let project = Project::new();
    let text = "<script>alert(1)</script> \"'`${x} {{ y }} %s \u{202e} \u{1f600} e\u{301} \\u0000 \t end";
    let event = project.digest(&json!({"message": text, "tags": {text: text}, "extra": {text: text}}));
    assert_eq!(event["message"], text);
    assert_eq!((&event["tags"][text], &event["extra"][text]), (&json!(text), &json!(text)));
}

#[test]
fn half_a_surrogate_pair_in_a_text_does_not_lose_the_event() {
    // `"😀".slice(0, 1)` in a browser: a half of a pair, which `JSON.stringify` writes as an escape.
    let project = Project::new();
    let body = format!(
        r#"{{"api_key": "{}", "message": "half \ud83d of \"it\" \\ud83d \ude00 \ud83d\ude00"}}"#,
        project.key
    );
    let answer = project.world.anonymous().post("/api/v1/errors").body("application/json", body).send();
    let id = answer.expect(202)["event_id"].as_str().unwrap().to_owned();
    assert_eq!(project.event(&id)["message"], "half \u{fffd} of \"it\" \\ud83d \u{fffd} \u{1f600}");
}
