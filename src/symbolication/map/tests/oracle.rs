//! Every mapping of many maps, against the `sourcemap` crate.

use sourcemap::{SourceMap, SourceMapBuilder, SourceMapIndex, SourceMapSection};

use super::super::Map;
use super::{Random, compact, json};

/// What the oracle says: greatest token at or before, on the same line. The crate itself spills
/// over lines, and gives the first of several at one position only on an exact hit, so the rule is
/// applied to its token list here.
fn expected(oracle: &SourceMap, line: u32, column: u32) -> Option<(String, u32, u32, Option<String>)> {
    let token = oracle
        .tokens()
        .filter(|token| token.get_dst_line() == line && token.get_dst_col() <= column)
        .last()?;
    let source = token.get_source()?.to_owned();
    let name = token.get_name().filter(|name| !name.is_empty()).map(str::to_owned);
    Some((source, token.get_src_line() + 1, token.get_src_col() + 1, name))
}

fn got(map: &Map, line: u32, column: u32) -> Option<(String, u32, u32, Option<String>)> {
    let found = map.lookup(line + 1, column + 1)?;
    let name = found.identifier.map(str::to_owned);
    Some((found.file.to_owned(), found.line, found.column, name))
}

fn agree(json: &str, oracle: &SourceMap) {
    let map = compact(json).open();
    for token in oracle.tokens() {
        let (line, column) = token.get_dst();
        for column in [column.saturating_sub(1), column, column + 1] {
            assert_eq!(got(&map, line, column), expected(oracle, line, column), "{line}:{column}");
        }
        assert_eq!(got(&map, line + 1, 0), expected(oracle, line + 1, 0), "{line}:0");
    }
}

/// A map with `count` mappings; `spread` is how far apart lines and columns may be.
fn random_map(random: &mut Random, count: u32, spread: u32, line_chance: u32) -> String {
    let mut builder = SourceMapBuilder::new(None);
    let sources = 1 + random.below(20);
    for source in 0..sources {
        builder.add_source(&format!("s{source}.js"));
    }
    for name in 0..10 {
        builder.add_name(&format!("n{name}"));
    }
    let (mut line, mut column) = (0, 0);
    for _ in 0..count {
        if random.below(100) < line_chance {
            line += 1 + random.below(3);
            column = random.below(spread);
        }
        let source = (random.below(10) > 0).then(|| random.below(sources));
        let name = (source.is_some() && random.below(4) == 0).then(|| random.below(10));
        let original = (random.below(spread * 10), random.below(spread * 3));
        builder.add_raw(line, column, original.0, original.1, source, name, false);
        column += 1 + random.below(spread);
    }
    json(builder)
}

#[test]
fn random_maps_resolve_like_the_oracle() {
    let mut random = Random(0x5EED);
    for round in 0..60 {
        let spread = [2, 30, 5000][round % 3];
        let count = 1 + random.below(300);
        let json = random_map(&mut random, count, spread, 5);
        agree(&json, &SourceMap::from_slice(json.as_bytes()).expect("own map"));
    }
}

#[test]
fn one_huge_line_and_many_short_ones_resolve_like_the_oracle() {
    let mut random = Random(7);
    for line_chance in [0, 60] {
        let json = random_map(&mut random, 1500, 40, line_chance);
        agree(&json, &SourceMap::from_slice(json.as_bytes()).expect("own map"));
    }
}

#[test]
fn extreme_positions_survive() {
    let far = u32::MAX - 2;
    let mut builder = SourceMapBuilder::new(None);
    let id = builder.add_source("a");
    builder.add_raw(0, 0, 0, 0, Some(id), None, false);
    builder.add_raw(0, 1, 2_000_000_000, 2_000_000_000, Some(id), None, false);
    builder.add_raw(0, 2_000_000_000, 0, 0, Some(id), None, false);
    let json = json(builder);
    agree(&json, &SourceMap::from_slice(json.as_bytes()).expect("own map"));
    let map = compact(&json).open();
    assert_eq!(map.lookup(1, far).expect("mapped").line, 1);
}

#[test]
fn indexed_maps_resolve_like_the_flattened_oracle() {
    let mut random = Random(99);
    for _ in 0..10 {
        let mut line = 0;
        let mut sections = Vec::new();
        for _ in 0..1 + random.below(6) {
            let json = random_map(&mut random, 40, 20, 10);
            let map = sourcemap::decode_slice(json.as_bytes()).expect("own map");
            let column = random.below(50);
            sections.push(SourceMapSection::new((line, column), None, Some(map)));
            line += 30 + random.below(10);
        }
        let index = SourceMapIndex::new(None, sections);
        let mut json = Vec::new();
        index.to_writer(&mut json).expect("writing to memory");
        let json = String::from_utf8(json).expect("JSON is UTF-8");
        agree(&json, &index.flatten().expect("embedded sections"));
    }
}
