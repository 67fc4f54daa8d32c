//! `--password Swordfish`, as in commands. What follows such a flag goes whatever it looks like, unless it is a word of
//! a sentence (`--token is required`), another flag, or a placeholder (`--token $TOKEN`).

use super::Walk;
use super::value::{self, TextKind};
use crate::scrubbing::names::{Names, Says};
use memchr::memmem;
use std::ops::Range;

/// Words of sentences about a flag; in lower case and without quotes, they are not values.
const PROSE: [&str; 84] = [
    "a",
    "after",
    "again",
    "all",
    "an",
    "and",
    "are",
    "argument",
    "as",
    "at",
    "be",
    "before",
    "but",
    "by",
    "can",
    "cannot",
    "command",
    "contains",
    "defaults",
    "did",
    "does",
    "expects",
    "expired",
    "false",
    "flag",
    "flags",
    "for",
    "from",
    "given",
    "had",
    "has",
    "have",
    "if",
    "ignored",
    "in",
    "instead",
    "into",
    "invalid",
    "is",
    "it",
    "like",
    "may",
    "means",
    "missing",
    "must",
    "need",
    "needs",
    "no",
    "none",
    "not",
    "null",
    "of",
    "off",
    "on",
    "only",
    "option",
    "options",
    "or",
    "parameter",
    "required",
    "requires",
    "set",
    "should",
    "so",
    "takes",
    "than",
    "that",
    "the",
    "then",
    "this",
    "to",
    "together",
    "true",
    "twice",
    "unless",
    "value",
    "was",
    "when",
    "which",
    "will",
    "with",
    "without",
    "yes",
    "you",
];

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
        // A list of arguments ends in a bracket, and a sentence in a full stop.
        if value == end
            || matches!(self.bytes.get(value), Some(b'-' | b'['))
            || self.bytes[..end].ends_with(b".")
        {
            return;
        }
        let name = &self.text[start..end];
        // A column of explanations begins after more than one blank, and `--no-password` has no value.
        let is_followed = value == end + 1 && !name.starts_with("no-");
        match self.names.says_in_text(name) {
            Some(Says::Authorization) if self.credentials(value, None) => {}
            Some(Says::Secret | Says::Cookie | Says::Authorization) if is_followed => self.after_flag(value),
            Some(says) => self.spoken_word(says, value),
            None => {}
        }
    }

    fn after_flag(&mut self, start: usize) {
        let enclosed = value::enclosed(self.bytes, start);
        let is_bare = enclosed.is_none();
        let value = enclosed.unwrap_or_else(|| value::plain(self.bytes, start, TextKind::Text));
        let word = &self.text[value.clone()];
        let is_of_sentence = is_bare && is_prose(word);
        if !is_of_sentence && !is_placeholder(word) && !self.is_name_in_capitals(word) {
            self.take(value);
        }
    }

    /// `TOKEN`, `YOUR_API_KEY`.
    fn is_name_in_capitals(&self, word: &str) -> bool {
        let is_capital = |byte: u8| byte.is_ascii_uppercase() || matches!(byte, b'_' | b'-');
        word.bytes().all(is_capital) && self.names.says_in_text(word).is_some()
    }
}

fn is_prose(word: &str) -> bool {
    PROSE.contains(&word.trim_end_matches(['.', ',', ':', ';', '!', '?', ')']))
}

/// What stands for a value: `$TOKEN`, `${TOKEN}`, `%TOKEN%`, `{token}`, `<token>`, `your-token`, `(…)`, `***`, `xxx`.
fn is_placeholder(word: &str) -> bool {
    let is_of_variable = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let variable = |rest: &str| rest.starts_with(['{', '(']) || rest.bytes().all(is_of_variable);
    let is_repeated = |sign: char| !sign.is_alphanumeric() && word.chars().all(|other| other == sign);
    word.strip_prefix('$').is_some_and(variable)
        || word.starts_with(['{', '('])
        || word.len() > 2 && word.starts_with('%') && word.ends_with('%')
        || word.starts_with('<') && word.ends_with('>')
        || word.starts_with("your-")
        || word.starts_with("your_")
        || word.len() > 2 && word.bytes().all(|byte| matches!(byte, b'x' | b'X'))
        || word.chars().next().is_some_and(is_repeated)
}
