//! Python: `File "x.py", line 3, in f`, the throw last.

use super::cause::Cause;
use super::line::{find, lines, name, number, rfind, source_frame, throw_first, url};
use super::{Frame, READ_FRAMES};

/// Heading of a traceback outside of any group.
const PLAIN: &str = "\nTraceback (most recent call last):";

/// Heading of an exception group; nested ones have no leading plus.
const GROUP: &str = "+ Exception Group Traceback (most recent call last):";

/// Whether a line belongs to a Python traceback only.
pub(super) fn is_marked(line: &str) -> bool {
    frame(line).is_some()
}

/// The frames of the last traceback, throw first. Earlier ones belong to causes, or to the exception being
/// handled. For an exception group they are the group's own, not those of its members.
pub(super) fn parse(text: &str) -> Vec<Frame<'_>> {
    let group = rfind(text, GROUP);
    let plain = rfind(text, PLAIN).map(|at| at + 1);
    let is_group = group > plain;
    let start = group.max(plain).or_else(|| rfind(text, PLAIN.trim_start())).unwrap_or(0);
    let mut frames = Vec::with_capacity(16);
    for line in lines(&text[start..]) {
        if let Some(frame) = frame(line) {
            push(&mut frames, frame);
        } else if is_group && line.trim_start().starts_with("+-+--") {
            break;
        }
    }
    throw_first(frames)
}

/// Keeps the end of a long list, at constant amortized cost.
fn push<'a>(frames: &mut Vec<Frame<'a>>, frame: Frame<'a>) {
    if frames.len() == 2 * READ_FRAMES {
        frames.drain(..READ_FRAMES);
    }
    frames.push(frame);
}

/// `File "x.py", line 3, in f`; the bars of an exception group in front are skipped. At the top
/// level of a syntax error the function is missing.
fn frame(line: &str) -> Option<Frame<'_>> {
    let text = line.trim_start_matches([' ', '\t', '|', '+']).strip_prefix("File \"")?;
    let end = rfind(text, "\", line ")?;
    let place = &text[end + "\", line ".len()..];
    let (line, function) = match place.split_once(", in ") {
        Some((line, function)) => (line, name(function)),
        None => (place, None),
    };
    Some(source_frame(function, url(&text[..end]), Some(number(line)?)))
}

/// The lines between a traceback and that of the exception it led to.
const LINKS: [&str; 2] = [
    "\nDuring handling of the above exception, another exception occurred:\n",
    "\nThe above exception was the direct cause of the following exception:\n",
];

/// Whether a text contains several tracebacks that led to one another.
pub(super) fn is_chained(text: &str) -> bool {
    LINKS.iter().any(|link| find(text, link).is_some())
}

/// The exceptions printed before the last one, from last to first.
pub(super) fn causes(text: &str) -> Vec<Cause<'_>> {
    let mut links: Vec<(usize, usize)> = LINKS
        .iter()
        .flat_map(|link| {
            memchr::memmem::find_iter(text.as_bytes(), link).map(move |at| (at, at + link.len()))
        })
        .collect();
    links.sort_unstable();
    let mut start = 0;
    let mut sections = Vec::with_capacity(links.len());
    for (at, end) in links {
        sections.push(text[start..at.max(start)].trim_matches('\n'));
        start = end;
    }
    sections.into_iter().rev().map(cause).collect()
}

/// After the frames, which are indented, follows `Type: message`.
fn cause(section: &str) -> Cause<'_> {
    let mut at = 0;
    let header = section.split_inclusive('\n').find_map(|line| {
        let start = at;
        at += line.len();
        let is_header = !line.trim().is_empty() && !line.starts_with([' ', '\t']);
        (is_header && !line.starts_with(PLAIN.trim_start())).then_some(start)
    });
    Cause::new(&section[header.unwrap_or(section.len())..], section)
}
