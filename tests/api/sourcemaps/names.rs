//! Function names in stacks of real builds are the same for every bundler and minifier (`tests/fixtures/names`).

use crate::support::names::{BUILDS, FOLDERS, MORE, NAMES, TYPED};
use crate::support::{Project, Value, json};
use std::path::Path;

#[test]
fn names_do_not_depend_on_bundler_and_minifier() {
    check("", &NAMES);
}

#[test]
fn neither_do_names_of_rarer_kinds_of_functions() {
    check("more/", &MORE);
}

#[test]
fn neither_do_names_in_typescript_and_jsx() {
    check("typed/", &TYPED);
}

/// `symbolic/answers.json` has the results of Sentry's `symbolic-sourcemapcache` for the same stacks; `tests/peers`
/// writes it.
#[test]
fn places_are_those_of_symbolic_and_names_are_right_more_often() {
    let theirs = fixture("symbolic/answers.json");
    let (mut ours_right, mut theirs_right, mut all) = (0, 0, 0);
    for (folder, names) in FOLDERS {
        let project = Project::new();
        for build in BUILDS {
            let fixture = fixture(&format!("{folder}{build}.json"));
            project.upload(build, "~/names.js", &fixture["map"].to_string()).expect(201);
            for (case, expected) in names {
                let ours = first_frame(&project, build, &fixture["stacks"][case]);
                let theirs = &theirs[format!("{folder}{build}")][case];
                assert_eq!(place(&ours), place(theirs), "{folder}{build}, {case}");
                ours_right += usize::from(ours["function"] == *expected);
                theirs_right += usize::from(theirs["function"] == *expected);
                all += 1;
            }
        }
    }
    assert_eq!((ours_right, all), (350, 350), "{theirs_right} of theirs are right");
    assert!(theirs_right < ours_right, "{theirs_right} of theirs are right");
}

/// The file without the prefix of a bundler, and the line.
fn place(frame: &Value) -> (&str, &Value) {
    let file = frame["file"].as_str().unwrap();
    (file.trim_start_matches("../").trim_start_matches("./"), &frame["line"])
}

/// A file of `tests/fixtures/names`.
fn fixture(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/names").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The first frame of a stack, resolved.
fn first_frame(project: &Project, release: &str, stack: &Value) -> Value {
    let body = json!({"release": release, "stack": stack});
    let answer = project.ci().post("/api/v1/sourcemaps/explain").json(&body).send().expect(200);
    answer["frames"][0]["resolved"].clone()
}

fn check(folder: &str, names: &[(&str, &str)]) {
    let project = Project::new();
    let mut wrong = Vec::new();
    for build in BUILDS {
        let fixture = fixture(&format!("{folder}{build}.json"));
        assert_eq!(fixture["stacks"].as_object().unwrap().len(), names.len(), "{folder}{build}");
        project.upload(build, "~/names.js", &fixture["map"].to_string()).expect(201);
        for (case, expected) in names {
            let resolved = first_frame(&project, build, &fixture["stacks"][case]);
            let line = resolved["context_line"].as_str().unwrap_or_default();
            if resolved["function"] != *expected || !line.contains(&format!("Error(\"{case}\")")) {
                wrong.push(format!(
                    "{build}, {case}: expected {expected}, got {} at `{line}`",
                    resolved["function"]
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
