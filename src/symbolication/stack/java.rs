//! The JVM: `\tat a.b.C.m(File.java:12)`.

use super::cause::Cause;
use super::line::{find, name, number, rfind, source_frame, trim_start, url};
use super::{Frame, FrameKind};

/// One line as a frame, or none if it is not one. There is no space before the parenthesis, which
/// distinguishes it from V8, and `.NET`'s `m(String s) in x.cs:line 3` ends differently. What log libraries
/// append (` ~[app.jar:1.2]`) is skipped.
pub(super) fn frame(line: &str) -> Option<Frame<'_>> {
    let text = trim_start(line).strip_prefix("at ")?;
    let text = match text.rfind(") ~[").or_else(|| text.rfind(") [")) {
        Some(end) if text.ends_with(']') => &text[..=end],
        _ => text,
    };
    let inner = text.strip_suffix(')')?;
    let open = memchr::memrchr(b'(', inner.as_bytes())?;
    let function = &inner[..open];
    if !function.contains('.') || function.ends_with(' ') || function.contains(": ") {
        return None;
    }
    build(name(function), &inner[open + 1..])
}

fn build<'a>(function: Option<&'a str>, place: &'a str) -> Option<Frame<'a>> {
    match place {
        "Native Method" => Some(Frame { kind: FrameKind::Native, ..source_frame(function, None, None) }),
        "Unknown Source" => Some(source_frame(function, None, None)),
        _ if place.contains(['/', ',']) => None,
        _ => match place.rsplit_once(':') {
            // Android numbers the lines of unknown sources.
            Some(("Unknown Source", line)) => {
                number(line)?;
                Some(source_frame(function, None, None))
            }
            Some((file, line)) => Some(source_frame(function, url(file), Some(number(line)?))),
            None if place.contains(' ') => None,
            None => Some(source_frame(function, url(place), None)),
        },
    }
}

/// `... 8 more`, of Logback `... 8 common frames omitted`: how many frames the exception above has at its end, too.
pub(super) fn common(line: &str) -> Option<usize> {
    let (count, what) = trim_start(line).strip_prefix("... ")?.split_once(' ')?;
    number(count).filter(|_| matches!(what, "more" | "common frames omitted")).map(|count| count as usize)
}

/// Precedes an exception that wraps the one above: some loggers print the root first.
const WRAPPED: &str = "\nWrapped by: ";

/// Whether the root is printed first. A message may have the mark in it, too.
pub fn is_root_first(text: &str) -> bool {
    find(text, WRAPPED).is_some() && find(text, "\nCaused by: ").is_none()
}

/// The part that is about the exception that was thrown: the last one where the root is printed first.
pub(super) fn thrown(text: &str) -> &str {
    let start = rfind(text, WRAPPED).filter(|_| is_root_first(text));
    start.map_or(text, |at| &text[at + WRAPPED.len()..])
}

/// The exceptions that a text with that mark prints before its last, which was thrown: nearest first.
pub(super) fn roots(text: &str) -> Vec<Cause<'_>> {
    let mut sections = Vec::new();
    let mut start = 0;
    for at in memchr::memmem::find_iter(text.as_bytes(), WRAPPED) {
        sections.push(&text[start..at]);
        start = at + WRAPPED.len();
    }
    sections.into_iter().rev().map(Cause::of_section).collect()
}
