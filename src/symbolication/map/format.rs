//! The compact file, version 1. All integers little endian, nothing aligned.
//!
//! ```text
//! HEAD                 8 bytes, so that `file` and people recognize it
//! for each source      text (UTF-8) │ line starts (u32 each) │ scopes (12 bytes each)
//! TOKENS               blocks of 32 mappings, see tokens.rs
//! INDEX                12 bytes a block: generated line and column, offset into TOKENS
//! STRINGS              UTF-8, end to end
//! STRING_ENDS          u32 a string: its end in STRINGS
//! SOURCES              32 bytes a source, see SourceRecord
//! trailer              132 bytes: where the sections are, version, length, checksum, magic
//! ```
//!
//! The section table is a trailer, not a header, so that a map is written in one pass to any
//! `Write` and only one source is in memory at a time.

use std::ops::Range;

/// Changes whenever the meaning of any byte changes; older files are converted again.
pub const VERSION: u32 = 1;
pub(super) const HEAD: &[u8; 8] = b"MDYMAP\r\n";
pub(super) const MAGIC: &[u8; 8] = b"\x89mdymap\n";
pub(super) const SECTIONS: usize = 5;
/// Section ranges, four counts of 8 bytes, version, checksum, magic.
pub(super) const TRAILER_LEN: usize = SECTIONS * 16 + 4 * 8 + 4 + 8 + 8;
/// The checksum covers everything before itself.
pub(super) const UNCHECKED_TAIL: usize = 8 + 8;
pub(super) const INDEX_ENTRY: usize = 12;
pub(super) const SCOPE_ENTRY: usize = 12;
pub(super) const SOURCE_RECORD: usize = 32;
/// No source, no name, no function.
pub(super) const NONE: u32 = u32::MAX;

/// Order of the sections in the trailer.
#[derive(Debug, Clone, Copy)]
pub(super) enum Section {
    Tokens,
    Index,
    Strings,
    StringEnds,
    Sources,
}

/// The decoded trailer: byte ranges of the sections within the file, and counts.
#[derive(Debug, Clone, Default)]
pub(super) struct Trailer {
    pub(super) sections: [Range<usize>; SECTIONS],
    pub(super) token_count: u64,
    pub(super) function_count: u64,
    pub(super) content_count: u64,
    pub(super) total_len: u64,
    pub(super) version: u32,
    pub(super) checksum: u64,
}

impl Trailer {
    /// Bytes up to the checksum, which the caller computes over the whole file and appends.
    pub(super) fn encode_checked_part(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(TRAILER_LEN);
        for range in &self.sections {
            out.extend_from_slice(&(range.start as u64).to_le_bytes());
            out.extend_from_slice(&(range.len() as u64).to_le_bytes());
        }
        for count in [self.token_count, self.function_count, self.content_count, self.total_len] {
            out.extend_from_slice(&count.to_le_bytes());
        }
        out.extend_from_slice(&self.version.to_le_bytes());
        out
    }

    /// Reads the trailer of `file`; `None` when it is too short, lacks the magic, or names a
    /// section outside the file.
    pub(super) fn decode(file: &[u8]) -> Option<Self> {
        let at = file.len().checked_sub(TRAILER_LEN)?;
        let bytes = file.get(at..)?;
        if !file.starts_with(HEAD) || !bytes.ends_with(MAGIC) {
            return None;
        }
        let mut trailer = Self::default();
        for (i, range) in trailer.sections.iter_mut().enumerate() {
            let start = usize::try_from(read_u64(bytes, i * 16)?).ok()?;
            let len = usize::try_from(read_u64(bytes, i * 16 + 8)?).ok()?;
            let end = start.checked_add(len).filter(|&end| end <= at)?;
            *range = start..end;
        }
        let counts = SECTIONS * 16;
        trailer.token_count = read_u64(bytes, counts)?;
        trailer.function_count = read_u64(bytes, counts + 8)?;
        trailer.content_count = read_u64(bytes, counts + 16)?;
        trailer.total_len = read_u64(bytes, counts + 24)?;
        trailer.version = read_u32(bytes, counts + 32)?;
        trailer.checksum = read_u64(bytes, counts + 36)?;
        Some(trailer)
    }

    pub(super) fn range(&self, section: Section) -> Range<usize> {
        self.sections[section as usize].clone()
    }
}

/// Where one source's parts are. The line starts follow the text, the scopes follow the lines.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SourceRecord {
    /// The file name's place in STRINGS.
    pub(super) name_start: u32,
    pub(super) name_len: u32,
    /// 1 when the map carries the text (which may be empty).
    pub(super) has_content: u32,
    pub(super) text_start: u64,
    pub(super) text_len: u32,
    pub(super) line_count: u32,
    pub(super) scope_count: u32,
}

impl SourceRecord {
    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.name_start.to_le_bytes());
        out.extend_from_slice(&self.name_len.to_le_bytes());
        out.extend_from_slice(&self.has_content.to_le_bytes());
        out.extend_from_slice(&self.text_start.to_le_bytes());
        out.extend_from_slice(&self.text_len.to_le_bytes());
        out.extend_from_slice(&self.line_count.to_le_bytes());
        out.extend_from_slice(&self.scope_count.to_le_bytes());
    }

    pub(super) fn decode(sources: &[u8], index: usize) -> Option<Self> {
        let at = index.checked_mul(SOURCE_RECORD)?;
        let record = sources.get(at..at.checked_add(SOURCE_RECORD)?)?;
        Some(Self {
            name_start: read_u32(record, 0)?,
            name_len: read_u32(record, 4)?,
            has_content: read_u32(record, 8)?,
            text_start: read_u64(record, 12)?,
            text_len: read_u32(record, 20)?,
            line_count: read_u32(record, 24)?,
            scope_count: read_u32(record, 28)?,
        })
    }

    /// The text's bytes.
    pub(super) fn text<'a>(&self, file: &'a [u8]) -> Option<&'a [u8]> {
        slice(file, usize::try_from(self.text_start).ok()?, self.text_len as usize)
    }

    /// The line starts: offsets into the text, 4 bytes each.
    pub(super) fn lines<'a>(&self, file: &'a [u8]) -> Option<&'a [u8]> {
        slice(file, self.lines_start()?, (self.line_count as usize).checked_mul(4)?)
    }

    /// The scope boundaries, `SCOPE_ENTRY` bytes each.
    pub(super) fn scopes<'a>(&self, file: &'a [u8]) -> Option<&'a [u8]> {
        let start = self.lines_start()?.checked_add((self.line_count as usize).checked_mul(4)?)?;
        slice(file, start, (self.scope_count as usize).checked_mul(SCOPE_ENTRY)?)
    }

    fn lines_start(&self) -> Option<usize> {
        usize::try_from(self.text_start).ok()?.checked_add(self.text_len as usize)
    }
}

fn slice(file: &[u8], start: usize, len: usize) -> Option<&[u8]> {
    file.get(start..start.checked_add(len)?)
}

#[inline]
pub(super) fn read_u32(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

#[inline]
pub(super) fn read_u64(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(8)?)?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}

/// Appends `value` as a varint: 7 bits a byte, low bits first, the high bit says "more".
#[inline]
pub(super) fn write_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push((value as u8) | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Reads a varint of at most 6 bytes (42 bits; the largest written is 35) and moves `at` past it.
#[inline(always)]
pub(super) fn read_varint(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let first = *bytes.get(*at)?;
    *at += 1;
    if first < 0x80 {
        return Some(u64::from(first));
    }
    let mut value = u64::from(first & 0x7f);
    for shift in [7, 14, 21, 28, 35] {
        let byte = *bytes.get(*at)?;
        *at += 1;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

/// Signed difference of two `u32` as an unsigned number, small when the two are close.
#[inline]
pub(super) fn zigzag(from: u32, to: u32) -> u64 {
    let delta = i64::from(to) - i64::from(from);
    ((delta << 1) ^ (delta >> 63)) as u64
}

/// Undoes [`zigzag`]; wraps on damaged input.
#[inline(always)]
pub(super) fn unzigzag(from: u32, value: u64) -> u32 {
    let delta = ((value >> 1) as i64) ^ -((value & 1) as i64);
    from.wrapping_add(delta as u32)
}
