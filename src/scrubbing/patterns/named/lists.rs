//! Lists of names and values: `["Cookie", "a=b", "Host", "x"]`, `[["Cookie", "a=b"]]`, `{"name": "Cookie", "value": "a=b"}`.

use super::Walk;
use super::quotes::{NAME_MAX, Quoted, quoted};
use super::value;
use crate::scrubbing::names::is_header_name;

/// A line break and an empty line, raw and escaped.
const EMPTY_LINES: [&str; 4] = ["\r\n\r\n", "\n\n", "\\r\\n\\r\\n", "\\n\\n"];

impl Walk<'_, '_> {
    /// A list of texts in pairs. On its own, the names must be those of headers, because lists contain
    /// ordinary words, too.
    pub(super) fn list(&mut self, at: usize) {
        if at < self.listed {
            return;
        }
        let mut pair = self.pair(self.skip_space(at + 1));
        if pair.is_none() {
            return;
        }
        let before = self.bytes[..at].trim_ascii_end().last();
        let nested = matches!(before, Some(b'[' | b','));
        let alone = pair.as_ref().is_some_and(|(_, value)| self.closes(value.after));
        while let Some((name, value)) = pair {
            self.listed = value.after;
            if self.hides(&name, nested && alone) {
                // Values before it are yet to be examined.
                self.keep_from(value.content);
            }
            pair = self.after_comma(value.after).and_then(|next| self.pair(next));
        }
    }

    /// The value beside the name: `"Cookie", "value": "a=b"`.
    pub(super) fn named_by_field(&mut self, at: usize) {
        let Some(name) = self.short(at) else { return };
        if !self.hides(&name, true) {
            return;
        }
        let Some(field) = self.after_comma(name.after).and_then(|next| self.short(next)) else { return };
        let colon = self.skip_space(field.after);
        if self.text[field.content].eq_ignore_ascii_case("value") && self.bytes.get(colon) == Some(&b':') {
            let start = self.skip_space(colon + 1);
            let plain = || value::plain(self.bytes, start, value::TextKind::Text);
            self.take(value::enclosed(self.bytes, start).unwrap_or_else(plain));
        }
    }

    /// `name="password" value="abc"` of a form field, and a part of a multipart body: the line after the
    /// empty one.
    pub(super) fn named_by_attribute(&mut self, at: usize) {
        let Some(name) = self.short(at).filter(|name| self.hides(name, true)) else { return };
        let next = self.skip_blanks(name.after);
        let rest = &self.bytes[next..];
        if rest.starts_with(b"value=") {
            if let Some(Quoted { content, .. }) = quoted(self.bytes, next + b"value=".len()) {
                self.take(content);
            }
        } else if let Some(blank) = EMPTY_LINES.iter().find(|blank| rest.starts_with(blank.as_bytes())) {
            let start = next + blank.len();
            let ends = |byte: &u8| matches!(byte, b'\r' | b'\n') || blank.starts_with('\\') && *byte == b'\\';
            let rest = &self.bytes[start..];
            self.take(start..start + rest.iter().position(ends).unwrap_or(rest.len()));
        }
    }

    fn hides(&self, name: &Quoted, any: bool) -> bool {
        let name = &self.text[name.content.clone()];
        name.len() <= NAME_MAX && (any || is_header_name(name)) && self.names.says(name).is_some()
    }

    fn pair(&self, at: usize) -> Option<(Quoted, Quoted)> {
        let name = quoted(self.bytes, at)?;
        let value = quoted(self.bytes, self.after_comma(name.after)?)?;
        Some((name, value))
    }

    /// A text in quotes that is no longer than a name.
    fn short(&self, at: usize) -> Option<Quoted> {
        let near = self.bytes.len().min(at + NAME_MAX + 16);
        quoted(&self.bytes[..near], at).filter(|text| text.after < near)
    }

    fn after_comma(&self, at: usize) -> Option<usize> {
        let comma = self.skip_space(at);
        (self.bytes.get(comma) == Some(&b',')).then(|| self.skip_space(comma + 1))
    }

    fn closes(&self, at: usize) -> bool {
        self.bytes.get(self.skip_space(at)) == Some(&b']')
    }
}
