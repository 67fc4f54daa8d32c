//! `<Password>hunter2</Password>`. An element without its end stays: in a program, that is the type of something.

use super::Walk;
use super::quotes::NAME_MAX;
use crate::scrubbing::names::Names;
use crate::scrubbing::patterns::positions::positions;
use memchr::{memchr, memmem};
use std::ops::Range;

/// Elements that contain one text.
pub(in crate::scrubbing::patterns) fn find(text: &str, names: &Names, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let Some(first) = memchr(b'<', bytes).filter(|first| memmem::find(&bytes[*first..], b"</").is_some())
    else {
        return;
    };
    let mut walk = Walk { text, bytes, names, users: false, found, end: 0, listed: 0 };
    // The name of the element that was opened last, and where its content begins.
    let (mut opened, mut content): (Range<usize>, Option<usize>) = (0..0, None);
    for at in positions(&bytes[first..], |word| word.are(b'<') | word.are(b'>')).map(|at| at + first) {
        match (bytes[at], bytes.get(at + 1)) {
            (b'>', _) if !opened.is_empty() && content.is_none() => content = Some(at + 1),
            (b'<', Some(b'/')) => {
                let name = walk.element(at + 2);
                if let Some(start) =
                    content.filter(|_| text[name].eq_ignore_ascii_case(&text[opened.clone()]))
                {
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
}

impl Walk<'_, '_> {
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
        if self.names.says(name).is_some() {
            self.keep_from(value);
        }
    }
}
