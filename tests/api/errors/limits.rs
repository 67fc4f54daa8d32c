//! Size limits: values over a limit are cut and listed, bodies over theirs are refused.

use crate::support::{Project, Value, json};

fn cut(event: &Value) -> Vec<&str> {
    event["truncated"].as_array().unwrap().iter().map(|path| path.as_str().unwrap()).collect()
}

#[test]
fn texts_are_cut_to_their_limit_and_listed() {
    let project = Project::new();
    let long = |characters: usize| "ü".repeat(characters);
    for (path, limit, event, pointer) in [
        ("exception.message", 8_192, json!({"exception": {"message": long(8_193)}}), "/exception/message"),
        ("message", 8_192, json!({"message": long(8_193)}), "/message"),
        ("url", 2_048, json!({"message": "x", "url": long(2_049)}), "/url"),
        ("release", 128, json!({"message": "x", "release": long(129)}), "/release"),
        ("environment", 64, json!({"message": "x", "environment": long(65)}), "/environment"),
        ("tags.k", 200, json!({"message": "x", "tags": {"k": long(201)}}), "/tags/k"),
        (
            "breadcrumbs[0].message",
            8_192,
            json!({"message": "x", "breadcrumbs": [{"message": long(8_193)}]}),
            "/breadcrumbs/0/message",
        ),
    ] {
        let event = project.digest(&event);
        assert_eq!(event.pointer(pointer).unwrap().as_str().unwrap(), long(limit), "{path}");
        assert_eq!(cut(&event), [path]);
    }
}

#[test]
fn texts_at_their_limit_are_whole() {
    let project = Project::new();
    let long = |characters: usize| "ü".repeat(characters);
    let event = project.digest(&json!({
        "exception": {"message": long(8_192)}, "url": long(2_048), "release": long(128), "environment": long(64),
        "tags": {long(200): long(200)}, "breadcrumbs": [{"message": long(8_192)}],
    }));
    assert_eq!(cut(&event), [""; 0]);
    assert_eq!(event["tags"][long(200)], long(200));
}

#[test]
fn a_tag_key_is_cut() {
    let project = Project::new();
    let event = project.digest(&json!({"message": "x", "tags": {"k".repeat(201): "v"}}));
    assert_eq!(event["tags"]["k".repeat(200)], "v");
    assert_eq!(cut(&event), ["tags"]);
}

#[test]
fn lists_keep_their_most_important_entries() {
    let project = Project::new();
    let tags: serde_json::Map<String, Value> = (0..101).map(|n| (format!("k{n:03}"), json!("v"))).collect();
    let crumbs: Vec<Value> = (0..101).map(|n| json!({"message": n.to_string()})).collect();
    let frames: Vec<Value> =
        (0..251).map(|n| json!({"function": format!("f{n}"), "filename": "a.py", "lineno": n + 1})).collect();
    let event = project
        .digest(&json!({"exception": {"type": "E", "frames": frames}, "tags": tags, "breadcrumbs": crumbs}));
    let frames = event["exception"]["frames"].as_array().unwrap();
    assert_eq!(
        (frames.len(), &frames[0]["function"], &frames[249]["function"]),
        (250, &json!("f0"), &json!("f249"))
    );
    let crumbs = event["breadcrumbs"].as_array().unwrap();
    assert_eq!(
        (crumbs.len(), &crumbs[0]["message"], &crumbs[99]["message"]),
        (100, &json!("1"), &json!("100"))
    );
    assert_eq!(event["tags"].as_object().unwrap().len(), 100);
    let mut cut = cut(&event);
    cut.sort_unstable();
    assert_eq!(cut, ["breadcrumbs", "exception.frames", "tags"]);
}

#[test]
fn a_stack_text_keeps_its_innermost_frames() {
    let project = Project::new();
    let lines = (0..400).map(|n| format!("\n    at f{n} (https://shop.example/a.js:1:{})", n + 1));
    let stack = format!("Error: deep{}", lines.collect::<String>());
    let event = project.digest(&json!({"exception": {"type": "Error", "message": "deep", "stack": stack}}));
    let frames = event["exception"]["frames"].as_array().unwrap();
    assert_eq!(
        (frames.len(), &frames[0]["function"], &frames[249]["function"]),
        (250, &json!("f0"), &json!("f249"))
    );
}

#[test]
fn extra_and_contexts_share_64_kib() {
    let project = Project::new();
    let event = project.digest(&json!({"message": "x",
        "extra": {"small": 1, "big": "x".repeat(40_000)}, "contexts": {"big": {"a": "y".repeat(40_000)}, "small": {"b": 2}}}));
    assert_eq!(event["extra"]["big"].as_str().unwrap().len(), 40_000);
    assert_eq!(event["contexts"], json!({"small": {"b": 2}}));
    assert_eq!(cut(&event), ["contexts.big"]);
}

#[test]
fn causes_go_to_depth_ten() {
    let project = Project::new();
    let mut exception = json!({"type": "Error", "message": "cause 12"});
    for depth in (0..12).rev() {
        exception = json!({"type": "Error", "message": format!("cause {depth}"), "cause": exception});
    }
    let event = project.digest(&json!({"exception": exception}));
    let causes =
        std::iter::successors(Some(&event["exception"]), |e| Some(&e["cause"]).filter(|e| !e.is_null()));
    assert_eq!(causes.count(), 1 + 10);
    assert_eq!(cut(&event).len(), 1, "{}", event["truncated"]);
}

#[test]
fn an_event_has_one_mib_at_most() {
    let project = Project::new();
    let plain = project.with_key(&json!({"message": "x"})).to_string();
    let padded = |size: usize| format!("{plain}{}", " ".repeat(size - plain.len()));
    let post =
        |body: String| project.world.anonymous().post("/api/v1/errors").body("application/json", body).send();
    post(padded(1 << 20)).expect(202);
    post(padded((1 << 20) + 1)).refuse(413, "1048576");
    post(padded(2 << 20)).refuse(413, "1048576");
}

#[test]
fn json_may_be_nested_64_levels_deep() {
    let project = Project::new();
    // The event, `extra`, and the arrays in it.
    let nested = |levels: usize| {
        let body = project.with_key(&json!({"message": "x", "extra": {"deep": "DEEP"}})).to_string();
        let deep = format!("{}{}", "[".repeat(levels - 2), "]".repeat(levels - 2));
        let body = body.replace("\"DEEP\"", &deep);
        project.world.anonymous().post("/api/v1/errors").body("application/json", body).send()
    };
    nested(64).expect(202);
    nested(65).refuse(422, "64");
    nested(10_000).refuse(422, "64");
}
