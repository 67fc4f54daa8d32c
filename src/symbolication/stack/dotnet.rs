//! .NET: `   at Shop.Cart.Total(String s) in /srv/Cart.cs:line 12`; Mono writes a space before the
//! parenthesis and an offset after it.

use super::cause::Cause;
use super::line::{find, lines, name, number, rfind, source_frame, trim_start, url};
use super::{Frame, READ_FRAMES};

/// The line after the frames of an inner exception, which are printed before those of the outer one.
const INNER_END: &str = "--- End of inner exception stack trace ---";

/// The marker before an inner exception.
const INNER: &str = "---> ";

/// The marker before the other inner exceptions of an `AggregateException`, after its own frames.
const SIBLING: &str = "---> (Inner Exception #";

/// The line before the frames of a method that awaited.
const RESUMED: &str = "--- End of stack trace from previous location";

/// The deepest nesting of exceptions.
const NESTED: usize = 64;

/// Whether a line is a frame of .NET and not of the JVM or V8, which print `at ` as well.
pub(super) fn is_marked(line: &str) -> bool {
    let Some(Line { arguments, place, is_mono, .. }) = split(line) else { return false };
    let jvm = arguments.contains(':') || matches!(arguments, "Unknown Source" | "Native Method");
    // Parameters come with their types: `(String s)`.
    let typed = !jvm && arguments.contains(' ');
    place.is_some() || is_mono || typed || (line.starts_with("   at ") && arguments.is_empty())
}

/// The frames of the outer exception.
pub(super) fn parse(text: &str) -> Vec<Frame<'_>> {
    let text = without_siblings(text);
    let start = rfind(text, INNER_END).map_or(0, |at| at + INNER_END.len());
    let mut frames = Vec::with_capacity(16);
    let mut resumed = false;
    for line in lines(&text[start..]) {
        if trim_start(line).starts_with(RESUMED) {
            resumed = true;
        } else if let Some(frame) = frame(line) {
            frames.push(Frame { is_async: std::mem::take(&mut resumed), ..frame });
            if frames.len() == READ_FRAMES {
                break;
            }
        }
    }
    frames
}

fn without_siblings(text: &str) -> &str {
    &text[..find(text, SIBLING).unwrap_or(text.len())]
}

fn frame(line: &str) -> Option<Frame<'_>> {
    let Line { function, place, .. } = split(line)?;
    let (file, line) = place.unzip();
    Some(source_frame(name(function), file.and_then(url), line))
}

/// The parts of a frame's line.
struct Line<'a> {
    function: &'a str,
    arguments: &'a str,
    place: Option<(&'a str, u32)>,
    is_mono: bool,
}

fn split(line: &str) -> Option<Line<'_>> {
    let text = trim_start(line).strip_prefix("at ")?;
    let (head, place) = match rfind(text, " in ") {
        Some(at) => (&text[..at], Some(&text[at + " in ".len()..])),
        None => (text, None),
    };
    // ` [0x00012]`, ` <0x7f12 + 0x00034>`
    let offset = rfind(head, ") [0x").or_else(|| rfind(head, ") <0x"));
    let head = &head[..offset.map_or(head.len(), |at| at + 1)];
    let (function, arguments) = head.strip_suffix(')')?.split_once('(')?;
    let function = if offset.is_some() { function.trim_end() } else { function };
    if !function.contains('.') || function.contains(' ') || function.contains("://") {
        return None;
    }
    Some(Line { function, arguments, place: place.and_then(position), is_mono: offset.is_some() })
}

/// `/srv/Cart.cs:line 12`, of Mono `/srv/Cart.cs:12`.
fn position(place: &str) -> Option<(&str, u32)> {
    let (file, line) = place.rsplit_once(':')?;
    let line = number(line.strip_prefix("line ").unwrap_or(line))?;
    (line > 0 && !file.starts_with('<')).then_some((file, line))
}

/// The inner exceptions, from the outside in. Headers are printed in that order, frames the other way
/// round.
pub(super) fn causes(text: &str) -> Vec<Cause<'_>> {
    let text = without_siblings(text);
    let ends: Vec<usize> = memchr::memmem::find_iter(text.as_bytes(), INNER_END).take(NESTED + 1).collect();
    let Some(first_frame) =
        find(text, "\n   at ").or_else(|| find(text, "\n  at ")).or_else(|| ends.first().copied())
    else {
        return Vec::new();
    };
    let heads = &text[..first_frame.min(ends.first().copied().unwrap_or(first_frame))];
    let headers: Vec<&str> = heads.split(INNER).skip(1).take(NESTED + 1).collect();
    if headers.len() != ends.len() || ends.len() > NESTED {
        return Vec::new();
    }
    let stack = |index: usize| {
        let block = headers.len() - 1 - index;
        let start = block.checked_sub(1).map_or(heads.len(), |before| ends[before] + INNER_END.len());
        text[start..ends[block]].trim_matches(['\r', '\n']).trim_end()
    };
    headers.iter().enumerate().map(|(index, header)| Cause::new(header, stack(index))).collect()
}
