//! Reads a compact file: opens it, looks up positions, and returns the lines around them.

use std::fs::File;
use std::path::Path;

use memmap2::Mmap;
use xxhash_rust::xxh3::xxh3_64;

use super::error::OpenError;
use super::format::{
    INDEX_ENTRY, NONE, SCOPE_ENTRY, Section, SourceRecord, TRAILER_LEN, Trailer, UNCHECKED_TAIL, VERSION,
    read_u32,
};
use super::tokens::find_token;

/// The most lines [`Map::context`] gives on each side.
pub const MAX_CONTEXT: usize = 8;
/// A context line longer than this many bytes is cut (at a character): some "sources" are themselves
/// minified, and an event should not store a megabyte for one line.
const MAX_LINE_BYTES: usize = 64 << 10;

/// An opened compact map. Cheap to share; all methods are reads.
#[derive(Debug)]
pub struct Map {
    file: Mmap,
    trailer: Trailer,
}

/// Index of an original source within its map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(pub u32);

/// An original position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Location<'a> {
    /// The source, with `sourceRoot`, without `webpack://…/` and leading `./` and `../`. Empty if the map has
    /// `null` there.
    pub file: &'a str,
    /// 1-based line.
    pub line: u32,
    /// 1-based column in UTF-16 units.
    pub column: u32,
    /// The function around the position, from the original source's scopes. `None` in top-level code, and if
    /// the map has no usable text of that source.
    pub function: Option<&'a str>,
    /// What the map's `names` call the identifier *at* the position (see the module's head).
    pub identifier: Option<&'a str>,
    /// For [`Map::context`].
    pub source: SourceId,
}

/// Lines around a location, without their line ends.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    lines: [&'a str; 2 * MAX_CONTEXT + 1],
    at: usize,
    len: usize,
    first_line: u32,
}

impl<'a> Context<'a> {
    /// The lines before, oldest first.
    pub fn pre(&self) -> &[&'a str] {
        &self.lines[..self.at]
    }

    /// The line itself.
    pub fn line(&self) -> &'a str {
        self.lines[self.at]
    }

    /// The lines after.
    pub fn post(&self) -> &[&'a str] {
        &self.lines[self.at + 1..self.len]
    }

    /// 1-based number of the first line returned.
    pub fn first_line(&self) -> u32 {
        self.first_line
    }
}

impl Map {
    /// Maps the file and checks length, version and checksum (which reads the file once: about 0.1 ms per MiB
    /// from the page cache).
    ///
    /// The file must never be truncated or overwritten in place while mapped: write a temporary
    /// file and rename it.
    #[allow(unsafe_code)] // See the SAFETY comment.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        let file = File::open(path)?;
        if file.metadata()?.len() < TRAILER_LEN as u64 {
            return Err(OpenError::Damaged("too short"));
        }
        // SAFETY: compact maps are written under a temporary name and renamed into place; nothing in this
        // program truncates or rewrites them, so the mapped bytes stay valid. If someone else changes them,
        // reads see other bytes, and every read below is checked.
        let file = unsafe { memmap2::MmapOptions::new().populate().map(&file)? };
        let trailer = check(&file)?;
        Ok(Self { file, trailer })
    }

    /// The original position of 1-based `line` and `column` of the generated file. `None` if nothing on that
    /// line is mapped at or before the column, or the mapping there says that the code has no source.
    #[inline]
    pub fn lookup(&self, line: u32, column: u32) -> Option<Location<'_>> {
        let (line, column) = (line.checked_sub(1)?, column.checked_sub(1)?);
        let token = find_token(self.section(Section::Index), self.section(Section::Tokens), line, column)?;
        if token.source == NONE {
            return None;
        }
        let record = self.source_record(token.source)?;
        Some(Location {
            file: self.file_name(&record)?,
            line: token.source_line.checked_add(1)?,
            column: token.source_column.checked_add(1)?,
            function: self.function_at(&record, token.source_line, token.source_column),
            identifier: self.string(token.name).filter(|name| !name.is_empty()),
            source: SourceId(token.source),
        })
    }

    /// The location's line with up to `n` (at most [`MAX_CONTEXT`]) lines on each side. `None` if the map has
    /// no text for the source, or the text has too few lines.
    #[inline]
    pub fn context(&self, location: &Location<'_>, n: usize) -> Option<Context<'_>> {
        let record = self.source_record(location.source.0)?;
        if record.has_content == 0 {
            return None;
        }
        let text = record.text(&self.file)?;
        let starts = record.lines(&self.file)?;
        let count = record.line_count as usize;
        let at = location.line.checked_sub(1)? as usize;
        if at >= count {
            return None;
        }
        let n = n.min(MAX_CONTEXT);
        // The text after the last line break is not a context line.
        let ends_with_break =
            count > 1 && read_u32(starts, (count - 1) * 4).is_some_and(|start| start as usize == text.len());
        let last = (count - 1 - usize::from(ends_with_break)).max(at);
        let (first, last) = (at.saturating_sub(n), (at + n).min(last));
        let start = |line: usize| match line < count {
            true => read_u32(starts, line * 4).map(|start| start as usize),
            false => Some(text.len()),
        };
        let mut context = Context {
            lines: [""; 2 * MAX_CONTEXT + 1],
            at: at - first,
            len: last - first + 1,
            first_line: first as u32 + 1,
        };
        let base = start(first)?;
        let block = text.get(base..start(last + 1)?)?;
        // Checking all lines at once is faster than one by one, unless some of them are extremely long.
        let block = (block.len() <= MAX_LINE_BYTES).then(|| std::str::from_utf8(block).ok());
        let mut from = base;
        for (line, slot) in (first..=last).zip(&mut context.lines) {
            let to = start(line + 1)?;
            *slot = match block {
                Some(block) => without_end(block?.get(from - base..to.checked_sub(base)?)?),
                None => cut(text.get(from..to)?)?,
            };
            from = to;
        }
        Some(context)
    }

    /// The number of sources.
    pub fn source_count(&self) -> usize {
        self.section(Section::Sources).len() / super::format::SOURCE_RECORD
    }

    /// The number of mappings.
    pub fn mapping_count(&self) -> u64 {
        self.trailer.token_count
    }

    /// The number of functions found in the sources' scopes.
    pub fn function_count(&self) -> u64 {
        self.trailer.function_count
    }

    /// The number of sources whose text the map contains.
    pub fn content_count(&self) -> u64 {
        self.trailer.content_count
    }

    /// Bytes of the compact file.
    pub fn file_len(&self) -> usize {
        self.file.len()
    }

    /// The file name of each source, in the map's order.
    pub fn sources(&self) -> impl Iterator<Item = (SourceId, &str)> {
        (0..self.source_count() as u32)
            .filter_map(|id| Some((SourceId(id), self.file_name(&self.source_record(id)?)?)))
    }

    /// The whole text of a source; `None` if the map does not contain it.
    pub fn source_text(&self, source: SourceId) -> Option<&str> {
        let record = self.source_record(source.0).filter(|record| record.has_content != 0)?;
        std::str::from_utf8(record.text(&self.file)?).ok()
    }

    fn section(&self, section: Section) -> &[u8] {
        self.file.get(self.trailer.range(section)).unwrap_or_default()
    }

    fn source_record(&self, source: u32) -> Option<SourceRecord> {
        SourceRecord::decode(self.section(Section::Sources), source as usize)
    }

    fn file_name(&self, record: &SourceRecord) -> Option<&str> {
        let start = record.name_start as usize;
        let name = self.section(Section::Strings).get(start..start.checked_add(record.name_len as usize)?)?;
        std::str::from_utf8(name).ok()
    }

    fn string(&self, id: u32) -> Option<&str> {
        let ends = self.section(Section::StringEnds);
        let at = (id as usize).checked_mul(4)?;
        let end = read_u32(ends, at)? as usize;
        let start = match at {
            0 => 0,
            _ => read_u32(ends, at - 4)? as usize,
        };
        std::str::from_utf8(self.section(Section::Strings).get(start..end)?).ok()
    }

    /// The innermost function around a 0-based original position: the last boundary at or before.
    fn function_at(&self, record: &SourceRecord, line: u32, column: u32) -> Option<&str> {
        let scopes = record.scopes(&self.file)?;
        let (mut low, mut high) = (0, record.scope_count as usize);
        while low < high {
            let middle = low + (high - low) / 2;
            let at = middle * SCOPE_ENTRY;
            match (read_u32(scopes, at)?, read_u32(scopes, at + 4)?) <= (line, column) {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        self.string(read_u32(scopes, low.checked_sub(1)? * SCOPE_ENTRY + 8)?)
    }
}

fn check(file: &[u8]) -> Result<Trailer, OpenError> {
    let trailer = Trailer::decode(file).ok_or(OpenError::Damaged("not a compact map"))?;
    if trailer.version != VERSION {
        return Err(OpenError::Version { got: trailer.version, expected: VERSION });
    }
    if trailer.total_len != file.len() as u64 {
        return Err(OpenError::Damaged("the length is not the one it was written with"));
    }
    if !trailer.range(Section::Index).len().is_multiple_of(INDEX_ENTRY) {
        return Err(OpenError::Damaged("the index is cut"));
    }
    let checked = file.len().checked_sub(UNCHECKED_TAIL).and_then(|end| file.get(..end));
    if checked.map(xxh3_64) != Some(trailer.checksum) {
        return Err(OpenError::Damaged("the checksum does not match"));
    }
    Ok(trailer)
}

/// A line without its `\n`, `\r\n` or `\r`.
#[inline]
fn without_end(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line)
}

/// A line without its end, cut to [`MAX_LINE_BYTES`].
fn cut(line: &[u8]) -> Option<&str> {
    let cut = &line[..line.len().min(MAX_LINE_BYTES)];
    match std::str::from_utf8(cut) {
        Ok(text) => Some(without_end(text)),
        // Only the last character may be incomplete.
        Err(error) if cut.len() - error.valid_up_to() < 4 => {
            std::str::from_utf8(&cut[..error.valid_up_to()]).ok()
        }
        Err(_) => None,
    }
}
