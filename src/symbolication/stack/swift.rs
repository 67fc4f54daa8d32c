//! Swift: backtraces of its own run-time (`0 0x1f04 total() + 12 in shop at /srv/Cart.swift:5:3`), those of
//! Apple's systems (`0   Shop   0x1f04 Cart.total() + 12 (Cart.swift:5)`), and, without either, the place of
//! a fatal error.

use super::line::{find, lines, name, number, rfind, source_frame, trim_start};
use super::location::with_line;
use super::{Frame, READ_FRAMES};

/// Whether a line is a numbered frame.
pub(super) fn is_marked(line: &str) -> bool {
    frame(line).is_some()
}

/// The frames of the thread that crashed if it is named, else of the first one.
pub(super) fn parse(text: &str) -> Vec<Frame<'_>> {
    let crashed = find(text, " crashed:\n").or_else(|| find(text, " Crashed:"));
    let mut frames = Vec::with_capacity(16);
    let mut place = None;
    for line in lines(&text[crashed.unwrap_or(0)..]) {
        if let Some(frame) = frame(line) {
            frames.push(frame);
        } else if place.is_none() {
            place = failure(line);
        }
        if frames.len() == READ_FRAMES || (!frames.is_empty() && line.starts_with("Thread ")) {
            break;
        }
    }
    if frames.is_empty() {
        frames.extend(place);
    }
    frames
}

fn frame(line: &str) -> Option<Frame<'_>> {
    let text = trim_start(line);
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    number(&text[..digits]).filter(|_| digits <= 4)?;
    let rest = without_marks(text[digits..].strip_prefix([' ', '\t'])?);
    if rest.starts_with("0x") {
        return of_swift(rest.split_once(' ')?.1.trim_start(), true);
    }
    match find(rest, " 0x").or_else(|| find(rest, "\t0x")) {
        Some(at) => of_apple(rest[..at].trim(), &rest[at + 1..]),
        None => of_swift(rest, false),
    }
}

/// `[ra] [inlined] [system] `: how the frame was found.
fn without_marks(text: &str) -> &str {
    let mut text = trim_start(text);
    for mark in ["[async]", "[ra]", "[inlined]", "[system]", "[thunk]"] {
        text = text.strip_prefix(mark).map_or(text, trim_start);
    }
    text
}

/// `total() + 12 in shop at /srv/Cart.swift:5:3`; the short form lacks the leading address (`exact`) and the
/// offset.
fn of_swift(text: &str, exact: bool) -> Option<Frame<'_>> {
    let place = rfind(text, " at ").and_then(|at| Some((at, with_line(&text[at + " at ".len()..])?)));
    let head = &text[..place.map_or(text.len(), |(at, _)| at)];
    let (symbol, image) = head.rsplit_once(" in ").unwrap_or((head, ""));
    if !exact && !place.is_some_and(|(_, place)| place.url.is_some_and(|url| url.ends_with(".swift"))) {
        return None;
    }
    let (url, line, column) = match place {
        Some((_, place)) => (place.url, place.line, place.column),
        None => (None, None, None),
    };
    let frame = source_frame(Some(name(without_offset(symbol))?), url, line);
    Some(Frame { column, in_app: frame.in_app && !is_system(image), ..frame })
}

/// `0x1f04 Cart.total() + 12 (Cart.swift:5)`.
fn of_apple<'a>(image: &str, text: &'a str) -> Option<Frame<'a>> {
    let (address, symbol) = text.split_once(' ')?;
    let all = address.len() > 4 && address[2..].bytes().all(|byte| byte.is_ascii_hexdigit());
    if !all || image.is_empty() || image.contains(['(', '@', '|', '│']) {
        return None;
    }
    let place = symbol.strip_suffix(')').and_then(|inner| {
        let (head, place) = inner.rsplit_once(" (")?;
        Some((head, with_line(place)?))
    });
    let (symbol, url, line) = match place {
        Some((head, place)) => (head, place.url, place.line),
        None => (symbol, None, None),
    };
    let frame = source_frame(Some(name(without_offset(symbol))?), url, line);
    Some(Frame { in_app: frame.in_app && !is_system(image), ..frame })
}

/// `total() + 12` → `total()`.
fn without_offset(symbol: &str) -> &str {
    match symbol.rsplit_once(" + ") {
        Some((symbol, offset)) if number(offset.trim()).is_some() => symbol,
        _ => symbol,
    }
}

/// Whether a library belongs to the system or to Swift itself.
fn is_system(image: &str) -> bool {
    const STARTS: [&str; 19] = [
        "lib",
        "ld-",
        "dyld",
        "???",
        "UIKit",
        "AppKit",
        "SwiftUI",
        "Foundation",
        "CoreFoundation",
        "CoreData",
        "CoreGraphics",
        "CoreAutoLayout",
        "QuartzCore",
        "GraphicsServices",
        "AttributeGraph",
        "CFNetwork",
        "Combine",
        "WebKit",
        "XCTest",
    ];
    STARTS.iter().any(|start| image.starts_with(start))
}

/// The place named in a fatal error: `shop/Cart.swift:5: Fatal error: …`, before Swift 5.4
/// `Fatal error: …: file shop/Cart.swift, line 5`.
pub(super) fn failure(line: &str) -> Option<Frame<'_>> {
    const KINDS: [&str; 3] = ["Fatal error", "Precondition failed", "Assertion failed"];
    if let Some(at) = find(line, ".swift:") {
        let (number, rest) = line[at + ".swift:".len()..].split_once(": ")?;
        let file = &line[..at + ".swift".len()];
        return KINDS.iter().any(|kind| rest.starts_with(kind)).then(|| place(file, number)).flatten();
    }
    let file = &line[rfind(line, ": file ")? + ": file ".len()..];
    let (file, number) = file.rsplit_once(", line ")?;
    if file.ends_with(".swift") { place(file, number) } else { None }
}

fn place<'a>(file: &'a str, line: &str) -> Option<Frame<'a>> {
    Some(source_frame(None, super::line::url(file), Some(number(line)?)))
}
