//! Firefox: `fn@url:line:column`. Safari writes the same lines; those that only Safari writes are in
//! [`super::javascriptcore`].

use super::line::{find, name, number, rfind};
use super::location::{self, Location, begins_address};
use super::{Frame, FrameKind, in_app};

/// One line with an `@` as a frame, or none if it is not one.
pub(super) fn frame(line: &str) -> Option<Frame<'_>> {
    let (before, place) = split(super::v8::without_zone(line))?;
    let place = place_of(place)?;
    // `async*fn`, `promise callback*fn`, `setTimeout handler*fn`; Safari writes `async fn`.
    let (before, is_async) = match before.rsplit_once('*') {
        Some((_, rest)) => (rest, true),
        None => before.strip_prefix("async ").map_or((before, false), |rest| (rest, true)),
    };
    Some(build(name(before), place, is_async))
}

/// A frame of a name and a place.
pub(super) fn build<'a>(function: Option<&'a str>, place: Location<'a>, is_async: bool) -> Frame<'a> {
    let function = function.or(place.function);
    Frame {
        function,
        url: place.url,
        line: place.line,
        column: place.column,
        kind: place.kind,
        is_async,
        in_app: place.kind != FrameKind::Native && in_app(place.url, function),
        context_line: None,
    }
}

/// The most `@` of a line that are tried.
const MAX_SPLITS: usize = 16;

/// Splits `name@place`. Addresses contain `@` (scoped packages, versions), and so do computed names, so the
/// first `@` followed by an address counts, and none in a bare address.
fn split(line: &str) -> Option<(&str, &str)> {
    let mut first = None;
    for at in memchr::memchr_iter(b'@', line.as_bytes()).take(MAX_SPLITS) {
        let halves = (&line[..at], &line[at + 1..]);
        if first.is_none() && halves.0.contains("://") {
            return None;
        }
        first.get_or_insert(halves);
        if begins_address(halves.1) {
            return Some(halves);
        }
    }
    // `fn@app.js:1:2` and `fn@debugger eval code:1:1`, but not `mail me@example.com`.
    first.filter(|(before, place)| {
        let bare = place.starts_with("debugger eval code") || !place.contains(' ');
        let placed = location::position(place).or_else(|| location::with_column(place));
        bare && !before.contains(' ') && placed.is_some()
    })
}

/// Place of a frame of Firefox or Safari.
pub(super) fn place_of(place: &str) -> Option<Location<'_>> {
    if matches!(place, "[native code]" | "native code" | "self-hosted" | "[wasm code]") {
        return Some(Location::NATIVE);
    }
    if let Some(found) = eval_site(place) {
        return Some(found);
    }
    // React Native names no file where its own side throws: `total@1:557290`.
    if let Some(found) = location::position(place).or_else(|| location::with_line(place)) {
        return Some(found);
    }
    if place.contains("wasm") { location::wasm(place) } else { None }
}

/// `url line 3 > eval:1:1` and `url line 3 > Function line 1 > eval:2:2`: the first of them is the
/// call in a real script. Firefox tells its line and no column.
fn eval_site(place: &str) -> Option<Location<'_>> {
    let arrow = find(place, " > ")?;
    let mark = rfind(&place[..arrow], " line ")?;
    let line = number(&place[mark + " line ".len()..arrow])?;
    Some(Location { kind: FrameKind::Eval, ..Location::script(&place[..mark], line, None) })
}
