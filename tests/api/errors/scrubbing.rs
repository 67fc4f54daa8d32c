//! Secrets are never stored.

use crate::support::{Project, Value, json};

const CARD: &str = "4111 1111 1111 1111";
const BEARER: &str = "Bearer canary.abc.DEF-123_456";
const PRIVATE_KEY: &str = "-----BEGIN RSA PRIVATE KEY-----\nMIIcanary\n-----END RSA PRIVATE KEY-----";

/// Everything that can be read of the event, as text.
fn all_that_is_shown(project: &Project, event: &Value) -> String {
    let issue = project.issues("")["issues"][0].clone();
    let read = |rest: &str| project.owner.get(&format!("{}{rest}", project.issue_path(&issue))).send().text();
    format!("{event}{issue}{}{}", read("/events"), read("/tags"))
}

#[test]
fn values_of_secret_names_are_filtered_and_counted() {
    let project = Project::new();
    let names = [
        "password",
        "client_secret",
        "accessToken",
        "Authorization",
        "Set-Cookie",
        "api_key",
        "apiKey",
        "X-CSRF-Token",
    ];
    for name in names {
        let project = Project::in_world(project.world.clone(), name);
        let event = project.digest(&json!({"message": "x",
            "tags": {name: "canary"}, "extra": {"deep": [{name: "canary"}]}, "contexts": {"request": {name: {"a": "canary"}}},
            "breadcrumbs": [{"data": {name: ["canary", 5]}}]}));
        assert_eq!(event["extra"]["deep"][0][name], "[Filtered]");
        assert_eq!(event["scrubbed"], 4, "{name}: {event}");
        assert!(!all_that_is_shown(&project, &event).contains("canary"), "{name}");
    }
}

#[test]
fn secrets_are_recognized_in_every_text() {
    let project = Project::new();
    for secret in [CARD, BEARER, PRIVATE_KEY, "https://x.example/?access_token=canary&page=2"] {
        let project = Project::in_world(project.world.clone(), "Looks");
        let text = format!("before {secret} after");
        let event = project.digest(&json!({
            "exception": {"type": "Error", "message": text, "stack": format!("Error: {text}\n    at f (https://x.example/a.js:1:2)"),
                "cause": {"type": "Error", "message": text},
                "frames": [{"function": "f", "filename": "a.py", "lineno": 1, "context_line": text, "pre_context": [text], "post_context": [text]}]},
            "message": text, "url": format!("https://shop.example/{text}"), "user_agent": text,
            "user": {"id": text, "email": text, "name": text, "username": text}, "account": {"id": text, "name": text},
            "tags": {"note": text}, "extra": {"a": [text]}, "contexts": {"b": {"c": text}},
            "breadcrumbs": [{"message": text, "data": {"d": text}}], "fingerprint": [text],
        }));
        let shown = all_that_is_shown(&project, &event);
        assert!(!shown.contains("canary") && !shown.contains("4111"), "{secret}: {shown}");
        assert!(shown.contains("[Filtered]"));
        let message = event["message"].as_str().unwrap();
        assert!(message.starts_with("before ") && message.ends_with(" after"), "{message}");
    }
}

#[test]
fn secrets_are_found_by_a_name_before_them_in_every_text() {
    let project = Project::new();
    let secrets = [
        r#"{"password":"canary","deep":"{\"token\":\"canary\"}"}"#,
        "password=canary&user=ann&api_key=canary",
        r#"[["Cookie","sid=canary"],["Host","x"]]"#,
        r#"{"name":"X-Api-Key","value":"canary"}"#,
        "GET / HTTP/1.1\r\nCookie: sid=canary\r\nX-Api-Key: canary\r\nAuthorization: Basic Y2FuYXJ5OmNhbmFyeQ==\r\nCF-Connecting-IP: 203.0.113.9\r\n",
        "DB_PASSWORD=canary host=db password=canary, postgres://app:canary@db/x https://canary@host/",
        "Server=db;Password=canary;AccountKey=canary;",
    ];
    for secret in secrets {
        let project = Project::in_world(project.world.clone(), "Names");
        let event = project.digest(&json!({
            "exception": {"type": "Error", "message": secret, "cause": {"message": secret}}, "message": secret,
            "user_agent": secret, "user": {"name": secret}, "tags": {"note": secret}, "extra": {"a": [secret]},
            "contexts": {"b": {"c": secret}}, "breadcrumbs": [{"message": secret, "data": {"body": secret}}],
        }));
        let shown = all_that_is_shown(&project, &event);
        for word in ["canary", "Y2FuYXJ5", "203.0.113.9"] {
            assert!(!shown.contains(word), "{word} of {secret}: {shown}");
        }
    }
}

#[test]
fn tokens_go_from_every_field_and_from_the_names_of_tags() {
    let project = Project::new();
    let token = "pat_0123456789abcdefghijABCDEFGHIJ0123456789";
    let event = project.digest(&json!({
        "message": "x", "platform": token, "session_id": token, "sdk": {"name": token}, "tags": {token: "a"}, "extra": {"by": {token: 1}},
        "breadcrumbs": [{"message": token, "category": token, "level": token}],
        "exception": {"type": "Error", "frames": [{"function": token, "module": token, "filename": token}]},
    }));
    let shown = all_that_is_shown(&project, &event);
    assert!(!shown.contains("0123456789abcdefghij"), "{shown}");
    assert_eq!(
        (&event["tags"], &event["extra"]["by"]),
        (&json!({"[Filtered]": "a"}), &json!({"[Filtered]": 1}))
    );
}

#[test]
fn text_that_only_resembles_a_secret_stays() {
    let project = Project::new();
    let text = "order 4111111111111112, the bearer of this, author=ada, 20261121120000, password reset failed: token expired, basic auth required, ann@example.org";
    let event = project.digest(
        &json!({"message": text, "extra": {"author": "ada", "monkey": "kept", "n": 1_700_000_000_000_i64}}),
    );
    assert_eq!((&event["message"], &event["scrubbed"]), (&json!(text), &json!(0)));
    assert_eq!(event["extra"]["monkey"], "kept");
}

#[test]
fn addresses_are_kept_only_if_the_project_is_set_to() {
    let project = Project::new();
    let sent = json!({"message": "x", "user": {"id": "u", "ip_address": "203.0.113.9"}, "extra": {"remote_addr": "203.0.113.9"}});
    let event = project.digest(&sent);
    assert_eq!(event["user"]["ip_address"], Value::Null);
    assert!(!event.to_string().contains("203.0.113.9"), "{event}");

    let settings = json!({"settings": {"scrubbing": {"keep_ip_addresses": true}}});
    project.owner.patch(&project.path("")).json(&settings).send().expect(200);
    let event = project.digest(&sent);
    assert_eq!(event["user"]["ip_address"], "203.0.113.9");
    assert_eq!(event["scrubbed"], 0);
}

#[test]
fn a_project_adds_names_and_switches_parts_off() {
    let project = Project::new();
    let sent = json!({"message": CARD, "extra": {"customer_ref": "mine", "password": "kept"}});
    let settings = json!({"settings": {"scrubbing": {"keys": ["Customer-Ref"], "secret_names": false, "card_numbers": false}}});
    project.owner.patch(&project.path("")).json(&settings).send().expect(200);
    let event = project.digest(&sent);
    assert_eq!(event["extra"], json!({"customer_ref": "[Filtered]", "password": "kept"}));
    assert_eq!((&event["message"], &event["scrubbed"]), (&json!(CARD), &json!(1)));

    let other = project.other().digest(&sent);
    assert_eq!(other["extra"], json!({"customer_ref": "mine", "password": "[Filtered]"}));
    assert_eq!(other["message"], "[Filtered]");
}
