//! The `mappings` string: base64 VLQ, decoded and checked segment by segment.

use super::error::MapError;
use super::format::NONE;
use super::tokens::Token;

const COMMA: u8 = 0x40;
const SEMICOLON: u8 = 0x41;
const INVALID: u8 = 0xff;
/// Base64 digits by byte; 32 and above carry the continuation bit.
const DIGITS: [u8; 256] = digits();
/// The specification keeps every number within 32 bits, but not in how many digits: zeros may follow.
const MAX_DIGITS: u32 = 12;
const MAX_VALUE: u64 = (1 << 33) - 1;
/// Lines and columns stay below this, so that 1-based ones fit in 32 bits.
const MAX_POSITION: i64 = u32::MAX as i64 - 1;

const fn digits() -> [u8; 256] {
    let mut table = [INVALID; 256];
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut i = 0;
    while i < 64 {
        table[alphabet[i] as usize] = i as u8;
        i += 1;
    }
    table[b',' as usize] = COMMA;
    table[b';' as usize] = SEMICOLON;
    table
}

/// The valid ranges of one map's numbers, and the offsets added to them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Scope {
    /// 0-based generated line and column at which the map starts.
    pub(super) offset: (u32, u32),
    pub(super) sources: u32,
    pub(super) names: u32,
    /// Number of the map's first source and first name within the whole upload.
    pub(super) source_base: u32,
    pub(super) name_base: u32,
}

/// A segment that is wrong; both numbers 1-based.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) line: u64,
    pub(super) segment: u64,
    pub(super) text: String,
    /// Whether its numbers cannot be read, so that the positions of what follows, which add to them, are unknown.
    pub(super) ends: bool,
}

impl Problem {
    /// Why a map of which nothing is usable is refused; `path` is `""` or ` of sections[3].map`.
    pub(super) fn of(self, path: &str) -> MapError {
        let Self { line, segment, text, .. } = self;
        MapError::Mapping { section: path.to_owned(), line, segment, problem: text }
    }
}

/// Calls `emit` with every mapping in the order written, and `flawed` for each segment that is wrong: its position is mapped
/// to nothing, so that the mapping before it does not reach further than it should. Empty segments are skipped.
pub(super) fn decode(
    mappings: &str,
    scope: &Scope,
    mut emit: impl FnMut(Token),
    mut flawed: impl FnMut(Problem),
) {
    let mut cursor = Cursor::new(mappings.as_bytes());
    let mut running = Running::default();
    loop {
        let mut fields = [0; 5];
        let (line, segment) = (cursor.line + 1, cursor.segment + 1);
        let mut problem = |text, ends| flawed(Problem { line, segment, text, ends });
        let end = match cursor.segment(&mut fields) {
            Ok((count, end)) => {
                match running.token(count, &fields, scope, cursor.line) {
                    Ok(token) => {
                        token.into_iter().for_each(&mut emit);
                        if let Some(text) = running.bad_name(count, scope) {
                            problem(text, false);
                        }
                    }
                    Err(text) => {
                        running.nothing(scope, cursor.line).into_iter().for_each(&mut emit);
                        problem(text, false);
                    }
                }
                end
            }
            Err(text) => return problem(text, true),
        };
        match end {
            Some(SEMICOLON) => {
                cursor.line += 1;
                cursor.segment = 0;
                running.column = 0;
            }
            Some(_) => cursor.segment += 1,
            None => return,
        }
    }
}

struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u64,
    segment: u64,
}

impl<'a> Cursor<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, line: 0, segment: 0 }
    }

    /// Reads up to the next `,`, `;` or the end; returns how many numbers there were and what ended them.
    #[inline]
    fn segment(&mut self, fields: &mut [i64; 5]) -> Result<(usize, Option<u8>), String> {
        let mut count = 0;
        let (mut value, mut digits) = (0_u64, 0_u32);
        while let Some(&byte) = self.bytes.get(self.at) {
            self.at += 1;
            let digit = DIGITS[byte as usize];
            if digit >= COMMA {
                if digit == INVALID {
                    return Err(format!("{} is not a base64 digit", show(byte)));
                }
                return whole(digits).map(|()| (count, Some(digit)));
            }
            value |= u64::from(digit & 31) << (5 * digits);
            digits += 1;
            if value > MAX_VALUE || digits > MAX_DIGITS {
                return Err("a number has more than 32 bits".to_owned());
            }
            if digit & 32 != 0 {
                continue;
            }
            if let Some(slot) = fields.get_mut(count) {
                *slot = signed(value);
            }
            count += 1;
            (value, digits) = (0, 0);
        }
        whole(digits).map(|()| (count, None))
    }
}

/// A segment may not end within a number.
fn whole(digits: u32) -> Result<(), String> {
    match digits {
        0 => Ok(()),
        _ => Err("the last number is cut short".to_owned()),
    }
}

#[inline]
fn signed(value: u64) -> i64 {
    let magnitude = (value >> 1) as i64;
    if value & 1 == 0 { magnitude } else { -magnitude }
}

fn show(byte: u8) -> String {
    match byte.is_ascii_graphic() {
        true => format!("'{}'", byte as char),
        false => format!("byte 0x{byte:02x}"),
    }
}

/// The running values to which each segment adds.
#[derive(Default)]
struct Running {
    column: i64,
    source: i64,
    source_line: i64,
    source_column: i64,
    name: i64,
}

impl Running {
    #[inline]
    fn token(
        &mut self,
        count: usize,
        fields: &[i64; 5],
        scope: &Scope,
        line: u64,
    ) -> Result<Option<Token>, String> {
        if count == 0 {
            return Ok(None);
        }
        self.column += fields[0];
        if count >= 4 {
            self.add(fields);
        }
        if count > 5 {
            return Err("more than 5 numbers".to_owned());
        }
        if count == 2 || count == 3 {
            return Err(format!("{count} numbers, expected 1, 4 or 5"));
        }
        let column = if line == 0 { i64::from(scope.offset.1) } else { 0 } + self.column;
        let mut token = Token {
            line: position("generated line", i64::from(scope.offset.0) + line as i64)?,
            column: position("generated column", column)?,
            source: NONE,
            source_line: 0,
            source_column: 0,
            name: NONE,
        };
        if self.column < 0 {
            return Err(format!("generated column {} is negative", self.column));
        }
        if count >= 4 {
            self.original(count, scope, &mut token)?;
        }
        Ok(Some(token))
    }

    /// Deltas accumulate even for segments that turn out to be wrong.
    fn add(&mut self, fields: &[i64; 5]) {
        self.source += fields[1];
        self.source_line += fields[2];
        self.source_column += fields[3];
        self.name += fields[4];
    }

    /// The position of a wrong segment, mapped to nothing; `None` if it is no position.
    fn nothing(&self, scope: &Scope, line: u64) -> Option<Token> {
        let column = if line == 0 { i64::from(scope.offset.1) } else { 0 } + self.column;
        Some(Token {
            line: position("", i64::from(scope.offset.0) + line as i64).ok()?,
            column: position("", column).ok().filter(|_| self.column >= 0)?,
            source: NONE,
            source_line: 0,
            source_column: 0,
            name: NONE,
        })
    }

    #[inline]
    fn original(&self, count: usize, scope: &Scope, token: &mut Token) -> Result<(), String> {
        token.source = scope.source_base + index("source", self.source, scope.sources)?;
        token.source_line = position("original line", self.source_line)?;
        token.source_column = position("original column", self.source_column)?;
        if count == 5 && self.bad_name(count, scope).is_none() {
            token.name = scope.name_base + self.name as u32;
        }
        Ok(())
    }

    /// A name that the map does not have; the position beside it is right.
    #[inline]
    fn bad_name(&self, count: usize, scope: &Scope) -> Option<String> {
        if count == 5 { index("name", self.name, scope.names).err() } else { None }
    }
}

#[inline]
fn position(what: &str, value: i64) -> Result<u32, String> {
    match (0..MAX_POSITION).contains(&value) {
        true => Ok(value as u32),
        false if value < 0 => Err(format!("{what} {value} is negative")),
        false => Err(format!("{what} {value} is beyond {MAX_POSITION}")),
    }
}

#[inline]
fn index(what: &str, value: i64, count: u32) -> Result<u32, String> {
    match (0..i64::from(count)).contains(&value) {
        true => Ok(value as u32),
        false => Err(format!("{what} index {value} is out of range: the map has {count} {what}s")),
    }
}
