//! A cause mentioned in a stack text.

use super::line::{find, trim_start};

/// An exception that led to the text's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cause<'a> {
    /// Its type, if the text tells one.
    pub kind: Option<&'a str>,
    /// Its message; empty for none.
    pub message: &'a str,
    /// The part of the text that is about it.
    pub stack: &'a str,
}

impl<'a> Cause<'a> {
    /// Of a header `Type: message`, or only one of them.
    pub(super) fn new(header: &'a str, stack: &'a str) -> Self {
        let header = without_hash(header.trim());
        let bare = header.trim_end_matches(':');
        let (kind, message) = match header.split_once(": ").or_else(|| header.split_once(":\n")) {
            Some((kind, message)) if is_name(kind) => (Some(kind), message.trim()),
            None if is_name(bare) => (Some(bare), ""),
            _ => (None, header),
        };
        Self { kind, message, stack }
    }

    /// Of a text that begins with its header, which ends before the first frame; without frames it is one line.
    pub(super) fn of_section(text: &'a str) -> Self {
        let mut end = None;
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let start = trim_start(line);
            if at > 0 && (start.starts_with("at ") || start.starts_with("... ")) {
                end = Some(at);
                break;
            }
            at += line.len();
        }
        let first = || find(text, "\n").unwrap_or(text.len());
        Self::new(&text[..end.unwrap_or_else(first)], text)
    }
}

/// Without the hash of the stack that logstash's encoder puts in front: `<#7a1f3c2e> `.
fn without_hash(header: &str) -> &str {
    let hash = header.strip_prefix("<#").and_then(|rest| rest.split_once("> "));
    let is_hash = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    hash.filter(|(hash, _)| is_hash(hash)).map_or(header, |(_, rest)| rest)
}

/// Whether a text can be the name of a type: one word, or Node's `TypeError [ERR_CODE]`.
pub(super) fn is_name(text: &str) -> bool {
    let word = text.split_once(" [").map_or(text, |(name, code)| if code.ends_with(']') { name } else { "" });
    let begins = word.starts_with(|first: char| first.is_alphabetic() || matches!(first, '_' | '$' | '\\'));
    begins && word.len() <= 300 && !word.contains([' ', '\t', '\n', '(', '"', '\''])
}
