//! Dart: `#0      Cart.total (package:shop/cart.dart:17:5)`, and the form of `package:stack_trace`,
//! `package:shop/cart.dart 17:5  Cart.total`. Compiled to JavaScript it throws as its engine does.

use super::line::{find, lines, name, number, trim_start, url};
use super::{Frame, FrameKind, READ_FRAMES, in_app};

/// The lines before the frames that wait for those above.
const GAPS: [&str; 2] = ["<asynchronous suspension>", "===== asynchronous gap"];

/// Whether a line is a frame of Dart.
pub(super) fn is_marked(line: &str) -> bool {
    frame(line).is_some()
}

/// The frames, throw first.
pub(super) fn parse(text: &str) -> Vec<Frame<'_>> {
    let mut frames = Vec::with_capacity(16);
    let mut resumed = false;
    for line in lines(text) {
        if GAPS.iter().any(|gap| line.starts_with(gap)) {
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

fn frame(line: &str) -> Option<Frame<'_>> {
    let text = trim_start(line);
    match text.strip_prefix('#') {
        Some(numbered) => of_machine(numbered),
        None => of_package(text),
    }
}

/// `0      Cart.total (package:shop/cart.dart:17:5)`; of a program without symbols
/// `00 abs 0000… virt 0000… _kDartIsolateSnapshotInstructions+0x1e26d7`.
fn of_machine(text: &str) -> Option<Frame<'_>> {
    let (count, rest) = text.split_once(' ')?;
    number(count)?;
    let rest = trim_start(rest);
    if rest.starts_with("abs ") {
        let symbol = rest.rsplit_once(' ').map(|(_, symbol)| symbol)?;
        return symbol.starts_with("_kDart").then(|| build(name(symbol), None, None, None));
    }
    let (function, place) = rest.strip_suffix(')')?.rsplit_once(" (")?;
    let (file, line, column) = position(place, ':');
    is_source(file).then(|| build(name(function), url(file), line, column))
}

/// `package:shop/cart.dart 17:5  Cart.total`, `dart:async  _completeFuture`.
fn of_package(text: &str) -> Option<Frame<'_>> {
    let (place, function) = text.split_once("  ")?;
    let (file, at) = place.split_once(' ').unwrap_or((place, ""));
    if !is_source(file) {
        return None;
    }
    let (line, column) = at.split_once(':').unwrap_or((at, ""));
    Some(build(name(function), url(file), number(line), number(column)))
}

/// Splits `file:17:5`, `file:17` and `file`.
fn position(place: &str, mark: char) -> (&str, Option<u32>, Option<u32>) {
    let last = |text: &'_ str| text.rsplit_once(mark).and_then(|(_, digits)| number(digits));
    let Some(one) = last(place) else { return (place, None, None) };
    let rest = place.rsplit_once(mark).map_or(place, |(rest, _)| rest);
    match last(rest) {
        Some(line) => (rest.rsplit_once(mark).map_or(rest, |(rest, _)| rest), Some(line), Some(one)),
        None => (rest, Some(one), None),
    }
}

fn is_source(file: &str) -> bool {
    !file.contains(' ')
        && (file.ends_with(".dart") || file.starts_with("dart:") || find(file, ".dart?").is_some())
}

fn build<'a>(
    function: Option<&'a str>,
    file: Option<&'a str>,
    line: Option<u32>,
    column: Option<u32>,
) -> Frame<'a> {
    let kind = if file.is_some() { FrameKind::Script } else { FrameKind::Native };
    Frame {
        function,
        url: file,
        line,
        column,
        kind,
        is_async: false,
        in_app: in_app(file, function),
        context_line: None,
    }
}
