//! Users in URLs: `://user:password@host`, `://user@host`.

use memchr::memrchr;
use std::ops::Range;

/// How many bytes after a `/` a password that contains one may end.
const PASSWORD_MAX: usize = 128;

/// The user and password of the URL whose authority begins at `start`.
pub(super) fn user(bytes: &[u8], start: usize, found: &mut Vec<Range<usize>>) {
    let length = bytes[start..].iter().take_while(|byte| !ends_authority(**byte)).count();
    let authority = &bytes[start..start + length];
    let end = match memrchr(b'@', authority) {
        Some(at) => Some(start + at),
        None => password_end(bytes, start, start + length),
    };
    if let Some(end) = end.filter(|end| *end > start && !is_known(bytes, start, *end)) {
        found.push(start..end);
    }
}

/// Where a password with an unencoded `/` ends: what follows the colon is not a port, and an `@` comes before
/// anything that a password cannot contain.
fn password_end(bytes: &[u8], start: usize, slash: usize) -> Option<usize> {
    let authority = &bytes[start..slash];
    let colon = authority.iter().position(|byte| *byte == b':')?;
    let is_port = authority[colon + 1..].iter().all(u8::is_ascii_digit);
    if is_port || authority[0] == b'[' || bytes[slash..].starts_with(b"//") {
        return None;
    }
    let ends =
        |byte: &u8| matches!(byte, b'"' | b'\'' | b'<' | b'>' | b'\\' | b':') || byte.is_ascii_whitespace();
    let rest = &bytes[slash..bytes.len().min(slash + PASSWORD_MAX)];
    let near = rest.iter().position(ends).unwrap_or(rest.len());
    memrchr(b'@', &rest[..near]).map(|at| slash + at)
}

/// Whether the user is a well-known placeholder, or was removed before.
fn is_known(bytes: &[u8], start: usize, end: usize) -> bool {
    let user = &bytes[start..end];
    let is_git = user == b"git" && bytes[..start].ends_with(b"ssh://");
    is_git || user == crate::scrubbing::FILTERED.as_bytes()
}

/// A `/` ends it as well, so that no byte belongs to two authorities.
fn ends_authority(byte: u8) -> bool {
    matches!(byte, b'/' | b'?' | b'#' | b'"' | b'\'' | b'<' | b'>' | b')' | b'(' | b'\\')
        || byte.is_ascii_whitespace()
}
