//! A cause mentioned in a stack text.

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
        let header = header.trim();
        let bare = header.trim_end_matches(':');
        let (kind, message) = match header.split_once(": ").or_else(|| header.split_once(":\n")) {
            Some((kind, message)) if is_name(kind) => (Some(kind), message.trim()),
            None if is_name(bare) => (Some(bare), ""),
            _ => (None, header),
        };
        Self { kind, message, stack }
    }
}

/// Whether a text can be the name of a type: one word, or Node's `TypeError [ERR_CODE]`.
pub(super) fn is_name(text: &str) -> bool {
    let word = text.split_once(" [").map_or(text, |(name, code)| if code.ends_with(']') { name } else { "" });
    let begins = word.starts_with(|first: char| first.is_alphabetic() || matches!(first, '_' | '$' | '\\'));
    begins && word.len() <= 300 && !word.contains([' ', '\t', '\n', '(', '"', '\''])
}
