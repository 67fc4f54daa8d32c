//! V8: `    at fn (url:line:column)` and its many relatives.

use super::line::{cut, find, name, rfind, trim_start};
use super::location::{self, Location, begins_address};
use super::{Frame, FrameKind, MAX_FUNCTION, in_app};

/// One line as a V8 frame, or none if it is not one.
pub(super) fn frame(line: &str) -> Option<Frame<'_>> {
    let text = trim_start(line).strip_prefix("at ")?;
    // Node prints an error's other properties after its last frame, and a comma behind a member of an aggregate.
    let text = without_zone(text.strip_suffix(" {").or_else(|| text.strip_suffix(',')).unwrap_or(text));
    let (text, is_async) = match text.strip_prefix("async ") {
        Some(rest) => (rest, true),
        None => (text, false),
    };
    let (function, place) = split(text);
    let place = place_of(place, function.is_some())?;
    let function = function.and_then(name).or(place.function).map(|name| cut(name, MAX_FUNCTION));
    Some(Frame {
        function,
        url: place.url,
        line: place.line,
        column: place.column,
        kind: place.kind,
        is_async,
        in_app: place.kind != FrameKind::Native
            && !place.url.is_some_and(is_of_old_node)
            && in_app(place.url, function),
        context_line: None,
    })
}

/// Whether an address names a built-in module the way Node did before it wrote `node:events`.
fn is_of_old_node(address: &str) -> bool {
    const OF_NODE: [&str; 31] = [
        "_http_agent.js",
        "_http_client.js",
        "_http_common.js",
        "_http_incoming.js",
        "_http_outgoing.js",
        "_http_server.js",
        "_stream_readable.js",
        "_stream_transform.js",
        "_stream_writable.js",
        "_tls_wrap.js",
        "assert.js",
        "async_hooks.js",
        "bootstrap_node.js",
        "buffer.js",
        "child_process.js",
        "cluster.js",
        "dgram.js",
        "dns.js",
        "domain.js",
        "events.js",
        "fs.js",
        "module.js",
        "net.js",
        "readline.js",
        "repl.js",
        "stream.js",
        "timers.js",
        "tls.js",
        "util.js",
        "vm.js",
        "zlib.js",
    ];
    OF_NODE.contains(&address)
}

/// Without the zones that zone.js appends in every browser: ` [angular]`, ` [<root> => angular]`.
pub(super) fn without_zone(text: &str) -> &str {
    if !text.ends_with(']') {
        return text;
    }
    match rfind(text, " [") {
        Some(at) if text[..at].ends_with(|last: char| last == ')' || last.is_ascii_digit()) => &text[..at],
        _ => text,
    }
}

/// The most opening parentheses of a line that are tried.
const MAX_SPLITS: usize = 16;

/// Splits `name (place)`, or takes the whole as the place.
///
/// Computed names contain ` (`, and so do Windows paths (`Program Files (x86)`). The first one followed by an
/// address counts, or else the very first.
pub(super) fn split(text: &str) -> (Option<&str>, &str) {
    let Some(inner) = text.strip_suffix(')') else {
        return (None, text);
    };
    let mut first = None;
    for open in memchr::memmem::find_iter(inner.as_bytes(), b" (").take(MAX_SPLITS) {
        let place = &inner[open + 2..];
        if begins_address(place) || begins_place(place) {
            return (Some(&text[..open]), place);
        }
        first.get_or_insert((Some(&text[..open]), place));
    }
    joined(inner).or(first).unwrap_or((None, text))
}

/// `name(place)`, as old engines of React Native and of Microsoft write it. Unlike those of the JVM, such a place has a
/// column.
fn joined(inner: &str) -> Option<(Option<&str>, &str)> {
    let opens = memchr::memchr_iter(b'(', inner.as_bytes()).take(MAX_SPLITS);
    let mut halves = opens.filter(|open| *open > 0).map(|open| (Some(&inner[..open]), &inner[open + 1..]));
    halves.find(|(_, place)| !place.contains('(') && location::with_column(place).is_some())
}

/// The places that V8 and Hermes write in words.
fn begins_place(place: &str) -> bool {
    const WORDS: [&str; 5] = ["eval at ", "address at ", "native", "index ", "[eval"];
    WORDS.iter().any(|word| place.starts_with(word))
}

/// The place of a frame; without a name only full positions count, so that prose is not taken for a frame.
fn place_of(place: &str, named: bool) -> Option<Location<'_>> {
    if place.starts_with("eval at ") {
        return Some(eval(place));
    }
    if let Some(found) = location::with_column(place) {
        return if named || stands_alone(place) { Some(found) } else { None };
    }
    if let Some(found) = location::with_line(place).filter(|found| is_file(found, named)) {
        return Some(found);
    }
    if place == "<anonymous>" || (named && (is_native(place) || is_position(place))) {
        return Some(Location::NATIVE);
    }
    // Only module addresses end in `:0x1a`.
    if place.contains("wasm") { location::wasm(place) } else { None }
}

/// Whether a place can stand without a name: `at 12:30:15` and `at the end:1:2` cannot.
fn stands_alone(place: &str) -> bool {
    begins_address(place)
        || (!place.contains(' ') && !place.bytes().all(|byte| byte.is_ascii_digit() || byte == b':'))
}

/// Whether a place without a column counts: `app.js:10` after a name, `/srv/app.js:10` alone. A host with its
/// port does not.
fn is_file(place: &Location<'_>, named: bool) -> bool {
    let url = place.url.unwrap_or_default();
    if url.contains(' ') || (!named && !begins_address(url)) {
        return false;
    }
    let path = match url.split_once("://") {
        Some((_, rest)) => rest.split_once('/').map_or("", |(_, path)| path),
        None => url,
    };
    let ending = path.rsplit(['/', '\\']).next().and_then(|file| file.rsplit_once('.'));
    let is_word = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    url.starts_with("node:")
        || ending.is_some_and(|(_, ending)| is_word(ending.split('?').next().unwrap_or(ending)))
}

/// `:1:2`, of a script that Hermes was given without an address.
fn is_position(place: &str) -> bool {
    place.starts_with(':') && place.bytes().all(|byte| byte.is_ascii_digit() || byte == b':')
}

/// `native`, `index 0` (of `Promise.all`), `unknown location`.
fn is_native(place: &str) -> bool {
    matches!(place, "native" | "native code" | "unknown location") || place.starts_with("index ")
}

/// `eval at inner (eval at outer (url:1:2), <anonymous>:3:4), <anonymous>:5:6`: the innermost parentheses
/// contain the only position in a real script. Each step moves forward, so this is linear.
fn eval(place: &str) -> Location<'_> {
    let mut text = place;
    while text.starts_with("eval at ") {
        match find(text, " (") {
            Some(open) => text = &text[open + 2..],
            None => break,
        }
    }
    let outer = &text[..find(text, "), ").unwrap_or(text.len())];
    match location::with_column(outer.trim_end_matches(')')) {
        Some(found) => Location { kind: FrameKind::Eval, ..found },
        None => Location::NATIVE,
    }
}
