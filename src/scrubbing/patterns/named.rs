//! Values with a name in front of them: `{"password": …}`, `DB_PASSWORD=…`, `?token=…`, `Cookie: …`,
//! `["Cookie", …]`.
//!
//! For each `:`, `=` and `[`, the name before it is examined, up to 64 bytes, and if that says something, the
//! value after it. A value that is removed is not examined further, and one that stays is examined for at
//! most 128 bytes, so the time is linear in the text's length.

pub(super) mod flags;
mod lists;
mod quotes;
mod spoken;
mod value;
pub(super) mod xml;

use super::addresses;
use super::positions::positions;
use crate::scrubbing::names::{Names, Says, is_name_of_name, is_signature};
use quotes::{NAME_MAX, is_quote};
use std::ops::Range;
use value::TextKind;

/// The most blanks between a name, its separator, and the value.
const BLANKS_MAX: usize = 16;

/// Finds named values, and, if `users`, users in URLs, which also follow a colon.
pub(super) fn find(text: &str, names: &Names, users: bool, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let mut walk = Walk { text, bytes, names, users, found, end: 0, listed: 0 };
    for at in positions(bytes, |word| word.are(b':') | word.are(b'=') | word.are(b'[')) {
        if at < walk.end {
            continue;
        }
        match bytes[at] {
            b':' if bytes[at + 1..].starts_with(b"//") => walk.address(at + 3),
            b':' => walk.colon(at),
            b'=' => walk.equals(at),
            b'[' => walk.list(at),
            _ => {}
        }
    }
}

struct Walk<'t, 'n> {
    text: &'t str,
    bytes: &'t [u8],
    names: &'n Names,
    users: bool,
    found: &'n mut Vec<Range<usize>>,
    /// Where the last removed value ends.
    end: usize,
    /// Where the last list of names and values ends.
    listed: usize,
}

impl Walk<'_, '_> {
    fn address(&mut self, start: usize) {
        if self.users {
            addresses::user(self.bytes, start, self.found);
        }
    }

    fn colon(&mut self, at: usize) {
        let Some(last) = self.last_before(at) else { return };
        if is_quote(self.bytes[last]) {
            return self.field(last, at + 1);
        }
        if !self.names.may_end(&self.bytes[..=last]) {
            return;
        }
        let start = self.name_start(last + 1);
        // The host of a URL, followed by a port.
        if start > 0 && self.bytes[start - 1] == b'/' {
            return;
        }
        let name = &self.text[start..=last];
        if let Some(says) = self.names.says_in_text(name).or_else(|| self.two_words(start, name)) {
            let value = self.skip_blanks(at + 1);
            let around = start.checked_sub(1).map(|before| self.bytes[before]).filter(|byte| is_quote(*byte));
            self.spoken(says, name, value, around);
        }
    }

    /// `"name": value`, in JSON and similar notations.
    fn field(&mut self, last: usize, after: usize) {
        let Some(name) = quotes::name_before(self.text, last) else { return };
        let value = self.skip_space(after);
        if let Some(says) = self.names.says(name) {
            let bare = || self.bare_value(value).filter(|bare| !self.counts(says, bare));
            if let Some(value) = value::enclosed(self.bytes, value).or_else(bare) {
                self.take(value);
            }
        } else if is_name_of_name(name) {
            self.named_by_field(value);
        }
    }

    /// A number, or an unusual word: `null`, `false` and variable names stay.
    fn bare_value(&self, start: usize) -> Option<Range<usize>> {
        let is_number = self.bytes.get(start).is_some_and(|byte| byte.is_ascii_digit() || *byte == b'-');
        let plain = value::plain(self.bytes, start, TextKind::Text);
        (is_number || value::looks_secret(&self.bytes[plain.clone()])).then_some(plain)
    }

    fn equals(&mut self, at: usize) {
        let Some(last) = self.last_before(at) else { return };
        let arrow = self.bytes.get(at + 1) == Some(&b'>');
        let after = at + 1 + usize::from(arrow);
        if is_quote(self.bytes[last]) {
            return self.field(last, after);
        }
        let value = self.skip_blanks(after);
        // As written in programs and sentences.
        let spaced = arrow || last + 1 < at || value > after;
        if !is_of_name(self.bytes[last]) || spaced && !self.names.may_end(&self.bytes[..=last]) {
            return;
        }
        let start = self.name_start(last + 1);
        let place = self.place(start, last + 1);
        if place != TextKind::Query && self.bytes.get(after) == Some(&b'=') {
            return;
        }
        let name = &self.text[start..=last];
        if !spaced {
            self.assigned_to(name, value, place);
        } else if let Some(says) = self.names.says_in_text(name) {
            self.spoken_word(says, value);
        }
    }

    /// `name=value` without a blank.
    fn assigned_to(&mut self, name: &str, value: usize, place: TextKind) {
        let special = || self.says_of_variable(name, place).or_else(|| self.says_of_query(name, place));
        match self.names.says(name).or_else(special) {
            None if name.eq_ignore_ascii_case("name") => self.named_by_attribute(value),
            None => {}
            Some(_) if place == TextKind::Text && value::is_variable(self.bytes, value, name) => {}
            Some(says) => self.assigned(says, value, place),
        }
    }

    /// `DB_PASS`; elsewhere, `pass` may belong to a test or a mountain.
    fn says_of_variable(&self, name: &str, place: TextKind) -> Option<Says> {
        let is_pass = place == TextKind::Variable && name.ends_with("_PASS");
        if is_pass { self.names.says("password") } else { None }
    }

    /// `?sig=…`: whoever has such an address may do what was signed. Elsewhere, a signature may be that of a function.
    fn says_of_query(&self, name: &str, place: TextKind) -> Option<Says> {
        let is_signature = place == TextKind::Query && is_signature(name);
        if is_signature { self.names.says("password") } else { None }
    }

    fn assigned(&mut self, says: Says, start: usize, place: TextKind) {
        if says == Says::Address {
            return self.take_address(start);
        }
        if says == Says::Authorization && place == TextKind::Text && self.credentials(start, None) {
            return;
        }
        let enclosed = if place == TextKind::Query { None } else { value::enclosed(self.bytes, start) };
        let is_plain = enclosed.is_none();
        let mut range = enclosed.unwrap_or_else(|| value::plain(self.bytes, start, place));
        if is_plain && self.counts(says, &range) {
            return;
        }
        if place == TextKind::Query {
            range.end = value::before_position(self.bytes, &range);
        }
        if says == Says::Cookie && place == TextKind::Text && self.bytes[range.clone()].contains(&b'=') {
            range.end = range.end.max(value::line_end(self.bytes, start, None));
        }
        self.take(range);
    }

    /// Whether an unquoted value is a number of `tokens`.
    fn counts(&self, says: Says, value: &Range<usize>) -> bool {
        says == Says::Tokens && value::is_number(&self.bytes[value.clone()])
    }

    fn place(&self, start: usize, end: usize) -> TextKind {
        let (before, name) = (&self.bytes[..start], &self.bytes[start..end]);
        if matches!(before.last(), Some(b'?' | b'&' | b'#')) || before.ends_with(b"&amp;") {
            TextKind::Query
        } else if name.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_')
        {
            TextKind::Variable
        } else {
            TextKind::Text
        }
    }

    /// `API key: …`
    fn two_words(&self, start: usize, name: &str) -> Option<Says> {
        if !name.eq_ignore_ascii_case("key") || start == 0 || self.bytes[start - 1] != b' ' {
            return None;
        }
        let before = self.name_start(start - 1);
        self.names.says_in_text(&self.text[before..start + name.len()])
    }

    /// The last byte before the separator of a name and its value.
    fn last_before(&self, at: usize) -> Option<usize> {
        let before = &self.bytes[..at];
        if before.last().is_some_and(|byte| !is_blank(*byte)) {
            return Some(at - 1);
        }
        let blanks = before.iter().rev().take(BLANKS_MAX).take_while(|byte| is_blank(**byte)).count();
        (at - blanks).checked_sub(1)
    }

    /// Where the name that ends before `end` begins; `end` if there is none.
    fn name_start(&self, end: usize) -> usize {
        let length =
            self.bytes[..end].iter().rev().take(NAME_MAX).take_while(|byte| is_of_name(**byte)).count();
        (end - length..=end).find(|at| self.text.is_char_boundary(*at)).unwrap_or(end)
    }

    /// Where the name that begins at `start` ends; `start` if there is none.
    fn name_end(&self, start: usize) -> usize {
        let near = &self.bytes[start..self.bytes.len().min(start + NAME_MAX)];
        let end = start + near.iter().take_while(|byte| is_of_name(**byte)).count();
        if self.text.is_char_boundary(end) { end } else { start }
    }

    fn skip_blanks(&self, at: usize) -> usize {
        at + self.bytes[at..].iter().take(BLANKS_MAX).take_while(|byte| is_blank(**byte)).count()
    }

    fn skip_space(&self, at: usize) -> usize {
        at + self.bytes[at..].iter().take(BLANKS_MAX).take_while(|byte| byte.is_ascii_whitespace()).count()
    }

    fn take(&mut self, value: Range<usize>) {
        self.end = self.end.max(value.end);
        self.keep_from(value);
    }

    /// Notes a value, after which the search continues.
    fn keep_from(&mut self, value: Range<usize>) {
        if !value.is_empty() && !value::is_filtered(self.bytes, &value) {
            self.found.push(value);
        }
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Uses a table, because this is called for every byte of most names.
fn is_of_name(byte: u8) -> bool {
    static OF_NAME: [bool; 256] = {
        let (mut table, mut byte) = ([true; 256], 0_u8);
        while byte < 128 {
            table[byte as usize] =
                byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'[' | b']' | b'%');
            byte += 1;
        }
        table
    };
    OF_NAME[usize::from(byte)]
}
