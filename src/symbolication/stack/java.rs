//! The JVM: `\tat a.b.C.m(File.java:12)`.

use super::line::{name, number, source_frame, trim_start, url};
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

/// `... 8 more`: how many frames the exception above has at its end, too.
pub(super) fn common(line: &str) -> Option<usize> {
    let count = trim_start(line).strip_prefix("... ")?.strip_suffix(" more")?;
    number(count).map(|count| count as usize)
}
