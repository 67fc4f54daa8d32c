//! Splits text into words. This is the only tokenizer: what is indexed, searched for and highlighted is split
//! in the same way.
//!
//! A word is a run of letters and digits, in lower case. In scripts written without spaces, each character is
//! a word of its own, so that any part of such a text can be found, as a phrase. `_` separates.

/// The longest word, in bytes; a longer one is cut at a character boundary, and so are the words of a query.
pub const WORD_MAX: usize = 64;

const NONE: u8 = 0;
const SMALL: u8 = 1;
const CAPITAL: u8 = 2;
const BEYOND: u8 = 3;

/// What a byte is part of.
static KINDS: [u8; 256] = {
    let mut kinds = [NONE; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b'a'..=b'z' | b'0'..=b'9' => SMALL,
            b'A'..=b'Z' => CAPITAL,
            0x80.. => BEYOND,
            _ => NONE,
        };
        byte += 1;
    }
    kinds
};

/// Passes on each word, in lower case, with its range in `text`; the range of a cut word is that of the whole
/// word.
pub fn words(text: &str, mut emit: impl FnMut(&str, usize, usize)) {
    let bytes = text.as_bytes();
    let mut lower = String::new();
    let mut at = 0;
    while at < bytes.len() {
        if KINDS[usize::from(bytes[at])] == NONE {
            at += 1;
            continue;
        }
        let (end, seen) = ascii_end(bytes, at);
        if seen >= BEYOND {
            at = beyond(text, at, end, &mut lower, &mut emit);
            continue;
        }
        let cut = end.min(at + WORD_MAX);
        if seen == SMALL {
            emit(&text[at..cut], at, end);
        } else {
            lower.clear();
            lower.push_str(&text[at..cut]);
            lower.make_ascii_lowercase();
            emit(&lower, at, end);
        }
        at = end;
    }
}

/// Where the run of ASCII letters and digits that begins at `start` ends, and its kind: [`SMALL`] only, with
/// [`CAPITAL`]s, or at least [`BEYOND`] if a character beyond ASCII ended the run.
fn ascii_end(bytes: &[u8], start: usize) -> (usize, u8) {
    let (mut end, mut seen) = (start, 0);
    while let Some(byte) = bytes.get(end) {
        match KINDS[usize::from(*byte)] {
            NONE => break,
            BEYOND => return (end, BEYOND),
            kind => seen |= kind,
        }
        end += 1;
    }
    (end, if seen == SMALL { SMALL } else { CAPITAL })
}

/// Handles a word that contains, or may contain, characters beyond ASCII, but none before `ascii`; returns
/// where to continue.
fn beyond(
    text: &str,
    start: usize,
    ascii: usize,
    lower: &mut String,
    emit: &mut impl FnMut(&str, usize, usize),
) -> usize {
    lower.clear();
    lower.push_str(&text[start..ascii.min(start + WORD_MAX)]);
    lower.make_ascii_lowercase();
    let (mut end, mut room) = (ascii, true);
    for c in text[ascii..].chars() {
        if !c.is_alphanumeric() || is_unspaced(c) {
            break;
        }
        room = room && fold(c, WORD_MAX, lower);
        end += c.len_utf8();
    }
    if end > start {
        emit(lower, start, end);
        return end;
    }
    // The first one is not part of a longer word.
    let Some(c) = text[start..].chars().next() else { return text.len() };
    end += c.len_utf8();
    if c.is_alphanumeric() {
        emit(&text[start..end], start, end);
    }
    end
}

/// Appends a character in lower case if it fits into `max` bytes; returns whether it did. Each character is
/// handled on its own, so a cut word begins like the whole one.
pub(super) fn fold(c: char, max: usize, into: &mut String) -> bool {
    let before = into.len();
    into.extend(c.to_lowercase());
    let fits = into.len() <= max;
    if !fits {
        into.truncate(before);
    }
    fits
}

/// Scripts that are written without spaces: Han, Hiragana, Katakana, Thai, Lao, Khmer, Myanmar.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{2e80}'..='\u{2fdf}' | '\u{3005}'..='\u{3007}' | '\u{3021}'..='\u{3029}' | '\u{3031}'..='\u{30ff}'
        | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{9fff}' | '\u{a9e0}'..='\u{a9fe}' | '\u{aa60}'..='\u{aa7f}'
        | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}' | '\u{1aff0}'..='\u{1b16f}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests;
