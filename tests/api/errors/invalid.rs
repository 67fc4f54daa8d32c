//! Bad input: the documented status, a detail that names the field, and nothing stored.

use crate::support::{Project, Response, Value, json};

fn raw(project: &Project, body: impl Into<Vec<u8>>) -> Response {
    project.world.anonymous().post("/api/v1/errors").body("application/json", body).send()
}

#[test]
fn a_wrong_type_is_named_by_its_path() {
    let project = Project::new();
    for (field, value, path) in [
        ("exception", json!("boom"), "exception: expected an object"),
        ("exception", json!([]), "exception: expected an object, got an array"),
        ("exception", json!({}), "exception: expected"),
        ("exception", json!({"type": 5}), "exception.type: expected a text, got the number 5"),
        ("exception", json!({"message": {}}), "exception.message: expected"),
        ("exception", json!({"stack": ["a"]}), "exception.stack: expected"),
        ("exception", json!({"type": "E", "cause": {"cause": []}}), "exception.cause.cause: expected"),
        (
            "exception",
            json!({"type": "E", "mechanism": {"handled": "no"}}),
            "exception.mechanism.handled: expected",
        ),
        ("exception", json!({"type": "E", "frames": {}}), "exception.frames: expected"),
        ("exception", json!({"type": "E", "frames": [5]}), "exception.frames[0]: expected"),
        (
            "exception",
            json!({"type": "E", "frames": [{}, {"lineno": "7"}]}),
            "exception.frames[1].lineno: expected",
        ),
        (
            "exception",
            json!({"type": "E", "frames": [{"pre_context": "x"}]}),
            "exception.frames[0].pre_context: expected",
        ),
        ("type", json!("transaction"), "type: expected `exception` or `message`"),
        ("level", json!("loud"), "level: expected one of debug, info, warning, error, fatal"),
        ("level", json!(3), "level: expected"),
        ("environment", json!([]), "environment: expected"),
        ("release", json!(1.5), "release: expected"),
        ("event_id", json!(""), "event_id: expected 1 to 128 characters"),
        ("event_id", json!("x".repeat(129)), "event_id: expected 1 to 128 characters, got 129"),
        ("event_id", json!("\u{0}".repeat(300)), "event_id: expected 1 to 128 characters, got 300"),
        ("event_id", json!(5), "event_id: expected"),
        ("user", json!("eve"), "user: expected"),
        ("user", json!({"email": {}}), "user.email: expected"),
        ("account", json!([]), "account: expected"),
        ("account", json!({"name": false}), "account.name: expected"),
        ("tags", json!([]), "tags: expected"),
        ("tags", json!({"a": {}}), "tags.a: expected"),
        ("breadcrumbs", json!({}), "breadcrumbs: expected"),
        ("breadcrumbs", json!([{}, 5]), "breadcrumbs[1]: expected"),
        ("breadcrumbs", json!([{"message": 5}]), "breadcrumbs[0].message: expected"),
        ("fingerprint", json!("x"), "fingerprint: expected"),
        ("fingerprint", json!([{}]), "fingerprint[0]: expected"),
        ("fingerprint", json!([5]), "fingerprint[0]: expected a text, got the number 5"),
        ("fingerprint", json!(["a", true]), "fingerprint[1]: expected a text, got `true`"),
        ("fingerprint", json!([null]), "fingerprint[0]: expected a text, got null"),
        ("extra", json!("x"), "extra: expected"),
        ("contexts", json!([]), "contexts: expected"),
        ("sdk", json!("x"), "sdk: expected"),
        ("url", json!({}), "url: expected"),
        ("user_agent", json!(5), "user_agent: expected"),
        ("trace_id", json!([]), "trace_id: expected"),
        ("session_id", json!(true), "session_id: expected"),
        ("platform", json!(5), "platform: expected"),
    ] {
        let mut event = json!({"exception": {"type": "E"}});
        event[field] = value;
        project.post(&event).refuse(422, path);
    }
    assert!(project.is_empty());
}

#[test]
fn missing_fields_are_named() {
    let project = Project::new();
    project.post(&json!({})).refuse(422, "message: missing");
    project.post(&json!({"type": "exception"})).refuse(422, "exception: missing");
    project.post(&json!({"type": "exception", "message": "x"})).refuse(422, "exception: missing");
    project.post(&json!({"type": "message"})).refuse(422, "message: missing");
    project.post(&json!({"type": "message", "exception": {"type": "E"}})).refuse(422, "message: missing");
    assert!(project.is_empty());
}

#[test]
fn text_that_is_not_json_is_malformed() {
    let project = Project::new();
    let good = project.with_key(&json!({"message": "x"})).to_string();
    let cut = &good[..good.len() - 1];
    for body in [
        "",
        " ",
        "{",
        "nonsense",
        "{'a': 1}",
        "{\"a\":1,}",
        "NaN",
        cut,
        &format!("{good}{good}"),
        &format!("{good}x"),
    ] {
        raw(&project, body).refuse(400, "JSON");
    }
    let mut latin = good.replace("\"x\"", "\"?\"").into_bytes();
    let at = latin.iter().position(|byte| *byte == b'?').unwrap();
    latin[at] = 0xe9;
    raw(&project, latin).refuse(400, "JSON");
    raw(&project, good.replace("\"x\"", "\"a\u{0}b\"")).refuse(400, "JSON");
    let utf16: Vec<u8> = good.encode_utf16().flat_map(u16::to_le_bytes).collect();
    raw(&project, utf16).refuse(400, "JSON");
    assert!(project.is_empty());
}

#[test]
fn a_truncated_body_is_no_event() {
    let project = Project::new();
    let good = project.with_key(&json!({"message": "x"})).to_string();
    let announced = good.len() + 10;
    let post =
        project.world.anonymous().post("/api/v1/errors").body("application/json", good).claiming(announced);
    // The connection stays open until the server has enough of it: it may answer or hang up.
    if let Ok(answer) = post.half_closed() {
        answer.refuse(400, "body");
    }
    assert!(project.is_empty());
}

#[test]
fn very_deep_and_very_wide_bodies_are_refused_or_cut() {
    let project = Project::new();
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let deep = format!("{}1{}", open.repeat(200_000), close.repeat(200_000));
        let body = format!("{{\"api_key\":\"{}\",\"message\":\"x\",\"extra\":{deep}}}", project.key);
        let status = if body.len() > 1 << 20 { 413 } else { 422 };
        raw(&project, body).refuse(status, "");
        let batch = format!("[{{\"api_key\":\"{}\",\"message\":\"x\",\"extra\":{deep}}}]", project.key);
        let post = project.world.anonymous().post("/api/v1/errors/batch").body("application/json", batch);
        let answer = post.send();
        assert!(
            answer.status() == 422 || answer.value() == json!({"accepted": 0, "dropped": 1}),
            "{answer:?}"
        );
    }
    assert!(project.is_empty());
    let wide: String = (0..90_000).map(|n| format!(",\"k{n}\":1")).collect();
    let body = |inside: &str| format!("{{\"api_key\":\"{}\",\"message\":\"x\"{inside}}}", project.key);
    raw(&project, body(&wide)).expect(202);
    raw(&project, body(&format!(",\"extra\":{{\"a\":1{wide}}}"))).expect(202);
    raw(&project, body(&format!(",\"tags\":{{\"a\":1{wide}}}"))).expect(202);
    let million: String = (0..1_000_000).map(|n| format!(",\"k{n}\":1")).collect();
    raw(&project, body(&million)).refuse(413, "too large");
    let batch = format!("[{}]", body(million[..7 << 20].rsplit_once(',').unwrap().0));
    let post = project.world.anonymous().post("/api/v1/errors/batch").body("application/json", batch);
    assert_eq!(post.send().expect(202)["dropped"], 1);
}

#[test]
fn odd_texts_in_names_and_ids_are_data() {
    let project = Project::new();
    for odd in [
        "..",
        "../../../etc/passwd",
        "/etc/passwd",
        "a\u{0}b",
        "\u{0}",
        "\r\nSet-Cookie: x=y",
        &"x".repeat(300),
        "C:\\x",
        "%00",
    ] {
        let event = json!({"message": "x", "release": odd, "url": odd, "environment": odd, "trace_id": odd,
            "session_id": odd, "user": {"id": odd}, "tags": {odd: odd}, "platform": odd, "replay_id": odd,
            "exception": {"type": odd, "message": odd, "stack": odd}});
        let stored = project.digest(&event);
        let kept = |value: &Value| {
            odd.ends_with(value.as_str().unwrap()) || odd.starts_with(value.as_str().unwrap())
        };
        assert!(
            kept(&stored["release"]) && kept(&stored["environment"]) && kept(&stored["trace_id"]),
            "{stored}"
        );
        assert_eq!(stored["exception"]["message"], odd.replace("x=y", "[Filtered]"));
        if odd.len() <= 128 {
            project.post(&json!({"event_id": odd, "message": "x"})).expect(202);
            assert_eq!(project.event(odd)["event_id"], odd);
        }
    }
}
