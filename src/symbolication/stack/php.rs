//! PHP: `#0 /srv/x.php(12): Cart->total()`, and the place of the throw in the line above them.
//!
//! A numbered line contains a function and where it was called. So the place of the throw, which has a line of its
//! own, is inside the function of the first one, and the place in each line inside the function of the next.

use super::cause::{Cause, is_name};
use super::line::{find, lines, name, number, rfind, source_frame, trim_start, url};
use super::{Frame, READ_FRAMES};

/// The text between an exception and the one it led to.
const NEXT: &str = "\n\nNext ";

/// Heading of the numbered lines.
const TRACE: &str = "Stack trace:";

/// The last of the numbered lines: code outside of functions.
const MAIN: &str = "{main}";

/// Whether a line belongs to a PHP trace only.
pub(super) fn is_marked(line: &str) -> bool {
    let text = trim_start(line);
    if text.starts_with('#') {
        return call(line).is_some() || text.ends_with(" {main}");
    }
    on_line(text).is_some()
}

/// The frames, throw first. If several exceptions are printed in a row, those of the last, which is the one
/// that was thrown.
pub(super) fn parse(text: &str) -> Vec<Frame<'_>> {
    thrown_at(text, None)
}

/// The same of a text from which the place of the throw may have been removed.
pub(super) fn thrown_at<'a>(text: &'a str, mut place: Option<Frame<'a>>) -> Vec<Frame<'a>> {
    let text = &text[rfind(text, NEXT).map_or(0, |at| at + NEXT.len())..];
    let mut calls: Vec<Call<'a>> = Vec::with_capacity(16);
    let mut previous = "";
    for line in lines(text) {
        if line.trim() == TRACE {
            place = place.or_else(|| throw(previous));
        } else if let Some(call) = call(line) {
            if !calls.last().is_some_and(Call::is_main) {
                calls.push(call);
            }
        } else {
            place = place.or_else(|| on_line(trim_start(line)));
        }
        if calls.len() == READ_FRAMES {
            break;
        }
        previous = line;
    }
    around(place, &calls)
}

/// A numbered line.
struct Call<'a> {
    /// Its number: 0 was called last.
    index: u32,
    /// What was called.
    function: Option<&'a str>,
    /// With what: `(2, 'x')`, without the closing bracket if cut, and `()` where PHP is told to print none.
    arguments: &'a str,
    /// Where, as a frame without its function; without a file if PHP itself called.
    place: Frame<'a>,
}

impl Call<'_> {
    fn is_main(&self) -> bool {
        self.function == Some(MAIN)
    }

    /// Whether the function is written where it is passed on or called, so that both have one line. Methods of
    /// anonymous classes may be, too.
    fn is_inline(&self) -> bool {
        self.function.is_some_and(|function| function.contains("{closure") || function.contains("@anonymous"))
    }

    /// Whether the arguments are those of a handler of errors: `(2, 'Undefined varia...', '/srv/x.php', 12)`.
    fn is_handler(&self) -> bool {
        /// The levels of errors that handlers are called with, `E_WARNING` to `E_USER_DEPRECATED`.
        const LEVELS: [u32; 9] = [2, 8, 256, 512, 1024, 2048, 4096, 8192, 16384];
        let level = self.arguments.strip_prefix('(').and_then(|rest| rest.split_once(", '"));
        level.and_then(|(level, _)| number(level)).is_some_and(|level| LEVELS.contains(&level))
    }
}

/// `#0 /srv/x.php(12): Cart->total(Array)`, `#1 [internal function]: {closure}(Array)`, `#2 {main}`.
fn call(line: &str) -> Option<Call<'_>> {
    let (count, rest) = trim_start(line).strip_prefix('#')?.split_once(' ')?;
    let index = number(count)?;
    let nowhere = source_frame(None, None, None);
    if rest.starts_with(MAIN) {
        return Some(Call { index, function: Some(MAIN), arguments: "", place: nowhere });
    }
    if let Some(call) = rest.strip_prefix("[internal function]: ") {
        let (function, arguments) = function(call);
        return Some(Call { index, function, arguments, place: nowhere });
    }
    let end = find(rest, "): ")?;
    let (function, arguments) = function(&rest[end + "): ".len()..]);
    // `/srv/x.php(3) : eval()'d code(1)`: the first is the place in a file.
    let place = &rest[..find(&rest[..end], ") : ").unwrap_or(end)];
    let open = memchr::memrchr(b'(', place.as_bytes())?;
    let place = source_frame(None, url(&place[..open]), Some(number(&place[open + 1..])?));
    Some(Call { index, function, arguments, place })
}

/// The name and the arguments. The names of closures contain the method around them since 8.4:
/// `{closure:Cart::total():12}(1)`.
fn function(call: &str) -> (Option<&str>, &str) {
    let open = |from: usize| call[from..].find('(').map_or(call.len(), |at| from + at);
    let closure = find(call, "{closure:").filter(|start| *start < open(0));
    let close = closure.and_then(|start| Some(start + find(&call[start..], "}")?));
    let (function, arguments) = call.split_at(open(close.unwrap_or(0)));
    (name(function), arguments)
}

/// The places with the functions around them. A function whose place is not in the text has no place. Where lines
/// are missing, a place has no function.
fn around<'a>(throw: Option<Frame<'a>>, calls: &[Call<'a>]) -> Vec<Frame<'a>> {
    let mut frames: Vec<Frame<'a>> = Vec::with_capacity(calls.len() + 1);
    // The place above a line, and the number of the line that has its function.
    let mut above = throw.map(|place| (0, place_of_throw(place, calls)));
    for call in calls {
        match above {
            Some((index, place)) if index == call.index => frames.extend(inside(place, call.function)),
            _ => {
                frames.extend(above.and_then(|(_, place)| inside(place, None)));
                frames.extend(elsewhere(call));
            }
        }
        above = if call.is_main() { None } else { Some((call.index.saturating_add(1), call.place)) };
    }
    frames.extend(above.and_then(|(_, place)| inside(place, None)));
    frames
}

/// What is built in throws where it was called, and an error made of a warning has the warning's place, which the
/// trace has again below the handler: the function of the first line has no place then.
fn place_of_throw<'a>(throw: Frame<'a>, calls: &[Call<'a>]) -> Frame<'a> {
    /// The handler, what passed the error on to it, and the function that warned, if it is built in.
    const LINES: usize = 3;
    let is_throw = |call: &Call<'_>| call.place.url == throw.url && call.place.line == throw.line;
    match calls.iter().take(LINES).position(is_throw) {
        Some(at) if !may_contain(&calls[0], calls.get(at + 1)) => source_frame(None, None, None),
        _ => throw,
    }
}

/// Whether the throw may be inside the function of the first line although another line has the same place, which is
/// inside the function of `around`. That takes a function of one line, or one that called itself; a handler is neither.
fn may_contain(first: &Call<'_>, around: Option<&Call<'_>>) -> bool {
    let is_again = around.is_some_and(|around| around.function == first.function);
    !first.is_handler() && (first.is_inline() || is_again)
}

/// A place in a function. Functions without a file are built in or handle errors; outside of functions, that is
/// nothing.
fn inside<'a>(place: Frame<'a>, function: Option<&'a str>) -> Option<Frame<'a>> {
    if place.url.is_some() {
        return Some(Frame { function, ..place });
    }
    let function = function.filter(|function| *function != MAIN)?;
    Some(Frame { function: Some(function), in_app: false, ..place })
}

/// The function of a line whose place is not in the text. It is taken for the application's own if its caller is.
fn elsewhere<'a>(call: &Call<'a>) -> Option<Frame<'a>> {
    if call.is_main() {
        return None;
    }
    let nowhere = source_frame(call.function, None, None);
    call.function.map(|_| Frame { in_app: call.place.in_app, ..nowhere })
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
