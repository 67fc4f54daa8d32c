//! Removes the exception's message from its stack text.

use super::line::{find, rfind};

/// How far from the start a message may begin: after `Name: `, which is seldom longer.
const HEADER: usize = 300;

/// A text without the message it repeats. Two texts that are the same without it have the same frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text<'a> {
    /// The text before the message: `Name: `, or the place of the throw. Empty if the message is not repeated
    /// at the top.
    pub before: &'a str,
    /// The text after it, starting with the rest of its line.
    pub after: &'a str,
}

impl<'a> Text<'a> {
    fn whole(text: &'a str) -> Self {
        Self { before: "", after: text }
    }

    /// The rest of the message's last line.
    pub(super) fn behind(&self) -> &'a str {
        &self.after[..self.behind_end()]
    }

    /// The lines after the message.
    pub(super) fn rest(&self) -> &'a str {
        &self.after[self.behind_end()..]
    }

    fn behind_end(&self) -> usize {
        match self.before {
            "" => 0,
            _ => find(self.after, "\n").unwrap_or(self.after.len()),
        }
    }
}

/// Splits a text around the message it repeats at its top or at its end.
pub fn split<'a>(text: &'a str, message: Option<&str>) -> Text<'a> {
    let Some(message) = message.map(str::trim).filter(|message| !message.is_empty()) else {
        return Text::whole(text);
    };
    if let Some(found) = at_top(text, message) {
        return found;
    }
    // At the end, only a message of several lines can look like frames.
    if message.contains('\n') { Text::whole(without_tail(text, message)) } else { Text::whole(text) }
}

fn at_top<'a>(text: &'a str, message: &str) -> Option<Text<'a>> {
    let window = &text[..text.floor_char_boundary(HEADER + message.len())];
    let start = find(window, message)?;
    let (before, after) = (&text[..start], &text[start + message.len()..]);
    // Firefox has no header: there, a message `foo` must not remove the frame `foo@url`.
    let whole_line = after.bytes().next().is_none_or(|byte| matches!(byte, b'\n' | b'\r'));
    let behind_name = before.ends_with(": ") && !before.contains('\n');
    let behind_place = before.ends_with(":\n") && before.contains("panicked at ");
    if behind_name || behind_place {
        return Some(Text { before, after });
    }
    if before.trim().is_empty() && whole_line {
        return Some(Text::whole(after));
    }
    None
}

/// Python prints the message last.
fn without_tail<'a>(text: &'a str, message: &str) -> &'a str {
    match rfind(text, message) {
        Some(start) if text[start + message.len()..].trim().is_empty() => &text[..start],
        _ => text,
    }
}
