//! Ruby: `x.rb:3:in 'f'` (before 3.4 `` `f' ``), plain or numbered and reversed.

use super::cause::{Cause, is_name};
use super::line::{cut, find, lines, name, number, source_frame, throw_first, url};
use super::{Frame, MAX_FUNCTION, READ_FRAMES};

/// Whether a line belongs to a Ruby backtrace only.
pub(super) fn is_marked(line: &str) -> bool {
    frame(line).is_some()
}

/// The frames of the first exception, throw first.
pub(super) fn parse(text: &str) -> Vec<Frame<'_>> {
    let mut found: Vec<(Frame<'_>, bool)> = Vec::with_capacity(16);
    for line in lines(text) {
        if is_next(line, found.len()) && !found[0].1 {
            break;
        }
        found.extend(frame(line));
        if found.len() == READ_FRAMES && !found[0].1 {
            break;
        }
    }
    let is_reversed = found.first().is_some_and(|(_, numbered)| *numbered);
    let frames = found.into_iter().map(|(frame, _)| frame).collect();
    if is_reversed { throw_first(frames) } else { frames }
}

/// Whether a line is the first of a cause: a throw with its message, after frames.
fn is_next(line: &str, frames: usize) -> bool {
    frames > 0 && !line.starts_with(['\t', ' ']) && throw(line).is_some()
}

/// The frame of a line that continues with the message, or did before the message was removed.
pub(super) fn throw(line: &str) -> Option<Frame<'_>> {
    let (frame, numbered) = frame(line)?;
    let is_throw = find(line, "': ").is_some() && !line.trim_start().starts_with("from ");
    (is_throw && !numbered).then_some(frame)
}

/// The exceptions printed after the first one.
pub(super) fn causes(text: &str) -> Vec<Cause<'_>> {
    let mut starts = Vec::new();
    let (mut at, mut frames) = (0, 0);
    for line in text.split_inclusive('\n') {
        if is_next(line, frames) {
            starts.push(at);
        }
        frames += usize::from(line.starts_with("\tfrom "));
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(start, end)| cause(&text[*start..end])).collect()
}

/// `x.rb:3:in 'f': message (Type)`.
fn cause(section: &str) -> Cause<'_> {
    let line = section.lines().next().unwrap_or_default();
    let header = &line[find(line, "': ").map_or(0, |at| at + "': ".len())..];
    match header.strip_suffix(')').and_then(|header| header.rsplit_once(" (")) {
        Some((message, kind)) if is_name(kind) => {
            Cause { kind: Some(kind), message, stack: section.trim_end() }
        }
        _ => Cause { kind: None, message: header, stack: section.trim_end() },
    }
}

/// A frame, and whether its line is numbered (`\t  2: from x.rb:3:in 'f'`), as Ruby does when it
/// prints the throw last.
fn frame(line: &str) -> Option<(Frame<'_>, bool)> {
    let mark = [":in '", ":in `"].iter().filter_map(|mark| find(line, mark)).min()?;
    let (place, numbered) = without_from(line[..mark].trim());
    let colon = memchr::memrchr(b':', place.as_bytes())?;
    let number = number(&place[colon + 1..])?;
    Some((source_frame(function(&line[mark + 5..]), url(&place[..colon]), Some(number)), numbered))
}

fn without_from(place: &str) -> (&str, bool) {
    if let Some(rest) = place.strip_prefix("from ") {
        return (rest, false);
    }
    match place.split_once(": from ") {
        Some((count, rest)) if number(count).is_some() => (rest, true),
        _ => (place, false),
    }
}

/// The name up to its closing quote; on the throwing line, the message follows it.
fn function(text: &str) -> Option<&str> {
    let end = find(text, "': ").or_else(|| memchr::memrchr(b'\'', text.as_bytes()));
    end.and_then(|end| name(&text[..end])).map(|name| cut(name, MAX_FUNCTION))
}
