//! Options of `mayday sourcemaps upload` that change the addresses, and builds of many tools.

use crate::support::build::{script, thrown};
use crate::support::{Build, Project, Value, maps};
use std::path::Path;

fn nested() -> Build {
    let build = Build::empty();
    for path in ["public/build/assets/cart.min.js", "public/other/assets/cart.min.js"] {
        build.add(path, script());
        build.add(&format!("{path}.map"), maps::cart());
    }
    build
}

#[test]
fn a_prefix_is_removed_from_paths_and_the_first_match_counts() {
    let (project, build) = (Project::new(), nested());
    let upload = ["sourcemaps", "upload", "--release", "1.4.2"];
    let strip = ["--strip-prefix", "public/build", "--strip-prefix", "public/"];
    let told = build.run(&project, &[&upload[..], &strip].concat());
    told.expect(0, &["→ ~/assets/cart.min.js", "→ ~/other/assets/cart.min.js"]);
    for url in ["https://shop.example/assets/cart.min.js", "https://shop.example/other/assets/cart.min.js"] {
        let event = project.digest(&thrown("1.4.2", url));
        assert_eq!(event["exception"]["frames"][0]["resolved"]["function"], "total", "{url}: {event}");
    }
    // A later check finds the files under the same addresses.
    let check = ["releases", "check", "--release", "1.4.2"];
    build.run(&project, &[&check[..], &strip].concat()).expect(0, &["2 of 2 scripts resolve"]);
    build.run(&project, &check).expect(1, &["looked for: ~/public/build/assets/cart.min.js"]);
}

#[test]
fn a_prefix_is_whole_folders() {
    let (project, build) = (Project::new(), nested());
    let upload = ["sourcemaps", "upload", "--release", "1.4.2", "--dry-run", "--strip-prefix", "public/bui"];
    let told = build.run(&project, &upload);
    told.expect(0, &["→ ~/public/build/assets/cart.min.js", "→ ~/public/other/assets/cart.min.js"]);
}

#[test]
fn builds_of_every_bundler_are_accepted() {
    let (project, folder) =
        (Project::new(), Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/names"));
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        let built: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let (build, name) = (Build::empty(), path.file_stem().unwrap().to_str().unwrap());
        build.add("names.js", built["script"].as_str().unwrap());
        build.add("names.js.map", built["map"].to_string());
        build.run(&project, &["sourcemaps", "upload", "--release", name]).expect(0, &["1 new", "finalized"]);
        build.run(&project, &["releases", "check", "--release", name]).expect(0, &["1 of 1 scripts resolve"]);
        count += 1;
    }
    assert_eq!(count, 7);
}
