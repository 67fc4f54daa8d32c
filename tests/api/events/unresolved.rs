//! Why a frame is not resolved, and which maps are nearest.

use crate::support::project::{SCRIPT, SCRIPT_URL};
use crate::support::{Project, Value, json, maps};

/// The throw's frame of an event of this release.
fn unresolved(project: &Project, release: Option<&str>) -> Value {
    let event = project.digest(&Project::throw(release));
    let frame = &event["exception"]["frames"][0];
    assert_eq!(frame["resolved"], Value::Null, "{frame}");
    frame["unresolved"].clone()
}

fn detail(unresolved: &Value) -> &str {
    unresolved["detail"].as_str().unwrap()
}

#[test]
fn an_event_without_a_release_fails_the_first_rule() {
    let project = Project::new();
    project.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    let why = unresolved(&project, None);
    assert_eq!(why["rule"], "release");
    assert!(detail(&why).contains("release"), "{why}");
    assert_eq!(
        (&why["nearest"][0]["url"], &why["nearest"][0]["release"]),
        (&json!(SCRIPT_URL), &json!("1.0.0"))
    );
    assert!(why["nearest"][0]["why"].is_string());
}

#[test]
fn a_release_that_only_events_name_is_said_to_have_no_maps_beside_the_ones_there_are() {
    let project = Project::new();
    let why = unresolved(&project, Some("2.0.0"));
    assert_eq!((&why["rule"], &why["nearest"]), (&json!("release"), &json!([])));
    let seen = "No source maps: only events name release `2.0.0`. Upload them from its build";
    assert_eq!(detail(&why), format!("{seen}."));
    project.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    project.other().upload("2.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    let why = unresolved(&project, Some("2.0.0"));
    assert_eq!(why["rule"], "release");
    assert!(detail(&why).starts_with(seen) && detail(&why).ends_with("(the newest are: 1.0.0)."), "{why}");
    assert_eq!(why["nearest"].as_array().unwrap().len(), 1, "of this project only: {why}");
    assert_eq!(why["nearest"][0]["release"], "1.0.0");
}

#[test]
fn a_frame_that_was_sent_with_its_source_needs_no_map() {
    let project = Project::new();
    project.make_release("1.0.0");
    let sent = |line: &str| {
        let frame =
            json!({"function": "pay", "filename": SCRIPT, "lineno": 1, "colno": 51, "context_line": line});
        let event =
            json!({"release": "1.0.0", "exception": {"type": "E", "message": "x", "frames": [frame]}});
        project.digest(&event)["exception"]["frames"][0].clone()
    };
    let written = sent("  return cart.total;");
    assert_eq!((&written["resolved"], &written["unresolved"]), (&Value::Null, &Value::Null));
    assert_eq!(sent(&"ü".repeat(300))["unresolved"], Value::Null);
    for minified in ["", " ", &"x".repeat(301)] {
        assert_eq!(sent(minified)["unresolved"]["rule"], "url", "{minified}");
    }
    // If a map exists, it still gives the original source.
    project.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    assert!(sent("a(b)")["resolved"]["context_line"].is_string());
}

#[test]
fn an_unknown_url_lists_similar_ones() {
    let project = Project::new();
    project.make_release("1.0.0");
    let why = unresolved(&project, Some("1.0.0"));
    assert_eq!((&why["rule"], &why["nearest"]), (&json!("url"), &json!([])));
    assert!(detail(&why).contains(SCRIPT_URL), "{why}");

    for (near, part) in [
        ("~/js/cart.min.js", "path"),
        ("~/assets/cart.min.js.map", "map"),
        ("~/assets/Cart.min.js", "case"),
        ("~/assets/cart-8f3a2b.js", "another build"),
    ] {
        let project = project.other();
        project.upload("1.0.0", near, &maps::cart()).expect(201);
        project.upload("1.0.0", "~/assets/unlike.js", &maps::cart()).expect(201);
        let why = unresolved(&project, Some("1.0.0"));
        assert_eq!(why["rule"], "url");
        let nearest = why["nearest"].as_array().unwrap();
        assert_eq!((nearest.len(), &nearest[0]["url"]), (2, &json!(near)), "{why}");
        assert!(nearest[0]["why"].as_str().unwrap().contains(part), "{why}");
        assert_eq!(nearest[1]["url"], "~/assets/unlike.js");
    }
}

#[test]
fn a_release_with_maps_always_lists_some_as_nearest() {
    let project = Project::new();
    project.upload("1.0.0", "~/assets/app.min.js", &maps::cart()).expect(201);
    let nearest = |address: &str| -> Vec<Value> {
        let stack = maps::stack("Error: x", &[("t", address, 51)]);
        let event =
            json!({"release": "1.0.0", "exception": {"type": "Error", "message": "x", "stack": stack}});
        let frame = project.digest(&event)["exception"]["frames"][0].clone();
        frame["unresolved"]["nearest"].as_array().unwrap().iter().map(|near| near["url"].clone()).collect()
    };
    assert_eq!(nearest("https://shop.example/assets/app2.min.js"), ["~/assets/app.min.js"]);
    assert_eq!(nearest("https://shop.example/"), ["~/assets/app.min.js"]);
    for url in ["~/assets/vendor.min.js", "~/assets/map.js", "~/other/app3.min.js", "~/assets/app3.min.js"] {
        project.upload("1.0.0", url, &maps::cart()).expect(201);
    }
    assert_eq!(
        nearest("https://shop.example/assets/app2.min.js?v=1"),
        ["~/assets/app.min.js", "~/assets/app3.min.js", "~/other/app3.min.js"]
    );
}

#[test]
fn a_position_that_is_not_in_the_map_is_reported() {
    let project = Project::new();
    project.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    let at = |line: u32, column: &str| {
        let stack = format!("Error: x\n    at t ({SCRIPT}:{line}{column})");
        let event = project.digest(
            &json!({"release": "1.0.0", "exception": {"type": "Error", "message": "x", "stack": stack}}),
        );
        event["exception"]["frames"][0].clone()
    };
    let frame = at(9, ":5");
    assert_eq!(frame["unresolved"]["rule"], "position", "{frame}");
    assert!(detail(&frame["unresolved"]).contains("line 9"), "{frame}");
    assert_eq!(frame["unresolved"]["nearest"], json!([]));
    let empty = project.upload("2.0.0", SCRIPT_URL, r#"{"version":3,"sources":[],"names":[],"mappings":""}"#);
    empty.expect(201);
    assert_eq!(unresolved(&project, Some("2.0.0"))["rule"], "position");
}

#[test]
fn each_frame_has_its_own_answer() {
    let project = Project::new();
    project.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    let stack = maps::stack(
        "Error: x",
        &[
            ("t", SCRIPT, maps::IN_TOTAL),
            ("v", "https://cdn.example/vendor.js", 10),
            ("native", "native", 1),
            ("load", "node:internal/modules/cjs/loader", 1),
        ],
    );
    let event = project
        .digest(&json!({"release": "1.0.0", "exception": {"type": "Error", "message": "x", "stack": stack}}));
    let frames = event["exception"]["frames"].as_array().unwrap();
    assert_eq!(frames[0]["resolved"]["function"], "total");
    assert_eq!(frames[1]["unresolved"]["rule"], "url");
    for nothing_to_resolve in &frames[2..] {
        assert_eq!(
            (&nothing_to_resolve["resolved"], &nothing_to_resolve["unresolved"]),
            (&Value::Null, &Value::Null)
        );
    }
}

#[test]
fn source_files_of_other_languages_need_no_map() {
    let project = Project::new();
    for (filename, asks) in
        [("app/orders.py", false), ("lib/Cart.RB?x=1", false), ("~/assets/cart.min.js", true)]
    {
        let event = project.digest(&json!({"exception": {"type": "Failure", "message": filename, "frames": [
            {"function": "total", "filename": filename, "lineno": 3, "colno": 7}]}}));
        let frame = &event["exception"]["frames"][0];
        assert_eq!(frame["unresolved"].is_object(), asks, "{frame}");
    }
}
