//! Cuts text to a limit without breaking a character.

pub mod email;

use std::borrow::Cow;

/// At most `max` characters of `text`, and whether something was cut.
pub fn clip(text: Cow<'_, str>, max: usize) -> (Cow<'_, str>, bool) {
    // A character has at least one byte, so most texts need no counting.
    if text.len() <= max {
        return (text, false);
    }
    let Some((end, _)) = text.char_indices().nth(max) else { return (text, false) };
    let cut = match text {
        Cow::Borrowed(text) => Cow::Borrowed(&text[..end]),
        Cow::Owned(mut text) => {
            text.truncate(end);
            Cow::Owned(text)
        }
    };
    (cut, true)
}

/// Bytes for people: `512 bytes`, `34.5 MiB`.
pub fn bytes(count: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    let mut value = count as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if count < 1024 { format!("{count} bytes") } else { format!("{value:.1} {}", UNITS[unit]) }
}

/// At most `max` characters, without control characters: the part of a value that is repeated in a message.
pub fn shown(text: &str, max: usize) -> String {
    text.chars().filter(|c| !c.is_control()).take(max).collect()
}
