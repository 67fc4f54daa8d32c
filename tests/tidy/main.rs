//! Rules of this project that the compiler does not check. ARCHITECTURE.md gives their reasons.

#![allow(clippy::unwrap_used, reason = "a test")]

mod configuration;
mod floors;
mod imports;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Every file of a tree with one of the extensions, by its path from the root of the repository.
fn files(folder: &str, extensions: &[&str]) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut open = vec![root.join(folder)];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            if path.is_dir() {
                if !["node_modules", "dist", "output"].contains(&name.as_str()) {
                    open.push(path);
                }
            } else if path.extension().is_some_and(|e| extensions.contains(&e.to_str().unwrap())) {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path.strip_prefix(root).unwrap().to_str().unwrap().to_owned(), text));
            }
        }
    }
    assert!(!found.is_empty(), "{folder} has no files");
    found
}

/// Lines that are not comments.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// Files of `src/` but `allowed`, where a line holds `word`.
fn strays(word: &str, allowed: impl Fn(&str) -> bool) -> Vec<String> {
    files("src", &["rs"])
        .into_iter()
        .filter(|(path, _)| !allowed(path))
        .flat_map(|(path, text)| {
            let hits = code(&text).filter(|(_, line)| line.contains(word)).map(|(number, _)| number + 1);
            hits.map(|number| format!("{path}:{number}")).collect::<Vec<_>>()
        })
        .collect()
}

fn is_sql(path: &str) -> bool {
    path.ends_with("/sql.rs") || path.contains("/sql/")
}

fn is_http(path: &str) -> bool {
    path.starts_with("src/http/") || path.ends_with("/http.rs") || path.contains("/http/")
}

#[test]
fn only_the_http_shell_uses_axum() {
    let strays = strays("axum", |path| {
        is_http(path)
            || path.starts_with("src/access/")
            || path.starts_with("src/control/")
            || ["src/state.rs", "src/routes.rs", "src/server.rs"].contains(&path)
            || path.starts_with("src/routes/")
            || path.starts_with("src/server/")
            // Frames of applications that use it.
            || path == "src/symbolication/stack/frameworks.rs"
    });
    assert_eq!(strays, Vec::<String>::new());
}

#[test]
fn only_stores_and_statements_use_rusqlite() {
    let strays = strays("rusqlite", |path| {
        path.starts_with("src/store/") || is_sql(path) || path == "src/digest/apply.rs"
    });
    assert_eq!(strays, Vec::<String>::new());
}

/// Statements, not only the types: no other code may run statements on a connection that it was given.
#[test]
fn statements_are_run_by_stores_and_sql_files_only() {
    for call in [".prepare_cached(", ".prepare(", ".query_row(", ".execute(", ".execute_batch(", ".pragma_"] {
        let strays = strays(call, |path| {
            path.starts_with("src/store/") || is_sql(path) || path == "src/digest/apply.rs" || is_test(path)
        });
        assert_eq!(strays, Vec::<String>::new(), "{call}");
    }
}

fn is_test(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/tests/")
}

#[test]
fn intake_never_touches_the_main_database() {
    for (path, text) in files("src/intake", &["rs"]) {
        for (number, line) in code(&text) {
            let reaches = line.contains("::sql") || line.contains("store::Main");
            assert!(!reaches, "{path}:{}: intake knows keys through its directory only", number + 1);
        }
    }
}

#[test]
fn only_writers_open_writing_connections() {
    let strays =
        strays("Connection::open(", |path| path == "src/store/connection.rs" || path.ends_with("tests.rs"));
    assert_eq!(strays, Vec::<String>::new());
}

/// Otherwise a provider's address could lead into the internal network.
#[test]
fn connections_go_out_through_the_guarded_client() {
    for word in ["TcpStream::connect", "lookup_host"] {
        // The operator sets the server of a health check; tests have their own servers.
        let is_allowed = |path: &str| {
            path.starts_with("src/outbound/")
                || path == "src/cli/healthcheck.rs"
                || path.ends_with("/tests.rs")
        };
        let strays = strays(word, is_allowed);
        assert_eq!(strays, Vec::<String>::new(), "{word}");
    }
}

#[test]
fn there_is_one_clock() {
    let strays = strays("SystemTime::now", |path| path == "src/time.rs");
    assert_eq!(strays, Vec::<String>::new());
}

/// `src/sabotage.rs` breaks promises in debug builds and `src/version.rs` simulates later versions; a release must
/// contain neither.
#[test]
fn a_release_cannot_be_sabotaged() {
    for (variable, file) in [("MAYDAY_SABOTAGE", "src/sabotage.rs"), ("MAYDAY_REHEARSAL", "src/version.rs")] {
        let strays = strays(variable, |path| path == file);
        assert_eq!(strays, Vec::<String>::new());
        let text = fs::read_to_string(file).unwrap();
        let items: Vec<&str> = text.split("\n\n").filter(|item| item.contains(variable)).collect();
        let in_debug_builds = |item: &&str| item.contains("//!") || item.contains("#[cfg(debug_assertions)]");
        assert!(items.len() >= 2 && items.iter().all(in_debug_builds), "{items:?}");
    }
    let manifest = fs::read_to_string("Cargo.toml").unwrap();
    assert!(!manifest.contains("debug-assertions = true"), "the release profile would keep the switches");
}

#[test]
fn the_example_has_every_variable_and_no_other() {
    let example = fs::read_to_string(".env.static.example").unwrap();
    let named: Vec<&str> = example
        .lines()
        .filter_map(|line| line.strip_prefix('#')?.split_once('='))
        .map(|(name, _)| name)
        .filter(|name| name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'))
        .collect();
    assert_eq!(named, mayday::config::VARIABLES);
    for line in example.lines() {
        assert!(line.is_empty() || line.starts_with('#'), "not commented out: {line}");
    }
}

/// Each variable of the list is read somewhere in `src/config`, and each that is read is in the list.
#[test]
fn every_variable_that_is_read_is_in_the_list() {
    let listed: BTreeSet<&str> = mayday::config::VARIABLES.iter().copied().collect();
    let mut read = BTreeSet::new();
    let sources = files("src/config", &["rs"]);
    for (path, text) in &sources {
        if path.ends_with("tests.rs") || path.contains("/tests/") {
            continue;
        }
        let text = text.split("pub const VARIABLES").next().unwrap().to_owned()
            + text.split("impl Config").nth(1).unwrap_or_default();
        for piece in text.split('"').skip(1).step_by(2) {
            if listed.contains(piece) {
                read.insert(piece.to_owned());
            }
        }
        for call in text.split("reader.").skip(1) {
            let name = call.split('"').nth(1).unwrap_or_default();
            let is_name = name.len() > 3 && name.chars().all(|c| c.is_ascii_uppercase() || c == '_');
            assert!(!is_name || listed.contains(name), "{path}: {name} is read and not listed");
        }
    }
    assert_eq!(read.iter().map(String::as_str).collect::<BTreeSet<_>>(), listed);
}

#[test]
fn nothing_is_left_behind() {
    for folder in ["src", "tests", "benches", "assets/app"] {
        for (path, text) in files(folder, &["rs", "ts", "tsx", "mjs", "css"]) {
            if path.starts_with("tests/tidy/") {
                continue;
            }
            for mark in [
                "TODO",
                "FIXME",
                "XXX",
                "todo!(",
                "unimplemented!(",
                "#[ignore",
                "test.only(",
                "describe.only(",
                "dbg!(",
            ] {
                assert!(!text.contains(mark), "{path} has {mark}");
            }
            let here = concat!(env!("CARGO_MANIFEST_DIR"), "/");
            assert!(!text.contains(here), "{path} names a place of one machine: {here}");
        }
    }
}

#[test]
fn a_file_is_at_most_400_lines() {
    for folder in ["src", "tests", "benches"] {
        for (path, text) in files(folder, &["rs"]) {
            let lines = text.lines().count();
            assert!(lines <= 400, "{path} has {lines} lines: it is two things");
        }
    }
}

/// The Web app's types are generated from this file.
#[test]
fn the_api_file_is_the_documents() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/app/api/openapi.json");
    let mut now = serde_json::to_value(mayday::routes::document::openapi()).unwrap();
    now.sort_all_objects();
    let now = serde_json::to_string_pretty(&now).unwrap() + "\n";
    if std::env::var_os("MAYDAY_UPDATE").is_some_and(|value| value == "1") {
        fs::write(&path, &now).unwrap();
    }
    let stored = fs::read_to_string(&path).unwrap_or_default();
    // Not `assert_eq`: both are thousands of lines.
    assert!(
        stored == now,
        "assets/app/api/openapi.json is not what the routes say any more. Write it anew with\n\
         MAYDAY_UPDATE=1 cargo test --test tidy api_file"
    );
}
