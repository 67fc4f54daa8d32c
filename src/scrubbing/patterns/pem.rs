//! Private keys in PEM form.

use memchr::memmem::{self, Finder};
use std::ops::Range;
use std::sync::LazyLock;

/// Made once: making one costs more than looking through most texts.
static TAIL_FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(TAIL));

/// How lines that begin or end a private key end.
const TAIL: &[u8] = b"PRIVATE KEY-----";

/// Bytes that a line which begins or ends a key has at most.
const LINE_MAX: usize = 63;

/// From `-----BEGIN … PRIVATE KEY-----` to its end line, or to the end of the text when it was cut.
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

/// The first line from `at` that opens with `head` and ends as those of private keys do.
fn line(bytes: &[u8], at: usize, head: &[u8]) -> Option<Range<usize>> {
    memmem::find_iter(&bytes[at..], head).find_map(|offset| {
        let start = at + offset;
        let line = &bytes[start..bytes.len().min(start + LINE_MAX)];
        TAIL_FINDER.find(line).map(|tail| start..start + tail + TAIL.len())
    })
}
