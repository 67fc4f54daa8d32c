//! Rust: `  3: foo::bar` and below it `             at ./src/x.rs:1:2`.

use super::line::{lines, name, number, trim_start};
use super::location::with_line;
use super::{Frame, FrameKind, MAX_FRAMES, in_app};

/// Whether a line is the heading of a backtrace.
pub(super) fn is_marked(line: &str) -> bool {
    line.ends_with("tack backtrace:")
}

/// Whether two lines following each other are a numbered frame and its place in a Rust file.
pub(super) fn is_pair(line: &str, next: &str) -> bool {
    head(line).is_some() && place(next).is_some_and(|(url, ..)| url.ends_with(".rs"))
}

/// The frames. A frame without a place is kept by its name.
pub(super) fn parse(text: &str) -> Vec<Frame<'_>> {
    let mut frames: Vec<Frame<'_>> = Vec::with_capacity(32);
    for line in lines(text) {
        if let Some(function) = head(line) {
            if frames.len() == MAX_FRAMES {
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
    frames
}

type Place<'a> = (&'a str, u32, Option<u32>);

fn build<'a>(function: &'a str, place: Option<Place<'a>>) -> Frame<'a> {
    let url = place.map(|(url, ..)| url);
    Frame {
        function: Some(function),
        url,
        line: place.map(|(_, line, _)| line),
        column: place.and_then(|(.., column)| column),
        kind: if url.is_some() { FrameKind::Script } else { FrameKind::Native },
        is_async: false,
        in_app: in_app(url, Some(function)),
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

fn place(line: &str) -> Option<Place<'_>> {
    let found = with_line(trim_start(line).strip_prefix("at ")?)?;
    Some((found.url?, found.line?, found.column))
}
