//! The floors of the house: imports go to lower floors, or on one floor without a circle.

use crate::imports::{Imports, Module, module_of};
use std::fmt::Write as _;

/// A file may import from its own floor and from lower ones. Floors are numbered by tens, with steps in between if a
/// floor has an order of its own.
fn floor(module: &Module) -> u32 {
    let parts: Vec<&str> = module.iter().map(String::as_str).collect();
    let Some((first, rest)) = parts.split_first() else { return 90 };
    let has = |name: &str| rest.contains(&name);
    match *first {
        // Composition: the code that starts the process, and the tables that connect everything.
        "main" | "cli" | "server" | "routes" | "state" | "fuzzing" => 90,
        // Ground.
        "store" | "config" | "crypto" | "text" | "ids" | "time" | "roles" | "error" | "rate" | "cache"
        | "sabotage" | "version" => 10,
        "metrics" if !has("http") => 10,
        "wire" => 20,
        "event" => 21,
        "http" => 22,
        // Engines that know none of the domain's concepts.
        "symbolication" | "grouping" | "scrubbing" | "search" | "delivery" | "outbound" => 30,
        "control" => 31,
        "live" | "jobs" if !has("http") => 30,
        // Handlers, in any folder.
        _ if has("http") => 80,
        "access" => 70,
        _ if has("sql") => 50,
        // Actions in a transaction, and the stages of an event or a log entry.
        _ if has("service") || has("jobs") || has("consumer") || has("notices") => 60,
        "intake" | "digest" | "logs" => 60,
        // Concepts: types and pure rules.
        _ => 40,
    }
}

/// The imports that go up, one a line.
pub(crate) fn upward(imports: &Imports) -> String {
    let mut found = String::new();
    for (from, targets) in &imports.edges {
        for to in targets.iter().filter(|to| floor(to) > floor(from) && !is_part(to, from)) {
            let (below, above) = (floor(from), floor(to));
            writeln!(found, "{} ({below}) imports {} ({above})", from.join("::"), to.join("::")).unwrap();
        }
    }
    found
}

/// A module declares and re-exports its own parts, and a part may use its module.
fn is_part(module: &Module, of: &Module) -> bool {
    module.starts_with(of) || of.starts_with(module)
}

fn all() -> Imports {
    let files = crate::files("src", &["rs"]);
    Imports::read(files.iter().map(|(path, text)| (path.as_str(), text.as_str())))
}

#[test]
fn imports_go_down() {
    let found = upward(&all());
    assert!(found.is_empty(), "imports that go up:\n{found}");
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let circles: Vec<Vec<String>> = all()
        .circles()
        .iter()
        .map(|circle| circle.iter().map(|module| module.join("::")).collect())
        .collect();
    assert!(circles.is_empty(), "circles: {circles:#?}");
}

/// The upward imports of three files, one of which has `text`.
fn of(text: &str) -> String {
    let files = [
        ("src/lib.rs", "pub mod issues; pub mod store;"),
        ("src/issues/mod.rs", "pub mod http;"),
        ("src/issues/http.rs", ""),
        ("src/store/mod.rs", text),
    ];
    upward(&Imports::read(files.into_iter()))
}

#[test]
fn an_upward_import_is_found_anywhere_in_a_file() {
    for text in [
        "use crate::issues::http::list;",
        "use crate::issues::{http::list as other};",
        "pub use crate::issues::http::*;",
        "fn read() { use crate::issues::http::list; list() }",
        "fn read() { crate::issues::http::list() }",
        "fn read() -> crate::issues::http::Page { todo() }",
        "fn read() { super::issues::http::list() }",
        "fn read() { format!(\"{}\", crate::issues::http::list()) }",
        "struct Row { #[serde(with = \"crate::issues::http\")] field: u8 }",
        "mod inner { pub(super) use crate::issues::http::list; }",
    ] {
        assert_eq!(of(text), "store (10) imports issues::http (80)\n", "{text}");
    }
}

#[test]
fn imports_of_tests_are_ignored() {
    assert_eq!(of("#[cfg(test)] mod tests { use crate::issues::http::list; }"), "");
}

#[test]
fn a_cycle_is_found_and_a_module_with_its_parts_is_none() {
    let circles = |a: &str, b: &str| {
        let files = [
            ("src/lib.rs", ""),
            ("src/a.rs", a),
            ("src/b/mod.rs", "pub mod part; use part::X;"),
            ("src/b/part.rs", b),
        ];
        Imports::read(files.into_iter()).circles()
    };
    assert!(circles("", "use super::Y;").is_empty());
    let found = circles("use crate::b::Y;", "use crate::a::Z;");
    assert_eq!(found, [[module_of("src/a.rs"), module_of("src/b/mod.rs"), module_of("src/b/part.rs")]]);
}
