//! Safari: Firefox's `fn@url:line:column`, and lines that only it writes: `global code@…`,
//! `[native code]`, and a bare address for functions without a name (newer versions write `@url`, as Firefox does).

use super::line::{name, trim_start};
use super::location::{Location, begins_address, with_column};
use super::{Flavor, Frame, spidermonkey};

/// One line as a frame of Safari or Firefox.
pub(super) fn frame(line: &str) -> Option<Frame<'_>> {
    let text = trim_start(line);
    // Indented lines belong to messages: neither engine indents.
    if text.len() != line.len() {
        return None;
    }
    spidermonkey::frame(text).or_else(|| bare(text))
}

/// A line between frames: also a place without an address (`index.android.bundle:1:2`), or a name without a place (`fn@`).
pub(super) fn among(line: &str) -> Option<Frame<'_>> {
    frame(line).or_else(|| {
        if line.contains([' ', '\t']) {
            return None;
        }
        if let Some(function) = line.strip_suffix('@') {
            return Some(spidermonkey::build(Some(name(function)?), Location::NATIVE, false));
        }
        let place = with_column(line).filter(|place| place.url.is_some_and(is_named))?;
        Some(spidermonkey::build(None, place, false))
    })
}

/// Whether an address is that of a file: `12:30:15` has none.
fn is_named(address: &str) -> bool {
    address.bytes().any(|byte| byte.is_ascii_alphabetic()) && !address.contains('@')
}

/// A line that contains only a place.
fn bare(text: &str) -> Option<Frame<'_>> {
    let (text, is_async) = match text.strip_prefix("async ") {
        Some(rest) => (rest, true),
        None => (text, false),
    };
    let known = text == "[native code]" || (text.contains("://") && begins_address(text));
    if !known {
        return None;
    }
    Some(spidermonkey::build(None, spidermonkey::place_of(text)?, is_async))
}

/// The engine, if only one of the two writes such a frame line.
pub(super) fn engine(line: &str) -> Option<Flavor> {
    if is_safari(line) {
        Some(Flavor::JavaScriptCore)
    } else if is_firefox(line) {
        Some(Flavor::SpiderMonkey)
    } else {
        None
    }
}

fn is_safari(line: &str) -> bool {
    const STARTS: [&str; 4] = ["global code@", "module code@", "eval code@", "async "];
    STARTS.iter().any(|start| line.starts_with(start))
        || line.ends_with("[native code]")
        || line.ends_with("[wasm code]")
        || line.contains("@safari-")
        // React Native has no Firefox.
        || line.contains(".bundle:")
        || line.contains(".jsbundle:")
        || bare(line).is_some()
}

fn is_firefox(line: &str) -> bool {
    let before = &line[..memchr::memchr(b'@', line.as_bytes()).unwrap_or(0)];
    before.ends_with('<')
        || before.contains('*')
        || line.contains("debugger eval code:")
        || line.contains("@resource://")
        || line.contains("@moz-extension:")
        || line.contains(" > eval:")
        || line.contains(" > Function:")
}
