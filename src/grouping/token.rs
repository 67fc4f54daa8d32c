//! Distinguishes generated tokens (hashes, ids) from words that people write.

/// Shape of a token, counted in one pass.
#[derive(Clone, Copy, Default)]
struct Shape {
    digits: usize,
    upper: usize,
    lower: usize,
    /// Not a hexadecimal digit.
    beyond_hex: usize,
    /// Changes between digit, upper and lower case from one character to the next; signs part.
    changes: usize,
}

impl Shape {
    fn of(token: &[u8]) -> Self {
        let mut shape = Self::default();
        let mut last = 0;
        for byte in token {
            let class = match byte {
                b'0'..=b'9' => 1,
                b'A'..=b'Z' => 2,
                b'a'..=b'z' => 3,
                _ => 4,
            };
            shape.digits += usize::from(class == 1);
            shape.upper += usize::from(class == 2);
            shape.lower += usize::from(class == 3);
            shape.beyond_hex += usize::from(!byte.is_ascii_hexdigit());
            shape.changes += usize::from(!matches!((last, class), (0 | 4, _) | (_, 4)) && class != last);
            last = class;
        }
        shape
    }

    fn letters(&self) -> usize {
        self.upper + self.lower
    }
}

/// Hexadecimal hashes: 8 digits and more with both letters and figures, 7 (git's short form) if
/// they are well mixed, and 16 and more whatever they are. `facade`, `deadbeef` and `ed25519` are
/// words.
pub(super) fn is_hex_hash(token: &[u8]) -> bool {
    if token.len() < 7 {
        return false;
    }
    let shape = Shape::of(token);
    if shape.beyond_hex > 0 || (shape.upper > 0 && shape.lower > 0) {
        return false;
    }
    let mixed = shape.digits > 0 && shape.letters() > 0;
    token.len() >= 16 || (mixed && (token.len() >= 8 || shape.changes >= 2))
}

/// Ids in more than hexadecimal digits, 12 characters and more, told by how often they change
/// between cases and figures: `01HZY3K9V4…`, `V1StGXR8_Z5jdHi6B-myT`. Long camel-case names change
/// at most at every third character.
pub(crate) fn is_random(token: &[u8]) -> bool {
    if token.len() < 12 {
        return false;
    }
    let shape = Shape::of(token);
    let figures = shape.digits > 0 && shape.letters() > 0;
    (figures && shape.changes >= 4 && shape.changes * 3 >= token.len())
        || (figures && token.len() >= 20 && shape.digits >= 4 && shape.changes >= 6)
        || (token.len() >= 20 && shape.changes * 5 >= token.len() * 2 && mixed_case(&shape))
}

/// Two capitals in five letters, and at least as many small ones: more changes than camel case has.
fn mixed_case(shape: &Shape) -> bool {
    shape.upper.min(shape.lower) * 5 >= shape.letters() * 2
}

/// Whether eight characters of base64url (Vite, Rollup), base32 in capitals (esbuild), or hex are a
/// hash and not a word, such as `validate`, `Settings`, `UserCard`, `section3` and `v2-setup`.
///
/// Of random base64url, 1.5 % pass for words (a test measures it).
pub(super) fn is_eight_hash(token: &[u8]) -> bool {
    let shape = Shape::of(token);
    let signs = token.len() - shape.digits - shape.letters();
    if token.len() != 8 || (shape.upper == 0 && shape.digits == 0) {
        return false;
    }
    if signs > 0 {
        return !token.split(|byte| is_sign(*byte)).all(is_plain_part);
    }
    // Names are not written in capitals only, but base32 is.
    (shape.lower == 0 && shape.upper > 0) || !is_wordy(token)
}

fn is_sign(byte: u8) -> bool {
    matches!(byte, b'-' | b'_')
}

/// A part between the dashes of a name: `setup`, `Setup`, `US`, `12`, `v2`, `b2b`, `3d`.
fn is_plain_part(part: &[u8]) -> bool {
    let shape = Shape::of(part);
    if shape.digits > 0 {
        let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
        let (first, last) = (digit(part.first()), digit(part.last()));
        let cased = shape.upper == 0 || (shape.letters() == 1 && last);
        return cased && shape.digits <= 2 && shape.changes <= 2 && !(first && last && shape.changes > 0);
    }
    match part.len() {
        0 => false,
        1..=3 => shape.upper == 0 || shape.lower == 0 || part[1..].iter().all(u8::is_ascii_lowercase),
        _ => word(part) == Some(part.len()) && shape.lower > 0,
    }
}

/// Whether a token looks like a name that a person chose: words of three letters or more, several of them in
/// camel case (`UserCard`), possibly with an abbreviation (`HTMLView`), or one word with a number
/// (`section3`, `2columns`).
fn is_wordy(token: &[u8]) -> bool {
    let mut rest = token;
    let (mut words, mut short, mut numbers) = (0, 0, 0);
    while let Some(first) = rest.first() {
        let length = if first.is_ascii_digit() {
            numbers += 1;
            run(rest, u8::is_ascii_digit)
        } else if let Some(length) = word(rest) {
            words += 1;
            length
        } else if let Some(length) = abbreviation(rest) {
            short += 1;
            length
        } else {
            return false;
        };
        rest = &rest[length..];
    }
    match numbers {
        0 => short <= 1,
        1 => words + short <= 1,
        _ => false,
    }
}

/// Length of the word at the start, if there is one: three letters or more, with a vowel, and no four
/// consonants in a row.
fn word(text: &[u8]) -> Option<usize> {
    let upper = run(text, u8::is_ascii_uppercase);
    let length = upper + run(&text[upper..], u8::is_ascii_lowercase);
    let word = &text[..length];
    let vowel = |byte: &u8| b"aeiouyAEIOUY".contains(byte);
    let spoken = word.iter().any(vowel) && !word.windows(4).any(|four| !four.iter().any(vowel));
    (upper <= 1 && length >= 3 && spoken).then_some(length)
}

/// Length of two to four capitals at the front; before small letters the last one begins the next
/// word.
fn abbreviation(text: &[u8]) -> Option<usize> {
    let upper = run(text, u8::is_ascii_uppercase);
    let word_follows = text.get(upper).is_some_and(u8::is_ascii_lowercase);
    let length = upper - usize::from(word_follows && upper > 0);
    (2..=4).contains(&length).then_some(length)
}

fn run(text: &[u8], is: fn(&u8) -> bool) -> usize {
    text.iter().take_while(|byte| is(byte)).count()
}

/// Length of the UUID at the front; what follows must not go on with the word.
pub(crate) fn uuid(text: &[u8]) -> Option<usize> {
    const LENGTH: usize = 36;
    let candidate = text.get(..LENGTH)?;
    let fits = candidate.iter().enumerate().all(|(at, byte)| match at {
        8 | 13 | 18 | 23 => *byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    });
    let ends = !text.get(LENGTH).is_some_and(u8::is_ascii_alphanumeric);
    (fits && ends).then_some(LENGTH)
}

/// A version of three parts and more, with or without `v`: `1.4.2`, `v2.0.0-beta.1`.
pub(super) fn is_version(token: &[u8]) -> bool {
    let token = token.strip_prefix(b"v").unwrap_or(token);
    let core = token.split(|byte| matches!(byte, b'-' | b'+' | b'_')).next().unwrap_or_default();
    let mut parts = 0;
    for part in core.split(|byte| *byte == b'.') {
        parts += 1;
        if part.is_empty() || !part.iter().all(u8::is_ascii_digit) {
            return false;
        }
    }
    parts >= 3
}
