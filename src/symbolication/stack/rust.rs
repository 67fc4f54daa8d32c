//! Rust: `  3: foo::bar` and below it `             at ./src/x.rs:1:2`; without a backtrace the place of
//! the panic.

use super::line::{find, lines, name, number, rfind, source_frame, trim_start};
use super::location::with_line;
use super::{Frame, FrameKind, READ_FRAMES, in_app};

/// Whether a line is the heading of a backtrace, or reports a panic.
pub(super) fn is_marked(line: &str) -> bool {
    line.ends_with("tack backtrace:") || panicked(line).is_some()
}

/// What follows `panicked at `.
fn panicked(line: &str) -> Option<&str> {
    const PANICKED: &str = "panicked at ";
    let at = find(line, PANICKED)?;
    (at == 0 || line.starts_with("thread ")).then(|| &line[at + PANICKED.len()..])
}

/// The place in the first line of a panic: `thread 'main' panicked at src/x.rs:1:2:`, before Rust 1.73
/// `thread 'main' panicked at 'message', src/x.rs:1:2`.
pub(super) fn panic(text: &str) -> Option<Frame<'_>> {
    let rest = panicked(text.lines().find(|line| panicked(line).is_some())?)?;
    panic_place(rest)
}

fn panic_place(text: &str) -> Option<Frame<'_>> {
    let place = match text.strip_suffix(':') {
        Some(place) => place,
        None => &text[rfind(text, "', ")? + "', ".len()..],
    };
    let found = with_line(place).filter(|found| found.url.is_some_and(|url| url.ends_with(".rs")))?;
    let (url, line, column) = (found.url, found.line, found.column);
    Some(Frame { column, ..source_frame(None, url, line) })
}

/// Whether two lines following each other are a numbered frame and its place in a Rust file.
pub(super) fn is_pair(line: &str, next: &str) -> bool {
    head(line).is_some() && place(next).is_some_and(|(url, ..)| url.ends_with(".rs"))
}

/// The frames. A frame without a place is kept by its name.
pub(super) fn parse(text: &str) -> Vec<Frame<'_>> {
    let mut frames: Vec<Frame<'_>> = Vec::with_capacity(32);
    let mut panic = None;
    let mut is_old = false;
    for line in lines(text) {
        if let Some(rest) = panicked(line).or_else(|| is_old.then_some(line)).filter(|_| panic.is_none()) {
            panic = panic_place(rest);
            // If the message has several lines, the place follows the last one.
            is_old = panic.is_none();
        } else if let Some(function) = head(line) {
            if frames.len() == READ_FRAMES {
                break;
            }
            frames.push(build(function, None));
        } else if let (Some(place), Some(last)) = (place(line), frames.last_mut())
            && last.url.is_none()
            && let Some(function) = last.function
        {
            *last = build(function, Some(place));
        }
    }
    if frames.is_empty() {
        frames.extend(panic);
    }
    frames
}

type SourcePosition<'a> = (&'a str, u32, Option<u32>);

fn build<'a>(function: &'a str, place: Option<SourcePosition<'a>>) -> Frame<'a> {
    let url = place.map(|(url, ..)| url);
    Frame {
        function: Some(function),
        url,
        line: place.map(|(_, line, _)| line),
        column: place.and_then(|(.., column)| column),
        kind: if url.is_some() { FrameKind::Script } else { FrameKind::Native },
        is_async: false,
        in_app: in_app(url, Some(function)),
        context_line: None,
    }
}

/// `  3: foo::bar`, in the full form `  3:     0x55d0c0ffee - foo::bar`.
fn head(line: &str) -> Option<&str> {
    let (count, rest) = trim_start(line).split_once(": ")?;
    number(count)?;
    let rest = rest.trim();
    name(match rest.split_once(" - ") {
        Some((address, function)) if address.starts_with("0x") => function,
        _ => rest,
    })
}

fn place(line: &str) -> Option<SourcePosition<'_>> {
    let found = with_line(trim_start(line).strip_prefix("at ")?)?;
    Some((found.url?, found.line?, found.column))
}
