//! Removes secrets from JSON without building a tree: documents of a page nest deeper than a tree may.
//!
//! Texts are cleaned one by one. A text is hidden if its name says that it is a secret, or if a field before it in the
//! same object says so: `{"name": "password", "value": "…"}`. Numbers stay, since most are times and positions.

use super::names::is_name_of_name;
use super::{FILTERED, Scrubber};
use crate::wire::surrogates;
use memchr::memchr2;
use std::borrow::Cow;

/// The clean form of valid JSON and how much was removed; `None` if it is nested deeper than `levels`.
pub(super) fn clean<'j>(scrubber: &Scrubber, json: &'j str, levels: usize) -> Option<(Cow<'j, str>, u32)> {
    let mut walk = Walk { scrubber, json, copied: 0, clean: String::new(), count: 0, open: Vec::new() };
    walk.run(levels)?;
    Some(walk.finish())
}

struct Walk<'s, 'j> {
    scrubber: &'s Scrubber,
    json: &'j str,
    /// Up to where `clean` has the text.
    copied: usize,
    clean: String,
    count: u32,
    open: Vec<Level>,
}

/// An array or object that is being read.
#[derive(Default)]
struct Level {
    is_object: bool,
    /// Whether the next text is a name.
    name_next: bool,
    field: Field,
    /// Whether a field named a secret.
    named_secret: bool,
}

/// What the name of the field that is being read says.
#[derive(Default, Clone, Copy)]
struct Field {
    hides: bool,
    is_value: bool,
    /// Its value is the name of the value beside it.
    names: bool,
}

impl<'j> Walk<'_, 'j> {
    fn run(&mut self, levels: usize) -> Option<()> {
        let bytes = self.json.as_bytes();
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'{' | b'[' => {
                    let is_object = *byte == b'{';
                    self.open.push(Level { is_object, name_next: is_object, ..Level::default() });
                    if self.open.len() > levels {
                        return None;
                    }
                }
                b'}' | b']' => drop(self.open.pop()),
                b',' => self.open.last_mut().into_iter().for_each(|level| level.name_next = level.is_object),
                b'"' => {
                    let end = end_of_text(bytes, at);
                    self.text(at, end);
                    at = end;
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
        Some(())
    }

    /// A name or a value, with its quotes.
    fn text(&mut self, start: usize, end: usize) {
        let text = unquoted(&self.json[start..end]);
        if let Some(level) = self.open.last_mut()
            && level.name_next
        {
            level.name_next = false;
            level.field = Field {
                hides: self.scrubber.hides(&text),
                is_value: text.eq_ignore_ascii_case("value"),
                names: is_name_of_name(&text) || text == "type",
            };
        } else {
            self.value(start, end, text);
        }
    }

    fn value(&mut self, start: usize, end: usize, mut text: Cow<'j, str>) {
        let field = self.open.last().map(|level| level.field).unwrap_or_default();
        let named_secret = self.open.last().is_some_and(|level| level.named_secret);
        let removed = if field.hides || field.is_value && named_secret {
            let is_new = !text.is_empty() && text != FILTERED;
            text = Cow::Borrowed(FILTERED);
            u32::from(is_new)
        } else {
            if field.names && self.scrubber.hides(&text) {
                self.open.last_mut().into_iter().for_each(|level| level.named_secret = true);
            }
            self.scrubber.clean_text(&mut text)
        };
        if removed > 0 {
            self.count += removed;
            self.clean.push_str(&self.json[self.copied..start]);
            self.clean.push_str(&serde_json::Value::from(&*text).to_string());
            self.copied = end;
        }
    }

    fn finish(mut self) -> (Cow<'j, str>, u32) {
        if self.copied == 0 {
            return (Cow::Borrowed(self.json), self.count);
        }
        self.clean.push_str(&self.json[self.copied..]);
        (Cow::Owned(self.clean), self.count)
    }
}

/// Behind the closing quote of the text that starts at `start`.
fn end_of_text(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        at += found;
        if bytes[at] == b'"' {
            return at + 1;
        }
        at += 2;
    }
    bytes.len()
}

fn unquoted(quoted: &str) -> Cow<'_, str> {
    let inner = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default();
    if !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    serde_json::from_str(quoted).map_or_else(|_| mended(quoted, inner), Cow::Owned)
}

/// A text with lone surrogates, which is legal JSON and no text.
fn mended<'j>(quoted: &str, inner: &'j str) -> Cow<'j, str> {
    let mended = surrogates::mend(quoted.to_owned().into());
    serde_json::from_slice(&mended).map_or(Cow::Borrowed(inner), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::super::Scrubbing;
    use super::*;

    fn cleaned(json: &str) -> String {
        let (text, _) = clean(&Scrubbing::default().compile(), json, 256).unwrap();
        let _: &serde_json::value::RawValue = serde_json::from_str(&text).unwrap();
        text.into_owned()
    }

    #[test]
    fn secrets_are_removed_by_name_and_by_form() {
        for (json, expected) in [
            (r#"{"password":"x"}"#, r#"{"password":"[Filtered]"}"#),
            (
                r#"{"attributes":{"type":"password","value":"hunter2"}}"#,
                r#"{"attributes":{"type":"password","value":"[Filtered]"}}"#,
            ),
            (r#"["4111 1111 1111 1111"]"#, r#"["[Filtered]"]"#),
            // Half a character, and a secret that is written with escapes.
            (r#"["\ud83d 4111\u00201111 1111 1111"]"#, "[\"\u{fffd} [Filtered]\"]"),
            (r#"{"pass\u0077ord\ud83d":"x"}"#, r#"{"pass\u0077ord\ud83d":"[Filtered]"}"#),
            (
                r#"{"textContent":"a \"quoted\" Bearer abcdefghijklmnop0123"}"#,
                r#"{"textContent":"a \"quoted\" Bearer [Filtered]"}"#,
            ),
        ] {
            assert_eq!(cleaned(json), expected);
        }
    }

    #[test]
    fn everything_else_stays_as_it_is() {
        for json in [
            r#"{ "type": 3, "timestamp": 1732392394126, "data": {"source":2,"x":4111111111111111} }"#,
            r#"{"tagName":"input","attributes":{"type":"text","name":"city","value":"Bern"}}"#,
            r#"["\ud83d\ude00", "\\", "\"", ""]"#,
            r#"["\ud83d", "\ude00 x"]"#,
            r#"{"type":"password"}"#,
        ] {
            assert_eq!(cleaned(json), json);
        }
    }

    #[test]
    fn nesting_is_limited() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        let scrubber = Scrubbing::default().compile();
        assert!(clean(&scrubber, &nested(256), 256).is_some());
        assert!(clean(&scrubber, &nested(257), 256).is_none());
    }
}
