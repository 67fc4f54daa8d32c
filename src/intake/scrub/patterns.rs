//! Secrets that are known by how they look. One pass each, and only where a cheap look says that
//! there may be something. Texts come from anybody: no pass looks at a byte more than 64 times.

use super::FILTERED;
use memchr::memmem::Finder;
use memchr::{memchr2_iter, memmem};
use std::ops::Range;
use std::sync::LazyLock;

/// Made once: making one costs more than looking through most texts.
static PRIVATE_KEY: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(KEY_TAIL));
static AUTHORITY: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("://"));

/// How lines that begin or end a private key end.
const KEY_TAIL: &[u8] = b"PRIVATE KEY-----";

/// Digits of a card number.
const CARD_DIGITS: std::ops::RangeInclusive<usize> = 13..=19;
/// Characters a Bearer value has at least.
const BEARER_MIN: usize = 8;

#[derive(Debug)]
pub(super) struct Patterns {
    pub(super) card_numbers: bool,
    pub(super) private_keys: bool,
    pub(super) bearer_tokens: bool,
    pub(super) credentials: bool,
}

impl Patterns {
    /// The text without its secrets and how many there were; `None` when there are none.
    pub(super) fn clean(&self, text: &str, names_secret: impl Fn(&str) -> bool) -> Option<(String, u32)> {
        let mut found = Vec::new();
        if self.card_numbers {
            card_numbers(text, &mut found);
        }
        if self.private_keys && PRIVATE_KEY.find(text.as_bytes()).is_some() {
            private_keys(text, &mut found);
        }
        if self.bearer_tokens && text.len() > BEARER_MIN {
            bearer_tokens(text, &mut found);
        }
        if self.credentials {
            credentials(text, &mut found);
        }
        if text.contains('=') {
            parameters(text, names_secret, &mut found);
        }
        if found.is_empty() { None } else { Some(replace(text, found)) }
    }
}

fn replace(text: &str, mut found: Vec<Range<usize>>) -> (String, u32) {
    found.sort_unstable_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    let (mut clean, mut end, mut count) = (String::with_capacity(text.len()), 0, 0);
    for range in found {
        if range.start >= end {
            clean.push_str(&text[end..range.start]);
            clean.push_str(FILTERED);
            count += 1;
        }
        end = end.max(range.end);
    }
    clean.push_str(&text[end..]);
    (clean, count)
}

/// Runs of 13 to 19 digits, single spaces or hyphens between them, that start like a card's and
/// have a right check digit.
///
/// What may be one has 13 bytes at least, so only every 13th byte is looked at first.
fn card_numbers(text: &str, found: &mut Vec<Range<usize>>) {
    let (bytes, step) = (text.as_bytes(), *CARD_DIGITS.start());
    let mut at = 0;
    while let Some(byte) = bytes.get(at + step - 1) {
        if is_of_run(byte) {
            let before = bytes[at..at + step].iter().rev().take_while(|byte| is_of_run(byte)).count();
            let start = at + step - before;
            at = start + bytes[start..].iter().take_while(|byte| is_of_run(byte)).count();
            cards_within(bytes, start..at, found);
        } else {
            at += step;
        }
    }
}

fn is_of_run(byte: &u8) -> bool {
    matches!(byte, b'0'..=b'9' | b' ' | b'-')
}

/// The card numbers within a stretch of digits, spaces and hyphens.
fn cards_within(bytes: &[u8], stretch: Range<usize>, found: &mut Vec<Range<usize>>) {
    let mut at = stretch.start;
    while let Some(offset) = bytes[at..stretch.end].iter().position(u8::is_ascii_digit) {
        let start = at + offset;
        let end = run_end(bytes, start);
        if end - start < *CARD_DIGITS.start() {
            at = end;
            continue;
        }
        let digits = digits(&bytes[start..end]);
        let alone = start == 0 || !(bytes[start - 1].is_ascii_alphanumeric() || bytes[start - 1] == b'.');
        let ends = bytes.get(end).is_none_or(|next| !next.is_ascii_alphanumeric());
        if alone && ends && CARD_DIGITS.contains(&digits.len()) && matches!(digits[0], 2..=6) && luhn(&digits)
        {
            found.push(start..end);
        }
        at = end;
    }
}

/// Where a run of digits with single spaces or hyphens between them ends.
fn run_end(bytes: &[u8], start: usize) -> usize {
    let mut end = start;
    for (at, byte) in bytes.iter().enumerate().skip(start) {
        match byte {
            b'0'..=b'9' => end = at + 1,
            b' ' | b'-' if at == end => {}
            _ => break,
        }
    }
    end
}

/// The digits of a run; no more than tell that it is too long are kept.
fn digits(run: &[u8]) -> Vec<u8> {
    let digits = run.iter().filter(|byte| byte.is_ascii_digit()).map(|byte| byte - b'0');
    digits.take(CARD_DIGITS.end() + 1).collect()
}

fn luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(index, digit)| match (index % 2, u32::from(*digit)) {
            (0, digit) => digit,
            (_, digit) if digit > 4 => digit * 2 - 9,
            (_, digit) => digit * 2,
        })
        .sum();
    sum.is_multiple_of(10) && digits.iter().any(|digit| *digit != digits[0])
}

/// Bytes that a line which begins or ends a key has at most.
const KEY_LINE_MAX: usize = 63;

/// From `-----BEGIN … PRIVATE KEY-----` to its end line, or to the end of the text when it was cut.
fn private_keys(text: &str, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(begin) = key_line(bytes, at, b"-----BEGIN ") {
        at = key_line(bytes, begin.end, b"-----END ").map_or(bytes.len(), |line| line.end);
        found.push(begin.start..at);
    }
}

/// The first line from `at` that opens with `head` and ends as those of private keys do.
fn key_line(bytes: &[u8], at: usize, head: &[u8]) -> Option<Range<usize>> {
    memmem::find_iter(&bytes[at..], head).find_map(|offset| {
        let start = at + offset;
        let line = &bytes[start..bytes.len().min(start + KEY_LINE_MAX)];
        PRIVATE_KEY.find(line).map(|tail| start..start + tail + KEY_TAIL.len())
    })
}

fn bearer_tokens(text: &str, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    for start in memchr2_iter(b'b', b'B', bytes) {
        let is_scheme = bytes[start..].get(..7).is_some_and(|word| word.eq_ignore_ascii_case(b"bearer "));
        if is_scheme && (start == 0 || !bytes[start - 1].is_ascii_alphanumeric()) {
            let value = start + 7;
            let length = bytes[value..].iter().take_while(|byte| is_token_byte(**byte)).count();
            if length >= BEARER_MIN {
                found.push(value..value + length);
            }
        }
    }
}

fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'~' | b'+' | b'/' | b'=' | b'-')
}

/// Values of secret-named parameters: `?token=…`, `&api_key=…`.
fn parameters(text: &str, names_secret: impl Fn(&str) -> bool, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let mut end = 0;
    for equals in memchr::memchr_iter(b'=', bytes) {
        // What stands in a value that goes is looked at once.
        if equals < end {
            continue;
        }
        let is_name =
            |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'[' | b']');
        let length = bytes[..equals].iter().rev().take(64).take_while(is_name).count();
        let start = equals - length;
        let opens = start > 0 && matches!(bytes[start - 1], b'?' | b'&' | b';' | b'#');
        if length > 0 && opens && names_secret(&text[start..equals]) {
            let value = equals + 1;
            end = value + bytes[value..].iter().take_while(|byte| !is_parameter_end(**byte)).count();
            if end > value {
                found.push(value..end);
            }
        }
    }
}

fn is_parameter_end(byte: u8) -> bool {
    matches!(byte, b'&' | b';' | b'#' | b'"' | b'\'' | b'<' | b'>' | b')' | b'(')
        || byte.is_ascii_whitespace()
}

/// User and password of addresses: `://user:password@host`.
fn credentials(text: &str, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    for offset in AUTHORITY.find_iter(bytes) {
        let start = offset + 3;
        let length = bytes[start..].iter().take_while(|byte| !is_authority_end(**byte)).count();
        let authority = &bytes[start..start + length];
        if let Some(at) = memchr::memrchr(b'@', authority)
            && authority[..at].contains(&b':')
        {
            found.push(start..start + at);
        }
    }
}

/// A `/` ends it too, so that no byte belongs to two authorities.
fn is_authority_end(byte: u8) -> bool {
    matches!(byte, b'/' | b'?' | b'#' | b'"' | b'\'' | b'<' | b'>' | b')' | b'(' | b'\\')
        || byte.is_ascii_whitespace()
}

#[cfg(test)]
mod tests;
