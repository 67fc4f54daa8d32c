//! Source maps read the slow and plain way, to compare with.

use serde_json::Value;

/// A mapping; lines and columns from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mapping {
    pub(crate) line: u64,
    pub(crate) column: u64,
    pub(crate) original: Option<Original>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Original {
    pub(crate) source: usize,
    pub(crate) line: u64,
    pub(crate) column: u64,
    pub(crate) name: Option<String>,
}

/// The mappings of a map without sections, in the order written; `None` when it has sections or this
/// reader does not understand it.
pub(crate) fn read(map: &Value) -> Option<Vec<Mapping>> {
    if !map["sections"].is_null() {
        return None;
    }
    let names: Vec<Value> = map["names"].as_array().cloned().unwrap_or_default();
    let sources = map["sources"].as_array().map_or(0, Vec::len);
    let position = |value: i64| u64::try_from(value).ok().filter(|value| *value < u64::from(u32::MAX) - 1);
    let mut mappings = Vec::new();
    let (mut source, mut source_line, mut source_column, mut name) = (0_i64, 0_i64, 0_i64, 0_i64);
    for (line, text) in map["mappings"].as_str()?.split(';').enumerate() {
        let mut column = 0_i64;
        for segment in text.split(',').filter(|segment| !segment.is_empty()) {
            let numbers = numbers(segment)?;
            column += numbers[0];
            let mut original = None;
            if numbers.len() >= 4 {
                source += numbers[1];
                source_line += numbers[2];
                source_column += numbers[3];
                name += numbers.get(4).copied().unwrap_or(0);
                let name = numbers.get(4).and_then(|_| names.get(usize::try_from(name).ok()?)?.as_str());
                let name = name.filter(|name| !name.is_empty()).map(str::to_owned);
                let source = usize::try_from(source).ok().filter(|source| *source < sources);
                let place = position(source_line).zip(position(source_column));
                // What is wrong maps to nothing.
                original = source
                    .zip(place)
                    .filter(|_| numbers.len() <= 5)
                    .map(|(source, (line, column))| Original { source, line, column, name });
            }
            if let Some(column) = position(column) {
                mappings.push(Mapping { line: line as u64, column, original });
            }
        }
    }
    Some(mappings)
}

/// The numbers of a segment: base64 VLQ. `None` for what cannot be read, of which the rest is unknown.
fn numbers(segment: &str) -> Option<Vec<i64>> {
    const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut numbers, mut value, mut shift) = (Vec::new(), 0_i64, 0);
    for digit in segment.chars() {
        let digit = DIGITS.find(digit)? as i64;
        if shift >= 60 {
            return None;
        }
        value += (digit & 31) << shift;
        shift += 5;
        if value >> 33 != 0 {
            return None;
        }
        if digit & 32 == 0 {
            numbers.push(if value & 1 == 1 { -(value >> 1) } else { value >> 1 });
            (value, shift) = (0, 0);
        }
    }
    (shift == 0).then_some(numbers)
}

/// The mapping that a position belongs to: the greatest at or before it on its line, of several at one
/// place the last written.
pub(crate) fn find(mappings: &[Mapping], line: u64, column: u64) -> Option<&Original> {
    let on_line = mappings.iter().filter(|mapping| mapping.line == line && mapping.column <= column);
    on_line.max_by_key(|mapping| mapping.column)?.original.as_ref()
}
