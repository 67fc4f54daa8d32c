//! Compares Mayday's look-ups with those of Sentry's `symbolic-sourcemapcache` on the same maps: the same file and
//! line everywhere, and function names that are at least as good.
//!
//! ```text
//! cargo test --features bench-peers --test peers -- --nocapture
//! ```
//!
//! Compiles swc, which takes a minute: part of `make test-night`. Prints the counts.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a test")]

#[path = "../../benches/support/mapgen.rs"]
mod mapgen;
#[path = "../support/names.rs"]
mod names;

use mayday::symbolication::map::{Budget, Map, convert};
use names::{BUILDS, FOLDERS};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use symbolic_sourcemapcache::{ScopeLookupResult, SourceMapCache, SourceMapCacheWriter, SourcePosition};

/// A script and its map.
struct Build {
    name: String,
    script: String,
    map: String,
}

/// The result of either for a position: file, line, function.
#[derive(Debug, PartialEq)]
struct Place {
    file: String,
    line: u32,
    function: Option<String>,
}

struct MapPair {
    ours: Map,
    theirs: Vec<u8>,
    _file: tempfile::NamedTempFile,
}

impl MapPair {
    fn new(build: &Build) -> Self {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        convert(build.map.as_bytes(), &Budget::default(), &mut file).unwrap();
        let mut theirs = Vec::new();
        SourceMapCacheWriter::new(&build.script, &build.map).unwrap().serialize(&mut theirs).unwrap();
        Self { ours: Map::open(file.path()).unwrap(), theirs, _file: file }
    }

    /// Both results for a position, 0-based.
    fn at(&self, cache: &SourceMapCache<'_>, line: u32, column: u32) -> (Option<Place>, Option<Place>) {
        let ours = self.ours.lookup(line + 1, column + 1).map(|found| Place {
            file: bare(found.file),
            line: found.line,
            function: found.function.map(str::to_owned),
        });
        let theirs = cache.lookup(SourcePosition::new(line, column)).map(|found| Place {
            file: bare(found.file_name().unwrap_or_default()),
            line: found.line() + 1,
            function: match found.scope() {
                ScopeLookupResult::NamedScope(name) => Some(name.to_owned()),
                ScopeLookupResult::AnonymousScope | ScopeLookupResult::Unknown => None,
            },
        });
        (ours, theirs)
    }

    fn cache(&self) -> SourceMapCache<'_> {
        SourceMapCache::parse(&self.theirs).unwrap()
    }
}

/// A file's name without the prefix of a bundler, which Mayday removes.
fn bare(file: &str) -> String {
    let file =
        file.rsplit_once("://").map_or(file, |(_, rest)| rest.split_once('/').map_or(rest, |(_, path)| path));
    file.trim_start_matches("../").trim_start_matches("./").to_owned()
}

/// How a position's function names compare.
#[derive(Debug, Default)]
struct Count {
    positions: usize,
    same: usize,
    only_ours: usize,
    only_theirs: usize,
    /// Both have one, and they are not the same: ours and theirs.
    different: Vec<(String, String)>,
}

impl Count {
    fn names(&mut self, ours: Option<String>, theirs: Option<String>) {
        self.positions += 1;
        match (ours, theirs) {
            (ours, theirs) if ours == theirs => self.same += 1,
            (Some(_), None) => self.only_ours += 1,
            (None, _) => self.only_theirs += 1,
            (Some(ours), Some(theirs)) => self.different.push((ours, theirs)),
        }
    }

    fn say(&self, name: &str) {
        println!(
            "{name:<16} {:>7} positions, same file and line; names: {} the same, {} only ours, {} only theirs, {} different",
            self.positions,
            self.same,
            self.only_ours,
            self.only_theirs,
            self.different.len()
        );
    }
}

/// A build of real sources.
struct Fixture {
    build: Build,
    /// A stack for each case,
    stacks: Value,
    /// and the function that it was thrown in, as people wrote it.
    names: &'static [(&'static str, &'static str)],
}

fn names_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/names")
}

/// The builds of `tests/fixtures/names`.
fn fixtures() -> Vec<Fixture> {
    let read = |folder: &str, build: &str, names| {
        let name = format!("{folder}{build}");
        let text = std::fs::read_to_string(names_folder().join(format!("{name}.json"))).unwrap();
        let json: Value = serde_json::from_str(&text).unwrap();
        let script = json["script"].as_str().unwrap().to_owned();
        let build = Build { name, script, map: json["map"].to_string() };
        Fixture { build, stacks: json["stacks"].clone(), names }
    };
    let of = |(folder, names)| BUILDS.map(|build| read(folder, build, names));
    FOLDERS.into_iter().flat_map(of).collect()
}

/// Compares every mapping, the column before, and the column after.
fn compare(build: &Build) -> Count {
    let (both, mut count) = (MapPair::new(build), Count::default());
    let cache = both.cache();
    let tokens = sourcemap::SourceMap::from_slice(build.map.as_bytes()).unwrap();
    for token in tokens.tokens() {
        let (line, column) = token.get_dst();
        for column in [column.saturating_sub(1), column, column + 1] {
            let (ours, theirs) = both.at(&cache, line, column);
            let place = format!("{}:{line}:{column}", build.name);
            let position =
                |place: &Option<Place>| place.as_ref().map(|place| (place.file.clone(), place.line));
            assert_eq!(position(&ours), position(&theirs), "ours and theirs at {place}");
            if let (Some(ours), Some(theirs)) = (ours, theirs) {
                count.names(ours.function, theirs.function);
            }
        }
    }
    count.say(&build.name);
    count
}

/// Only names of functions that throw are compared one by one, below: for others there is no reference. Symbolic
/// names the positions of object literals and class heads, too, sometimes after minified variables (`r.<360>`).
#[test]
fn every_mapping_of_real_builds_has_the_same_file_and_line() {
    let all: usize = fixtures().iter().map(|fixture| compare(&fixture.build).positions).sum();
    assert!(all > 10_000, "{all} positions");
}

/// Where a stack's first frame is, 0-based: `…:1:34` or `…:1:34)` at the end of its line.
fn top(stack: &str) -> (u32, u32) {
    let line = stack.lines().nth(1).unwrap().trim_end_matches(')');
    let mut numbers = line.rsplit(':').map(|number| number.parse::<u32>().unwrap() - 1);
    let column = numbers.next().unwrap();
    (numbers.next().unwrap(), column)
}

/// Mayday's names are all the original ones. Symbolic's are in `symbolic/answers.json`, which the API tests compare
/// with the server's answers; `MAYDAY_UPDATE=1` writes it.
#[test]
fn functions_that_throw_are_named_as_people_wrote_them() {
    let (mut count, mut recorded) = (Count::default(), serde_json::Map::new());
    let (mut ours_right, mut theirs_right) = (0, 0);
    for Fixture { build, stacks, names } in fixtures() {
        let both = MapPair::new(&build);
        let (cache, mut said) = (both.cache(), serde_json::Map::new());
        for (case, expected) in names {
            let (line, column) = top(stacks[case].as_str().unwrap());
            let (ours, theirs) = both.at(&cache, line, column);
            let (ours, theirs) = (ours.unwrap(), theirs.unwrap());
            assert_eq!((&ours.file, ours.line), (&theirs.file, theirs.line), "{}, {case}", build.name);
            ours_right += usize::from(ours.function.as_deref() == Some(expected));
            theirs_right += usize::from(theirs.function.as_deref() == Some(expected));
            let place = json!({"file": theirs.file, "line": theirs.line, "function": theirs.function});
            said.insert((*case).to_owned(), place);
            count.names(ours.function, theirs.function);
        }
        recorded.insert(build.name, Value::Object(said));
    }
    count.say("what throws");
    println!("    right: {ours_right} ours, {theirs_right} theirs, of {}", count.positions);
    count.different.sort();
    count.different.dedup();
    for (ours, theirs) in &count.different {
        println!("    ours {ours:<24} theirs {theirs}");
    }
    assert_eq!((ours_right, count.only_theirs), (count.positions, 0));
    held(&Value::Object(recorded));
}

/// Compares symbolic's names with those in the file.
fn held(recorded: &Value) {
    let (path, text) = (names_folder().join("symbolic/answers.json"), format!("{recorded:#}\n"));
    if std::env::var_os("MAYDAY_UPDATE").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert!(std::fs::read_to_string(&path).unwrap() == text, "write answers.json anew: MAYDAY_UPDATE=1");
}

#[test]
fn a_large_bundle_has_the_same_files_and_lines() {
    let generated = mapgen::bundle(1_000_000, 1);
    let name = format!("{} modules", generated.modules);
    let build = Build { name, script: generated.script, map: generated.map };
    let (both, mut count) = (MapPair::new(&build), Count::default());
    let cache = both.cache();
    for column in generated.frames {
        let (ours, theirs) = both.at(&cache, 0, column);
        let (ours, theirs) = (ours.unwrap(), theirs.unwrap());
        assert_eq!((&ours.file, ours.line), (&theirs.file, theirs.line), "column {column}");
        count.names(ours.function, theirs.function);
    }
    // A callback is named after the variable that its call's result is assigned to, which is another function's.
    count.say(&build.name);
    assert_eq!(count.only_theirs, 0);
}
