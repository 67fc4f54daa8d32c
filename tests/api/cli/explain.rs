//! `mayday sourcemaps explain` and `POST /api/v1/sourcemaps/explain`.

use crate::support::build::{Build, CommandOutput};
use crate::support::project::{SCRIPT, SCRIPT_URL};
use crate::support::server::{RunToEnd as _, command};
use crate::support::{Project, Value, json, maps};

fn explain(project: &Project, release: Option<&str>, url: &str) -> Value {
    let stack = maps::stack("Error: x", &[("t", url, maps::IN_TOTAL)]);
    let body = json!({"release": release, "stack": stack});
    let answer = project.ci().post("/api/v1/sourcemaps/explain").json(&body).send().expect(200);
    answer["frames"][0].clone()
}

#[test]
fn each_rule_names_what_was_looked_for_and_how_to_fix_it() {
    let project = Project::new();
    project.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    let frame = explain(&project, Some("1.0.0"), SCRIPT);
    assert_eq!((&frame["resolved"]["function"], &frame["unresolved"]), (&json!("total"), &Value::Null));
    let upload = "mayday sourcemaps upload --release";
    for (release, url, rule, wanted, near, command) in [
        (Some("9"), SCRIPT, "release", json!("9"), true, json!(format!("{upload} 9 dist/"))),
        (None, SCRIPT, "release", Value::Null, true, Value::Null),
        (
            Some("1.0.0"),
            "https://shop.example/assets/cart2.min.js?v=1",
            "url",
            json!("~/assets/cart2.min.js"),
            true,
            json!(format!("{upload} 1.0.0 --url-prefix '~/' dist/")),
        ),
        (
            Some("1.0.0"),
            "https://shop.example/v2/assets/cart.min.js",
            "url",
            json!("~/v2/assets/cart.min.js"),
            true,
            json!(format!("{upload} 1.0.0 --url-prefix '~/v2/' dist/")),
        ),
        (
            Some("1.0.0"),
            "https://shop.example/zzz.js",
            "url",
            json!("~/zzz.js"),
            true,
            json!(format!("{upload} 1.0.0 dist/")),
        ),
    ] {
        let unresolved = &explain(&project, release, url)["unresolved"];
        assert_eq!((&unresolved["rule"], &unresolved["looked_for"]), (&json!(rule), &wanted), "{unresolved}");
        assert_eq!(!unresolved["nearest"].as_array().unwrap().is_empty(), near, "{unresolved}");
        assert_eq!(unresolved["command"], command, "{unresolved}");
    }
    // On an event's page, the same.
    let event =
        project.digest(&crate::support::build::thrown("1.0.0", "https://shop.example/assets/cart2.min.js"));
    assert_eq!(event["exception"]["frames"][0]["unresolved"]["looked_for"], "~/assets/cart2.min.js");
    assert_eq!(project.issue()["event_count"], 1, "explaining stores nothing");
}

#[test]
fn each_of_many_addresses_gets_its_nearest_maps() {
    let project = Project::new();
    for count in 0..60 {
        project.upload("1.0.0", &format!("~/c{count}/s{count}.js"), &maps::cart()).expect(201);
    }
    let url = |count| format!("https://x.example/v2/c{count}/s{count}.js");
    let urls: Vec<String> = (0..60).map(url).collect();
    let frames: Vec<(&str, &str, u32)> = urls.iter().map(|url| ("t", url.as_str(), 9)).collect();
    for (release, rule) in [("1.0.0", "url"), ("2.0.0", "release")] {
        let body = json!({"release": release, "stack": maps::stack("Error: x", &frames)});
        let answer = project.ci().post("/api/v1/sourcemaps/explain").json(&body).send().expect(200);
        assert_eq!(answer["frames"].as_array().unwrap().len(), 60);
        for (count, frame) in answer["frames"].as_array().unwrap().iter().enumerate() {
            let unresolved = &frame["unresolved"];
            assert_eq!(unresolved["rule"], rule);
            let near = &unresolved["nearest"][0];
            assert_eq!(near["url"], format!("~/c{count}/s{count}.js"), "{release}: {unresolved}");
            let command = format!("upload --release {release} --url-prefix '~/v2/' dist/");
            assert!(unresolved["command"].as_str().unwrap().ends_with(&command), "{unresolved}");
        }
    }
}

#[test]
fn a_release_that_nothing_names_is_told_from_one_that_events_name() {
    let project = Project::new();
    let detail = || explain(&project, Some("9"), SCRIPT)["unresolved"]["detail"].as_str().unwrap().to_owned();
    assert_eq!(detail(), "No source maps: nothing was uploaded for release `9`. Upload them from its build.");
    project.digest(&Project::throw(Some("9")));
    assert_eq!(detail(), "No source maps: only events name release `9`. Upload them from its build.");
}

#[test]
fn names_of_clients_are_harmless_in_the_command() {
    let project = Project::new();
    let unresolved =
        explain(&project, Some("$(reboot)'; x"), "https://x.example/`a`/b.js")["unresolved"].clone();
    let command = "mayday sourcemaps upload --release '$(reboot)'\\''; x' dist/";
    assert_eq!(unresolved["command"], command);
}

#[test]
fn invalid_input_is_refused() {
    let project = Project::new();
    let post = |body: &Value| project.ci().post("/api/v1/sourcemaps/explain").json(body).send();
    post(&json!({"release": "1"})).refuse(422, "stack");
    post(&json!({"release": "", "stack": "x"})).refuse(422, "release");
    post(&json!({"stack": "x", "debug_meta": {"images": [{"code_file": "a", "debug_id": "x"}]}}))
        .refuse(422, "debug_id");
    assert_eq!(post(&json!({"stack": "no stack at all"})).expect(200)["frames"], json!([]));
    let ingest = project.world.bearer(&project.key_for(&["ingest"]));
    ingest.post("/api/v1/sourcemaps/explain").json(&json!({"stack": "x"})).send().refuse(403, "releases");
}

#[test]
fn the_command_line_explains_each_frame() {
    let (project, build) = (Project::new(), Build::empty());
    project.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    let other = SCRIPT.replace("cart", "cart2");
    build.add("stack.txt", maps::stack("Error: x", &[("t", SCRIPT, maps::IN_TOTAL), ("c", &other, 3)]));
    let run = |arguments: &[&str]| {
        let mut command = command(["sourcemaps", "explain", "--release", "1.0.0"]);
        command.args(arguments).env("MAYDAY_URL", project.ci().origin()).env("MAYDAY_KEY", &project.key);
        CommandOutput::of(&command.run())
    };
    let file = build.path().join("stack.txt").display().to_string();
    run(&["--stack", &file]).expect(
        0,
        &[
            "resolves  total src/cart.ts:4:16",
            "fails     c",
            "rule 3, the url",
            "nearest: ~/assets/cart.min.js in 1.0.0",
            "1 of 2 frames resolve, 1 should and do not",
        ],
    );
    assert_eq!(run(&["--stack", &file, "--json"]).json()["frames"].as_array().unwrap().len(), 2);
    run(&["--stack", "/nonexistent"]).expect(1, &["/nonexistent"]);
    // Nothing on standard input.
    run(&["--stack", "-"]).expect(1, &["no frames"]);
}

#[test]
fn a_stack_that_is_too_long_is_cut_and_the_cut_reported() {
    let (project, build) = (Project::new(), Build::empty());
    project.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    let stack = maps::stack("Error: x", &[("t", SCRIPT, maps::IN_TOTAL)]);
    let run = |text: &str| {
        build.add("stack.txt", text);
        let file = build.path().join("stack.txt");
        let mut command = command(["sourcemaps", "explain", "--release", "1.0.0", "--stack"]);
        command.arg(file).env("MAYDAY_URL", project.ci().origin()).env("MAYDAY_KEY", &project.key);
        CommandOutput::of(&command.run())
    };
    // The longest stack that a server accepts, in characters of four bytes each, and one more.
    let most = format!("{stack}\n{}", "\u{1f41e}".repeat((256 << 10) - stack.len() - 1));
    let fits = run(&most).expect(0, &["1 of 1 frames resolve"]);
    assert_eq!(fits.err, "");
    let longer = run(&format!("{most}\u{1f41e}"));
    longer.expect(0, &["1 of 1 frames resolve", "at most 262144 characters", "only its beginning"]);
    run(&"x".repeat(3 << 20)).expect(1, &["only its beginning", "no frames"]);
}
