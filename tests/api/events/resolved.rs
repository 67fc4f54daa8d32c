//! Frames through source maps.

use crate::support::project::{SCRIPT, SCRIPT_URL};
use crate::support::{Project, Value, json, maps};

fn frames(event: &Value) -> &Vec<Value> {
    event["exception"]["frames"].as_array().unwrap()
}

#[test]
fn frames_are_resolved_to_file_function_line_and_source() {
    let project = Project::new();
    let map = project.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    let event = project.digest(&Project::throw(Some("1.0.0")));
    let source: Vec<&str> = maps::CART.lines().collect();
    let [total, checkout] = frames(&event).as_slice() else { panic!("{event}") };

    // As sent,
    assert_eq!((&total["function"], &total["url"]), (&json!("t"), &json!(SCRIPT)));
    assert_eq!((&total["line"], &total["column"]), (&json!(1), &json!(maps::IN_TOTAL)));
    // and as it was written.
    assert_eq!(total["unresolved"], Value::Null);
    let resolved = &total["resolved"];
    assert_eq!((&resolved["file"], &resolved["function"]), (&json!("src/cart.ts"), &json!("total")));
    assert_eq!((&resolved["line"], &resolved["column"]), (&json!(4), &json!(16)));
    assert_eq!(resolved["pre_context"], json!(source[..3]));
    assert_eq!(resolved["context_line"], source[3]);
    assert_eq!(resolved["post_context"], json!(source[4..9]));
    assert_eq!(resolved["source_map_id"], map["id"]);

    let resolved = &checkout["resolved"];
    assert_eq!((&resolved["function"], &resolved["line"]), (&json!("checkout"), &json!(11)));
    assert_eq!(resolved["pre_context"], json!(source[5..10]));
    assert_eq!(resolved["post_context"], json!(source[11..14]));
    assert_eq!((&total["in_app"], &checkout["in_app"]), (&json!(true), &json!(true)));

    let issue = project.issue();
    assert_eq!(issue["title"], "TypeError: no amount");
    assert_eq!(issue["culprit"], "total (src/cart.ts)");
}

#[test]
fn top_level_code_has_no_function_and_a_position_between_mappings_uses_the_one_before() {
    let project = Project::new();
    project.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    let stack = maps::stack(
        "Error: x",
        &[("t", SCRIPT, maps::IN_TOTAL + 7), ("<anonymous>", SCRIPT, maps::TOP_LEVEL)],
    );
    let event = project
        .digest(&json!({"release": "1.0.0", "exception": {"type": "Error", "message": "x", "stack": stack}}));
    let [first, last] = frames(&event).as_slice() else { panic!("{event}") };
    assert_eq!((&first["resolved"]["line"], &first["resolved"]["column"]), (&json!(4), &json!(16)));
    assert_eq!((&last["resolved"]["line"], &last["resolved"]["function"]), (&json!(14), &Value::Null));
}

#[test]
fn a_map_without_sources_resolves_without_context() {
    let project = Project::new();
    let map = maps::map("../src/cart.ts", None, &[(1, 1, 1), (maps::IN_TOTAL, 4, 16)]);
    project.upload("1.0.0", SCRIPT_URL, &map.to_string()).expect(201);
    let event = project.digest(&Project::throw(Some("1.0.0")));
    let resolved = &frames(&event)[0]["resolved"];
    assert_eq!((&resolved["file"], &resolved["line"]), (&json!("src/cart.ts"), &json!(4)));
    assert_eq!((&resolved["pre_context"], &resolved["context_line"]), (&json!([]), &Value::Null));
}

/// The function names of the two frames of [`Project::throw`], resolved with a map without sources, if the engine
/// names them like this.
fn named_without_sources(engine: [&str; 2]) -> [Value; 2] {
    let project = Project::new();
    // The map has the name `percent` at the call in `checkout`.
    let mut map = maps::map("src/cart.ts", None, &[(maps::IN_TOTAL, 4, 16)]);
    map["names"] = json!(["percent"]);
    let call = format!("{},{}", map["mappings"].as_str().unwrap(), "+GAOCA");
    map["mappings"] = json!(call);
    project.upload("1", SCRIPT_URL, &map.to_string()).expect(201);
    let sent = [(engine[0], SCRIPT, maps::IN_TOTAL), (engine[1], SCRIPT, maps::IN_CHECKOUT)];
    let stack = maps::stack("Error: x", &sent);
    let event = project
        .digest(&json!({"release": "1", "exception": {"type": "Error", "message": "x", "stack": stack}}));
    [0, 1].map(|at| frames(&event)[at]["resolved"]["function"].clone())
}

#[test]
fn without_sources_the_engines_own_name_wins_where_somebody_wrote_it() {
    assert_eq!(named_without_sources(["lookup", "checkout"]), [json!("lookup"), json!("checkout")]);
    assert_eq!(named_without_sources(["t.lookup", "new Shop"]), [json!("lookup"), json!("new Shop")]);
    // A name that a minifier made up counts less than the map's name of the called function.
    assert_eq!(named_without_sources(["t", "c"]), [json!("percent"), Value::Null]);
    assert_eq!(named_without_sources(["e$1", "Object.<anonymous>"]), [json!("percent"), Value::Null]);
}

#[test]
fn code_without_a_source_stays_as_it_was_sent() {
    let project = Project::new();
    let mut map = maps::map("src/cart.ts", None, &[(1, 1, 1)]);
    map["sources"] = json!([null]);
    project.upload("1", SCRIPT_URL, &map.to_string()).expect(201);
    let event = project.digest(&Project::throw(Some("1")));
    let frame = &frames(&event)[0];
    assert_eq!(
        (&frame["function"], &frame["url"], &frame["resolved"]),
        (&json!("t"), &json!(SCRIPT), &Value::Null)
    );
    assert_eq!(frame["unresolved"]["rule"], "position");
}

#[test]
fn files_are_named_as_the_map_names_them() {
    let project = Project::new();
    for (number, (root, source, file)) in [
        (None, "webpack://shop/./src/cart.ts", "src/cart.ts"),
        (None, "webpack:///src/cart.ts", "src/cart.ts"),
        (None, "webpack://@scope/shop/./src/cart.ts", "src/cart.ts"),
        (None, "turbopack:///[project]/src/cart.ts", "src/cart.ts"),
        (None, "./src/cart.ts", "src/cart.ts"),
        (None, "../../src/cart.ts", "src/cart.ts"),
        (Some("src"), "cart.ts", "src/cart.ts"),
        (Some("src/"), "cart.ts", "src/cart.ts"),
        (Some(""), "cart.ts", "cart.ts"),
        (None, "node_modules/lib/index.js", "node_modules/lib/index.js"),
    ]
    .into_iter()
    .enumerate()
    {
        let mut map = maps::map(source, Some(maps::CART), &[(1, 1, 1), (maps::IN_TOTAL, 4, 16)]);
        map["sourceRoot"] = json!(root);
        let release = format!("r{number}");
        project.upload(&release, SCRIPT_URL, &map.to_string()).expect(201);
        let event = project.digest(&Project::throw(Some(&release)));
        assert_eq!(frames(&event)[0]["resolved"]["file"], file, "{root:?} {source}");
    }
}

#[test]
fn sent_frames_and_causes_are_resolved_too() {
    let project = Project::new();
    project.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    let sent = |column: u32| {
        json!({"type": "Error", "message": "x",
        "frames": [{"function": "t", "filename": "cart.min.js", "abs_path": SCRIPT, "lineno": 1, "colno": column}]})
    };
    let mut exception = sent(maps::IN_TOTAL);
    exception["cause"] = sent(maps::IN_CHECKOUT);
    exception["cause"]["cause"] = Project::throw(None)["exception"].clone();
    let event = project.digest(&json!({"release": "1.0.0", "exception": exception}));
    let exception = &event["exception"];
    assert_eq!(exception["frames"][0]["resolved"]["line"], 4);
    assert_eq!(exception["cause"]["frames"][0]["resolved"]["line"], 11);
    assert_eq!(exception["cause"]["cause"]["frames"][1]["resolved"]["function"], "checkout");
}

#[test]
fn firefox_frames_are_resolved() {
    let project = Project::new();
    project.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    let stack = format!("t@{SCRIPT}:1:{}\nc@{SCRIPT}:1:{}\n", maps::IN_TOTAL, maps::IN_CHECKOUT);
    let event = project.digest(
        &json!({"release": "1.0.0", "exception": {"type": "TypeError", "message": "x", "stack": stack}}),
    );
    assert_eq!(frames(&event)[0]["resolved"]["function"], "total");
    assert_eq!(frames(&event)[1]["resolved"]["function"], "checkout");
}

#[test]
fn late_maps_apply_when_the_event_is_read() {
    let project = Project::new();
    let event = project.digest(&Project::throw(Some("1.0.0")));
    assert_eq!(frames(&event)[0]["unresolved"]["rule"], "release");
    project.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    let event = project.event(event["event_id"].as_str().unwrap());
    assert_eq!(frames(&event)[0]["resolved"]["function"], "total");
    assert_eq!(frames(&event)[0]["unresolved"], Value::Null);
    let next = project.digest(&Project::throw(Some("1.0.0")));
    assert_eq!(frames(&next)[0]["resolved"]["function"], "total");
}

#[test]
fn resolving_survives_a_restart() {
    let world = std::sync::Arc::new(crate::support::World::new(crate::support::Server::start()));
    let project = Project::in_world(world, "Shop");
    project.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    let (id, key) = (project.id, project.key.clone());
    let world = std::sync::Arc::into_inner(project.world).unwrap().restart();
    let project = Project { owner: world.owner.clone(), world: std::sync::Arc::new(world), id, key };
    let event = project.digest(&Project::throw(Some("1.0.0")));
    assert_eq!(frames(&event)[0]["resolved"]["function"], "total");
}
