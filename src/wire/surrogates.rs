//! Repairs lone surrogates (halves of characters) in JSON.
//!
//! JavaScript strings may be cut in the middle of a UTF-16 surrogate pair (`"😀".slice(0, 1)`), and
//! `JSON.stringify` writes such a half as an escape: valid JSON that cannot be represented in UTF-8. Each
//! becomes U+FFFD, as it does wherever a browser encodes text, so that the event is not lost.

use bytes::Bytes;
use memchr::memmem::Finder;
use std::sync::LazyLock;

/// Finds the start of an escape. Built once.
static ESCAPED: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\\u"));

/// Length of `\ud83d`.
const ESCAPE: usize = 6;

/// The body with `\ufffd` in place of each escaped half; the body itself if there is none.
pub(crate) fn mend(body: Bytes) -> Bytes {
    let halves = halves(&body);
    if halves.is_empty() {
        return body;
    }
    let mut mended = body.to_vec();
    for at in halves {
        mended[at..at + ESCAPE].copy_from_slice(b"\\ufffd");
    }
    mended.into()
}

/// The positions of escapes that are not a whole character.
fn halves(body: &[u8]) -> Vec<usize> {
    let mut halves = Vec::new();
    let mut paired_until = 0;
    for at in ESCAPED.find_iter(body) {
        let unit = if at < paired_until || is_escaped(body, at) { None } else { unit(body, at) };
        match unit {
            Some(0xd800..=0xdbff) => match unit_after(body, at) {
                Some(0xdc00..=0xdfff) => paired_until = at + 2 * ESCAPE,
                _ => halves.push(at),
            },
            Some(0xdc00..=0xdfff) => halves.push(at),
            _ => {}
        }
    }
    halves
}

/// Whether the backslash is itself escaped: an odd number of them precedes it.
fn is_escaped(body: &[u8], at: usize) -> bool {
    body[..at].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}

/// The UTF-16 unit of the escape at `at`.
fn unit(body: &[u8], at: usize) -> Option<u16> {
    let digits = body.get(at + 2..at + ESCAPE)?;
    let is_hex = digits.iter().all(u8::is_ascii_hexdigit);
    is_hex.then(|| u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()).flatten()
}

fn unit_after(body: &[u8], at: usize) -> Option<u16> {
    let next = at + ESCAPE;
    if body.get(next..next + 2)? == b"\\u" { unit(body, next) } else { None }
}

#[cfg(test)]
mod tests;
