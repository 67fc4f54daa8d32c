//! What varies in a message, by its shape.

use crate::grouping::pattern;
use crate::grouping::token::is_random;

/// The longest word, in letters; longer ones are data.
const WORD_MAX: usize = 64;

/// The start of a word, which stays or becomes a placeholder.
pub(super) enum Part {
    Same(usize),
    Placeholder(usize, &'static str),
}

fn run(text: &[u8], is: impl Fn(u8) -> bool) -> usize {
    text.iter().take_while(|byte| is(**byte)).count()
}

fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic()
}

/// Length of something that already is a placeholder, or looks like one.
pub(super) fn placeholder(text: &[u8]) -> Option<usize> {
    let name = run(&text[1..text.len().min(40)], |byte| is_letter(byte) || byte == b'_');
    (name > 0 && text.get(name + 1) == Some(&b'}')).then_some(name + 2)
}

/// The first part, up to `_`, of a word of `length` bytes.
pub(super) fn part(text: &[u8], length: usize) -> Part {
    let piece = run(&text[..length], |byte| byte != b'_');
    if piece == 0 {
        return Part::Same(run(&text[..length], |byte| byte == b'_'));
    }
    let word = &text[..piece];
    if piece <= WORD_MAX && word.iter().all(u8::is_ascii_digit) {
        let (length, placeholder) = number(text).unwrap_or((piece, "{number}"));
        return Part::Placeholder(length, placeholder);
    }
    if is_hash(word) {
        return Part::Placeholder(piece, "{hash}");
    }
    if word.len() > WORD_MAX || is_random(word) || is_mixed(word) {
        return Part::Placeholder(piece, "{id}");
    }
    if word[0].is_ascii_digit() {
        return match number(text) {
            Some((length, placeholder)) => Part::Placeholder(length, placeholder),
            None => Part::Same(piece),
        };
    }
    Part::Same(run(word, is_letter))
}

/// Hexadecimal in one case, with digits and letters: 8 characters or more, or 6 that do not look like a name
/// with a number (`db1234`); from 16, letters alone are enough.
fn is_hash(word: &[u8]) -> bool {
    if word.len() < 6 || !word.iter().all(u8::is_ascii_hexdigit) {
        return false;
    }
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    let capitals = word.iter().filter(|byte| byte.is_ascii_uppercase()).count();
    let letters = word.len() - digits;
    let is_named = run(word, is_letter) == letters;
    let is_mixed = digits > 0 && letters > 0;
    let one_case = capitals == 0 || capitals == letters;
    // `12e5` and the like are numbers, of any length.
    let is_number = is_mixed && pattern::number(word) == Some(word.len());
    one_case && !is_number && letters > 0 && (word.len() >= 16 || is_mixed && (word.len() >= 8 || !is_named))
}

/// Letters and digits that alternate at least twice, as in no word that people write: `x2x4z`, `a1b2`.
fn is_mixed(word: &[u8]) -> bool {
    let changes = word.windows(2).filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit()).count();
    changes >= 3 || (changes == 2 && !word[0].is_ascii_digit())
}

/// An id of letters in both cases, digits and signs: `V1StGXR8_Z5jdHi6B-myT`.
pub(super) fn made_id(text: &[u8]) -> Option<usize> {
    let length =
        run(&text[..text.len().min(65)], |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    // `cus_…`: the prefix that names the kind of id stays.
    let head = run(text, |byte| byte.is_ascii_lowercase());
    if !(20..=64).contains(&length) || (head <= 6 && text.get(head) == Some(&b'_')) {
        return None;
    }
    let (mut classes, mut changes, mut last) = (0_u8, 0, 0);
    for byte in &text[..length] {
        let class = match byte {
            b'0'..=b'9' => 1,
            b'A'..=b'Z' => 2,
            b'a'..=b'z' => 4,
            _ => 0,
        };
        classes |= class;
        changes += usize::from(class != 0 && last != 0 && class != last);
        last = class;
    }
    (classes == 7 && changes * 5 >= length * 2).then_some(length)
}

/// The endings of pod names: 8 to 10 characters that are not words, then 5.
pub(super) fn is_pod_part(word: &[u8]) -> bool {
    matches!(word.len(), 5 | 8..=10) && word.iter().all(|byte| b"bcdfghjklmnpqrstvwxz2456789".contains(byte))
}

/// Length and placeholder of a number with its unit; `None` if letters follow that are not a unit, so that
/// the number is better handled alone.
pub(super) fn number(text: &[u8]) -> Option<(usize, &'static str)> {
    let length = pattern::number(text)?;
    let unit = unit(&text[length..]);
    match unit {
        Some((unit, "{duration}")) => Some((duration(text, length + unit), "{duration}")),
        Some((unit, placeholder)) => Some((length + unit, placeholder)),
        None => Some((length, "{number}")),
    }
}

/// Length and kind of a unit that makes up the rest of a word; digits may follow minutes and hours (`1h30m`).
fn unit(text: &[u8]) -> Option<(usize, &'static str)> {
    let length = run(text, |byte| is_letter(byte) || byte >= 0x80);
    let (word, next) = (&text[..length], text.get(length));
    let kind = match word {
        b"s" | b"ms" | b"us" | b"\xc2\xb5s" | b"\xce\xbcs" | b"ns" | b"m" | b"h" | b"d" => "{duration}",
        b"min" | b"mins" | b"sec" | b"secs" => "{duration}",
        b"B" | b"b" | b"k" | b"K" | b"M" | b"G" | b"T" | b"kB" | b"KB" | b"MB" | b"GB" | b"TB" => "{size}",
        b"Ki" | b"Mi" | b"Gi" | b"Ti" | b"KiB" | b"MiB" | b"GiB" | b"TiB" => "{size}",
        b"st" | b"nd" | b"rd" | b"th" => "{number}",
        _ => return None,
    };
    let goes_on = next.is_some_and(|byte| is_digit(*byte) || *byte == b'_');
    (!goes_on || (kind == "{duration}" && next.is_some_and(|byte| is_digit(*byte)))).then_some((length, kind))
}

/// The end of a duration of several units: `1m30.5s`.
fn duration(text: &[u8], mut end: usize) -> usize {
    while let Some(length) = pattern::number(&text[end..])
        && let Some((unit, "{duration}")) = unit(&text[end + length..])
    {
        end += length + unit;
    }
    end
}

/// Names with digits that stay. In addition: `v` with up to three digits, and versions after `HTTP/`.
pub(super) const NAMES: [&[u8]; 72] = [
    b"2fa",
    b"2xx",
    b"3d",
    b"3xx",
    b"4xx",
    b"5xx",
    b"a11y",
    b"aarch64",
    b"aes128",
    b"aes192",
    b"aes256",
    b"amd64",
    b"arm64",
    b"b2b",
    b"base32",
    b"base58",
    b"base64",
    b"bcrypt2",
    b"blake2",
    b"blake3",
    b"brotli11",
    b"bzip2",
    b"chacha20",
    b"crc32",
    b"ec2",
    b"ed25519",
    b"es256",
    b"es5",
    b"es6",
    b"ext4",
    b"float32",
    b"float64",
    b"fp16",
    b"fp32",
    b"h264",
    b"h265",
    b"hs256",
    b"http1",
    b"http2",
    b"http3",
    b"i18n",
    b"int16",
    b"int32",
    b"int64",
    b"ipv4",
    b"ipv6",
    b"iso8601",
    b"k8s",
    b"l10n",
    b"log4j",
    b"lz4",
    b"md5",
    b"mp3",
    b"mp4",
    b"neo4j",
    b"oauth2",
    b"p2p",
    b"pbkdf2",
    b"poly1305",
    b"rs256",
    b"s3",
    b"sha1",
    b"sha256",
    b"sha384",
    b"sha512",
    b"ssh2",
    b"uint32",
    b"uint64",
    b"utf16",
    b"utf8",
    b"win32",
    b"x509",
];

/// Whether a word with digits at the start of `text` is a name. `left` precedes it.
pub(super) fn is_name(text: &[u8], length: usize, left: &[u8]) -> bool {
    let word = &text[..length];
    if word.iter().all(u8::is_ascii_digit) && left.ends_with(b"HTTP/") {
        return length == 1 && text.get(1) != Some(&b'.');
    }
    if length > 8 || word.iter().all(u8::is_ascii_digit) {
        return false;
    }
    if let [b'v' | b'V', digits @ ..] = word {
        let dotted = text.get(length) == Some(&b'.') && text.get(length + 1).is_some_and(u8::is_ascii_digit);
        return (1..=3).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit) && !dotted;
    }
    let mut lower = [0; 8];
    let Some(lower) = lower.get_mut(..length) else { return false };
    lower.copy_from_slice(word);
    lower.make_ascii_lowercase();
    NAMES.binary_search(&&*lower).is_ok()
}

/// Whether the values of a key say what happened, rather than to whom.
pub(super) fn is_telling(key: &[u8]) -> bool {
    const KEYS: [&[u8]; 22] = [
        b"action",
        b"code",
        b"component",
        b"err",
        b"error",
        b"event",
        b"kind",
        b"level",
        b"logger",
        b"lvl",
        b"message",
        b"method",
        b"module",
        b"msg",
        b"op",
        b"reason",
        b"service",
        b"severity",
        b"state",
        b"status",
        b"type",
        b"verb",
    ];
    KEYS.binary_search(&key).is_ok()
}

/// Length of a value after `=`, up to white space or the end of a list item; `None` if it opens a structure.
pub(super) fn value(text: &[u8]) -> Option<usize> {
    let ends = |byte: u8| byte.is_ascii_whitespace() || b"\"'`,;&()[]{}<>|=".contains(&byte);
    let length = run(text, |byte| !ends(byte));
    let length = length.max(pattern::url(text).unwrap_or(0)).max(pattern::number(text).unwrap_or(0));
    let tail = text[..length].iter().rev().take_while(|byte| b".:!?".contains(byte)).count();
    (length > tail).then_some(length - tail)
}

/// Whether it is worth looking for a date in a word of `length` bytes.
pub(super) fn may_be_date(text: &[u8], length: usize) -> bool {
    if !text[0].is_ascii_digit() {
        return is_date_name(&text[..length]);
    }
    match &text[length..] {
        [b'-' | b'/' | b'.' | b':', ..] => length <= 4,
        [b' ', next, ..] => length <= 2 && next.is_ascii_uppercase(),
        _ => false,
    }
}

/// Length of a network or memory address, in a word of `length` bytes.
pub(super) fn address(text: &[u8], length: usize) -> Option<usize> {
    match text {
        [b'0', b'x' | b'X', ..] => pattern::pointer(text),
        [b'0'..=b'9', ..] if length <= 3 && text.get(length) == Some(&b'.') => pattern::ipv4(text),
        _ => None,
    }
}

/// Whether a word is the name of a day or month, as in dates.
pub(super) fn is_date_name(word: &[u8]) -> bool {
    let [a @ b'A'..=b'Z', b, c, ..] = word else { return false };
    word.len() <= 9
        && matches!(
            &[*a, *b, *c],
            b"Mon"
                | b"Tue"
                | b"Wed"
                | b"Thu"
                | b"Fri"
                | b"Sat"
                | b"Sun"
                | b"Jan"
                | b"Feb"
                | b"Mar"
                | b"Apr"
                | b"May"
                | b"Jun"
                | b"Jul"
                | b"Aug"
                | b"Sep"
                | b"Oct"
                | b"Nov"
                | b"Dec"
        )
}

/// Date formats found only in logs: `10/Oct/2023:13:55:36 +0000` and `Oct 10 13:55:36`.
pub(super) fn log_date(text: &[u8]) -> Option<usize> {
    fits(text, b"00/Aaa/0000:00:00:00").or_else(|| fits(text, b"Aaa _0 00:00:00")).map(|end| {
        let zone = text.get(end..end + 6).filter(
            |zone| matches!(zone, [b' ', b'+' | b'-', digits @ ..] if digits.iter().all(u8::is_ascii_digit)),
        );
        end + zone.map_or(0, <[u8]>::len)
    })
}

/// Length of a format: `0` is a digit, `_` a digit or space, `Aaa` a month; anything else stands for itself.
fn fits(text: &[u8], form: &[u8]) -> Option<usize> {
    let candidate = text.get(..form.len())?;
    let same = candidate.iter().zip(form).all(|(byte, form)| match form {
        b'0' => is_digit(*byte),
        b'_' => is_digit(*byte) || *byte == b' ',
        b'A' => byte.is_ascii_uppercase(),
        b'a' => byte.is_ascii_lowercase(),
        _ => byte == form,
    });
    let month = form.iter().position(|byte| *byte == b'A')?;
    let ends = !text.get(form.len()).is_some_and(|byte| is_digit(*byte));
    (same && ends && is_date_name(&candidate[month..month + 3])).then_some(form.len())
}
