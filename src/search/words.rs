//! Splits text into words. This is the only tokenizer: what is indexed, searched for and highlighted is split
//! in the same way.
//!
//! A word is a run of letters and digits, in one form for all its spellings: compatibility forms are what they stand for
//! (NFKC: `ＡＢＣ` is `abc`), case is folded (`Straße` is `strasse`), and accents do not count (`café` is `cafe`, however it is
//! composed), nor do the points and vowels of Hebrew and Arabic. In scripts written without spaces, and in Korean, whose words
//! carry endings, each character is a word of its own, so that any part of such a text can be found, as a phrase. `_`
//! separates, and colour codes of terminals are skipped.
//!
//! What can be found besides whole words stands at the place of the word that it belongs to or follows ([`parts`], [`signs`]), so
//! that phrases are the same with it and without.

use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

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
            at += if bytes[at] == ESCAPE { escape(&bytes[at..]) } else { 1 };
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
/// [`CAPITAL`]s, or at least [`BEYOND`] if a character beyond ASCII, or an escape sequence, ended the run.
fn ascii_end(bytes: &[u8], start: usize) -> (usize, u8) {
    let (mut end, mut seen) = (start, 0);
    while let Some(byte) = bytes.get(end) {
        match KINDS[usize::from(*byte)] {
            NONE if *byte == ESCAPE => return (end, BEYOND),
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
    let end = word_end(text, start, ascii);
    if end > start {
        lower.clear();
        let word = without_escapes(&text[start..end]);
        normalise(&word, WORD_MAX, |c| c.is_alphanumeric() || is_combining_mark(c), lower);
        if !lower.is_empty() {
            emit(lower, start, end);
        }
        return end;
    }
    unspaced(text, start, lower, emit)
}

/// Where the word that begins at `start`, and goes on at `at`, ends. A colour that changes within it is skipped.
fn word_end(text: &str, start: usize, mut at: usize) -> usize {
    let mut end = at;
    while let Some(c) = text[at..].chars().next() {
        if c == '\u{1b}' && end > start {
            at += escape(&text.as_bytes()[at..]);
            continue;
        }
        let continues = end > start && (is_combining_mark(c) || is_joiner(c));
        if !continues && (!c.is_alphanumeric() || is_unspaced(c)) {
            break;
        }
        at += c.len_utf8();
        end = at;
    }
    end
}

fn without_escapes(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{1b}') {
        return Cow::Borrowed(text);
    }
    let mut bare = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        bare.push_str(&rest[..at]);
        rest = &rest[at + escape(&rest.as_bytes()[at..])..];
    }
    bare.push_str(rest);
    Cow::Owned(bare)
}

/// Handles the character at `start`, which is not part of a longer word, and the marks on it; returns where to continue.
fn unspaced(
    text: &str,
    start: usize,
    lower: &mut String,
    emit: &mut impl FnMut(&str, usize, usize),
) -> usize {
    let mut chars = text[start..].chars();
    let Some(first) = chars.next() else { return text.len() };
    // Letters of Korean that are to be put together come one by one.
    let joins = |c: char| is_combining_mark(c) || is_voicing(c) || (is_jamo(first) && is_jamo(c));
    let end = start + first.len_utf8() + chars.take_while(|c| joins(*c)).map(char::len_utf8).sum::<usize>();
    if first.is_alphanumeric() {
        lower.clear();
        if is_jamo(first) {
            normalise(&text[start..end], end - start, |_| true, lower);
            let mut one = [0; 4];
            lower.chars().for_each(|c| emit(c.encode_utf8(&mut one), start, end));
        } else {
            normalise(&text[start..end], WORD_MAX, |_| true, lower);
            emit(lower, start, end);
        }
    }
    end
}

/// Appends the form in which a text is compared, as far as it fits into `max` bytes.
pub(super) fn normalise(text: &str, max: usize, keep: impl Fn(char) -> bool, into: &mut String) {
    let limit = into.len() + max;
    let bare = text.nfkd().filter(|c| !is_accent(*c) && !is_joiner(*c) && keep(*c));
    for c in bare.nfc() {
        let before = into.len();
        match c {
            'ß' | 'ẞ' => into.push_str("ss"),
            'ς' => into.push('σ'),
            c => into.extend(c.to_lowercase()),
        }
        if into.len() > limit {
            into.truncate(before);
            break;
        }
    }
}

/// The accents of European scripts, and the points and vowels of Hebrew and Arabic, which people seldom write. What other
/// scripts put on letters tells words apart.
fn is_accent(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}'
        | '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}'..='\u{5c2}' | '\u{5c4}'..='\u{5c5}' | '\u{5c7}'
        | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6dc}' | '\u{6df}'..='\u{6e4}'
        | '\u{6e7}'..='\u{6e8}' | '\u{6ea}'..='\u{6ed}')
}

/// Soft hyphens, what joins letters without being one, and what chooses between the looks of a character.
fn is_joiner(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}' | '\u{20e3}'
    )
}

/// The halfwidth marks of voiced sounds.
fn is_voicing(c: char) -> bool {
    matches!(c, '\u{ff9e}' | '\u{ff9f}')
}

fn is_jamo(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11ff}' | '\u{a960}'..='\u{a97c}' | '\u{d7b0}'..='\u{d7fb}')
}

/// Currencies, letterlike symbols, arrows, operators and pictures; not the lines and blocks that tables and bars are drawn of.
fn is_symbol(c: char) -> bool {
    matches!(c,
        '\u{20a0}'..='\u{20c0}' | '\u{2100}'..='\u{214f}' | '\u{2190}'..='\u{23ff}' | '\u{25a0}'..='\u{27bf}'
        | '\u{27f0}'..='\u{27ff}' | '\u{2900}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

const ESCAPE: u8 = 0x1b;

/// The length of the escape sequence at the front: colours (`ESC [ 31 m`), links and titles (`ESC ] … BEL`).
fn escape(bytes: &[u8]) -> usize {
    /// The longest one that is skipped.
    const MAX: usize = 512;
    let bytes = &bytes[..bytes.len().min(MAX)];
    match bytes.get(1) {
        Some(b'[') => {
            let rest = &bytes[2..];
            let count = rest.iter().take_while(|byte| matches!(byte, 0x20..=0x3f)).count();
            2 + count + usize::from(rest.get(count).is_some_and(|last| matches!(last, 0x40..=0x7e)))
        }
        Some(b']') => {
            let bell = memchr::memchr(0x07, bytes).map(|at| at + 1);
            let other = memchr::memmem::find(bytes, b"\x1b\\").map(|at| at + 2);
            bell.into_iter().chain(other).min().unwrap_or(2)
        }
        Some(0x40..=0x7e) => 2,
        _ => 1,
    }
}

/// The most parts of a name.
const PARTS_MAX: usize = 8;
/// The shortest part that can be found, in bytes.
const PART_MIN: usize = 2;

/// Passes on what a name in camel case can be found by besides the whole: each of its parts, and each ending of several of
/// them, with its place. `HTTPSConnectionPool` has `https`, `connection`, `connectionpool` and `pool`.
pub fn parts(name: &str, mut emit: impl FnMut(&str, usize, usize)) {
    let bytes = name.as_bytes();
    let is_camel = bytes.len() <= WORD_MAX
        && bytes.iter().all(u8::is_ascii_alphanumeric)
        && bytes.iter().any(u8::is_ascii_lowercase)
        && bytes[1..].iter().any(u8::is_ascii_uppercase);
    if !is_camel {
        return;
    }
    let upper = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_uppercase);
    let lower = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_lowercase);
    let begins = |at: usize| upper(at) && (!upper(at - 1) || lower(at + 1));
    let mut starts = vec![0];
    starts.extend((1..bytes.len()).filter(|at| begins(*at)).take(PARTS_MAX - 1));
    if starts.len() < 2 {
        return;
    }
    let text = name.to_ascii_lowercase();
    for (index, start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).copied().unwrap_or(name.len());
        for end in if index > 0 && end < name.len() { vec![end, name.len()] } else { vec![end] } {
            if end - start >= PART_MIN {
                emit(&text[*start..end], *start, end);
            }
        }
    }
}

/// The fewest and the most bytes of signs that can be searched for.
const SIGNS: std::ops::RangeInclusive<usize> = 2..=8;

/// Passes on signs of ASCII that stand alone, such as `->` and `!=`, and [`symbols`], with their places.
pub fn signs(text: &str, mut emit: impl FnMut(&str, usize, usize)) {
    let mut start = 0;
    for part in text.split_inclusive(char::is_whitespace) {
        let whole = part.trim_end_matches(char::is_whitespace);
        let bare = without_escapes(whole);
        let bare = bare.trim_matches('"');
        if SIGNS.contains(&bare.len()) && is_signs(bare) {
            emit(bare, start, start + whole.len());
        }
        start += part.len();
    }
    symbols(text, emit);
}

/// Passes on each symbol beyond ASCII, such as an emoji, with its place.
pub fn symbols(text: &str, mut emit: impl FnMut(&str, usize, usize)) {
    if text.is_ascii() {
        return;
    }
    let mut spelled = String::new();
    for (at, c) in text.char_indices().filter(|(_, c)| is_symbol(*c) && !c.is_alphanumeric()) {
        let end = at + c.len_utf8();
        spelled.clear();
        normalise(&text[at..end], WORD_MAX, |_| true, &mut spelled);
        if !spelled.is_empty() {
            emit(&spelled, at, end);
        }
    }
}

/// Whether there is nothing but signs of ASCII.
pub fn is_signs(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_punctuation())
}

/// Passes on all that a text can be found by, each with the number of the word at whose place it stands.
pub fn indexed(text: &str, mut emit: impl FnMut(&str, usize)) {
    let (mut count, mut ends) = (0, Vec::new());
    words(text, |word, start, end| {
        emit(word, count);
        if end - start == word.len() && word.as_bytes() != &text.as_bytes()[start..end] {
            parts(&text[start..end], |part, _, _| emit(part, count));
        }
        ends.push(end);
        count += 1;
    });
    signs(text, |sign, start, _| {
        let before = ends.partition_point(|end| *end <= start);
        emit(sign, before.saturating_sub(1));
    });
}

/// Scripts that are written without spaces (Han, Hiragana, Katakana, Bopomofo, Yi, Thai, Lao, Khmer, Myanmar, Tai, Balinese,
/// Javanese), and Hangul.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1100}'..='\u{11ff}' | '\u{1780}'..='\u{17ff}'
        | '\u{1950}'..='\u{19ff}' | '\u{1a20}'..='\u{1aad}' | '\u{1b00}'..='\u{1b7f}'
        | '\u{2e80}'..='\u{2fdf}' | '\u{3005}'..='\u{3007}' | '\u{3021}'..='\u{3029}' | '\u{3031}'..='\u{30ff}'
        | '\u{3100}'..='\u{312f}' | '\u{3130}'..='\u{318f}' | '\u{31a0}'..='\u{31bf}'
        | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{9fff}' | '\u{a000}'..='\u{a4cf}' | '\u{a960}'..='\u{a9fe}'
        | '\u{aa60}'..='\u{aadf}' | '\u{ac00}'..='\u{d7fb}'
        | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ffdc}' | '\u{1aff0}'..='\u{1b16f}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests;
