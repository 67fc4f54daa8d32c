//! Where a value ends, and whether the text after a name is a value.

use super::quotes::{Quoted, is_quote, quoted};
use crate::scrubbing::FILTERED;
use std::ops::Range;

/// The longest word, in bytes, that is examined for being a secret; a longer one is.
const WORD_MAX: usize = 128;
/// The fewest letters and digits of a secret in running text, and the fewest lower-case letters of one that
/// has nothing else.
const MIXED_MIN: usize = 6;
const LETTERS_MIN: usize = 24;
/// The longest address with its port, in bytes, with some margin.
const ADDRESS_MAX: usize = 64;
/// The most digits of a line or a column.
const POSITION_MAX: usize = 8;
/// The fewest digits of a number that is not a count.
const DIGITS_MIN: usize = 3;

/// Where a word may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextKind {
    /// The query of an address, or a form.
    Query,
    /// A variable of an environment: `DB_PASSWORD=…`.
    Variable,
    /// Anything else.
    Text,
}

/// The word at `start`, up to a blank or whatever ends a word in this place.
pub(super) fn word(bytes: &[u8], start: usize, place: TextKind) -> Range<usize> {
    let ends = |at: &usize| match place {
        TextKind::Query => ends_query(bytes[*at]),
        TextKind::Variable => ends_variable(bytes[*at]),
        TextKind::Text => ends_word(bytes, *at),
    };
    start..(start..bytes.len()).find(ends).unwrap_or(bytes.len())
}

/// Where the value of a query ends, if a line and a column follow it as in the frames of a stack: `?token=abc:10:20`.
pub(super) fn before_position(bytes: &[u8], value: &Range<usize>) -> usize {
    let line = without_number(&bytes[value.clone()]);
    let before = line.and_then(without_number);
    before.map_or(value.end, |before| value.start + before.len())
}

/// What is before `:` and a number at the end, unless that is nothing.
fn without_number(text: &[u8]) -> Option<&[u8]> {
    let digits = text.iter().rev().take(POSITION_MAX + 1).take_while(|byte| byte.is_ascii_digit()).count();
    let before = text[..text.len() - digits].strip_suffix(b":")?;
    ((1..=POSITION_MAX).contains(&digits) && !before.is_empty()).then_some(before)
}

fn ends_query(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || matches!(byte, b'&' | b';' | b'#' | b'"' | b'\'' | b'<' | b'>' | b')' | b'(' | b'\\')
}

fn ends_variable(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'\\')
}

/// Commas and closing brackets end a word only before a blank or another such byte, because passwords contain
/// them.
fn ends_word(bytes: &[u8], at: usize) -> bool {
    let closes =
        |byte: &u8| matches!(byte, b',' | b'.' | b')' | b']' | b'}' | b'"' | b'\'' | b';' | b'\\' | b'>');
    match bytes[at] {
        b'&' | b';' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\' | b'|' => true,
        b',' | b')' | b']' | b'}' => {
            bytes.get(at + 1).is_none_or(|next| next.is_ascii_whitespace() || closes(next))
        }
        byte => byte.is_ascii_whitespace(),
    }
}

/// Whether a value was already removed, and contains nothing else.
pub(super) fn is_filtered(bytes: &[u8], value: &Range<usize>) -> bool {
    bytes[value.clone()] == *FILTERED.as_bytes()
}

/// An unquoted value: one word. The placeholder of a removed value is not a word by itself, but may be part
/// of one.
pub(super) fn plain(bytes: &[u8], start: usize, place: TextKind) -> Range<usize> {
    let skip = if bytes[start..].starts_with(FILTERED.as_bytes()) { FILTERED.len() } else { 0 };
    start..word(bytes, start + skip, place).end
}

/// The inside of a quoted text (also `b'…'` and the like), or a list or an object.
pub(super) fn enclosed(bytes: &[u8], start: usize) -> Option<Range<usize>> {
    let literal = matches!(bytes.get(start), Some(b'b' | b'B' | b'f' | b'r' | b'u'))
        && bytes.get(start + 1).is_some_and(|next| is_quote(*next));
    if let Some(Quoted { content, .. }) = quoted(bytes, start + usize::from(literal)) {
        return Some(content);
    }
    let opens =
        matches!(bytes.get(start), Some(b'{' | b'[')) && !bytes[start..].starts_with(FILTERED.as_bytes());
    opens.then(|| start..word(bytes, structure_end(bytes, start), TextKind::Text).end)
}

/// Where the list or object that begins at `start` ends; if it was cut off, at the end of the text.
fn structure_end(bytes: &[u8], start: usize) -> usize {
    let (mut at, mut depth, mut before) = (start, 0_usize, b'[');
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth -= 1,
            b'"' | b'\\' => {
                at = quoted(bytes, at).map_or(at + 1, |text| text.after);
                before = b'"';
                continue;
            }
            // An apostrophe is not a quote.
            b'\'' if matches!(before, b'[' | b'{' | b',' | b':' | b'=' | b'(') => {
                at = quoted(bytes, at).map_or(at + 1, |text| text.after);
                before = b'\'';
                continue;
            }
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return at;
        }
        if !byte.is_ascii_whitespace() {
            before = *byte;
        }
    }
    bytes.len()
}

/// Whether a word is unusual: letters mixed with digits, or a number that is not a count.
pub(super) fn looks_secret(word: &[u8]) -> bool {
    if word.len() > WORD_MAX {
        return true;
    }
    let end = word
        .iter()
        .rposition(|byte| !matches!(byte, b'.' | b',' | b':' | b'!' | b'?'))
        .map_or(0, |last| last + 1);
    let word = &word[..end];
    let is_placeholder =
        matches!(word.first(), Some(b'$' | b'%' | b'?' | b':' | b'@' | b'{' | b'(' | b'<' | b'/'));
    if is_placeholder || word.contains(&b'(') || word.starts_with(b"http://") || word.starts_with(b"https://")
    {
        return false;
    }
    let letters = word.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    let signs = word.iter().any(|byte| matches!(byte, b'!' | b'@' | b'#' | b'$' | b'^' | b'*' | b'+' | b'~'));
    let is_number = digits == word.len() && digits >= DIGITS_MIN;
    let is_mixed = letters > 0 && (digits > 0 || signs) && word.len() >= MIXED_MIN;
    is_number || is_mixed || word.len() >= LETTERS_MIN && word.iter().all(u8::is_ascii_lowercase)
}

/// Whether a value is a number, or a part of one: `1532`, `1,532.`, `1532/4096`.
pub(super) fn is_number(value: &[u8]) -> bool {
    let is_of_number = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b',' | b'_' | b'/' | b'-');
    value.first().is_some_and(|first| first.is_ascii_digit() || *first == b'-')
        && value.iter().all(is_of_number)
        && value.iter().any(u8::is_ascii_digit)
}

/// Whether the assigned value is a variable of the same name: `password=password)`, `token=e.token`.
pub(super) fn is_variable(bytes: &[u8], start: usize, name: &str) -> bool {
    let near = &bytes[start..bytes.len().min(start + WORD_MAX)];
    let length =
        near.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')).count();
    let path = &near[..length];
    let last =
        |path: &[u8]| path.rsplit(|byte| *byte == b'.').next().unwrap_or_default().to_ascii_lowercase();
    let is_program = path.contains(&b'.') || matches!(near.get(length), Some(b')' | b',' | b';'));
    is_program && length > 0 && last(path) == last(name.as_bytes())
}

/// Where the line ends, or the quoted text that contains it; `\n` may be escaped. `around` is the quote after
/// which the line begins, if there is one.
pub(super) fn line_end(bytes: &[u8], start: usize, around: Option<u8>) -> usize {
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        // The value of a cookie may itself be quoted.
        let of_value = || if at > start && bytes[at - 1] == b'=' { quoted(bytes, at) } else { None };
        match byte {
            b'\n' | b'\r' => break,
            b'"' | b'\\' => match of_value() {
                Some(text) => at = text.after,
                None => break,
            },
            b'\'' if around == Some(b'\'') => break,
            _ => at += 1,
        }
    }
    start + bytes[start..at].trim_ascii_end().len()
}

/// Whether this is the start of a network address, or of a notation for one: `for=192.0.2.1`,
/// `"[2001:db8::1]"`.
pub(super) fn is_address(bytes: &[u8]) -> bool {
    let near = &bytes[..bytes.len().min(ADDRESS_MAX)];
    let word = near.split(|byte| byte.is_ascii_whitespace() || *byte == b',').next().unwrap_or_default();
    let begins = word.get(..4).is_some_and(|head| head.eq_ignore_ascii_case(b"for="));
    begins || word.iter().any(|byte| matches!(byte, b'.' | b':')) && word.iter().any(u8::is_ascii_digit)
}
