//! The place part of a JavaScript frame: address and position.

use super::FrameKind;
use super::line::{hex_number, number, url};

/// An address with its position, as [`super::Frame`] holds them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Location<'a> {
    pub(super) url: Option<&'a str>,
    pub(super) line: Option<u32>,
    pub(super) column: Option<u32>,
    pub(super) kind: FrameKind,
    /// The name of the function, if only the address contains it (`wasm-function[12]`).
    pub(super) function: Option<&'a str>,
}

impl<'a> Location<'a> {
    pub(super) const NATIVE: Location<'static> =
        Location { url: None, line: None, column: None, kind: FrameKind::Native, function: None };

    pub(super) fn script(address: &'a str, line: u32, column: Option<u32>) -> Self {
        Self { url: url(shorten(address)), line: Some(line), column, kind: FrameKind::Script, function: None }
    }
}

/// `url:line:column`, and nothing less.
pub(super) fn with_column(text: &str) -> Option<Location<'_>> {
    let (rest, column) = last_number(text)?;
    let (address, line) = last_number(rest)?;
    if address.is_empty() { None } else { Some(Location::script(address, line, Some(column))) }
}

/// `line:column` alone.
pub(super) fn position(text: &str) -> Option<Location<'_>> {
    let (rest, column) = last_number(text)?;
    Some(Location { url: None, ..Location::script("", number(rest)?, Some(column)) })
}

/// `url:line:column` or the older `url:line`.
pub(super) fn with_line(text: &str) -> Option<Location<'_>> {
    with_column(text).or_else(|| {
        let (address, line) = last_number(text)?;
        if address.is_empty() { None } else { Some(Location::script(address, line, None)) }
    })
}

/// `wasm://wasm/1a2b:wasm-function[12]:0x1a`, or the same behind a common address.
pub(super) fn wasm(text: &str) -> Option<Location<'_>> {
    let colon = memchr::memrchr(b':', text.as_bytes())?;
    let offset = hex_number(&text[colon + 1..])?;
    let rest = &text[..colon];
    let (address, function) = match memchr::memrchr(b':', rest.as_bytes()) {
        Some(colon) if rest[colon + 1..].starts_with("wasm-function[") => {
            (&rest[..colon], Some(&rest[colon + 1..]))
        }
        _ => (rest, None),
    };
    Some(Location { url: url(address), line: Some(1), column: Some(offset), kind: FrameKind::Wasm, function })
}

/// Splits `…:12` off the end.
fn last_number(text: &str) -> Option<(&str, u32)> {
    let digits = text.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (rest, digits) = text.split_at(text.len() - digits);
    Some((rest.strip_suffix(':')?, number(digits)?))
}

/// A `data:` address holds the whole script: only its head up to the comma is kept.
fn shorten(address: &str) -> &str {
    if !address.starts_with("data:") {
        return address;
    }
    match memchr::memchr(b',', address.as_bytes()) {
        Some(comma) => &address[..=comma],
        None => address,
    }
}

/// Whether a text begins like an address: a scheme, a path, a drive, or one of the engine's words.
/// Looks at no more than its first 40 bytes.
pub(super) fn begins_address(text: &str) -> bool {
    const WORDS: [&str; 8] =
        ["/", "./", "../", "\\\\", "<anonymous>", "[native code]", "[wasm code]", "webpack"];
    WORDS.iter().any(|word| text.starts_with(word)) || has_scheme(text)
}

/// `scheme:` or a drive letter at the front.
fn has_scheme(text: &str) -> bool {
    let bytes = text.as_bytes();
    if !bytes.first().is_some_and(u8::is_ascii_alphabetic) {
        return false;
    }
    let name = bytes
        .iter()
        .take(40)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
        .count();
    // A digit after the colon is a position (`app.js:12`), not a path.
    bytes.get(name) == Some(&b':') && !bytes.get(name + 1).is_some_and(u8::is_ascii_digit)
}
