//! PHP: `#0 /srv/x.php(12): Cart->total()`, and the place of the throw in the line above them.
//!
//! A numbered line contains a function and where it was called; the place of the throw has a line of its own
//! and no function.

use super::cause::{Cause, is_name};
use super::line::{find, lines, name, number, rfind, source_frame, trim_start, url};
use super::{Frame, READ_FRAMES};

/// The text between an exception and the one it led to.
const NEXT: &str = "\n\nNext ";

/// Heading of the numbered lines.
const TRACE: &str = "Stack trace:";

/// Whether a line belongs to a PHP trace only.
pub(super) fn is_marked(line: &str) -> bool {
    let text = trim_start(line);
    if text.starts_with('#') {
        return frame(line).is_some() || text.ends_with(" {main}");
    }
    on_line(text).is_some()
}

/// The frames, throw first. If several exceptions are printed in a row, those of the last, which is the one
/// that was thrown.
pub(super) fn parse(text: &str) -> Vec<Frame<'_>> {
    let text = &text[rfind(text, NEXT).map_or(0, |at| at + NEXT.len())..];
    let mut frames = Vec::with_capacity(16);
    let mut place = None;
    let mut previous = "";
    for line in lines(text) {
        if line.trim() == TRACE {
            place = place.or_else(|| throw(previous));
        } else if let Some(frame) = frame(line) {
            frames.push(frame);
        } else {
            place = place.or_else(|| on_line(trim_start(line)));
        }
        if frames.len() == READ_FRAMES {
            break;
        }
        previous = line;
    }
    if let Some(place) = place {
        frames.insert(0, place);
    }
    frames
}

/// `#0 /srv/x.php(12): Cart->total(Array)`, `#1 [internal function]: array_map(Object(Closure), Array)`.
fn frame(line: &str) -> Option<Frame<'_>> {
    let (count, rest) = trim_start(line).strip_prefix('#')?.split_once(' ')?;
    number(count)?;
    if let Some(call) = rest.strip_prefix("[internal function]: ") {
        return Some(source_frame(function(call), None, None));
    }
    let end = find(rest, "): ")?;
    let call = &rest[end + "): ".len()..];
    // `/srv/x.php(3) : eval()'d code(1)`: the first is the place in a file.
    let place = &rest[..find(&rest[..end], ") : ").unwrap_or(end)];
    let open = memchr::memrchr(b'(', place.as_bytes())?;
    Some(source_frame(function(call), url(&place[..open]), Some(number(&place[open + 1..])?)))
}

fn function(call: &str) -> Option<&str> {
    name(call.split('(').next().unwrap_or(call))
}

/// The place at the end of the message's line: `… in /srv/x.php:12`.
pub(super) fn throw(line: &str) -> Option<Frame<'_>> {
    let (file, line) = line[rfind(line, " in ")? + " in ".len()..].rsplit_once(':')?;
    place(file, line)
}

/// `… in /srv/x.php on line 12`.
fn on_line(line: &str) -> Option<Frame<'_>> {
    let end = rfind(line, " on line ")?;
    let start = match rfind(&line[..end], " in ") {
        Some(start) => start + " in ".len(),
        None => line.starts_with("in ").then_some("in ".len())?,
    };
    place(&line[start..end], &line[end + " on line ".len()..])
}

fn place<'a>(file: &'a str, line: &'a str) -> Option<Frame<'a>> {
    const ENDINGS: [&str; 5] = [".php", ".phtml", ".inc", ".phar", "eval()'d code"];
    let known = ENDINGS.iter().any(|ending| file.ends_with(ending));
    if known { Some(source_frame(None, url(file), Some(number(line)?))) } else { None }
}

/// Whether a text contains several exceptions that led to one another.
pub(super) fn is_chained(text: &str) -> bool {
    find(text, NEXT).is_some_and(|at| find(&text[at..], TRACE).is_some())
}

/// The exceptions before the last one, from last to first.
pub(super) fn causes(text: &str) -> Vec<Cause<'_>> {
    let mut sections: Vec<&str> = Vec::new();
    let mut start = 0;
    for at in memchr::memmem::find_iter(text.as_bytes(), NEXT) {
        sections.push(&text[start..at]);
        start = at + NEXT.len();
    }
    sections.into_iter().rev().filter_map(cause).collect()
}

fn cause(section: &str) -> Option<Cause<'_>> {
    let end = find(section, TRACE)?;
    let header = section[..end].trim_end();
    let header = find(header, "Uncaught ").map_or(header, |at| &header[at + "Uncaught ".len()..]);
    let (kind, message) = header.split_once(": ").filter(|(kind, _)| is_name(kind))?;
    let message = match rfind(message, " in ") {
        Some(place) if throw(message).is_some() => &message[..place],
        _ => message,
    };
    Some(Cause { kind: Some(kind), message, stack: section })
}
