//! Takes the exception's message off the text around its stack.

use super::line::{find, rfind};

/// Where the header's message may begin: behind `Name: `, which is seldom longer.
const HEADER: usize = 300;

/// The text without the message it repeats at its top or at its end, or the whole text.
pub(super) fn strip<'a>(text: &'a str, message: Option<&str>) -> &'a str {
    let Some(message) = message.map(str::trim).filter(|message| !message.is_empty()) else {
        return text;
    };
    if let Some(end) = header_end(text, message) {
        return &text[end..];
    }
    // Only a message of several lines can look like frames from behind.
    if message.contains('\n') { without_tail(text, message) } else { text }
}

/// Where the header ends: behind the message and the rest of its line.
fn header_end(text: &str, message: &str) -> Option<usize> {
    let window = &text[..text.floor_char_boundary(HEADER + message.len())];
    let start = find(window, message)?;
    let end = start + message.len();
    let before = &text[..start];
    // Firefox has no header: there a message `foo` must not take the frame `foo@url` away.
    let whole_line = text[end..].bytes().next().is_none_or(|byte| matches!(byte, b'\n' | b'\r'));
    let behind_name = before.ends_with(": ") && !before.contains('\n');
    let behind_place = before.ends_with(":\n") && before.contains("panicked at ");
    if !(behind_name || behind_place || (before.trim().is_empty() && whole_line)) {
        return None;
    }
    Some(end + find(&text[end..], "\n").unwrap_or(text.len() - end))
}

/// Python prints the message last.
fn without_tail<'a>(text: &'a str, message: &str) -> &'a str {
    match rfind(text, message) {
        Some(start) if text[start + message.len()..].trim().is_empty() => &text[..start],
        _ => text,
    }
}
