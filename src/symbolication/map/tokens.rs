//! Mappings as blocks of varint differences, and the search through them.
//!
//! A block contains [`BLOCK`] tokens and can be read by itself: it starts from the position in its index
//! entry and from zeros for everything else. Each token is
//!
//! ```text
//! head   varint: column difference << 3 | kind      (kind LINE: line difference << 3 | 4)
//! kind   0 no source   1 same source and line: column
//!        2 same source: line, column        3: source, line, column
//!        5, 6, 7 the same as 1, 2, 3, followed by the name
//! ```
//!
//! where source, line, column and name are zigzag differences from the last value of their kind.

use super::format::{INDEX_ENTRY, NONE, read_u32, read_varint, unzigzag, write_varint, zigzag};

/// Tokens per block. From 16 to 64, look-ups are about equally fast (the index search grows as the block
/// shrinks); 32 keeps the index below 10 % of the tokens.
const BLOCK: usize = 32;
const LINE: u64 = 4;
const NAMED: u64 = 4;

/// One mapping, all numbers 0-based. `source` is `NONE` for code without a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) source: u32,
    pub(super) source_line: u32,
    pub(super) source_column: u32,
    pub(super) name: u32,
}

impl Token {
    pub(super) fn position(&self) -> (u32, u32) {
        (self.line, self.column)
    }
}

/// The values to which differences are relative.
#[derive(Debug, Clone, Copy, Default)]
struct State {
    line: u32,
    column: u32,
    source: u32,
    source_line: u32,
    source_column: u32,
    name: u32,
}

/// Writes tokens, which must come in order of their generated position.
#[derive(Debug, Default)]
pub(super) struct TokenWriter {
    /// Encoded bytes not yet taken by [`TokenWriter::drain`].
    pub(super) bytes: Vec<u8>,
    /// The index so far.
    pub(super) index: Vec<u8>,
    pub(super) count: u64,
    drained: usize,
    state: State,
    pending: Option<Token>,
}

impl TokenWriter {
    /// Adds a token; one at the same position as the last replaces it.
    pub(super) fn push(&mut self, token: Token) {
        if let Some(last) = self.pending.replace(token)
            && last.position() != token.position()
        {
            self.write(&last);
        }
    }

    /// Writes the last token.
    pub(super) fn finish(&mut self) {
        if let Some(last) = self.pending.take() {
            self.write(&last);
        }
    }

    /// Passes the encoded bytes on and continues with an empty buffer.
    pub(super) fn drain<E>(&mut self, write: impl FnOnce(&[u8]) -> Result<(), E>) -> Result<(), E> {
        write(&self.bytes)?;
        self.drained += self.bytes.len();
        self.bytes.clear();
        Ok(())
    }

    fn write(&mut self, token: &Token) {
        if self.count.is_multiple_of(BLOCK as u64) {
            self.start_block(token);
        }
        self.count += 1;
        if token.line != self.state.line {
            let lines = u64::from(token.line.wrapping_sub(self.state.line));
            write_varint(&mut self.bytes, lines << 3 | LINE);
            self.state.line = token.line;
            self.state.column = 0;
        }
        let column = u64::from(token.column.wrapping_sub(self.state.column)) << 3;
        self.state.column = token.column;
        if token.source == NONE {
            write_varint(&mut self.bytes, column);
        } else {
            self.write_mapped(token, column);
        }
    }

    fn start_block(&mut self, token: &Token) {
        let offset = (self.drained + self.bytes.len()) as u32;
        self.index.extend_from_slice(&token.line.to_le_bytes());
        self.index.extend_from_slice(&token.column.to_le_bytes());
        self.index.extend_from_slice(&offset.to_le_bytes());
        self.state = State { line: token.line, column: token.column, ..State::default() };
    }

    fn write_mapped(&mut self, token: &Token, column: u64) {
        let (out, state) = (&mut self.bytes, &mut self.state);
        let kind = match (token.source == state.source, token.source_line == state.source_line) {
            (false, _) => 3,
            (true, false) => 2,
            (true, true) => 1,
        };
        let named = if token.name == NONE { 0 } else { NAMED };
        write_varint(out, column | kind | named);
        if kind == 3 {
            write_varint(out, zigzag(state.source, token.source));
        }
        if kind >= 2 {
            write_varint(out, zigzag(state.source_line, token.source_line));
        }
        write_varint(out, zigzag(state.source_column, token.source_column));
        state.source = token.source;
        state.source_line = token.source_line;
        state.source_column = token.source_column;
        if token.name != NONE {
            write_varint(out, zigzag(state.name, token.name));
            state.name = token.name;
        }
    }
}

/// The greatest token at or before a 0-based generated position, on the same line.
#[inline]
pub(super) fn find_token(index: &[u8], tokens: &[u8], line: u32, column: u32) -> Option<Token> {
    let block = find_block(index, line, column)?;
    let entry = block * INDEX_ENTRY;
    let start = read_u32(index, entry + 8)? as usize;
    let end = read_u32(index, entry + INDEX_ENTRY + 8).map_or(tokens.len(), |end| end as usize);
    let state =
        State { line: read_u32(index, entry)?, column: read_u32(index, entry + 4)?, ..State::default() };
    let token = scan_block(tokens.get(start..end)?, state, line, column)?;
    (token.line == line).then_some(token)
}

/// The last block that starts at or before the position.
#[inline]
fn find_block(index: &[u8], line: u32, column: u32) -> Option<usize> {
    let (mut low, mut high) = (0, index.len() / INDEX_ENTRY);
    while low < high {
        let middle = low + (high - low) / 2;
        let at = middle * INDEX_ENTRY;
        match (read_u32(index, at)?, read_u32(index, at + 4)?) <= (line, column) {
            true => low = middle + 1,
            false => high = middle,
        }
    }
    low.checked_sub(1)
}

/// The last token of the block at or before the position. `None` on damaged bytes.
#[inline]
fn scan_block(block: &[u8], mut state: State, line: u32, column: u32) -> Option<Token> {
    let mut found = None;
    let mut at = 0;
    while at < block.len() {
        let head = read_varint(block, &mut at)?;
        let (kind, value) = (head & 7, (head >> 3) as u32);
        if kind == LINE {
            state.line = state.line.wrapping_add(value);
            state.column = 0;
            continue;
        }
        state.column = state.column.wrapping_add(value);
        if (state.line, state.column) > (line, column) {
            break;
        }
        found = Some(read_token(block, &mut at, kind, &mut state)?);
    }
    found
}

#[inline(always)]
fn read_token(block: &[u8], at: &mut usize, kind: u64, state: &mut State) -> Option<Token> {
    let State { line, column, .. } = *state;
    if kind == 0 {
        let none = (NONE, 0, 0, NONE);
        let (source, source_line, source_column, name) = none;
        return Some(Token { line, column, source, source_line, source_column, name });
    }
    let fields = kind & 3;
    if fields == 3 {
        state.source = unzigzag(state.source, read_varint(block, at)?);
    }
    if fields >= 2 {
        state.source_line = unzigzag(state.source_line, read_varint(block, at)?);
    }
    state.source_column = unzigzag(state.source_column, read_varint(block, at)?);
    let mut name = NONE;
    if kind & NAMED != 0 {
        state.name = unzigzag(state.name, read_varint(block, at)?);
        name = state.name;
    }
    Some(Token {
        line,
        column,
        source: state.source,
        source_line: state.source_line,
        source_column: state.source_column,
        name,
    })
}
