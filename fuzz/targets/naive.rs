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
                let (line, column) = (source_line.try_into().ok()?, source_column.try_into().ok()?);
                original = Some(Original { source: source.try_into().ok()?, line, column, name });
            }
            mappings.push(Mapping { line: line as u64, column: column.try_into().ok()?, original });
        }
    }
    Some(mappings)
}

/// The numbers of a segment: base64 VLQ.
fn numbers(segment: &str) -> Option<Vec<i64>> {
    const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut numbers, mut value, mut shift) = (Vec::new(), 0_i64, 0);
    for digit in segment.chars() {
        let digit = DIGITS.find(digit)? as i64;
        value += (digit & 31) << shift;
        shift += 5;
        if digit & 32 == 0 {
            numbers.push(if value & 1 == 1 { -(value >> 1) } else { value >> 1 });
            (value, shift) = (0, 0);
        }
    }
    Some(numbers)
}

/// The mapping that a position belongs to: the greatest at or before it on its line, of several at one
/// place the last written.
pub(crate) fn find(mappings: &[Mapping], line: u64, column: u64) -> Option<&Original> {
    let on_line = mappings.iter().filter(|mapping| mapping.line == line && mapping.column <= column);
    on_line.max_by_key(|mapping| mapping.column)?.original.as_ref()
}
