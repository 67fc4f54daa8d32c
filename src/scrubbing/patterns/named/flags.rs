//! `--password hunter2`, as in commands. Words of a sentence stay: `--token is required`.

use super::Walk;
use super::value;
use crate::scrubbing::names::Names;
use memchr::memmem;
use std::ops::Range;

/// Values of flags; those after `=` are found as other named values are.
pub(in crate::scrubbing::patterns) fn find(text: &str, names: &Names, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let mut walk = Walk { text, bytes, names, users: false, found, end: 0, listed: 0 };
    for at in memmem::find_iter(bytes, b"--") {
        let begins =
            at == 0 || !matches!(bytes[at - 1], b'-' | b'_') && !bytes[at - 1].is_ascii_alphanumeric();
        if begins && at >= walk.end {
            walk.flag(at + 2);
        }
    }
}

impl Walk<'_, '_> {
    fn flag(&mut self, start: usize) {
        let end = self.name_end(start);
        let value = self.skip_blanks(end);
        if value == end || self.bytes.get(value) == Some(&b'-') {
            return;
        }
        if let Some(says) = self.names.says_in_text(&self.text[start..end]) {
            let word = value::plain(self.bytes, value, value::TextKind::Text);
            // A list of arguments ends in a bracket or a quote.
            if !self.bytes[word].starts_with(b"[") {
                self.spoken_word(says, value);
            }
        }
    }
}
