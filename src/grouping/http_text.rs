//! HTTP in messages: addresses, whose paths distinguish issues, and statuses.

use super::file_name;
use super::pattern::is_word;
use std::borrow::Cow;

/// Extensions of files whose names contain the hash of a build.
const BUNDLED: [&str; 6] = [".js", ".mjs", ".cjs", ".css", ".wasm", ".map"];

/// The path of `https://host/path?query`; `None` for addresses without one (`data:`, `mailto:`).
pub(super) fn path_of_url(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let path = &rest[rest.find('/').unwrap_or(rest.len())..];
    Some(without_query(path))
}

/// The length of `/path?query` at the start of a text, and its path part; it must start with `/` and a
/// letter.
pub(super) fn path(text: &str) -> Option<(usize, &str)> {
    if !text.as_bytes().get(1).is_some_and(u8::is_ascii_alphabetic) {
        return None;
    }
    let end = text.find(|next: char| next.is_ascii_whitespace() || "\"'`<>()[]{}“”‘’«»|".contains(next));
    let body = text[..end.unwrap_or(text.len())].trim_end_matches(['.', ',', ';', ':', '!', '?', '\\']);
    Some((body.len(), without_query(body)))
}

/// Cuts the query off. An address inside a path would otherwise be found again.
fn without_query(path: &str) -> &str {
    let end = path.find(['?', '#', '“', '”', '‘', '’', '«', '»']).unwrap_or(path.len());
    let path = path[..end].split("://").next().unwrap_or_default();
    if path == "/" { "" } else { path }
}

/// A path without the build's hash in its file name.
pub(super) fn without_build(path: &str) -> Cow<'_, str> {
    let is_bundle = BUNDLED.iter().any(|ending| path.ends_with(ending));
    if is_bundle { file_name::normalise(path) } else { Cow::Borrowed(path) }
}

/// Whether a word indicates that a message is about HTTP.
pub(super) fn is_http(word: &str) -> bool {
    const WORDS: [&str; 16] = [
        "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "XHR", "fetch", "Fetch", "request",
        "Request", "response", "Response", "url", "URL",
    ];
    WORDS.contains(&word)
        || word.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("http"))
        || word.ends_with("Request")
}

/// Whether the three digits at the start of `rest` are a status, judging by what surrounds them.
pub(super) fn is_status(before: &str, rest: &str, is_http: bool) -> bool {
    let bytes = rest.as_bytes();
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits != 3 || !matches!(bytes[0], b'1'..=b'5') {
        return false;
    }
    let behind = &rest[3..];
    let goes_on = match behind.as_bytes() {
        [b'.' | b',' | b':' | b'/' | b'-', next, ..] => next.is_ascii_alphanumeric(),
        [next, ..] => is_word(*next) || matches!(next, b'%' | b'/' | b'-'),
        [] => false,
    };
    let alone = before.is_empty() || before.ends_with([' ', '(', '[', ':', '=']);
    if goes_on || !alone {
        return false;
    }
    let word = last_word(before).to_ascii_lowercase();
    let named =
        matches!(word.as_str(), "status" | "statuscode" | "status_code" | "code" | "http" | "httperror");
    named || before.ends_with("HTTP/<num> ") || has_reason(behind) || is_told(before, &word, behind, is_http)
}

/// The preceding word, skipping punctuation.
fn last_word(before: &str) -> &str {
    let before = before.trim_end_matches([' ', ':', '=', '(', '[', '-']);
    let start = before.rfind(|last: char| !(last.is_ascii_alphabetic() || last == '_'));
    &before[start.map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8))..]
}

/// `404 Not Found`, `404 (Not Found)`.
fn has_reason(behind: &str) -> bool {
    const REASONS: [&str; 23] = [
        "Bad Gateway",
        "Bad Request",
        "Client Error",
        "Conflict",
        "Expectation Failed",
        "Forbidden",
        "Gateway Time-out",
        "Gateway Timeout",
        "Gone",
        "Internal Server Error",
        "Method Not Allowed",
        "Not Acceptable",
        "Not Found",
        "Not Implemented",
        "Payload Too Large",
        "Precondition Failed",
        "Request Timeout",
        "Server Error",
        "Service Unavailable",
        "Too Many Requests",
        "Unauthorized",
        "Unprocessable Content",
        "Unprocessable Entity",
    ];
    let text = behind.trim_start_matches(|next: char| next.is_ascii_whitespace());
    let text = text.strip_prefix(['(', ':']).map_or(text, |text| text.trim_start_matches(' '));
    text.len() < behind.len() && REASONS.iter().any(|reason| is_followed_by(text, reason))
}

/// Whether a text begins with these words and the last one ends there.
fn is_followed_by(text: &str, words: &str) -> bool {
    text.strip_prefix(words).is_some_and(|rest| !rest.bytes().next().is_some_and(is_word))
}

/// `/api/orders failed with 404`, `GET /api/orders: 500`: preceded by a verb or punctuation, and not followed
/// by a word that it would count.
fn is_told(before: &str, word: &str, behind: &str, is_http: bool) -> bool {
    const VERBS: [&str; 12] = [
        "with",
        "returned",
        "returns",
        "responded",
        "response",
        "got",
        "received",
        "error",
        "failed",
        "was",
        "gave",
        "is",
    ];
    const BEHIND: [&str; 12] =
        ["for", "from", "on", "in", "at", "while", "when", "after", "and", "error", "response", "to"];
    let text = behind.trim_start_matches(|next: char| next.is_ascii_whitespace());
    let ends = text.is_empty()
        || (text.len() == behind.len() && text.starts_with([')', '.', ',', ':', ';', ']', '!']))
        || (text.len() < behind.len()
            && (text.starts_with('(') || BEHIND.iter().any(|word| is_followed_by(text, word))));
    let has_path = || before.starts_with('/') || before.contains(" /");
    let is_said = VERBS.contains(&word) && (is_http || has_path());
    ends && (is_said || (is_http && (before.ends_with([':', '(']) || before.ends_with(": "))))
}
