//! Messages without their variable parts.

use super::code;
use super::date::date;
use super::http_text;
use super::machine;
use super::pattern::{self, is_word};
use super::token::{is_hex_hash, is_random, uuid};

/// Longest result, in bytes.
pub const MAX_LENGTH: usize = 1024;

/// How much of a message is looked at, in bytes. This bounds the time; a difference further on is not worth
/// an issue of its own.
const MAX_INPUT: usize = 8 * 1024;

/// Words longer than this, in bytes, are data.
const MAX_WORD: usize = 64;

/// The version of the rule for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    /// Addresses become `<url>`, and statuses numbers.
    First,
    Second,
}

/// The message with placeholders for what varies from event to event, white space collapsed, and
/// at most [`MAX_LENGTH`] bytes of it.
///
/// `<str>` stands for quoted text ('…', "…", `…`, “…”, ‘…’, «…»; an apostrophe is not a quote), `<id>` for
/// UUIDs, hashes and random tokens, `<addr>` for IP and memory addresses, `<date>`, `<email>`, `<url>`, and
/// `<num>` for all other digits, also inside words (`item42`). Ids in paths are replaced in place.
///
/// Normalizing a result again changes nothing. An id that happens to consist of digits counts as a number, as
/// does one in forty hexadecimal ids of eight digits.
pub fn normalise(message: &str) -> String {
    normalise_as(Version::Second, message)
}

/// By the rule of a version.
pub(super) fn normalise_as(version: Version, message: &str) -> String {
    let cut = message.len() > MAX_INPUT;
    let message = &message[..message.floor_char_boundary(MAX_INPUT)];
    let mut result = Scanner::new(version, message).run();
    if result.len() <= MAX_LENGTH && !cut {
        return result;
    }
    // Cutting a message can turn a part into something recognizable, so the result is scanned again until it
    // no longer changes. Each round is no longer than the result, and a second change is rare.
    for _ in 0..4 {
        shorten(&mut result);
        let again = Scanner::new(version, &result).run();
        if again == result {
            break;
        }
        result = again;
    }
    result
}

/// Cuts at the last space within the limit, so that no placeholder is cut in half.
fn shorten(text: &mut String) {
    if text.len() > MAX_LENGTH {
        text.truncate(text.floor_char_boundary(MAX_LENGTH));
        let space = text.rfind(' ').or_else(|| text.rfind('<')).filter(|at| *at > 0);
        text.truncate(space.unwrap_or(text.len()));
    }
}

/// Scans a message once. Text to the left is always taken from the result so far, which is what a second pass
/// would see; this makes the result stable.
struct Scanner<'a> {
    text: &'a str,
    at: usize,
    out: String,
    /// Kinds of quotes with no closing quote left, so that each is searched in vain only once.
    unclosed: [bool; 6],
    has_email: bool,
    version: Version,
    /// Whether the text so far is about HTTP.
    is_http: bool,
}

/// Opening and closing quotes.
const QUOTES: [(&str, &str); 6] = [("'", "'"), ("\"", "\""), ("`", "`"), ("“", "”"), ("‘", "’"), ("«", "»")];

impl<'a> Scanner<'a> {
    fn new(version: Version, text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            out: String::with_capacity(text.len().min(MAX_LENGTH) + 16),
            unclosed: [false; 6],
            has_email: text.contains('@'),
            version,
            is_http: false,
        }
    }

    fn run(mut self) -> String {
        while let Some(byte) = self.rest().first() {
            if self.out.len() > MAX_LENGTH {
                break;
            }
            self.step(*byte);
        }
        self.out.truncate(self.out.trim_end().len());
        self.out
    }

    fn rest(&self) -> &'a [u8] {
        &self.text.as_bytes()[self.at..]
    }

    fn last(&self) -> Option<u8> {
        self.out.as_bytes().last().copied()
    }

    fn step(&mut self, byte: u8) {
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => {
                if self.last().is_some_and(|last| last != b' ') {
                    self.out.push(' ');
                }
                self.at += 1;
            }
            b'\'' | b'"' | b'`' | 0x80.. if self.quoted() => {}
            b'+' | b'-' if self.signed() => self.at += 1,
            b'/' if self.path() => {}
            b':' if !self.last().is_some_and(|last| is_word(last) || last == b':') => {
                match pattern::ipv6(self.rest()) {
                    Some(length) => self.replace(length, "<addr>"),
                    None => self.copy(1),
                }
            }
            _ if is_word(byte) => self.word(),
            _ => self.copy(1),
        }
    }

    fn copy(&mut self, length: usize) {
        self.out.push_str(&self.text[self.at..self.at + length]);
        self.at += length;
    }

    fn replace(&mut self, length: usize, placeholder: &str) {
        self.out.push_str(placeholder);
        self.at += length;
    }

    /// Replaces quoted text, if there is an opening quote here that is closed.
    fn quoted(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let Some(kind) = QUOTES.iter().position(|(open, _)| rest.starts_with(open)) else {
            return false;
        };
        // `can't`: no quote opens inside or after a word. `>` ends a placeholder.
        let inside = kind == 0 && self.last().is_some_and(|last| is_word(last) || last == b'>');
        if self.unclosed[kind] || inside {
            return false;
        }
        match self.closing(kind) {
            Some(length) => self.replace(length, "<str>"),
            None => {
                self.unclosed[kind] = true;
                return false;
            }
        }
        true
    }

    /// Length up to and including the closing quote. A quote after a backslash does not close, unless the
    /// opening one has a backslash, too (text in JSON).
    fn closing(&self, kind: usize) -> Option<usize> {
        let (open, close) = QUOTES[kind];
        let escaped = self.last() == Some(b'\\');
        let rest = self.rest();
        let closes = |at: usize| {
            let end = at + close.len();
            let goes_on = rest.get(end).is_some_and(|next| is_word(*next) || *next == b'<');
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

    /// Whether there is the sign of a number here: not a dash between words, and not followed by an id, date
    /// or address.
    fn signed(&self) -> bool {
        if !self.last().is_none_or(|last| b" ([{=:,".contains(&last)) {
            return false;
        }
        let rest = &self.rest()[1..];
        let Some(number) = pattern::number(rest) else {
            return false;
        };
        let word = rest.iter().take_while(|byte| is_word(**byte)).count();
        let joined = match &rest[number.max(word)..] {
            [b'@', ..] => true,
            [b'.' | b'-' | b'+' | b':' | b'/', next, ..] => next.is_ascii_alphanumeric(),
            _ => false,
        };
        !joined && !is_id(&rest[..word])
    }

    /// Called at the first character of a word, or after a placeholder or letters that belong to one.
    fn word(&mut self) {
        if !self.last().is_some_and(is_word) && (self.of_http() || self.drive()) {
            return;
        }
        if self.version == Version::Second
            && let Some(length) = code::length(&self.out, &self.text[self.at..])
        {
            self.copy(length);
            return;
        }
        if !self.last().is_some_and(is_word)
            && let Some((length, placeholder)) = self.whole()
        {
            self.replace(length, placeholder);
            return;
        }
        if let Some(length) = pattern::number(self.rest()) {
            self.replace(length, "<num>");
            return;
        }
        let letters = self.rest().iter().take_while(|byte| is_letter(**byte)).count();
        let length = self.text.ceil_char_boundary(self.at + letters.max(1)) - self.at;
        match is_id(&self.rest()[..length]) {
            true => self.replace(length, "<id>"),
            false => {
                self.is_http |= http_text::is_http(&self.text[self.at..self.at + length]);
                self.copy(length);
            }
        }
    }

    /// Consumes an address or a status, if there is one here.
    fn of_http(&mut self) -> bool {
        if self.version == Version::First {
            return false;
        }
        if let Some(length) = pattern::url(self.rest())
            && let Some(path) = http_text::path_of_url(&self.text[self.at..self.at + length])
        {
            self.out.push_str("<url>");
            self.is_http = true;
            self.push_path(path);
            if let Some(code) = code::of_address(&self.text[self.at..self.at + length]) {
                self.out.push('#');
                self.out.push_str(code);
            }
            self.at += length;
            return true;
        }
        let is_status = http_text::is_status(&self.out, &self.text[self.at..], self.is_http);
        if is_status {
            self.copy(3);
        }
        is_status
    }

    /// Consumes a path with its query, if one begins here.
    fn path(&mut self) -> bool {
        let begins = self.last().is_none_or(|last| b" ([{=,|".contains(&last));
        if self.version == Version::First || !begins {
            return false;
        }
        let Some((length, path)) = http_text::path(&self.text[self.at..]) else { return false };
        // A page may be named like a home; a file has an ending. No page is in a temporary directory.
        let is_temporary = ["/tmp/", "/var/"].iter().any(|root| path.starts_with(root));
        let is_file = is_temporary || path.rsplit(['/', '\\']).next().is_some_and(|name| name.contains('.'));
        match is_file && machine::is_local(path) && !self.is_http {
            true => self.push_path(&super::file_name::normalise(path)),
            false => self.push_path(path),
        }
        self.at += length;
        true
    }

    /// Consumes a path of Windows, if one begins here: `C:\Users\ada\shop.json`.
    fn drive(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let is_drive = match rest.as_bytes() {
            // One letter may be the scheme of an address.
            [_, b':', b'/', b'/', ..] => false,
            [letter, b':', b'\\' | b'/', ..] => letter.is_ascii_alphabetic(),
            _ => false,
        };
        if self.version == Version::First || !is_drive {
            return false;
        }
        let ends = |next: char| next.is_whitespace() || "\"'`<>()[]{}|,;".contains(next);
        let path = rest[..rest.find(ends).unwrap_or(rest.len())].trim_end_matches(['.', ':', '!', '?']);
        self.push_path(&super::file_name::normalise(path));
        self.at += path.len();
        true
    }

    fn push_path(&mut self, path: &str) {
        let path = http_text::without_build(path);
        self.out.push_str(&Scanner::new(Version::First, &path).run());
    }

    /// Parts that are recognized only as a whole.
    fn whole(&self) -> Option<(usize, &'static str)> {
        let rest = self.rest();
        if let Some(length) = pattern::url(rest) {
            return Some((length, "<url>"));
        }
        if self.has_email
            && let Some(length) = pattern::email(rest)
        {
            return Some((length, "<email>"));
        }
        if let Some(length) = uuid(rest) {
            return Some((length, "<id>"));
        }
        if let Some(length) = date(rest) {
            return Some((length, "<date>"));
        }
        let address = pattern::pointer(rest).or_else(|| pattern::ipv4(rest));
        if let Some(length) = address.or_else(|| pattern::ipv6(rest)) {
            return Some((length, "<addr>"));
        }
        let length = rest.iter().take_while(|byte| is_word(**byte)).count();
        let digits = rest[..length].iter().any(u8::is_ascii_digit);
        (digits && is_id(&rest[..length])).then_some((length, "<id>"))
    }
}

fn is_letter(byte: u8) -> bool {
    is_word(byte) && !byte.is_ascii_digit()
}

/// Whether a word is a hash, a random token, or data; a number is not.
fn is_id(word: &[u8]) -> bool {
    if word.iter().all(u8::is_ascii_digit) {
        return false;
    }
    is_hex_hash(word) || is_random(word) || word.len() > MAX_WORD
}
