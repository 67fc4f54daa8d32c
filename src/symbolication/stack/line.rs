//! Lines of a stack text, and the small scanners that the notations share.

use super::{Frame, FrameKind, MAX_FUNCTION, MAX_LINES, MAX_SOURCE, MAX_URL};

/// The first [`MAX_LINES`] lines, without `\r` and trailing spaces; indentation stays.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    Lines { rest: Some(text) }.take(MAX_LINES)
}

struct Lines<'a> {
    rest: Option<&'a str>,
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let rest = self.rest?;
        let (line, rest) = match memchr::memchr(b'\n', rest.as_bytes()) {
            Some(end) => (&rest[..end], Some(&rest[end + 1..])),
            None => (rest, None),
        };
        self.rest = rest;
        Some(trim_end(line))
    }
}

/// Without leading spaces and tabs. Only ASCII: other spaces never indent a frame, and this is on
/// the path of every line.
pub(super) fn trim_start(line: &str) -> &str {
    let indent = line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    &line[indent..]
}

fn trim_end(line: &str) -> &str {
    let spaces = line.bytes().rev().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
    &line[..line.len() - spaces]
}

/// Byte position of the first `needle`.
pub(super) fn find(text: &str, needle: &str) -> Option<usize> {
    memchr::memmem::find(text.as_bytes(), needle.as_bytes())
}

/// Byte position of the last `needle`.
pub(super) fn rfind(text: &str, needle: &str) -> Option<usize> {
    memchr::memmem::rfind(text.as_bytes(), needle.as_bytes())
}

/// Cuts at most `limit` bytes off the front, at a character boundary.
pub(super) fn cut(text: &str, limit: usize) -> &str {
    &text[..text.floor_char_boundary(limit)]
}

/// A run of decimal digits that fits a `u32`; anything else is none.
pub(super) fn number(digits: &str) -> Option<u32> {
    let all = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if all { digits.parse().ok() } else { None }
}

/// A hexadecimal number behind `0x` that fits a `u32`.
pub(super) fn hex_number(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("0x")?;
    let all = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    if all { u32::from_str_radix(digits, 16).ok() } else { None }
}

/// A function name cut to its limit, or `None` if it is blank.
pub(super) fn name(text: &str) -> Option<&str> {
    let text = text.trim();
    if text.is_empty() { None } else { Some(cut(text, MAX_FUNCTION)) }
}

/// An address cut to its limit, or `None` if it is blank.
pub(super) fn url(text: &str) -> Option<&str> {
    let text = text.trim();
    if text.is_empty() { None } else { Some(cut(text, MAX_URL)) }
}

/// A line of source without its indentation and cut to its limit, or `None` if it is blank.
pub(super) fn source(text: &str) -> Option<&str> {
    let text = text.trim();
    let end = text.char_indices().nth(MAX_SOURCE).map_or(text.len(), |(end, _)| end);
    if text.is_empty() { None } else { Some(&text[..end]) }
}

/// A frame of a server language: name, file, line, and no column.
pub(super) fn source_frame<'a>(
    function: Option<&'a str>,
    file: Option<&'a str>,
    line: Option<u32>,
) -> Frame<'a> {
    Frame {
        function,
        url: file,
        line,
        column: None,
        kind: if file.is_some() { FrameKind::Script } else { FrameKind::Native },
        is_async: false,
        in_app: super::in_app(file, function),
        context_line: None,
    }
}

/// Reverses frames that were printed with the throw last.
pub(super) fn throw_first(mut frames: Vec<Frame<'_>>) -> Vec<Frame<'_>> {
    frames.reverse();
    frames
}
