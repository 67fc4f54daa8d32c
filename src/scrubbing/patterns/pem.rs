//! Private keys in PEM form.

use memchr::memmem::{self, Finder};
use std::ops::Range;
use std::sync::LazyLock;

/// Built once, because building one costs more than searching most texts.
static TAIL_FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(TAIL));

/// The end of the lines that begin or end a private key.
const TAIL: &[u8] = b"PRIVATE KEY-----";

/// The longest line that begins or ends a key, in bytes.
const LINE_MAX: usize = 63;

/// From `-----BEGIN … PRIVATE KEY-----` to its end line, or to the end of the text if it was cut off.
pub(super) fn find(text: &str, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    if TAIL_FINDER.find(bytes).is_none() {
        return;
    }
    let mut at = 0;
    while let Some(begin) = line(bytes, at, b"-----BEGIN ") {
        at = line(bytes, begin.end, b"-----END ").map_or(bytes.len(), |line| line.end);
        found.push(begin.start..at);
    }
}

/// The first line from `at` that starts with `head` and ends like those of private keys.
fn line(bytes: &[u8], at: usize, head: &[u8]) -> Option<Range<usize>> {
    memmem::find_iter(&bytes[at..], head).find_map(|offset| {
        let start = at + offset;
        let line = &bytes[start..bytes.len().min(start + LINE_MAX)];
        TAIL_FINDER.find(line).map(|tail| start..start + tail + TAIL.len())
    })
}
