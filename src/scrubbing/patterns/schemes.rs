//! What follows the words `Bearer` and `Basic`.

use super::positions::positions;
use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use std::ops::Range;

/// The shortest value, in characters; `user:pw` in Base64 has ten.
const VALUE_MIN: usize = 8;
/// The most blanks between the word and its value.
const BLANKS_MAX: usize = 8;
/// The most characters of a Basic value that are decoded; the name and the colon come first.
const DECODED_MAX: usize = 1024;

/// The beginnings of words that people write after `Bearer`; no token consists of letters and hyphens and
/// begins like this.
const PROSE: [&str; 9] = [
    "authenticat",
    "authoriz",
    "certificat",
    "challeng",
    "credential",
    "protocol",
    "require",
    "security",
    "token",
];

/// Basic values are often written without padding, and may be cut off.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

pub(super) fn find(text: &str, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    for start in positions(bytes, |word| word.in_lower_case().are(b'b')) {
        let word = |word: &str| {
            bytes[start..].get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word.as_bytes()))
        };
        let length = match bytes.get(start + 1) {
            Some(b'e' | b'E') if word("bearer") => 6,
            Some(b'a' | b'A') if word("basic") => 5,
            _ => continue,
        };
        if start > 0 && bytes[start - 1].is_ascii_alphanumeric() {
            continue;
        }
        let value = value(bytes, start + length);
        let is_secret =
            if length == 6 { is_bearer(&bytes[value.clone()]) } else { is_basic(&bytes[value.clone()]) };
        if is_secret {
            found.push(value);
        }
    }
}

/// The characters of a token that follow blanks; empty if there are no blanks.
fn value(bytes: &[u8], after: usize) -> Range<usize> {
    let rest = &bytes[after..];
    let blanks = match rest.strip_prefix(b"%20") {
        Some(_) => 3,
        None => rest.iter().take(BLANKS_MAX).take_while(|byte| matches!(byte, b' ' | b'\t')).count(),
    };
    let start = after + blanks;
    let length =
        if blanks == 0 { 0 } else { rest[blanks..].iter().take_while(|byte| is_token_byte(**byte)).count() };
    start..start + length
}

fn is_bearer(value: &[u8]) -> bool {
    value.len() >= VALUE_MIN && !is_prose(value)
}

fn is_prose(value: &[u8]) -> bool {
    let begins =
        |word: &&str| value.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes()));
    PROSE.iter().any(begins)
        && value.iter().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'.'))
}

/// Whether this is a name, a colon and a password in Base64; other words after `basic` are not.
fn is_basic(value: &[u8]) -> bool {
    let digits = value.iter().take_while(|byte| !matches!(byte, b'=')).take(DECODED_MAX).count();
    // A single character beyond a multiple of four carries no complete byte.
    let digits = if digits % 4 == 1 { digits - 1 } else { digits };
    if value.len() < VALUE_MIN {
        return false;
    }
    let Ok(decoded) = BASE64.decode(&value[..digits]) else { return false };
    let is_text = match std::str::from_utf8(&decoded) {
        Ok(_) => true,
        // The text was cut inside a character.
        Err(error) => error.error_len().is_none(),
    };
    is_text && decoded.contains(&b':') && !decoded.iter().any(u8::is_ascii_control)
}

fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'~' | b'+' | b'/' | b'=' | b'-')
}
