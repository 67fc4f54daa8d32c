//! The query language of the issue list: free words, `key:value`, `is:`, `has:`, `-` for not.
//!
//! Text that does not look like a filter is searched for as a word, so that pasting an error's text finds it.
//! Text that looks like a filter but is not one is refused, because an empty result would be taken for an
//! answer.

use crate::error::{Error, Result};
use crate::event::facets::CONTEXTS;
use crate::text::shown;
use crate::time::{DAY, HOUR, MINUTE, Timestamp};

/// A condition; `negated` by a leading `-`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Term {
    pub negated: bool,
    pub kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// In title, culprit, message or file names; lower case.
    Word(String),
    /// `key:value`; the key is in lower case, except for tags.
    Field { key: String, value: String },
}

/// The most terms of a query; nobody searches for more by hand.
pub const TERMS_MAX: usize = 50;

/// Splits a query into its terms; quotes hold words together.
///
/// # Errors
/// 422 for an unknown field, or one without a value.
pub(super) fn parse(query: &str) -> Result<Vec<Term>> {
    let mut terms = Vec::new();
    let mut rest = query.trim_start();
    while !rest.is_empty() && terms.len() < TERMS_MAX {
        let (term, tail) = term(rest)?;
        terms.extend(term);
        rest = tail.trim_start();
    }
    Ok(terms)
}

fn term(text: &str) -> Result<(Option<Term>, &str)> {
    let (negated, text) = match text.strip_prefix('-') {
        Some(rest) if !rest.starts_with(char::is_whitespace) && !rest.is_empty() => (true, rest),
        _ => (false, text),
    };
    let key_end = text.find(|c: char| c == ':' || c == '"' || c.is_whitespace()).unwrap_or(text.len());
    let (key, after) = text.split_at(key_end);
    if let Some(value) = after.strip_prefix(':') {
        if is_key(key) {
            let (value, tail) = word(value);
            if value.is_empty() {
                return Err(refused(&format!("`{key}:` has no value")));
            }
            let key = if key.starts_with("tag.") { key.to_owned() } else { key.to_lowercase() };
            return Ok((Some(Term { negated, kind: Kind::Field { key, value } }), tail));
        }
        if looks_like_key(key)
            && !value.starts_with(|c: char| c.is_whitespace() || "/:\\".contains(c))
            && !value.is_empty()
        {
            return Err(unknown(key));
        }
    }
    let (word, tail) = word(text);
    let term = Term { negated, kind: Kind::Word(word.to_lowercase()) };
    Ok((Some(term).filter(|_| !word.is_empty()), tail))
}

fn refused(what: &str) -> Error {
    wrong(&format!("{what}. Fields are {}, tag.NAME, {}", KEYS.join(", "), CONTEXTS.join(", ")))
}

/// Refuses a field that there is not. Of contexts, the fields are said alone: there are few, of many properties.
fn unknown(key: &str) -> Error {
    let what = format!("there is no field `{}`", shown(key, 64));
    if !key.to_lowercase().starts_with("contexts.") {
        return refused(&what);
    }
    let names = CONTEXTS.join(", ");
    wrong(&format!("{what}. Only these properties of contexts can be searched: {names}"))
}

fn wrong(what: &str) -> Error {
    Error::invalid(format!("query: {what}; put quotes around text that contains a colon"))
}

/// Whether this is meant as a field, whatever its case, unlike the parts of `9:1` and `a/b:c`.
fn looks_like_key(key: &str) -> bool {
    key.starts_with(|first: char| first.is_ascii_alphabetic())
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
}

/// A quoted text, or everything up to the next white space.
fn word(text: &str) -> (String, &str) {
    if let Some(quoted) = text.strip_prefix('"')
        && let Some(end) = quoted.find('"')
    {
        return (quoted[..end].to_owned(), &quoted[end + 1..]);
    }
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (text[..end].trim_matches('"').to_owned(), &text[end..])
}

const KEYS: [&str; 14] = [
    "is",
    "has",
    "status",
    "level",
    "environment",
    "release",
    "first_release",
    "first_seen",
    "last_seen",
    "assignee",
    "user",
    "account",
    "priority",
    "type",
];

/// What `first_seen` and `last_seen` are compared by, `>` or `<`, and the time.
///
/// An age stands for the time it began: `>7d` is within the last seven days.
///
/// # Errors
/// 422 for anything else.
pub(super) fn comparison(key: &str, value: &str, now: Timestamp) -> Result<(char, Timestamp)> {
    let compared = value.chars().next().filter(|sign| matches!(sign, '>' | '<'));
    let at = compared
        .map(|_| value[1..].trim())
        .and_then(|text| age(text, now).or_else(|| Timestamp::parse(text)));
    compared.zip(at).ok_or_else(|| {
        let got = shown(value, 64);
        Error::invalid(format!(
            "{key}: expected > or < and a time such as 2026-11-20 or 2026-11-20T08:00:00Z, or an age such as 30m, \
             24h, 7d or 2w (in the last 7 days: `>7d`, more than 7 days ago: `<7d`), got `{got}`"
        ))
    })
}

fn age(text: &str, now: Timestamp) -> Option<Timestamp> {
    let unit = match text.bytes().last()? {
        b'm' => MINUTE,
        b'h' => HOUR,
        b'd' => DAY,
        b'w' => 7 * DAY,
        _ => return None,
    };
    let count: u32 = text[..text.len() - 1].parse().ok()?;
    Some(now.plus(-i64::from(count).saturating_mul(unit)))
}

fn is_key(key: &str) -> bool {
    let lower = key.to_lowercase();
    key.strip_prefix("tag.").is_some_and(|name| !name.is_empty())
        || KEYS.contains(&lower.as_str())
        || CONTEXTS.contains(&lower.as_str())
}
