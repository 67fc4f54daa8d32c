//! .NET: `   at Shop.Cart.Total(String s) in /srv/Cart.cs:line 12`; Mono writes a space before the
//! parenthesis and an offset after it, Unity `Shop.Cart.Total () (at Assets/Cart.cs:12)` and `Shop.Cart:Total(Int32)`, and
//! PowerShell `at Get-Total, /srv/Cart.ps1: line 12`.

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
    if of_unity(line).is_some() || of_shell(line).is_some() {
        return true;
    }
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
        } else if let Some(frame) = of_unity(line).or_else(|| of_shell(line)).or_else(|| frame(line)) {
            frames.push(Frame { is_async: std::mem::take(&mut resumed), ..frame });
            if frames.len() == READ_FRAMES {
                break;
            }
        }
    }
    frames
}

/// Whether an `AggregateException` has more than one inner exception.
pub(super) fn has_siblings(text: &str) -> bool {
    find(text, SIBLING).is_some()
}

/// The inner exceptions of an `AggregateException` but the first, which is printed as any other's.
fn siblings(text: &str) -> impl Iterator<Item = Cause<'_>> {
    text.split(SIBLING).skip(1).filter_map(|part| {
        let (count, part) = part.split_once(") ")?;
        number(count).filter(|count| *count > 0)?;
        let part = &part[..find(part, "<---").unwrap_or(part.len())];
        let end = find(part, "\n   at ").or_else(|| find(part, "\n")).unwrap_or(part.len());
        Some(Cause::new(&part[..end], part[end..].trim_matches(['\r', '\n']).trim_end()))
    })
}

fn without_siblings(text: &str) -> &str {
    &text[..find(text, SIBLING).unwrap_or(text.len())]
}

fn frame(line: &str) -> Option<Frame<'_>> {
    let Line { function, place, .. } = split(line)?;
    let (file, line) = place.unzip();
    Some(source_frame(name(function), file.and_then(url), line))
}

/// `Shop.Cart.Total (System.Int32 n) (at Assets/Cart.cs:12)`, `Shop.Cart:Total(Int32) (at Assets/Cart.cs:12)`.
fn of_unity(line: &str) -> Option<Frame<'_>> {
    let (call, place) = line.strip_suffix(')')?.rsplit_once(") (at ")?;
    let (function, _) = call.split_once('(')?;
    let function = function.trim_end();
    if !function.contains(['.', ':']) || function.contains(' ') {
        return None;
    }
    let (file, line) = place.rsplit_once(':')?;
    let line = number(line)?;
    let file = if file.starts_with('<') { None } else { url(file) };
    Some(source_frame(name(function), file, Some(line).filter(|_| file.is_some())))
}

/// `at Get-Total, /srv/Cart.ps1: line 12`, `at <ScriptBlock>, <No file>: line 1`.
fn of_shell(line: &str) -> Option<Frame<'_>> {
    let text = trim_start(line).strip_prefix("at ")?;
    let (head, line) = text.rsplit_once(": line ")?;
    let (function, file) = head.rsplit_once(", ")?;
    let file = if file == "<No file>" { None } else { url(file) };
    Some(source_frame(name(function), file, Some(number(line)?)))
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
    let place = place.and_then(position);
    // Some print the method as it is declared: `async Task<int> Shop.Cart.Total`.
    let function = match function.rsplit_once(' ') {
        Some((_, last)) if place.is_some() && last.contains('.') => last,
        _ => function,
    };
    if !function.contains('.') || function.contains(' ') || function.contains("://") {
        return None;
    }
    Some(Line { function, arguments, place, is_mono: offset.is_some() })
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
    let mut causes = nested(without_siblings(text));
    causes.extend(siblings(text).take(NESTED));
    causes
}

fn nested(text: &str) -> Vec<Cause<'_>> {
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
