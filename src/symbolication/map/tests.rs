//! Tests of the compact source map. Helpers are here; each file has one subject.

mod cache;
mod clock;
mod damage;
mod guard;
mod hostile;
mod lookup;
mod names;
mod oracle;
mod refused;

use std::path::PathBuf;

use super::{Budget, Map, MapError, Summary, convert};

/// A compact file in a directory that is deleted with it.
struct Compact {
    _folder: tempfile::TempDir,
    path: PathBuf,
    bytes: Vec<u8>,
    summary: Summary,
}

impl Compact {
    fn open(&self) -> Map {
        Map::open(&self.path).expect("a map just written opens")
    }
}

fn compact(json: &str) -> Compact {
    let mut bytes = Vec::new();
    let summary = convert(json.as_bytes(), &Budget::default(), &mut bytes).expect("valid map");
    assert_eq!(summary.bytes, bytes.len() as u64);
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("map");
    std::fs::write(&path, &bytes).expect("write");
    Compact { _folder: folder, path, bytes, summary }
}

fn refusal(json: &[u8]) -> MapError {
    refusal_under(json, &Budget::default())
}

fn refusal_under(json: &[u8], budget: &Budget) -> MapError {
    convert(json, budget, &mut Vec::new()).expect_err("must be refused")
}

/// One source, mapped character by character: generated (1, n) is the n-th position of `source`
/// in reading order, so that any original position can be asked for.
fn identity(file: &str, source: &str) -> String {
    let mut builder = sourcemap::SourceMapBuilder::new(None);
    let id = builder.add_source(file);
    builder.set_source_contents(id, Some(source));
    let (mut generated, mut line, mut column) = (0, 0, 0);
    for c in source.chars() {
        builder.add_raw(0, generated, line, column, Some(id), None, false);
        generated += c.len_utf16() as u32;
        column += c.len_utf16() as u32;
        if c == '\n' {
            (line, column) = (line + 1, 0);
        }
    }
    json(builder)
}

fn json(builder: sourcemap::SourceMapBuilder) -> String {
    let mut out = Vec::new();
    builder.into_sourcemap().to_writer(&mut out).expect("writing to memory");
    String::from_utf8(out).expect("JSON is UTF-8")
}

/// A small deterministic generator (xorshift64*): the same numbers on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % u64::from(limit.max(1))) as u32
    }
}
