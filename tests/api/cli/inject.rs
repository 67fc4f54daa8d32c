//! Debug ids: `mayday sourcemaps inject`, `debug_meta`, and matching.

use crate::support::build::thrown;
use crate::support::project::SCRIPT_URL;
use crate::support::{Build, Project, json, maps};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};
use std::process::Command;

const ID: &str = "0f3c2d1e-4b5a-4978-8f69-a0b1c2d3e4f5";
/// An address that no rule matches.
const ELSEWHERE: &str = "https://other.example/deep/x.js";

fn with_id(map: &str, name: &str) -> String {
    map.replacen('{', &format!("{{\"{name}\":\"{ID}\","), 1)
}

fn carrying(release: &str, code_file: &str, id: &str) -> serde_json::Value {
    let mut event = thrown(release, ELSEWHERE);
    event["debug_meta"] = json!({"images": [
        {"type": "wasm", "code_file": code_file, "debug_id": "not looked at"},
        {"type": "sourcemap", "code_file": code_file, "debug_id": id}]});
    event
}

#[test]
fn a_debug_id_takes_precedence_over_release_and_address() {
    let project = Project::new();
    for (version, name) in [("1", "debugId"), ("2", "debug_id")] {
        project.upload(version, SCRIPT_URL, &with_id(&maps::cart(), name)).expect(201);
    }
    for (release, id) in [("1", ID.to_owned()), ("unknown", ID.to_uppercase()), ("2", ID.replace('-', ""))] {
        let event = project.digest(&carrying(release, ELSEWHERE, &id));
        let resolved = &event["exception"]["frames"][0]["resolved"];
        assert_eq!(resolved["function"], "total", "{event}");
        assert_eq!(resolved["matched_by_debug_id"], true);
    }
    let by_rules = project.digest(&thrown("1", "https://shop.example/assets/cart.min.js"));
    assert_eq!(by_rules["exception"]["frames"][0]["resolved"]["matched_by_debug_id"], false);
    // An id of another script, or of nothing, changes nothing.
    for event in
        [carrying("1", "https://other.example/y.js", ID), carrying("1", ELSEWHERE, &ID.replace('0', "1"))]
    {
        let event = project.digest(&event);
        assert_eq!(event["exception"]["frames"][0]["unresolved"]["rule"], "url", "{event}");
    }
}

#[test]
fn another_projects_ids_are_not_found() {
    let project = Project::new();
    project.upload("1", SCRIPT_URL, &with_id(&maps::cart(), "debugId")).expect(201);
    let other = project.other();
    let event = other.digest(&carrying("1", ELSEWHERE, ID));
    assert_eq!(event["exception"]["frames"][0]["unresolved"]["rule"], "release", "{event}");
    // And the first project's still is, with the very same stack.
    let event = project.digest(&carrying("1", ELSEWHERE, ID));
    assert_eq!(event["exception"]["frames"][0]["resolved"]["function"], "total");
}

#[test]
fn a_late_map_resolves_by_its_debug_id() {
    let project = Project::new();
    let event = project.digest(&carrying("1", ELSEWHERE, ID));
    assert_eq!(event["exception"]["frames"][0]["unresolved"]["rule"], "release");
    project.upload("2", SCRIPT_URL, &with_id(&maps::cart(), "debugId")).expect(201);
    let again = project.event(event["event_id"].as_str().unwrap());
    assert_eq!(again["exception"]["frames"][0]["resolved"]["function"], "total", "{again}");
}

#[test]
fn a_malformed_debug_meta_is_refused_and_odd_ids_are_ignored() {
    let project = Project::new();
    let with = |meta: serde_json::Value| {
        let mut event = thrown("1", ELSEWHERE);
        event["debug_meta"] = meta;
        project.post(&event)
    };
    with(json!("x")).refuse(422, "debug_meta");
    with(json!({"images": {}})).refuse(422, "debug_meta.images");
    with(json!({"images": [7]})).refuse(422, "debug_meta.images[0]");
    with(json!({"images": [{"debug_id": 7}]})).refuse(422, "debug_meta.images[0].debug_id");
    with(json!({})).expect(202);
    let image = json!({"type": "sourcemap", "code_file": ELSEWHERE, "debug_id": ID});
    with(json!({"images": [{}, {"debug_id": "x", "code_file": "y"}, {"debug_id": ID}]})).expect(202);
    with(json!({"images": vec![image; 500]})).expect(202);
}

#[test]
fn inject_and_upload_resolve_at_any_address() {
    let (project, build) = (Project::new(), Build::new());
    let injected =
        build.run(&project, &["sourcemaps", "inject"]).expect(0, &["injected  assets/cart.min.js"]);
    let script = build.read("assets/cart.min.js");
    let id = script.rsplit("//# debugId=").next().unwrap().lines().next().unwrap().to_owned();
    assert!(injected.out.contains(&id));
    build.run(&project, &["sourcemaps", "inject"]).expect(0, &["has one   assets/cart.min.js"]);
    assert_eq!(build.read("assets/cart.min.js"), script);
    let uploaded =
        build.run(&project, &["sourcemaps", "upload", "--release", "1.4.2", "--json"]).expect(0, &[]).json();
    assert_eq!(uploaded["scripts"][0]["debug_id"], id.as_str());
    // The snippet is one line above.
    let mut event = carrying("anything", ELSEWHERE, &id);
    event["exception"]["stack"] = json!(event["exception"]["stack"].as_str().unwrap().replace(":1:", ":2:"));
    let event = project.digest(&event);
    assert_eq!(event["exception"]["frames"][0]["resolved"]["function"], "total", "{event}");
}

/// As pages write it.
fn integrity(script: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(script)))
}

#[test]
fn a_script_that_a_page_binds_by_its_hash_is_not_changed() {
    let (project, build) = (Project::new(), Build::new());
    let before = build.read("assets/cart.min.js");
    let hash = integrity(&before);
    for page in ["index.html", "en/index.html"] {
        build.add(page, format!(r#"<script integrity="{hash}" crossorigin src="x.js"></script>"#));
        build.run(&project, &["sourcemaps", "inject"]).expect(1, &["integrity hash of assets/cart.min.js"]);
        build.add(page, "");
    }
    assert_eq!(build.read("assets/cart.min.js"), before);
    build.add(
        "index.html",
        r#"<script integrity="sha384-x" src="https://cdn.example/assets/cart.min.js"></script>"#,
    );
    build.add("assets/cart.min.js.gz", "old");
    let stale = "cart.min.js.gz is the script as it was before";
    build.run(&project, &["sourcemaps", "inject"]).expect(0, &["injected", stale]);
    let again = build.run(&project, &["sourcemaps", "inject"]).expect(0, &["has one"]);
    assert!(!again.out.contains(stale), "nothing was changed");
}

#[test]
fn an_injected_script_runs_and_registers_its_id() {
    let (project, build) = (Project::new(), Build::empty());
    let code = "'use strict';\nmodule.exports = (function () { return this })() === undefined;\n";
    build.add("a.cjs", format!("{code}//# sourceMappingURL=a.cjs.map\n"));
    build.add("a.cjs.map", maps::map("a.ts", Some("x"), &[(1, 1, 1)]).to_string());
    build.run(&project, &["sourcemaps", "inject"]).expect(0, &["injected"]);
    let print =
        "const strict = require('./a.cjs'); console.log(JSON.stringify([strict, globalThis._debugIds]))";
    let Ok(output) = Command::new("node").args(["-e", print]).current_dir(build.path()).output() else {
        return;
    };
    let printed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed[0], true, "the directive still counts");
    let (stack, id) = printed[1].as_object().unwrap().iter().next().unwrap();
    assert!(stack.contains("a.cjs:1:"), "{stack}");
    assert!(build.read("a.cjs").contains(id.as_str().unwrap()));
}
