//! Splits a query into tokens. Brackets come out balanced, and no deeper than allowed.

use super::DEPTH_MAX;
use crate::search::facts::field_of;
use std::borrow::Cow;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Open,
    Close,
    Or,
    And,
    Not,
    /// Words as written; `open` if a `*` follows.
    Text {
        text: Cow<'a, str>,
        open: bool,
    },
    /// A field with a value; `written` is the whole text, in case it turns out not to be a field.
    Field {
        field: Cow<'static, str>,
        value: Cow<'a, str>,
        quoted: bool,
        open: bool,
        written: &'a str,
    },
}

/// The tokens of a query, in order.
pub(super) fn tokens(query: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut rest = query.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, length) = token(rest, first);
        found.extend(token);
        rest = rest[length..].trim_start();
    }
    paired(found)
}

/// The token at the start, if there is one, and its length.
fn token(text: &str, first: char) -> (Option<Token<'_>>, usize) {
    match first {
        '(' => (Some(Token::Open), 1),
        ')' => (Some(Token::Close), 1),
        '|' => (Some(Token::Or), 1),
        '-' if text[1..].starts_with(|c: char| !c.is_whitespace()) => (Some(Token::Not), 1),
        '"' => match quoted(text) {
            Some((inner, length)) if let Some(field) = path(inner, &text[length..]) => {
                value(text, length + 1, field)
            }
            Some((inner, length)) => {
                let stars = stars(&text[length..]);
                (Some(Token::Text { text: unescaped(inner), open: stars > 0 }), length + stars)
            }
            None => (None, 1),
        },
        _ => bare(text),
    }
}

/// Quoted text and its length including the quotes; `\"` inside it is a quote, and `\\` a backslash.
fn quoted(text: &str) -> Option<(&str, usize)> {
    let mut escaped = false;
    let end = text.bytes().enumerate().skip(1).find(|(_, byte)| {
        let ends = *byte == b'"' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        ends
    });
    end.map(|(end, _)| (&text[1..end], end + 1))
}

fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut bare = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let escapes = rest[at + 1..].starts_with(['"', '\\']);
        bare.push_str(&rest[..at]);
        let from = at + usize::from(escapes);
        let length = rest[from..].chars().next().map_or(0, char::len_utf8);
        bare.push_str(&rest[from..from + length]);
        rest = &rest[from + length..];
    }
    bare.push_str(rest);
    Cow::Owned(bare)
}

/// The attribute with a quoted path before a colon. Other fields need no quotes: `"level":"error"` is JSON.
fn path(inner: &str, behind: &str) -> Option<Cow<'static, str>> {
    let field = behind.starts_with(':').then(|| field_of(&unescaped(inner))).flatten()?;
    field.contains('.').then_some(field)
}

fn stars(text: &str) -> usize {
    text.bytes().take_while(|byte| *byte == b'*').count()
}

/// A word, an operator, or a field with its value.
fn bare(text: &str) -> (Option<Token<'_>>, usize) {
    let end = text.find(|c: char| c.is_whitespace() || matches!(c, '"' | '(' | ')' | '|'));
    let end = end.unwrap_or(text.len());
    let word = &text[..end];
    let operator = match word {
        "OR" => Some(Token::Or),
        "AND" | "&&" => Some(Token::And),
        "NOT" => Some(Token::Not),
        _ => None,
    };
    if operator.is_some() {
        return (operator, end);
    }
    if let Some((key, _)) = word.split_once(':')
        && let Some(field) = field_of(key)
    {
        return value(text, key.len() + 1, field);
    }
    let trimmed = word.trim_end_matches('*');
    (Some(Token::Text { text: Cow::Borrowed(trimmed), open: trimmed.len() < word.len() }), end)
}

/// A field whose value begins at `start`.
fn value<'a>(text: &'a str, start: usize, field: Cow<'static, str>) -> (Option<Token<'a>>, usize) {
    let behind = &text[start..];
    if let Some((value, length)) = behind.starts_with('"').then(|| quoted(behind)).flatten() {
        let end = start + length;
        let stars = stars(&text[end..]);
        let token = Token::Field {
            field,
            value: unescaped(value),
            quoted: true,
            open: stars > 0,
            written: &text[..end],
        };
        return (Some(token), end + stars);
    }
    let length = value_length(behind);
    // No level has a bar in it.
    let length = if field == "level" { behind[..length].find('|').unwrap_or(length) } else { length };
    let (value, written) = (&behind[..length], &text[..start + length]);
    let trimmed = value.trim_end_matches('*');
    let open = trimmed.len() < value.len();
    (
        Some(Token::Field { field, value: Cow::Borrowed(trimmed), quoted: false, open, written }),
        start + length,
    )
}

/// The length up to white space or a quote; balanced brackets are part of it (`function:run()`), and so is a `|` within the
/// value (`user:auth0|64f1`), but not one before another field, a bracket or the end (`level:warn|level:error`).
fn value_length(text: &str) -> usize {
    let mut depth = 0_usize;
    let ends = |(at, c): &(usize, char)| {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return true,
            ')' => depth -= 1,
            '|' => return *at == 0 || is_operator(&text[at + 1..]),
            _ => {}
        }
        c.is_whitespace() || *c == '"'
    };
    text.char_indices().find(ends).map_or(text.len(), |(at, _)| at)
}

/// Whether what follows a `|` is another condition.
fn is_operator(behind: &str) -> bool {
    let end = behind.find(|c: char| c.is_whitespace() || matches!(c, '"' | '(' | ')' | '|'));
    let word = &behind[..end.unwrap_or(behind.len())];
    let key = word.strip_prefix('-').unwrap_or(word).split_once(':').map(|(key, _)| key);
    word.is_empty() || key.and_then(field_of).is_some()
}

/// Removes brackets that are unbalanced or too deep.
fn paired(tokens: Vec<Token<'_>>) -> Vec<Token<'_>> {
    let mut keep = vec![true; tokens.len()];
    let mut open = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Open => open.push(at),
            Token::Close => match open.pop() {
                Some(start) if open.len() >= DEPTH_MAX => (keep[start], keep[at]) = (false, false),
                Some(_) => {}
                None => keep[at] = false,
            },
            _ => {}
        }
    }
    open.into_iter().for_each(|at| keep[at] = false);
    tokens.into_iter().zip(keep).filter_map(|(token, keep)| keep.then_some(token)).collect()
}
