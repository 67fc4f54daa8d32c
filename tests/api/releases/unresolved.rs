//! Frames of a release's latest events that could not be resolved.

use crate::support::project::{SCRIPT, SCRIPT_URL};
use crate::support::{Project, Value, json, maps};

fn unresolved(project: &Project, version: &str) -> Value {
    project.owner.get(&project.path(&format!("/releases/{version}/unresolved"))).send().expect(200)
}

fn throw(project: &Project, kind: &str, release: &str, frames: &[(&str, &str, u32)]) -> Value {
    let stack = maps::stack(&format!("{kind}: x"), frames);
    let exception = json!({"type": kind, "message": "x", "stack": stack});
    project.digest(&json!({"release": release, "exception": exception}))
}

#[test]
fn addresses_without_a_map_are_listed_with_similar_ones() {
    let project = Project::new();
    project.upload("1.0.0", "~/js/cart.min.js", &maps::cart()).expect(201);
    const VENDOR: &str = "https://cdn.example/vendor.js";
    throw(&project, "A", "1.0.0", &[("t", SCRIPT, 51), ("c", SCRIPT, 162), ("v", VENDOR, 10)]);
    throw(&project, "B", "2.0.0", &[("t", SCRIPT, 51)]);
    let last = throw(&project, "B", "1.0.0", &[("t", SCRIPT, 51), ("native", "native", 1)]);
    throw(&project, "B", "2.0.0", &[("t", SCRIPT, 51)]);
    let answer = unresolved(&project, "1.0.0");
    assert_eq!((&answer["checked_events"], &answer["checked_issues"]), (&json!(2), &json!(2)));
    assert_eq!(answer["total"], 2);
    let rows = answer["unresolved"].as_array().unwrap();
    let row = &rows[0];
    assert_eq!((&row["url"], &row["rule"]), (&json!(SCRIPT), &json!("url")));
    assert_eq!((&row["frame_count"], &row["event_count"]), (&json!(3), &json!(2)));
    assert_eq!(row["nearest"][0]["url"], "~/js/cart.min.js");
    assert_eq!(row["command"], "mayday sourcemaps upload --release 1.0.0 dist/");
    assert!(row["detail"].as_str().unwrap().contains(SCRIPT_URL), "{row}");
    assert_eq!(
        (&row["last_event_id"], &row["last_issue_id"], &row["last_seen"]),
        (&last["event_id"], &last["issue_id"], &last["timestamp"])
    );
    assert_eq!(
        (&rows[1]["url"], &rows[1]["nearest"][0]["url"]),
        (&json!(VENDOR), &json!("~/js/cart.min.js"))
    );
}

#[test]
fn frames_that_were_sent_with_their_source_are_not_listed() {
    let project = Project::new();
    project.make_release("1.0.0");
    let frame = |column: u32, line: &str| json!({"function": "pay", "filename": SCRIPT, "lineno": 1, "colno": column, "context_line": line});
    let frames = [frame(51, "return cart.total;"), frame(162, &"x".repeat(301))];
    project
        .digest(&json!({"release": "1.0.0", "exception": {"type": "E", "message": "x", "frames": frames}}));
    let answer = unresolved(&project, "1.0.0");
    let row = &answer["unresolved"][0];
    assert_eq!((&answer["total"], &row["url"], &row["frame_count"]), (&json!(1), &json!(SCRIPT), &json!(1)));
}

#[test]
fn frames_that_a_late_map_resolves_are_no_longer_listed() {
    let project = Project::new();
    project.make_release("1.0.0");
    project.digest(&Project::throw(Some("1.0.0")));
    assert_eq!(unresolved(&project, "1.0.0")["total"], 1);
    project.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    let answer = unresolved(&project, "1.0.0");
    assert_eq!((&answer["checked_events"], &answer["unresolved"]), (&json!(1), &json!([])));
    assert!(answer["mappable_frames"].as_u64().unwrap() > 0, "what is resolved counts: {answer}");
}

#[test]
fn frames_of_other_languages_and_those_with_their_source_need_no_maps() {
    let project = Project::new();
    let send = |kind: &str, exception: Value| {
        project.digest(&json!({"release": "1.0.0", "fingerprint": [kind], "exception": exception}));
        unresolved(&project, "1.0.0")
    };
    let call = "File \"/srv/shop/cart.py\", line 7, in pay\n    total()";
    let stack = format!("Traceback (most recent call last):\n  {call}\nKeyError: 'x'");
    send("python", json!({"type": "KeyError", "message": "'x'", "stack": stack}));
    let frame = |column: u32| {
        let function = format!("f{column}");
        json!({"function": function, "filename": SCRIPT, "lineno": 1, "colno": column})
    };
    let mut written = frame(51);
    written["context_line"] = json!("return cart.total;");
    let answer = send("source", json!({"type": "E", "message": "x", "frames": [written]}));
    assert_eq!((&answer["checked_events"], &answer["mappable_frames"]), (&json!(2), &json!(0)));
    let answer = send("minified", json!({"type": "E", "message": "x", "frames": [frame(51), frame(162)]}));
    assert_eq!((&answer["checked_events"], &answer["mappable_frames"]), (&json!(3), &json!(2)));
}

#[test]
fn positions_and_prefixes_have_their_own_reasons() {
    let project = Project::new();
    project.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    let stack = format!("A: x\n    at t ({SCRIPT}:9:5)\n    at u (relative.js:1:1)");
    project.digest(&json!({"release": "1.0.0", "exception": {"type": "A", "message": "x", "stack": stack}}));
    let answer = unresolved(&project, "1.0.0");
    let rows = answer["unresolved"].as_array().unwrap();
    let mut rules: Vec<_> = rows.iter().map(|row| (row["rule"].as_str().unwrap(), &row["command"])).collect();
    rules.sort_unstable_by_key(|(rule, _)| *rule);
    // There is no known fix for an address without a folder.
    let check = json!("mayday releases check --release 1.0.0 dist/");
    assert_eq!(rules, [("position", &check), ("prefix", &Value::Null)]);
}

#[test]
fn only_the_latest_events_are_examined() {
    let project = Project::new();
    project.make_release("1.0.0");
    let event = project.with_key(&Project::throw(Some("1.0.0")));
    let batch = |count: usize, of: &dyn Fn(usize) -> Value| {
        let events: Vec<Value> = (0..count).map(of).collect();
        project.world.anonymous().post("/api/v1/errors/batch").json(&json!(events)).send().expect(202);
    };
    batch(80, &|number| {
        let mut event = event.clone();
        event["event_id"] = json!(format!("same-{number}"));
        event
    });
    project.digest(&Project::throw(Some("1.0.0")));
    assert_eq!(unresolved(&project, "1.0.0")["checked_events"], 50);
    batch(30, &|number| {
        project.with_key(&json!({"message": format!("thing {}", char::from(b'a' + (number % 26) as u8)),
            "fingerprint": [number.to_string()], "release": "1.0.0"}))
    });
    project.digest(&Project::throw(Some("1.0.0")));
    let answer = unresolved(&project, "1.0.0");
    assert_eq!(answer["checked_issues"], 20);
    assert!(answer["checked_events"].as_i64().unwrap() <= 50, "{answer}");
}

#[test]
fn a_release_that_nothing_names_is_not_found() {
    let project = Project::new();
    project.digest(&Project::throw(Some("1.0.0-rc")));
    let path = |version: &str| project.path(&format!("/releases/{version}/unresolved"));
    project.owner.get(&path("1.0")).send().refuse(404, "not found");
    project.make_release("1.0.0");
    let answer = project.owner.get(&path("1.0.0")).send().expect(200);
    let nothing =
        json!({"checked_events": 0, "checked_issues": 0, "mappable_frames": 0, "unresolved": [], "total": 0});
    assert_eq!(answer, nothing);
}
