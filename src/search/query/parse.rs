//! Parses tokens into a condition. Every text is a valid query unless it is too long.

use super::tokens::{Token, tokens};
use super::{Node, QUERY_MAX, TERMS_MAX};
use crate::error::{Error, Result};
use crate::search::facts::{asked_number, asked_value, value_of};
use crate::search::words::{signs, symbols, words};

/// The maximum number of symbols taken from a phrase.
const SYMBOLS_MAX: usize = 8;
/// The maximum number of signs taken from a query of signs alone.
const SIGNS_MAX: usize = 20;

/// The condition of a query; `None` if every entry meets it.
///
/// # Errors
/// 422 for more than [`QUERY_MAX`] characters or [`TERMS_MAX`] terms.
pub fn parse(query: &str) -> Result<Option<Node>> {
    let length = query.chars().count();
    if length > QUERY_MAX {
        return Err(Error::invalid(format!("search: expected at most {QUERY_MAX} characters, got {length}")));
    }
    if let Some(node) = of_signs(query) {
        return Ok(Some(node));
    }
    let tokens = tokens(query);
    let is_operators_only =
        !tokens.iter().any(|token| matches!(token, Token::Text { .. } | Token::Field { .. }));
    let mut parser = Parser { tokens: &tokens, at: 0, terms: 0 };
    let node = match is_operators_only {
        true => {
            let mut words = plain_words(query);
            words.sort_unstable();
            words.dedup();
            all(words.into_iter().map(one_word).collect())
        }
        // What has no words cannot be searched for, and does not mean everything.
        false => parser.group().or(Some(Node::Nothing)),
    };
    match parser.terms {
        0..=TERMS_MAX => Ok(node),
        terms => Err(Error::invalid(format!("search: expected at most {TERMS_MAX} terms, got {terms}"))),
    }
}

/// The condition of a query of signs alone; white space alone is none.
fn of_signs(query: &str) -> Option<Node> {
    let bare = |part: &str| part.trim_matches('"').to_owned();
    let parts: Vec<String> = query.split_whitespace().map(bare).collect();
    let has_none = parts.iter().all(String::is_empty) && !query.contains('"');
    if has_none || !plain_words(query).is_empty() {
        return None;
    }
    let mut found: Vec<Node> = Vec::new();
    for part in &parts {
        let mut has_none = true;
        signs(part, |sign, _, _| {
            has_none = false;
            let node = one_word(sign.to_owned());
            if found.len() < SIGNS_MAX && !found.contains(&node) {
                found.push(node);
            }
        });
        if has_none {
            return Some(Node::Nothing);
        }
    }
    all(found)
}

struct Parser<'t, 'a> {
    tokens: &'t [Token<'a>],
    at: usize,
    terms: usize,
}

impl<'t, 'a> Parser<'t, 'a> {
    fn next(&mut self) -> Option<&'t Token<'a>> {
        let token = self.tokens.get(self.at);
        self.at += 1;
        token
    }

    /// Up to the closing bracket, or the end.
    fn group(&mut self) -> Option<Node> {
        let mut parts = Vec::new();
        // The alternatives of the part being read.
        let mut either = Vec::new();
        let (mut negated, mut joined) = (false, false);
        while let Some(token) = self.next() {
            let node = match token {
                Token::Close => break,
                Token::Or => {
                    joined = true;
                    continue;
                }
                Token::And => {
                    joined = false;
                    continue;
                }
                Token::Not => {
                    negated = !negated;
                    continue;
                }
                Token::Open => self.group(),
                term => self.term(term),
            };
            let negated = std::mem::take(&mut negated);
            let joined = std::mem::take(&mut joined);
            let Some(node) = node else { continue };
            if !joined {
                parts.extend(any(std::mem::take(&mut either)));
            }
            either.push(if negated { Node::Not(Box::new(node)) } else { node });
        }
        parts.extend(any(either));
        all(parts)
    }

    fn term(&mut self, token: &Token<'_>) -> Option<Node> {
        let node = match token {
            Token::Field { field, value, quoted, open, .. } => {
                let values = if *quoted { vec![&**value] } else { value.split(',').collect() };
                let trimmed = values.into_iter().map(|value| if *quoted { value } else { value.trim() });
                let known = trimmed.filter(|value| is_value(value, *quoted));
                let facts: Vec<Node> = known.map(|value| fact(field, value, *open)).collect();
                self.terms += facts.len().saturating_sub(1);
                any(facts)
            }
            _ => None,
        };
        let node = node.or_else(|| match token {
            Token::Field { written, open, .. } => phrase(written, *open),
            Token::Text { text, open } => phrase(text, *open),
            _ => None,
        })?;
        self.terms += 1;
        Some(node)
    }
}

/// Whether a value can be searched for: not empty, and without a leading wildcard.
fn is_value(value: &str, quoted: bool) -> bool {
    !value.is_empty() && (quoted || !value.starts_with('*'))
}

fn fact(field: &str, value: &str, open: bool) -> Node {
    let fact = |value| Node::Fact { field: field.to_owned(), value, open };
    if !open || field != "trace" {
        let asked = fact(asked_value(field, value));
        let number = asked_number(field, value).filter(|_| !open).map(fact);
        return number.map_or(asked.clone(), |number| Node::Any(vec![asked, number]));
    }
    // The beginning of an id: in the form in which ids are compared, with zeros in front of a short one, or as it is.
    let plain = value_of(value);
    let bare = plain.replace('-', "");
    let mut values = vec![plain];
    if !bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_hexdigit()) && bare.len() <= 32 {
        values.extend((bare.len() <= 16).then(|| format!("{:0>16}{bare}", "")));
        values.extend(Some(bare).filter(|bare| *bare != values[0]));
    }
    any(values.into_iter().map(fact).collect()).unwrap_or(Node::Nothing)
}

fn plain_words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    words(text, |word, _, _| found.push(word.to_owned()));
    found
}

fn one_word(word: String) -> Node {
    Node::Words { words: vec![word], open: false }
}

/// The words of a text as a phrase, and its symbols; `None` if it has neither. It can be open only if it ends with a word.
fn phrase(text: &str, open: bool) -> Option<Node> {
    let (mut found, mut last) = (Vec::new(), 0);
    words(text, |word, _, end| {
        found.push(word.to_owned());
        last = end;
    });
    let open = open && last == text.len();
    let mut parts = Vec::new();
    if !found.is_empty() {
        parts.push(Node::Words { words: found, open });
    }
    // Symbols stand beside words, not between them.
    symbols(text, |symbol, _, _| {
        let node = one_word(symbol.to_owned());
        if parts.len() <= SYMBOLS_MAX && !parts.contains(&node) {
            parts.push(node);
        }
    });
    all(parts)
}

fn all(mut nodes: Vec<Node>) -> Option<Node> {
    if nodes.len() > 1 { Some(Node::All(nodes)) } else { nodes.pop() }
}

fn any(mut nodes: Vec<Node>) -> Option<Node> {
    if nodes.len() > 1 { Some(Node::Any(nodes)) } else { nodes.pop() }
}
