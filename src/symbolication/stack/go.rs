//! Go: `goroutine 1 [running]:` and pairs of lines, `pkg.fn(...)` and `\t/path/x.go:12 +0x1d`.
//!
//! Error values and loggers print the same pairs without a heading and without arguments (`pkg/errors`, `zap`, `xerrors`;
//! behind a bar: `cockroachdb/errors`), the place first (`/path/x.go:12 (0x47b3f0)` and `\tfn: source`: `go-errors`, `gin`), or
//! both in one line (`fn:/path/x.go:12`: `eris`; `--- at /path/x.go:12 fn()`: `oops`; `/path/x.go:12 fn()`: `tracerr`).

use super::line::{find, lines, name, number, source_frame, trim_start, url};
use super::{Frame, READ_FRAMES};

/// Whether a line opens a goroutine.
pub(super) fn is_marked(line: &str) -> bool {
    line.starts_with("goroutine ") && line.contains(" [") && line.ends_with(':')
}

/// Whether a line, behind another one, belongs to the stack of an error value.
pub(super) fn is_of_error(previous: &str, line: &str) -> bool {
    let Some(place) = place(without_bar(line)) else { return false };
    match place.function {
        Some(_) => true,
        None if place.is_address_behind() => true,
        None => place.is_alone() && is_deeper(previous, line) && function(without_bar(previous)).is_some(),
    }
}

/// The frames of the first goroutine, which is the one that threw, or of an error value.
///
/// A stack taken by a deferred function shows the handler above the runtime's `panic`. Those frames stay but
/// do not count as the application's, so that the handler does not group everything together.
pub(super) fn parse(text: &str) -> Vec<Frame<'_>> {
    let mut frames = if lines(text).any(is_marked) { of_goroutine(text) } else { of_error(text) };
    let panic = frames.iter().rposition(|frame| frame.function == Some("panic"));
    for frame in &mut frames[..panic.unwrap_or(0)] {
        frame.in_app = false;
    }
    frames
}

fn of_goroutine(text: &str) -> Vec<Frame<'_>> {
    let mut frames: Vec<Frame<'_>> = Vec::with_capacity(16);
    let mut head = None;
    for line in lines(text).skip_while(|line| !is_marked(line)).skip(1) {
        if is_marked(line) || frames.len() == READ_FRAMES {
            break;
        }
        if !line.starts_with('\t') && !line.starts_with("    ") {
            head = Some(line);
        } else if let Some(frame) = head.take().and_then(|head| pair(head, trim_start(line))) {
            frames.push(frame);
        }
    }
    frames
}

/// An error that wraps another one prints both: the first block is that of the throw.
fn of_error(text: &str) -> Vec<Frame<'_>> {
    let mut frames: Vec<Frame<'_>> = Vec::with_capacity(16);
    let mut head: Option<&str> = None;
    let mut awaits_function = false;
    for line in lines(text) {
        let bare = without_bar(line);
        if frames.len() == READ_FRAMES {
            break;
        }
        if std::mem::take(&mut awaits_function) {
            if let Some(last) = frames.last_mut() {
                let function = bare.split_once(": ").map_or(bare, |(function, _)| function);
                *last = source_frame(name(function), last.url, last.line);
            }
            continue;
        }
        let Some(place) = place(bare) else {
            if head.is_some() && !frames.is_empty() {
                break;
            }
            head = Some(line);
            continue;
        };
        let above = head.take();
        if place.is_address_behind() {
            frames.push(place.frame(None));
            awaits_function = true;
        } else if place.function.is_some() {
            frames.push(place.frame(place.function));
        } else if let Some(above) = above.filter(|above| place.is_alone() && is_deeper(above, line)) {
            frames.extend(function(without_bar(above)).map(|function| place.frame(name(function))));
        }
    }
    frames
}

fn pair<'a>(head: &'a str, place: &'a str) -> Option<Frame<'a>> {
    let created = head.strip_prefix("created by ");
    let function = match created {
        Some(rest) => rest.split(" in goroutine ").next(),
        None => memchr::memrchr(b'(', head.as_bytes()).map(|open| &head[..open]),
    };
    let place = place.split_once(" +0x").map_or(place, |(place, _)| place);
    let (file, line) = place.rsplit_once(':')?;
    let frame = source_frame(function.and_then(name), url(file), Some(number(line)?));
    Some(Frame { is_async: created.is_some(), ..frame })
}

/// Without indentation and the bar that some print before each line.
fn without_bar(line: &str) -> &str {
    let text = trim_start(line);
    text.strip_prefix('|').map_or(text, trim_start)
}

fn is_deeper(above: &str, below: &str) -> bool {
    let indent = |line: &str| line.len() - without_bar(line).len();
    indent(below) > indent(above)
}

/// The name in a line that is one: `pkg/path.(*Type).Method`, with arguments or without.
fn function(text: &str) -> Option<&str> {
    let named = match text.strip_suffix(')').and_then(|inner| memchr::memrchr(b'(', inner.as_bytes())) {
        Some(open) => &text[..open],
        None => text,
    };
    let is_name = named.contains('.') && !named.contains([' ', '\t', ':', '"']) && !named.ends_with('.');
    is_name.then_some(named)
}

/// A line with a file of Go.
struct FileLine<'a> {
    function: Option<&'a str>,
    file: &'a str,
    line: u32,
    /// What follows the number.
    rest: &'a str,
}

impl<'a> FileLine<'a> {
    /// `(0x47b3f0)`: the function is in the next line.
    fn is_address_behind(&self) -> bool {
        self.rest.starts_with("(0x") && self.rest.ends_with(')')
    }

    fn is_alone(&self) -> bool {
        self.rest.is_empty() || self.rest.starts_with("+0x")
    }

    fn frame(&self, function: Option<&'a str>) -> Frame<'a> {
        source_frame(function, url(self.file), Some(self.line))
    }
}

fn place(text: &str) -> Option<FileLine<'_>> {
    let text = text.strip_prefix("--- at ").unwrap_or(text);
    let dot =
        find(text, ".go:").map(|at| at + ".go".len()).or_else(|| Some(find(text, ".s:")? + ".s".len()))?;
    let digits = text[dot + 1..].bytes().take_while(u8::is_ascii_digit).count();
    let line = number(&text[dot + 1..dot + 1 + digits])?;
    let rest = trim_start(&text[dot + 1 + digits..]);
    // A drive is one letter.
    let (before, file) = match find(&text[..dot], ":/").filter(|at| *at > 1) {
        Some(at) => (function(&text[..at]), &text[at + 1..dot]),
        None => (None, &text[..dot]),
    };
    let behind = rest.strip_suffix("()").filter(|name| !name.contains([' ', '('])).and_then(self::name);
    Some(FileLine { function: before.or(behind), file, line, rest })
}
