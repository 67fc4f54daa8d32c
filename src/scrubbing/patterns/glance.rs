//! What a text may contain, judging by its bytes: most texts lack the bytes that a secret needs, and this
//! scan costs about a cycle per byte.

/// The shortest text that may contain a secret, in bytes: `pin=1`.
const LEAST: usize = 5;
/// The shortest secret other than a named value, in bytes: `Basic dTpwYXNz`.
const LEAST_UNNAMED: usize = 14;

const SEPARATOR: u8 = 1;
const SCHEME: u8 = 2;
const MARK: u8 = 4;
const AT: u8 = 8;

/// What there may be. It may claim too much, never too little.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Glance(u8);

impl Glance {
    pub(super) fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        match bytes.len() {
            ..LEAST => Self(0),
            LEAST..LEAST_UNNAMED => Self(short(bytes)),
            _ => Self(bytes_of(bytes)),
        }
    }

    #[cfg(test)]
    pub(super) const ALL: Self = Self(SEPARATOR | SCHEME | MARK | AT);

    /// `:`, `=` or `[`: a named value, or a URL.
    pub(super) fn separators(self) -> bool {
        self.0 & SEPARATOR != 0
    }

    /// `b` or `B`: `Bearer` and `Basic`.
    pub(super) fn schemes(self) -> bool {
        self.0 & SCHEME != 0
    }

    /// `_`, `-`, `I` or `J`: every token has one of them, and so have private keys.
    pub(super) fn marks(self) -> bool {
        self.0 & MARK != 0
    }

    /// `@`: the user of a URL.
    pub(super) fn users(self) -> bool {
        self.0 & AT != 0
    }
}

/// Sixteen bytes at once, written so that the compiler uses one instruction for all of them in each step.
fn bytes_of(bytes: &[u8]) -> u8 {
    let Some(last) = bytes.last_chunk::<16>() else { return SEPARATOR | SCHEME | MARK | AT };
    let mut found = [0; 16];
    for chunk in bytes.as_chunks::<16>().0 {
        add(&mut found, chunk);
    }
    add(&mut found, last);
    let found = u128::from_ne_bytes(found);
    let found = found | found >> 64;
    let found = found | found >> 32;
    let found = found | found >> 16;
    (found | found >> 8) as u8
}

#[inline]
fn add(found: &mut [u8; 16], chunk: &[u8; 16]) {
    for at in 0..16 {
        found[at] |= kinds(chunk[at]);
    }
}

#[inline]
fn kinds(byte: u8) -> u8 {
    let is = |other: u8| u8::from(byte == other);
    let separator = is(b':') | is(b'=') | is(b'[');
    let scheme = u8::from(byte | 0x20 == b'b');
    let mark = is(b'_') | is(b'-') | is(b'I') | is(b'J');
    (separator * SEPARATOR) | (scheme * SCHEME) | (mark * MARK) | (is(b'@') * AT)
}

/// A flag may have a value in a short text, too: `--pin 123456`.
fn short(bytes: &[u8]) -> u8 {
    let has_separator = bytes.iter().any(|byte| matches!(byte, b':' | b'=' | b'['));
    let mark = if bytes.contains(&b'-') { MARK } else { 0 };
    mark | if has_separator { SEPARATOR | AT } else { 0 }
}
