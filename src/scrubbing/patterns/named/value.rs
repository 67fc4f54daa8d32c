//! Where a value ends, and whether what stands after a name in running text is one.

use super::quotes::{Quoted, is_quote, quoted};
use crate::scrubbing::FILTERED;
use std::ops::Range;

/// Bytes of a word that are looked at to tell whether it is a secret: one that is longer is.
const WORD_MAX: usize = 128;
/// Letters and digits of a secret in running text, and small letters of one that has nothing else.
const MIXED_MIN: usize = 6;
const LETTERS_MIN: usize = 24;
/// Bytes of an address with its port, and some more.
const ADDRESS_MAX: usize = 64;
/// Digits of a number that is no count.
const DIGITS_MIN: usize = 3;

/// What a word may stand in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The query of an address, or a form.
    Query,
    /// A variable of an environment: `DB_PASSWORD=…`.
    Variable,
    /// Anything else.
    Text,
}

/// The word at `start`, to a blank or what ends one in its place.
pub(super) fn word(bytes: &[u8], start: usize, place: Place) -> Range<usize> {
    let ends = |at: &usize| match place {
        Place::Query => ends_query(bytes[*at]),
        Place::Variable => ends_variable(bytes[*at]),
        Place::Text => ends_word(bytes, *at),
    };
    start..(start..bytes.len()).find(ends).unwrap_or(bytes.len())
}

fn ends_query(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || matches!(byte, b'&' | b';' | b'#' | b'"' | b'\'' | b'<' | b'>' | b')' | b'(' | b'\\')
}

fn ends_variable(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'\\')
}

/// Commas and what closes end a word before a blank or another such byte: passwords have them within.
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

/// Whether a value was removed before: nothing else is in it.
pub(super) fn is_filtered(bytes: &[u8], value: &Range<usize>) -> bool {
    bytes[value.clone()] == *FILTERED.as_bytes()
}

/// The word that a value in no quotes is. What stands for a removed one is none alone, but belongs to it.
pub(super) fn plain(bytes: &[u8], start: usize, place: Place) -> Range<usize> {
    let skip = if bytes[start..].starts_with(FILTERED.as_bytes()) { FILTERED.len() } else { 0 };
    start..word(bytes, start + skip, place).end
}

/// A text in quotes (`b'…'` and the like as well), without them, or a list or an object.
pub(super) fn enclosed(bytes: &[u8], start: usize) -> Option<Range<usize>> {
    let literal = matches!(bytes.get(start), Some(b'b' | b'B' | b'f' | b'r' | b'u'))
        && bytes.get(start + 1).is_some_and(|next| is_quote(*next));
    if let Some(Quoted { content, .. }) = quoted(bytes, start + usize::from(literal)) {
        return Some(content);
    }
    let opens =
        matches!(bytes.get(start), Some(b'{' | b'[')) && !bytes[start..].starts_with(FILTERED.as_bytes());
    opens.then(|| start..word(bytes, structure_end(bytes, start), Place::Text).end)
}

/// Where the list or object ends that begins at `start`: at the end of all where it was cut.
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
            // An apostrophe is none.
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

/// Whether a word is no ordinary one: letters with digits, or a number where one is meant.
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

/// Whether what is assigned is what a program calls by the same name: `password=password)`, `token=e.token`.
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

/// Where the line ends, or the text in quotes that the line is part of; `\n` may be written out. `around` is the quote
/// that the line begins after, if there is one.
pub(super) fn line_end(bytes: &[u8], start: usize, around: Option<u8>) -> usize {
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        // The value of a cookie may stand in quotes itself.
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

/// Whether what begins there is an address of the network, or what tells of one: `for=192.0.2.1`, `"[2001:db8::1]"`.
pub(super) fn is_address(bytes: &[u8]) -> bool {
    let near = &bytes[..bytes.len().min(ADDRESS_MAX)];
    let word = near.split(|byte| byte.is_ascii_whitespace() || *byte == b',').next().unwrap_or_default();
    let begins = word.get(..4).is_some_and(|head| head.eq_ignore_ascii_case(b"for="));
    begins || word.iter().any(|byte| matches!(byte, b'.' | b':')) && word.iter().any(u8::is_ascii_digit)
}
