//! Facts as terms of the index: `field\0value`.
//!
//! The names of all fields that an entry has are one term, `\0field\0field…`, so that those with a field are counted
//! from few lists, however many values it has: most entries have the same fields as many others. Where they do not
//! ([`NameSets`]), each name is a term.
//!
//! Hexadecimal ids, of which nearly every entry has its own, are stored as bytes, because a term dictionary
//! costs as much as its terms have differing characters.

use super::fields::{Fields, LEVEL, TEMPLATE};
use crate::search::facts::VALUE_MAX;
use std::collections::HashSet;
use std::ops::{Bound, Range};
use std::sync::{Mutex, PoisonError};
use tantivy::Term;
use tantivy::query::RangeQuery;

/// Ends the field's name in a fact; names do not contain it.
const END: u8 = 0;
/// The prefix of all sets of names; no field has an empty one.
pub(super) const NAMES: &[u8] = &[END];
/// The fields that every entry has; their names are in no set.
pub(super) const EVERYWHERE: [&str; 2] = [LEVEL, TEMPLATE];
/// Precedes a value stored as bytes; no text contains it.
const BYTES: u8 = 0xff;
/// The fewest hexadecimal digits of a value stored this way.
const DIGITS_MIN: usize = 16;

impl Fields {
    pub fn fact(&self, field: &str, value: &str) -> Term {
        let mut term = Vec::new();
        write_fact(&mut term, field, value);
        Term::from_field_bytes(self.facts, &term)
    }

    /// The ranges of facts of a field whose values begin with `value`, which is not empty.
    pub(super) fn facts_from(&self, field: &str, value: &str) -> Vec<RangeQuery> {
        let mut prefix = prefix(field);
        let mut ranges = Vec::new();
        let mut add = |prefix: &[u8], first: &[u8], next: &[u8]| {
            let term = |end: &[u8]| Term::from_field_bytes(self.facts, &[prefix, end].concat());
            ranges.push(RangeQuery::new(Bound::Included(term(first)), Bound::Excluded(term(next))));
        };
        add(&prefix, value.as_bytes(), &next(value.as_bytes().to_vec()));
        if let Some((first, next)) = bytes_from(value) {
            prefix.push(BYTES);
            add(&prefix, &first, &next);
        }
        ranges
    }
}

/// The prefix of all facts of a field.
pub(super) fn prefix(field: &str) -> Vec<u8> {
    let mut prefix = field.as_bytes().to_vec();
    prefix.push(END);
    prefix
}

/// How many sets of names are terms, and the longest of them in bytes.
const SETS_MAX: usize = if cfg!(test) { 20 } else { 1_000 };
const SET_MAX: usize = 2_000;

/// The sets of names that are terms: the first ones, so that entries of which each has other fields do not fill the
/// index with sets.
#[derive(Debug, Default)]
pub(crate) struct NameSets(Mutex<HashSet<Box<[u8]>>>);

impl NameSets {
    fn has(&self, set: &[u8]) -> bool {
        let mut sets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sets.contains(set) || (sets.len() < SETS_MAX && set.len() <= SET_MAX && sets.insert(set.into()))
    }

    /// Appends the names of an entry, which are parts of `terms`: as a set if it is one of these, otherwise as a term
    /// each. `ends` gets the end of each term.
    pub(super) fn write(&self, terms: &mut Vec<u8>, names: &mut Vec<Range<usize>>, ends: &mut Vec<usize>) {
        names.sort_unstable_by(|a, b| terms[a.clone()].cmp(&terms[b.clone()]));
        names.dedup_by(|a, b| terms[a.clone()] == terms[b.clone()]);
        let (start, first) = (terms.len(), ends.len());
        for name in names.drain(..) {
            terms.push(END);
            terms.extend_from_within(name);
            ends.push(terms.len());
        }
        if self.has(&terms[start..]) {
            ends.truncate(first);
            ends.push(terms.len());
        }
    }
}

/// The names in a set without its prefix.
pub(super) fn names_in(set: &[u8]) -> Vec<String> {
    set.split(|byte| *byte == END).map(|name| String::from_utf8_lossy(name).into_owned()).collect()
}

/// Appends a fact.
pub(super) fn write_fact(term: &mut Vec<u8>, field: &str, value: &str) {
    term.extend_from_slice(field.as_bytes());
    term.push(END);
    let digits = value.as_bytes();
    if digits.len() < DIGITS_MIN
        || !digits.len().is_multiple_of(2)
        || !digits.iter().all(|digit| digit_of(*digit).is_some())
    {
        return term.extend_from_slice(digits);
    }
    term.push(BYTES);
    term.extend(digits.chunks_exact(2).map(|pair| byte_of(pair[0], pair[1])));
}

/// The value of a fact without its field.
pub(super) fn value_of(value: &[u8]) -> String {
    match value.split_first() {
        Some((&BYTES, bytes)) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        _ => String::from_utf8_lossy(value).into_owned(),
    }
}

/// The first bytes that begin with these digits, and the first after all that do; `None` if they are not
/// digits.
fn bytes_from(value: &str) -> Option<(Vec<u8>, Vec<u8>)> {
    let digits = value.as_bytes();
    if !digits.iter().all(|digit| digit_of(*digit).is_some()) {
        return None;
    }
    let mut first: Vec<u8> = digits.chunks_exact(2).map(|pair| byte_of(pair[0], pair[1])).collect();
    let Some(half) = digits.chunks_exact(2).remainder().first() else {
        return Some((first.clone(), next(first)));
    };
    first.push(byte_of(*half, b'0'));
    let mut last = first.clone();
    last.pop();
    last.push(byte_of(*half, b'f'));
    Some((first, next(last)))
}

/// The first bytes after all that begin with these.
fn next(mut bytes: Vec<u8>) -> Vec<u8> {
    while let Some(last) = bytes.pop() {
        if let Some(next) = last.checked_add(1) {
            bytes.push(next);
            return bytes;
        }
    }
    // After the bytes of any value.
    vec![u8::MAX; VALUE_MAX]
}

fn byte_of(high: u8, low: u8) -> u8 {
    digit_of(high).unwrap_or(0) << 4 | digit_of(low).unwrap_or(0)
}

fn digit_of(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(value: &str) -> Vec<u8> {
        let mut term = Vec::new();
        write_fact(&mut term, "f", value);
        term
    }

    /// Whether a fact is among those whose values have this beginning.
    fn is_found(value: &str, beginning: &str) -> bool {
        let term = term(value);
        let value = &term[2..];
        let text = value >= beginning.as_bytes() && value < &*next(beginning.as_bytes().to_vec());
        let bytes = value.split_first().filter(|(first, _)| **first == BYTES).map(|(_, bytes)| bytes);
        let within =
            |bytes: &[u8]| bytes_from(beginning).is_some_and(|(from, to)| *bytes >= *from && *bytes < *to);
        text || bytes.is_some_and(within)
    }

    #[test]
    fn long_hexadecimal_is_stored_as_bytes_and_returned_unchanged() {
        assert_eq!(term("00112233445566ff"), b"f\0\xff\x00\x11\x22\x33\x44\x55\x66\xff");
        let others =
            ["00112233445566f", "00112233445566f0a", "00112233445566fF", "00112233445566fg", "", "é"];
        for value in others {
            assert_eq!(term(value), [b"f\0", value.as_bytes()].concat());
        }
        for value in others.into_iter().chain(["00112233445566ff", "ffffffffffffffffffff", "7f"]) {
            assert_eq!(value_of(&term(value)[2..]), value);
        }
    }

    #[test]
    fn beginnings_are_found_among_texts_and_bytes() {
        let values = [
            "00112233445566ff",
            "ffffffffffffffff",
            "ff00ffffffffffffffff",
            "a0b1c2d3e4f50617",
            "abc",
            "fffe",
            "f",
            "0",
            "00112233445566ff0",
            "zebra",
            "Ω",
            "\u{10ffff}x",
        ];
        for value in values {
            for beginning in values
                .iter()
                .flat_map(|value| value.char_indices().map(|(at, c)| &value[..at + c.len_utf8()]))
            {
                assert_eq!(is_found(value, beginning), value.starts_with(beginning), "{value} {beginning}");
            }
        }
    }
}
