//! Source maps: what an upload becomes answers as a plain decoder does, and as the `sourcemap` crate
//! does where that takes the same map.

use super::naive::{self, Mapping};
use super::{Numbers, blowup, steer};
use mayday::symbolication::map::{Budget, Map, MapError, Summary, convert};
use serde_json::{Value, json};

/// Look-ups of a map that are compared.
const LOOKUPS: usize = 60;

/// The first byte chooses between an upload as it is, and one whose mappings are made of the rest.
pub(crate) fn target(data: &[u8]) {
    let ([head], rest) = steer(data);
    let json = if head & 1 == 0 { rest.to_vec() } else { made(head, rest).to_string().into_bytes() };
    let Some((summary, bytes)) = converted(&json) else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map");
    std::fs::write(&path, &bytes).unwrap();
    let map = Map::open(&path).expect("what was just written opens");
    assert_eq!((map.mapping_count(), map.source_count() as u64), (summary.mappings, summary.sources));
    assert_eq!(summary.bytes, bytes.len() as u64);
    compared(&map, &json, &bytes);
    drop(map);
    changed(&path, bytes, rest);
    if head & 0xf0 == 0xf0 {
        let piece = String::from_utf8_lossy(rest).into_owned();
        blowup::check(&piece, |text| drop(converted(made(1, text.as_bytes()).to_string().as_bytes())));
    }
}

/// A map with its summary, unless it is refused.
fn converted(json: &[u8]) -> Option<(Summary, Vec<u8>)> {
    let budget = Budget { sources: 2_000, names: 5_000, unordered_mappings: 20_000, ..Budget::default() };
    let mut bytes = Vec::new();
    match convert(json, &budget, &mut bytes) {
        Ok(summary) => Some((summary, bytes)),
        Err(error) => {
            assert!(error.is_upload_fault(), "{error}");
            assert!(!matches!(error, MapError::Thread(_)) && !error.to_string().is_empty());
            None
        }
    }
}

/// A map whose mappings are `text`, each byte brought into what mappings are written in, and whose only
/// source is `text` as it is.
fn made(head: u8, text: &[u8]) -> Value {
    const LETTERS: &[u8] = b"ACDEFGHIJKLMNOPQRSTUVWXYZgkABCC,,;AAAAgBhBiBjB+/0189,;AACAAEAAgABCDE";
    let mappings: String = match head & 2 {
        0 => text.iter().map(|byte| char::from(LETTERS[usize::from(*byte) % LETTERS.len()])).collect(),
        _ => valid(text),
    };
    let source = String::from_utf8_lossy(text);
    json!({"version": 3, "sources": ["a.js", "b.js", null], "names": ["x", "", 7, "y"],
        "sourcesContent": [source, null, "f()\n"], "mappings": mappings})
}

/// Segments that refer to what is there, one for each three bytes.
fn valid(text: &[u8]) -> String {
    let (mut mappings, mut now) = (String::new(), [0_i64; 4]);
    for piece in text.chunks(3) {
        let ([steps, a, b], _) = steer(piece);
        if steps & 0x30 == 0x30 {
            mappings.push(';');
        } else if !mappings.is_empty() {
            mappings.push(',');
        }
        vlq(&mut mappings, i64::from(a & 15));
        if steps & 1 == 1 {
            continue;
        }
        let next = [i64::from(b % 3), i64::from(a), i64::from(b), i64::from(b % 4)];
        for at in 0..if steps & 2 == 2 { 4 } else { 3 } {
            vlq(&mut mappings, next[at] - now[at]);
            now[at] = next[at];
        }
    }
    mappings
}

fn vlq(into: &mut String, number: i64) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut value = number.unsigned_abs() << 1 | u64::from(number < 0);
    loop {
        let digit = value & 31 | u64::from(value > 31) << 5;
        into.push(char::from(DIGITS[digit as usize]));
        value >>= 5;
        if value == 0 {
            return;
        }
    }
}

fn compared(map: &Map, json: &[u8], bytes: &[u8]) {
    let text = String::from_utf8_lossy(json);
    let text = text.trim_start_matches('\u{feff}');
    let plain =
        if text.starts_with(")]}") { text.split_once('\n').map_or("", |(_, rest)| rest) } else { text };
    // Nested deeper than a value may be; what is passed over may be so in a map.
    let Ok(value) = serde_json::from_str::<Value>(plain) else { return };
    let oracle = sourcemap::SourceMap::from_slice(plain.as_bytes()).ok();
    let mappings = naive::read(&value);
    let mut numbers = Numbers::new(bytes.len() as u64);
    for _ in 0..LOOKUPS {
        let (line, column) = match &mappings {
            Some(mappings) if !mappings.is_empty() => {
                near(&mappings[numbers.below(mappings.len())], &mut numbers)
            }
            _ => (numbers.below(40) as u64, numbers.below(200) as u64),
        };
        let (Ok(line), Ok(column)) = (u32::try_from(line), u32::try_from(column)) else { continue };
        looked_up(map, line, column);
        if let Some(mappings) = &mappings {
            assert_eq!(ours(map, line, column), theirs(mappings, line, column), "{line}:{column} by hand");
        }
        if let (Some(oracle), Some(_)) = (&oracle, &mappings) {
            assert_eq!(
                positions(map, line, column),
                the_crates(oracle, line, column),
                "{line}:{column} by the crate"
            );
        }
    }
    let ends = [(0, 0), (1, 0), (0, 1), (u32::MAX, u32::MAX), (1, u32::MAX)];
    ends.iter().for_each(|(line, column)| looked_up(map, *line, *column));
}

/// A position at a mapping or beside it.
fn near(mapping: &Mapping, numbers: &mut Numbers) -> (u64, u64) {
    let column = (mapping.column + numbers.below(3) as u64).saturating_sub(1);
    (mapping.line + u64::from(numbers.below(8) == 0), column)
}

/// What a look-up gives can be shown.
fn looked_up(map: &Map, line: u32, column: u32) {
    let Some(found) = map.lookup(line, column) else { return };
    let Some(context) = map.context(&found, 5) else { return };
    assert!(context.pre().len() <= 5 && context.post().len() <= 5);
    let middle = [context.line()];
    let lines = context.pre().iter().chain(&middle).chain(context.post());
    lines.for_each(|line| assert!(!line.contains(['\n', '\r']), "{line:?} is more than a line"));
    assert_eq!(context.first_line() as usize + context.pre().len(), found.line as usize);
}

type Found = Option<(u32, u64, u64, Option<String>)>;

fn ours(map: &Map, line: u32, column: u32) -> Found {
    let found = map.lookup(line.checked_add(1)?, column.checked_add(1)?)?;
    let name = found.identifier.map(str::to_owned);
    Some((found.source.0, u64::from(found.line) - 1, u64::from(found.column) - 1, name))
}

fn theirs(mappings: &[Mapping], line: u32, column: u32) -> Found {
    let found = naive::find(mappings, line.into(), column.into())?;
    Some((found.source as u32, found.line, found.column, found.name.clone()))
}

fn positions(map: &Map, line: u32, column: u32) -> Option<(u32, u32)> {
    map.lookup(line + 1, column + 1).map(|found| (found.line - 1, found.column - 1))
}

/// The crate spills over lines and has a rule of its own for several mappings at one place, so that the
/// rule is applied to its list.
fn the_crates(oracle: &sourcemap::SourceMap, line: u32, column: u32) -> Option<(u32, u32)> {
    let on_line =
        oracle.tokens().filter(|token| token.get_dst_line() == line && token.get_dst_col() <= column);
    let token = on_line.max_by_key(sourcemap::Token::get_dst_col)?;
    token.has_source().then(|| token.get_src())
}

/// A compact file with one bit changed, or cut, does not open.
fn changed(path: &std::path::Path, mut bytes: Vec<u8>, steering: &[u8]) {
    let ([high, low, bit], _) = steer(steering);
    let at = (usize::from(high) << 8 | usize::from(low)) % bytes.len();
    if bit & 8 == 8 {
        bytes.truncate(at);
    } else {
        bytes[at] ^= 1 << (bit & 7);
    }
    std::fs::write(path, bytes).unwrap();
    assert!(Map::open(path).is_err(), "a damaged file opens; byte {at}, bit {bit}");
}
