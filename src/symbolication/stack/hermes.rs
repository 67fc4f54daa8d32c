//! Hermes writes V8's lines with its own places: `(address at index.android.bundle:1:2345)` for bytecode,
//! `(native)`, and the bundle's name where a browser would have an address.

use super::{Frame, FrameKind, in_app};

const ADDRESS: &str = "address at ";

/// Whether a line, parsed as the given V8 frame, can only come from Hermes, or at least from React Native.
pub(super) fn is_marked(line: &str, frame: &Frame<'_>) -> bool {
    let Some(url) = frame.url else {
        return line.ends_with("(native)");
    };
    let path = url.split(['?', '#']).next().unwrap_or(url);
    [".bundle", ".jsbundle", ".hbc", "InternalBytecode.js"].iter().any(|end| path.ends_with(end))
        || url.starts_with(ADDRESS)
}

/// The frame as Hermes means it.
pub(super) fn adapt(frame: Frame<'_>) -> Frame<'_> {
    let Some(url) = frame.url.and_then(|url| url.strip_prefix(ADDRESS)) else {
        return frame;
    };
    Frame { url: Some(url), kind: FrameKind::Bytecode, in_app: in_app(Some(url), frame.function), ..frame }
}
