//! Cuts text to a limit without breaking a character.

pub mod email;
pub mod shell;

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

/// One line of at most `max` characters that looks like what it says: spaces are single, and there are no control
/// characters and nothing invisible or that changes the direction of text. What was cut ends in `…`.
pub fn line(text: &str, max: usize) -> String {
    let (mut line, mut length, mut space) = (String::new(), 0, 0);
    for c in text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(|c| is_seen(*c)) {
        if c == ' ' {
            space = usize::from(length > 0);
            continue;
        }
        // Nobody reads as far as the rest, and it may be long.
        if length + space >= max {
            if length >= max {
                line.pop();
            }
            line.truncate(line.trim_end().len());
            line.push('…');
            break;
        }
        line.extend((0..space).map(|_| ' '));
        line.push(c);
        (length, space) = (length + space + 1, 0);
    }
    line
}

/// The text on one line as it is, but for what [`line()`] leaves out, too: spaces and tabs stay.
pub fn visible(text: &str) -> String {
    let spaced = text.chars().map(|c| if c.is_whitespace() && c != '\t' { ' ' } else { c });
    spaced.filter(|c| *c == '\t' || is_seen(*c)).collect()
}

fn is_seen(c: char) -> bool {
    !c.is_control()
        && !matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests;
