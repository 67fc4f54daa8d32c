//! Makes the template of a message, for entries without one: what stays the same each time a line of code
//! logs, with placeholders for the rest.
//!
//! `{number}`, `{duration}` and `{size}` (with their units), `{date}`, `{id}`, `{hash}`, `{address}` (of
//! networks and memory), `{email}`, `{url}`, `{string}` for quoted text, `{value}` for what follows `key=`.
//! Ids in paths and numbers in names are replaced in place (`/orders/{number}`, `worker{number}`); names such
//! as `utf8` and `HTTP/2` stay. The template of a template is itself.

mod shape;

use crate::grouping::date::date;
use crate::grouping::{pattern, token};
use shape::Part;
use std::borrow::Cow;

/// The longest template, in characters.
pub const TEMPLATE_MAX: usize = 1_024;

/// Bytes of a message that are scanned: differences beyond them do not make another template.
const INPUT_MAX: usize = 8 << 10;

/// Kinds of bytes: those that begin plain words, and those that may begin something else.
const PLAIN: u8 = 0;
const LETTER: u8 = 1;
const DIGIT: u8 = 2;
const SPECIAL: u8 = 3;

static KINDS: [u8; 256] = {
    let mut kinds = [PLAIN; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => LETTER,
            b'0'..=b'9' => DIGIT,
            b'"' | b'\'' | b'`' | b'+' | b'-' | b':' | b'{' | 0x80.. => SPECIAL,
            _ => PLAIN,
        };
        byte += 1;
    }
    kinds
};

/// The template of a message; the message itself if nothing in it varies.
pub fn make(message: &str) -> Cow<'_, str> {
    let text = &message[..message.floor_char_boundary(INPUT_MAX)];
    let cut = text.len() < message.len();
    let made = Scanner::new(text).run();
    if !cut && made.len() <= TEMPLATE_MAX {
        return made;
    }
    let mut made = made.into_owned();
    // Cutting can turn a part into something recognizable, so the result is scanned again until it no longer
    // changes.
    for _ in 0..4 {
        shorten(&mut made);
        let again = match Scanner::new(&made).run() {
            Cow::Borrowed(_) => break,
            Cow::Owned(again) => again,
        };
        if again == made {
            break;
        }
        made = again;
    }
    shorten(&mut made);
    Cow::Owned(made)
}

/// Cuts at the last space within the limit, so that no word or placeholder is cut in half.
fn shorten(text: &mut String) {
    if let Some((end, _)) = text.char_indices().nth(TEMPLATE_MAX) {
        text.truncate(end);
        let end = text.rfind([' ', '{']).filter(|at| *at > 0);
        text.truncate(end.unwrap_or(text.len()));
        text.truncate(text.trim_end().len());
    }
}

/// Scans a message once. Text to the left is taken from the result so far, which is what a second pass would
/// see.
struct Scanner<'a> {
    text: &'a str,
    at: usize,
    /// The text up to here is in `out`; text between here and `at` stays unchanged.
    done: usize,
    out: String,
    /// Kinds of quotes with no closing quote left, so that each is searched in vain only once.
    unclosed: [bool; QUOTES.len()],
    /// Where the quote whose text is being scanned closes.
    closes_at: usize,
    has_email: bool,
}

/// Opening and closing quotes.
const QUOTES: [(&str, &str); 6] = [("'", "'"), ("\"", "\""), ("`", "`"), ("“", "”"), ("‘", "’"), ("«", "»")];

impl<'a> Scanner<'a> {
    fn new(text: &'a str) -> Self {
        let has_email = memchr::memchr(b'@', text.as_bytes()).is_some();
        let (out, unclosed) = (String::new(), [false; QUOTES.len()]);
        Self { text, at: 0, done: 0, out, unclosed, closes_at: usize::MAX, has_email }
    }

    fn run(mut self) -> Cow<'a, str> {
        while let Some(byte) = self.text.as_bytes().get(self.at) {
            match KINDS[usize::from(*byte)] {
                PLAIN => self.at += 1,
                SPECIAL => self.special(*byte),
                _ => self.word(),
            }
            if self.out.len() > 4 * TEMPLATE_MAX {
                break;
            }
        }
        if self.done == 0 {
            return Cow::Borrowed(self.text);
        }
        self.out.push_str(&self.text[self.done..self.at]);
        Cow::Owned(self.out)
    }

    fn rest(&self) -> &'a [u8] {
        &self.text.as_bytes()[self.at..]
    }

    /// The byte to the left, in the result.
    fn last(&self) -> Option<u8> {
        let left = if self.at > self.done { &self.text[self.done..self.at] } else { &self.out };
        left.as_bytes().last().copied()
    }

    /// Whether a word continues here. After a placeholder it does: `12px` becomes `{number}px`.
    fn is_inside(&self) -> bool {
        match self.last() {
            Some(0x80..) => self.text[..self.at].chars().next_back().is_some_and(char::is_alphanumeric),
            Some(byte) => is_word(byte) || byte == b'}',
            None => false,
        }
    }

    fn replace(&mut self, length: usize, placeholder: &str) {
        if self.done == 0 {
            self.out.reserve(self.text.len().min(TEMPLATE_MAX) + 64);
        }
        self.out.push_str(&self.text[self.done..self.at]);
        self.out.push_str(placeholder);
        self.at += length;
        self.done = self.at;
    }

    fn special(&mut self, byte: u8) {
        match byte {
            b'+' | b'-' if self.signed() => {}
            b':' if !self.last().is_some_and(|last| is_word(last) || matches!(last, b':' | b'}')) => {
                match pattern::ipv6(self.rest()) {
                    Some(length) => self.replace(length, "{address}"),
                    None => self.at += 1,
                }
            }
            b'{' => self.at += shape::placeholder(self.rest()).unwrap_or(1),
            b'"' | b'\'' | b'`' | 0x80.. if self.quoted() => {}
            0x80.. => self.at = self.text.ceil_char_boundary(self.at + 1),
            _ => self.at += 1,
        }
    }

    /// Includes the sign in a number; not a dash between words, and not before an id or date.
    fn signed(&mut self) -> bool {
        let (left, rest) = (self.last(), self.rest());
        let is_number = rest.get(1).is_some_and(u8::is_ascii_digit)
            && left.is_none_or(|last| b" \t([=:,".contains(&last))
            && !rest[1..].starts_with(b"0x")
            && date(&rest[1..]).or_else(|| pattern::ipv4(&rest[1..])).is_none();
        let length = if is_number { shape::number(&rest[1..]) } else { None };
        if let Some((length, placeholder)) = length {
            self.replace(length + 1, placeholder);
        }
        length.is_some()
    }

    /// Called at the first character of a word, or of what follows a letter beyond ASCII.
    fn word(&mut self) {
        let rest = self.rest();
        let mut digits = false;
        let length = rest.iter().take_while(|byte| {
            let kind = KINDS[usize::from(**byte)];
            digits |= kind == DIGIT;
            kind == LETTER || kind == DIGIT
        });
        let length = length.count();
        let inside = self.is_inside();
        let next = rest.get(length).copied().unwrap_or(b' ');
        if !inside && let Some((length, placeholder)) = self.whole(length, digits, next) {
            return self.replace(length, placeholder);
        }
        if !digits && length < 16 {
            self.at += length;
        } else {
            self.parts(length, inside);
        }
        if next == b'=' {
            self.value(&rest[..length]);
        }
    }

    /// Parts that are recognized only as a whole. `next` follows the word.
    fn whole(&self, length: usize, digits: bool, next: u8) -> Option<(usize, &'static str)> {
        let rest = self.rest();
        let word = &rest[..length];
        if next == b':'
            && let Some(length) = pattern::url(rest)
        {
            return Some((length, "{url}"));
        }
        if self.has_email
            && let Some(length) = pattern::email(rest)
        {
            return Some((length, "{email}"));
        }
        if length == 8
            && next == b'-'
            && let Some(length) = token::uuid(rest)
        {
            return Some((length, "{id}"));
        }
        if shape::may_be_date(rest, length)
            && let Some(length) = date(rest).or_else(|| shape::log_date(rest))
        {
            return Some((length, "{date}"));
        }
        if digits && let Some(length) = shape::address(rest, length) {
            return Some((length, "{address}"));
        }
        if next == b':'
            && length <= 4
            && let Some(length) = pattern::ipv6(rest)
        {
            return Some((length, "{address}"));
        }
        if matches!(next, b'-' | b'_') || digits {
            let length = shape::made_id(rest).or_else(|| self.suffix(word));
            return length.map(|length| (length, "{id}"));
        }
        self.suffix(word).map(|length| (length, "{id}"))
    }

    /// The generated parts of a pod's name (`web-7d9f8b6c5-x2x4z`), the second only after the first.
    fn suffix(&self, word: &[u8]) -> Option<usize> {
        let ends = self.rest().get(word.len()) != Some(&b'{');
        let is_part = ends && self.last() == Some(b'-') && shape::is_pod_part(word);
        let second = || self.at == self.done + 1 && self.out.ends_with('}');
        (is_part && (word.len() > 5 || second())).then_some(word.len())
    }

    /// Handles a word with digits, or a long one, by its parts between `_`.
    fn parts(&mut self, length: usize, inside: bool) {
        let end = self.at + length;
        let is_kept = !inside && shape::is_name(self.rest(), length, &self.text.as_bytes()[..self.at]);
        if is_kept {
            self.at = end;
        }
        while self.at < end {
            // A number includes what follows a dot, beyond the word.
            match shape::part(self.rest(), end - self.at) {
                Part::Same(length) => self.at += length,
                Part::Placeholder(length, placeholder) => self.replace(length, placeholder),
            }
        }
    }

    /// Called after `key`, at `=`: replaces the value, unless the key's values distinguish lines of code.
    fn value(&mut self, key: &[u8]) {
        if self.rest().first() != Some(&b'=') {
            return;
        }
        self.at += 1;
        let quote = QUOTES[..2].iter().position(|(quote, _)| self.rest().starts_with(quote.as_bytes()));
        let closing = quote.and_then(|kind| self.closing(kind));
        if shape::is_telling(key) {
            if let Some(length) = closing {
                self.closes_at = self.at + length - 1;
                self.at += 1;
            }
            return;
        }
        if let Some(length) = closing.or_else(|| shape::value(self.rest())) {
            self.replace(length, "{value}");
        }
    }

    /// Replaces quoted text, if there is an opening quote here that is closed.
    fn quoted(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let Some(kind) = QUOTES.iter().position(|(open, _)| rest.starts_with(open)) else {
            return false;
        };
        // `can't`: no quote opens inside or after a word.
        let inside = kind == 0 && self.is_inside();
        if self.unclosed[kind] || inside || self.at == self.closes_at {
            return false;
        }
        match self.closing(kind) {
            Some(length) if self.is_key(length) => self.at += length,
            Some(length) => self.replace(length, "{string}"),
            None => {
                self.unclosed[kind] = true;
                return false;
            }
        }
        true
    }

    /// Whether the quoted text is a key in JSON or the like.
    fn is_key(&self, length: usize) -> bool {
        let rest = self.rest();
        let behind = &rest[length..];
        let left = self.text[self.done..self.at].trim_end();
        let opens = left.as_bytes().last().is_some_and(|last| matches!(last, b'{' | b','));
        opens
            && (behind.starts_with(b":") || behind.starts_with(b"=>"))
            && length <= 42
            && rest[1..length - 1].iter().all(|byte| is_word(*byte) && !byte.is_ascii_digit())
    }

    /// Length up to and including the closing quote. A quote after a backslash does not close, unless the
    /// opening one has a backslash, too (text in JSON).
    fn closing(&self, kind: usize) -> Option<usize> {
        let (open, close) = QUOTES[kind];
        let escaped = self.last() == Some(b'\\');
        let rest = self.rest();
        let closes = |at: usize| {
            let end = at + close.len();
            let goes_on = rest.get(end).is_some_and(|next| is_word(*next) || matches!(next, b'{' | 0x80..));
            let apostrophe = (rest[at] == b'\'' || kind == 4) && goes_on;
            let skipped = rest[at - 1] == b'\\' && !escaped;
            (!apostrophe && !skipped).then_some(end)
        };
        let behind = &rest[open.len()..];
        if kind == 2 {
            // Ruby and GNU tools write `this'.
            return memchr::memchr2_iter(b'`', b'\'', behind).find_map(|at| closes(at + 1));
        }
        memchr::memmem::find_iter(behind, close).find_map(|at| closes(at + open.len()))
    }
}

fn is_word(byte: u8) -> bool {
    matches!(KINDS[usize::from(byte)], LETTER | DIGIT)
}

#[cfg(test)]
mod tests;
