//! Texts in quotes, however often the text around them was quoted itself: `"`, `\"`, `\\\"`.

use memchr::{memchr2, memrchr};
use std::ops::Range;

/// The most backslashes before a quote: three levels.
const BACKSLASHES_MAX: usize = 7;
/// Bytes of a name in quotes.
pub(super) const NAME_MAX: usize = 64;

/// A text in quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Quoted {
    pub(super) content: Range<usize>,
    /// Where what follows begins.
    pub(super) after: usize,
}

/// The quoted text that begins at `at`; if it was cut off, it extends to the end.
pub(super) fn quoted(bytes: &[u8], at: usize) -> Option<Quoted> {
    let level = bytes[at..].iter().take(BACKSLASHES_MAX + 1).take_while(|byte| **byte == b'\\').count();
    let quote = *bytes.get(at + level).filter(|byte| is_quote(**byte))?;
    let start = at + level + 1;
    let mut next = start;
    while let Some(offset) = memchr2(quote, b'\\', &bytes[next..]) {
        let found = next + offset;
        let run = bytes[found..].iter().take_while(|byte| **byte == b'\\').count();
        next = found + run + 1;
        if bytes.get(found + run) != Some(&quote) {
            next -= 1;
            continue;
        }
        if ends(level, run) {
            // Backslashes beyond the quote's own belong to the content.
            return Some(Quoted { content: start..found + run - level.min(run), after: next });
        }
    }
    Some(Quoted { content: start..bytes.len(), after: bytes.len() })
}

/// Whether a quote after `run` backslashes ends a text that began after `level`: not if an odd number of them
/// is left after unquoting the text around it.
fn ends(level: usize, run: usize) -> bool {
    run < level || ((run - level) / (level + 1)).is_multiple_of(2)
}

/// The name in quotes that ends with the quote at `last`.
pub(super) fn name_before(text: &str, last: usize) -> Option<&str> {
    let bytes = text.as_bytes();
    let level =
        bytes[..last].iter().rev().take(BACKSLASHES_MAX + 1).take_while(|byte| **byte == b'\\').count();
    let end = last - level;
    let from = end.saturating_sub(NAME_MAX + BACKSLASHES_MAX + 1);
    let start = from + memrchr(bytes[last], &bytes[from..end])? + 1;
    text.get(start..end).filter(|name| !name.is_empty())
}

pub(super) fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'')
}
