//! `<Password>hunter2</Password>`, and what follows `<Password>` where the text was cut before its end. Other elements
//! without an end stay: in a program, that is the type of something (`Option<Token>`).

use super::Walk;
use super::quotes::NAME_MAX;
use super::value;
use crate::scrubbing::names::Names;
use crate::scrubbing::patterns::positions::positions;
use memchr::{memchr, memmem, memrchr};
use std::ops::Range;

/// What follows a placeholder in a sentence: `missing <token>, got …`.
const CLOSING: &[u8] = b".,:;)]}>\"'`!?/|\\";

/// Elements that contain one text.
pub(in crate::scrubbing::patterns) fn find(text: &str, names: &Names, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let Some(first) = first_element(bytes) else { return };
    let mut walk = Walk { text, bytes, names, users: false, found, end: 0, listed: 0 };
    // The name of the element that was opened last, and where its content begins.
    let (mut opened, mut content): (Range<usize>, Option<usize>) = (0..0, None);
    for at in positions(&bytes[first..], |word| word.are(b'<') | word.are(b'>')).map(|at| at + first) {
        match (bytes[at], bytes.get(at + 1)) {
            (b'>', _) if !opened.is_empty() && content.is_none() => content = Some(at + 1),
            (b'<', Some(b'/')) => {
                if let Some(start) = content.filter(|_| walk.ends(&opened, at + 2)) {
                    walk.content(opened, start..at);
                }
                (opened, content) = (0..0, None);
            }
            // `<![CDATA[` is content.
            (b'<', Some(b'!')) => {}
            (b'<', Some(_)) => (opened, content) = (walk.element(at + 1), None),
            _ => {}
        }
    }
    if let Some(start) = content {
        walk.cut(opened, start);
    }
}

/// The first element that matters: where nothing ends, as in most texts, the last one.
fn first_element(bytes: &[u8]) -> Option<usize> {
    let first = memchr(b'<', bytes)?;
    if memmem::find(&bytes[first..], b"</").is_some() {
        return Some(first);
    }
    let last = memrchr(b'<', bytes)?;
    let is_content = matches!(bytes.get(last + 1), None | Some(b'!'));
    if is_content { memrchr(b'<', &bytes[..last]) } else { Some(last) }
}

impl Walk<'_, '_> {
    /// Whether the end tag whose name begins at `at` is that of an element; it may itself be cut.
    fn ends(&self, opened: &Range<usize>, at: usize) -> bool {
        let (opened, rest) = (&self.bytes[opened.clone()], &self.bytes[at..]);
        let is_cut = || rest.len() < opened.len() && opened[..rest.len()].eq_ignore_ascii_case(rest);
        self.bytes[self.element(at)].eq_ignore_ascii_case(opened) || is_cut()
    }

    /// The rest of the line after an element that was opened last, unless this is a type or a placeholder:
    /// `Vec<Secret>`, `login <user> <password> [options]`.
    fn cut(&mut self, name: Range<usize>, start: usize) {
        let before = self.bytes[..name.start - 1].last();
        let is_type = before.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':'));
        let is_next_to = |byte: &u8| !byte.is_ascii_whitespace() && !CLOSING.contains(byte);
        let local = self.text[name.clone()].rsplit(':').next().unwrap_or_default();
        if !is_type
            && self.bytes.get(start).is_some_and(is_next_to)
            && self.names.says_in_text(local).is_some()
        {
            self.content(name, start..value::line_end(self.bytes, start, None));
        }
    }

    /// A name, with its namespace.
    fn element(&self, start: usize) -> Range<usize> {
        let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/' | b'<');
        let near = &self.bytes[start..self.bytes.len().min(start + NAME_MAX)];
        let end = start + near.iter().position(ends).unwrap_or(0);
        if self.text.is_char_boundary(end) { start..end } else { start..start }
    }

    fn content(&mut self, name: Range<usize>, content: Range<usize>) {
        let name = self.text[name].rsplit(':').next().unwrap_or_default();
        let blank = self.bytes[content.clone()].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let end = content.start + self.bytes[content.clone()].trim_ascii_end().len();
        let value = (content.start + blank).min(end)..end;
        if self.names.says(name).is_some_and(|says| !self.counts(says, &value)) {
            self.keep_from(value);
        }
    }
}
