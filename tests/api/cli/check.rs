//! `mayday releases check`: each rule is broken in turn.

use crate::support::build::{CommandOutput, script};
use crate::support::server::RunToEnd as _;
use crate::support::{Build, Project, Value, json, maps};

const CHECK: [&str; 4] = ["releases", "check", "--release", "1.4.2"];

fn uploaded() -> (Project, Build) {
    let (project, build) = (Project::new(), Build::new());
    build.run(&project, &["sourcemaps", "upload", "--release", "1.4.2"]).expect(0, &[]);
    build.run(&project, &CHECK).expect(0, &["1 of 1 scripts resolve"]);
    (project, build)
}

#[test]
fn another_release_is_noticed() {
    let (project, build) = uploaded();
    let told = build.run(&project, &["releases", "check", "--release", "1.4.3"]);
    told.expect(
        1,
        &["rule 1, the release", "looked for: 1.4.3", "newest are: 1.4.2", "upload --release 1.4.3"],
    );
}

#[test]
fn scripts_served_from_elsewhere_are_noticed() {
    let (project, build) = (Project::new(), Build::new());
    let upload = ["sourcemaps", "upload", "--release", "1.4.2", "--url-prefix", "~/static/"];
    build.run(&project, &upload).expect(0, &[]);
    // The page loads them from /assets/.
    let told = build.run(&project, &CHECK);
    told.expect(
        1,
        &[
            "rule 2, the url prefix",
            "looked for: ~/assets/cart.min.js",
            "nearest: ~/static/assets/cart.min.js",
            "releases delete 1.4.2 && mayday sourcemaps upload --release 1.4.2 --url-prefix '~/' /",
        ],
    );
    let elsewhere = [&CHECK[..], &["--served-from", "https://cdn.example/static"]].concat();
    build.run(&project, &elsewhere).expect(0, &[]);
}

#[test]
fn a_page_in_a_relative_directory_gives_the_address_of_its_scripts() {
    let (project, site) = (Project::new(), Build::empty());
    site.add("dist/index.html", "<script src=\"/app/assets/cart.min.js\"></script>");
    site.add("dist/assets/cart.min.js", script());
    site.add("dist/assets/cart.min.js.map", maps::cart());
    let upload = ["sourcemaps", "upload", "--release", "1.4.2", "--url-prefix", "~/"];
    CommandOutput::of(&site.beside(&project, &upload, "dist/").run()).expect(0, &["--url-prefix '~/app/'"]);
    for dir in ["dist", "dist/"] {
        CommandOutput::of(&site.beside(&project, &CHECK, dir).run())
            .expect(1, &["rule 3, the url", "looked for: ~/app/assets/cart.min.js"]);
    }
}

#[test]
fn a_script_that_was_not_uploaded_is_noticed() {
    let (project, build) = uploaded();
    build.add("assets/new.js", script().replace("cart.min", "new"));
    build.add("assets/new.js.map", maps::cart());
    let told = build.run(&project, &[&CHECK[..], &["--json"]].concat()).expect(1, &["1 of 2 scripts"]).json();
    let unresolved = &told["failures"][0]["unresolved"];
    assert_eq!((&unresolved["rule"], &unresolved["looked_for"]), (&json!("url"), &json!("~/assets/new.js")));
    assert_eq!(unresolved["nearest"][0]["url"], "~/assets/cart.min.js");
    let command = unresolved["command"].as_str().unwrap();
    assert!(command.starts_with("mayday sourcemaps upload --release 1.4.2 --url-prefix '~/'"), "{command}");
}

#[test]
fn the_map_of_another_build_and_a_missing_one_are_noticed() {
    let (project, build) = uploaded();
    build.add("assets/cart.min.js.map", maps::cart().replace("src/cart.ts", "src/changed.ts"));
    build.run(&project, &CHECK).expect(1, &["another build"]);
    build.remove("assets/cart.min.js.map");
    build.run(&project, &CHECK).expect(1, &["sourceMappingURL `cart.min.js.map` is no file"]);
    build.run(&project, &[&CHECK[..], &["--allow-missing"]].concat()).expect(0, &[]);
}

/// The printed command of a check of `dist-a`, which has to fix the problem.
fn mends(project: &Project, site: &Build, check: &str, expected: &str) {
    let told = site.shell(project, &format!("{check} --json")).expect(1, &[]).json();
    let command = told["failures"][0]["unresolved"]["command"].as_str().unwrap();
    assert_eq!(command, expected, "{told}");
    site.shell(project, command).expect(0, &["finalized"]);
    site.shell(project, check).expect(0, &["1 of 1 scripts resolve"]);
}

fn without_a_page() -> Build {
    let site = Build::empty();
    site.add("dist-a/assets/cart.min.js", script());
    site.add("dist-a/assets/cart.min.js.map", maps::cart());
    site
}

#[test]
fn the_printed_command_fixes_the_build_that_was_checked() {
    let upload = "mayday sourcemaps upload --release 1.4.2";
    for (before, options, expected) in [
        ("", "", format!("{upload} dist-a")),
        ("mayday releases new 1.4.2", "", format!("{upload} --url-prefix '~/' dist-a")),
        ("", "--served-from https://cdn.example/v2", format!("{upload} --url-prefix '~/v2/' dist-a")),
        (
            "mayday releases new 1.4.2 --url-prefix '~/static/'",
            "--ignore 'vendor/**'",
            format!("mayday releases delete 1.4.2 && {upload} --url-prefix '~/' --ignore 'vendor/**' dist-a"),
        ),
        ("", "--strip-prefix assets", format!("{upload} --strip-prefix assets dist-a")),
        (
            "",
            "--url-prefix https://x.example/a",
            format!("{upload} --url-prefix https://x.example/a/ dist-a"),
        ),
    ] {
        let (project, site) = (Project::new(), without_a_page());
        if !before.is_empty() {
            site.shell(&project, before).expect(0, &[]);
        }
        mends(&project, &site, &format!("mayday releases check --release 1.4.2 {options} dist-a"), &expected);
    }
}

#[test]
fn a_build_that_cannot_be_uploaded_is_no_reason_to_delete_a_release() {
    let (project, site) = (Project::new(), without_a_page());
    site.add("dist-a/other.js", "x");
    site.shell(&project, "mayday releases new 1.4.2 --url-prefix '~/static/'").expect(0, &[]);
    let told =
        site.shell(&project, "mayday releases check --release 1.4.2 --json dist-a").expect(1, &[]).json();
    let failed = told["failures"].as_array().unwrap().iter().find(|failed| !failed["unresolved"].is_null());
    assert_eq!(failed.unwrap()["unresolved"]["command"], Value::Null, "{told}");
}
