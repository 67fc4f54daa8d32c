//! Ruby: `x.rb:3:in 'f'` (before 3.4 `` `f' ``), plain or numbered and reversed.

use super::line::{cut, find, lines, name, number, source_frame, throw_first, url};
use super::{Frame, MAX_FRAMES, MAX_FUNCTION};

/// Whether a line belongs to a Ruby backtrace only.
pub(super) fn is_marked(line: &str) -> bool {
    frame(line).is_some()
}

/// The frames, throw first.
pub(super) fn parse(text: &str) -> Vec<Frame<'_>> {
    let found: Vec<_> = lines(text).filter_map(frame).collect();
    if found.first().is_some_and(|(_, numbered)| *numbered) {
        return throw_first(found.into_iter().map(|(frame, _)| frame).collect());
    }
    found.into_iter().take(MAX_FRAMES).map(|(frame, _)| frame).collect()
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

/// The name up to its closing quote; the throwing line goes on with the message behind it.
fn function(text: &str) -> Option<&str> {
    let end = find(text, "': ").or_else(|| memchr::memrchr(b'\'', text.as_bytes()));
    end.and_then(|end| name(&text[..end])).map(|name| cut(name, MAX_FUNCTION))
}
