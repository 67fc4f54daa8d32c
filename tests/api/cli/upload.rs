//! `mayday sourcemaps upload`.

use crate::support::build::{CommandOutput, script, thrown};
use crate::support::project::{SCRIPT, encoded};
use crate::support::server::{RunToEnd as _, address_of_nobody, command};
use crate::support::{Build, Project, Server, World, json, maps};
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Stdio;
use std::sync::Arc;

fn release(project: &Project, version: &str) -> serde_json::Value {
    project.owner.get(&project.path(&format!("/releases/{version}"))).send().expect(200)
}

const UPLOAD: [&str; 4] = ["sourcemaps", "upload", "--release", "1.4.2"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    UPLOAD.iter().chain(more).copied().collect()
}

#[test]
fn one_line_makes_the_next_error_readable() {
    let (project, build) = (Project::new(), Build::new());
    let told = build.run(&project, &UPLOAD);
    told.expect(0, &["resolves  assets/cart.min.js → ~/assets/cart.min.js", "1 new, 0 unchanged, finalized"]);
    let event = project.digest(&thrown("1.4.2", SCRIPT));
    assert_eq!(event["exception"]["frames"][0]["resolved"]["function"], "total");
    assert!(!release(&project, "1.4.2")["finalized_at"].is_null());
    // Again: nothing of it is sent.
    let again = build.run(&project, &with(&["--json"])).expect(0, &[]).json();
    assert_eq!(
        (&again["unchanged"], &again["bytes_sent"], &again["finalized"]),
        (&json!(1), &json!(0), &json!(true))
    );
}

#[test]
fn the_style_sheets_of_a_build_come_along() {
    let (project, build) = (Project::new(), Build::new());
    build.add("assets/app.css", "h1 { color: rgb(1, 2, 3) }");
    build.add("assets/print.css", "a{}");
    build.add("assets/large.css", " ".repeat((4 << 20) + 1));
    let told = build.run(&project, &with(&["--ignore", "print.css"]));
    told.expect(
        0,
        &[
            "replays   1 style sheet → ~/assets/app.css",
            "warning: assets/large.css is not uploaded",
            "1 new, 0 unchanged, finalized. New style sheets: 1.",
        ],
    );
    let read = |url: &str| {
        let path = format!("/stylesheets?release=1.4.2&url={}", encoded(url));
        project.owner.get(&project.path(&path)).send()
    };
    let found = read("https://cdn.example/assets/app.css");
    assert_eq!((found.status(), found.text().as_str()), (200, "h1 { color: rgb(1, 2, 3) }"));
    assert_eq!(read("https://cdn.example/assets/print.css").status(), 204);
    // Again, in another release: nothing of it is sent.
    let other = ["sourcemaps", "upload", "--release", "2", "--json", "--ignore", "print.css"];
    let told = build.run(&project, &other).expect(0, &[]).json();
    assert_eq!(told["style_sheets"], json!(["~/assets/app.css"]));
    assert_eq!((&told["style_sheets_stored"], &told["bytes_sent"]), (&json!(1), &json!(0)));
}

#[test]
fn style_sheets_that_a_release_does_not_take_stop_no_upload() {
    let (project, build) = (Project::new(), Build::new());
    let made = json!({"version": "1.4.2", "url_prefix": "~/assets/"});
    project.ci().post("/api/v1/releases").json(&made).send().expect(201);
    build.add("assets/app.css", "a{}");
    build.add("theme/dark.css", "b{}");
    let told = build.run(&project, &UPLOAD);
    told.expect(
        0,
        &[
            "warning: 1 style sheet is not uploaded, such as `~/theme/dark.css`",
            "1 new, 0 unchanged, finalized. New style sheets: 1.",
        ],
    );
}

#[test]
fn a_script_that_would_not_resolve_stops_the_upload() {
    let project = Project::new();
    let none = |build: &Build, parts: &[&str]| {
        build.run(&project, &UPLOAD).expect(1, parts);
        project.owner.get(&project.path("/releases/1.4.2")).send().refuse(404, "");
    };
    let build = Build::new();
    build.add("assets/plain.js", "x()");
    none(
        &build,
        &["no map    assets/plain.js", "no plain.js.map", "--allow-missing", "nothing was uploaded"],
    );
    let build = Build::new();
    build.add("assets/cart.min.js.map", maps::cart().replace("\"version\":3", "\"version\":2"));
    none(&build, &["broken    assets/cart.min.js", "must be 3"]);
    let build = Build::new();
    build.add("assets/cart.min.js.map", maps::cart_rebuilt());
    none(&build, &["broken    assets/cart.min.js", "another build"]);
    let build = Build::empty();
    build.add("style.css", "");
    none(&build, &["no scripts"]);

    let build = Build::new();
    build.add("assets/plain.js", "x()");
    build.add("vendor/other.js", "x()");
    build.run(&project, &with(&["--ignore", "vendor", "--allow-missing"])).expect(0, &["1 new"]);
    assert_eq!(release(&project, "1.4.2")["source_map_count"], 1);
}

#[test]
fn a_dry_run_needs_no_server_and_changes_nothing() {
    let (project, build) = (Project::new(), Build::new());
    let mut command = build.command(&project, &with(&["--dry-run", "--json"]));
    let told = CommandOutput::of(&command.env_remove("MAYDAY_URL").env_remove("MAYDAY_KEY").run())
        .expect(0, &[])
        .json();
    assert_eq!((&told["dry_run"], &told["finalized"]), (&json!(true), &json!(false)));
    assert_eq!(told["scripts"][0]["url"], "~/assets/cart.min.js");
    assert_eq!(told["scripts"][0]["status"], "resolves");
    assert!(told["warnings"][0].as_str().unwrap().contains("no script contains `1.4.2`"), "{told}");
    assert!(project.is_empty());
}

#[test]
fn the_prefix_comes_from_a_page_or_from_the_flag() {
    let (project, build) = (Project::new(), Build::new());
    build.add("index.html", "<script src=\"/app/assets/cart.min.js?v=1\"></script>");
    build.run(&project, &UPLOAD).expect(0, &["~/app/assets/cart.min.js"]);
    assert_eq!(release(&project, "1.4.2")["url_prefix"], "~/app/");
    // The page has another prefix, but the flag takes precedence.
    let told = build.run(&project, &["sourcemaps", "upload", "--release", "2", "--url-prefix", "~/static"]);
    told.expect(
        0,
        &[
            "warning: ",
            "`/app/assets/cart.min.js?v=1`",
            "--url-prefix '~/app/'",
            "→ ~/static/assets/cart.min.js",
        ],
    );
    assert_eq!(release(&project, "2")["url_prefix"], "~/static/");
    // A release keeps its prefix.
    let told = build.run(&project, &["sourcemaps", "upload", "--release", "2", "--url-prefix", "~/other/"]);
    told.expect(1, &["created with the url prefix `~/static/`", "releases delete"]);
    let absolute = ["sourcemaps", "upload", "--release", "3", "--url-prefix", "https://cdn.example/x/"];
    build.run(&project, &absolute).expect(0, &["https://cdn.example/x/assets/cart.min.js"]);
    build
        .run(&project, &["sourcemaps", "upload", "--release", "4", "--url-prefix", "static"])
        .expect(2, &["--url-prefix"]);
}

#[test]
fn the_page_is_found_however_the_directory_is_written() {
    let (project, site) = (Project::new(), Build::empty());
    site.add(
        "dist/index.html",
        "<script src=\"/app/assets/cart.min.js\"></script><i data-release=\"1.4.2\">",
    );
    site.add("dist/assets/cart.min.js", script());
    site.add("dist/assets/cart.min.js.map", maps::cart());
    let dry = [&UPLOAD[..], &["--dry-run", "--json"]].concat();
    for dir in ["dist", "dist/", "./dist", "dist/.", "dist/../dist", "dist/assets/.."] {
        let told = CommandOutput::of(&site.beside(&project, &dry, dir).run()).expect(0, &[]).json();
        assert_eq!(told["url_prefix"], "~/app/", "{dir}");
        assert_eq!(told["warnings"], json!([]), "{dir}");
    }
    // The page may also lie beside the directory, or beside a script.
    site.add("index.html", site.read("dist/index.html"));
    site.remove("dist/index.html");
    for dir in ["dist", "dist/", "./dist/"] {
        let told = CommandOutput::of(&site.beside(&project, &dry, dir).run()).expect(0, &[]).json();
        assert_eq!((&told["url_prefix"], &told["warnings"]), (&json!("~/app/"), &json!([])), "{dir}");
    }
    site.add("dist/assets/page.html", "<script src=\"/one/cart.min.js\"></script>");
    let told = CommandOutput::of(&site.beside(&project, &dry, "dist/assets/cart.min.js").run())
        .expect(0, &[])
        .json();
    assert_eq!(told["url_prefix"], "~/one/");
    // In the directory itself, where its parent has no name.
    let mut inside = site.beside(&project, &dry, ".");
    inside.current_dir(site.path().join("dist"));
    let told = CommandOutput::of(&inside.run()).expect(0, &[]).json();
    assert_eq!(told["url_prefix"], "~/app/");
}

#[test]
fn odd_names_resolve_however_they_are_written() {
    let (project, build) = (Project::new(), Build::empty());
    build.add("a b/[id] ü%.js", script());
    build.add("a b/[id] ü%.js.map", maps::cart());
    build.run(&project, &UPLOAD).expect(0, &["~/a%20b/[id]%20%C3%BC%25.js"]);
    for url in
        ["https://x.example/a%20b/[id]%20%C3%BC%25.js", "https://x.example/a%20b/%5Bid%5D%20%C3%BC%25.js?v=2"]
    {
        let event = project.digest(&thrown("1.4.2", url));
        assert_eq!(event["exception"]["frames"][0]["resolved"]["function"], "total", "{url}: {event}");
    }
}

#[test]
fn inline_maps_and_maps_in_other_folders_are_uploaded() {
    let (project, build) = (Project::new(), Build::empty());
    let encoded = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, maps::cart());
    let inline = script().replace("cart.min.js.map", &format!("data:application/json;base64,{encoded}"));
    build.add("inline.js", inline);
    build.add("js/far.js", script().replace("cart.min.js.map", "../maps/far.map"));
    build.add("maps/far.map", format!("\u{feff})]}}'\n{}", maps::cart()));
    build.run(&project, &UPLOAD).expect(0, &["2 new"]);
    for url in ["https://x.example/inline.js", "https://x.example/js/far.js"] {
        let event = project.digest(&thrown("1.4.2", url));
        assert_eq!(event["exception"]["frames"][0]["resolved"]["function"], "total", "{url}");
    }
}

#[test]
fn a_finalized_release_is_not_changed_and_the_servers_words_are_shown() {
    let (project, build) = (Project::new(), Build::new());
    build.run(&project, &with(&["--no-finalize"])).expect(0, &["still open"]);
    assert!(release(&project, "1.4.2")["finalized_at"].is_null());
    build.run(&project, &UPLOAD).expect(0, &["finalized"]);
    build.add("assets/cart.min.js.map", maps::cart().replace("src/cart.ts", "src/other.ts"));
    build.run(&project, &UPLOAD).expect(1, &["is finalized and has a different source map", "(409)"]);
}

#[test]
fn usage_errors_and_wrong_keys_have_different_exit_codes() {
    let (project, build) = (Project::new(), Build::new());
    let told = |name: &str, value: &str| {
        let mut command = build.command(&project, &UPLOAD);
        CommandOutput::of(
            &if value.is_empty() { command.env_remove(name) } else { command.env(name, value) }.run(),
        )
    };
    told("MAYDAY_URL", "").expect(2, &["MAYDAY_URL"]);
    told("MAYDAY_KEY", "").expect(2, &["MAYDAY_KEY"]);
    told("MAYDAY_URL", "nonsense").expect(2, &["nonsense"]);
    told("MAYDAY_KEY", "pk_nonsense").expect(1, &["Invalid API key", "(401)"]);
    told("MAYDAY_KEY", &project.key_for(&["ingest"])).expect(1, &["releases", "(403)"]);
    let mut command = build.command(&project, &["sourcemaps", "upload"]);
    CommandOutput::of(&command.env("PATH", "/nonexistent").run()).expect(2, &["--release"]);
    CommandOutput::of(&command.env("GITHUB_SHA", "0123abc").run()).expect(0, &["Release 0123abc"]);
    CommandOutput::of(&crate::support::server::command(["sourcemaps", "upload"]).run()).expect(2, &["DIR"]);
}

#[test]
fn the_address_may_come_from_the_file_of_the_other_tools() {
    let (project, build, home) = (Project::new(), Build::new(), Build::empty());
    home.add(".service/config.json", json!({"apiBaseUrl": project.ci().origin()}).to_string());
    let mut command = build.command(&project, &UPLOAD);
    CommandOutput::of(&command.env_remove("MAYDAY_URL").env("HOME", home.path()).run()).expect(0, &["1 new"]);
}

#[test]
fn a_server_that_restarts_does_not_fail_the_pipeline() {
    // No server listens there yet.
    let address = address_of_nobody();
    let project = Project::in_world(Arc::new(World::new(Server::start())), "Shop");
    let build = Build::new();
    let mut upload = build.command(&project, &UPLOAD);
    upload.env("MAYDAY_URL", format!("http://{address}")).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = upload.spawn().unwrap();
    let (mut errors, mut said) = (BufReader::new(child.stderr.take().unwrap()), String::new());
    while !said.contains("trying again in") {
        assert!(errors.read_line(&mut said).unwrap() > 0, "it did not wait for the server: {said}");
    }
    // The same data directory, under the address that was given.
    assert!(project.world.server.stop().success());
    let data = project.world.server.data_dir().to_owned();
    let mut server = command(["serve", "--listen", &address, "--data-dir"])
        .arg(data)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let output = child.wait_with_output().unwrap();
    errors.read_to_string(&mut said).unwrap();
    let told = CommandOutput { err: said, ..CommandOutput::of(&output) };
    server.kill().unwrap();
    server.wait().unwrap();
    told.expect(0, &["trying again in", "1 new, 0 unchanged, finalized"]);
}

#[test]
fn two_simultaneous_pipelines_both_succeed() {
    let (project, build) = (Project::new(), Build::new());
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| build.run(&project, &UPLOAD).expect(0, &["finalized"]));
        }
    });
    assert_eq!(release(&project, "1.4.2")["source_map_count"], 1);
}
