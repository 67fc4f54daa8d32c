//! Values in running text, `Name: value` and `name = value`, which could also be a sentence or a program.

use super::Walk;
use super::quotes::NAME_MAX;
use super::value::{self, TextKind};
use crate::scrubbing::names::Says;

/// First words of an `Authorization` value; the latter are followed by more than one word.
const SCHEMES: [&str; 8] = ["basic", "bearer", "token", "apikey", "key", "negotiate", "ntlm", "bot"];
const SCHEMES_OF_LINES: [&str; 4] = ["digest", "hawk", "oauth", "aws4-hmac-sha256"];
/// The longest ordinary word after one of them, in letters: `Bearer token required`.
const ORDINARY_MAX: usize = 12;

impl Walk<'_, '_> {
    /// `Name: value`, which could also be a sentence.
    pub(super) fn spoken(&mut self, says: Says, name: &str, start: usize, around: Option<u8>) {
        match says {
            Says::Cookie => self.cookies(start, around),
            Says::Authorization if self.credentials(start, around) => {}
            Says::Secret if name.contains('-') && value::enclosed(self.bytes, start).is_none() => {
                self.take(value::plain(self.bytes, start, TextKind::Text));
            }
            _ => self.spoken_word(says, start),
        }
    }

    pub(super) fn spoken_word(&mut self, says: Says, start: usize) {
        let enclosed = value::enclosed(self.bytes, start);
        if says == Says::Address && enclosed.is_none() {
            return self.take_address(start);
        }
        let is_long = enclosed.as_ref().is_some_and(|value| value.len() > 3);
        let range = enclosed.unwrap_or_else(|| value::plain(self.bytes, start, TextKind::Text));
        if says == Says::Own || is_long || value::looks_secret(&self.bytes[range.clone()]) {
            self.take(range);
        }
    }

    /// Network addresses, separated by commas or semicolons.
    pub(super) fn take_address(&mut self, start: usize) {
        let (mut end, mut next) = (start, start);
        while value::is_address(&self.bytes[next..]) {
            end = value::plain(self.bytes, next, TextKind::Text).end;
            let more = self.bytes.get(end).is_some_and(|byte| matches!(byte, b',' | b';'));
            next = self.skip_blanks(end + usize::from(more));
            if !more {
                break;
            }
        }
        self.take(start..end);
    }

    /// To the end of the line, if the first thing is `name=value` or not a word.
    fn cookies(&mut self, start: usize, around: Option<u8>) {
        if let Some(value) = value::enclosed(self.bytes, start) {
            return self.take(value);
        }
        let near = &self.bytes[start..self.bytes.len().min(start + 2 * NAME_MAX)];
        let first = near.split(u8::is_ascii_whitespace).next().unwrap_or_default();
        if first.contains(&b'=') || value::looks_secret(first) {
            self.take(start..value::line_end(self.bytes, start, around));
        }
    }

    /// Takes what follows the scheme of an `Authorization`; the scheme stays. Returns whether there is one.
    pub(super) fn credentials(&mut self, start: usize, around: Option<u8>) -> bool {
        let letters = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'-';
        let length = self.bytes[start..].iter().take(NAME_MAX).take_while(letters).count();
        let scheme = &self.bytes[start..start + length];
        let value = self.skip_blanks(start + length);
        let is = |schemes: &[&str]| schemes.iter().any(|it| scheme.eq_ignore_ascii_case(it.as_bytes()));
        if value == start + length {
            false
        } else if is(&SCHEMES_OF_LINES) {
            self.take(value..value::line_end(self.bytes, value, around));
            true
        } else if is(&SCHEMES) {
            let word = value::plain(self.bytes, value, TextKind::Text);
            let is_ordinary = |byte: &u8| byte.is_ascii_lowercase() || *byte == b'.';
            if word.len() > ORDINARY_MAX || !self.bytes[word.clone()].iter().all(is_ordinary) {
                self.take(word);
            }
            true
        } else {
            false
        }
    }
}
