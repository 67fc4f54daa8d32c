//! The part of a conversion that writes sources: text, line starts, scopes, one at a time.

use std::io::Write;

use super::budget::Budget;
use super::error::MapError;
use super::format::SourceRecord;
use super::json::{Part, text};
use super::lines::line_starts;
use super::paths::file_name;
use super::scopes::{ScopeFinder, Scopes};
use super::sink::Sink;
use super::strings::{Strings, check};

/// The most bytes of all file names together. `sourceRoot` is repeated in each, so this needs its own limit;
/// 30,000 real names take 3 MB.
const MAX_NAME_BYTES: usize = 32 << 20;
/// Line starts are written in pieces of this many bytes.
const CHUNK: usize = 64 << 10;

/// Writes the sources of all parts.
#[derive(Default)]
pub(super) struct SourceWriter {
    pub(super) records: Vec<u8>,
    pub(super) count: usize,
    pub(super) with_content: usize,
    pub(super) functions: usize,
    pub(super) unparsed: usize,
    name_bytes: usize,
    finder: ScopeFinder,
}

impl SourceWriter {
    pub(super) fn write_part<W: Write>(
        &mut self,
        part: &Part<'_>,
        strings: &mut Strings,
        budget: &Budget,
        sink: &mut Sink<'_, W>,
    ) -> Result<(), MapError> {
        for (i, source) in part.sources.iter().enumerate() {
            let file = match source.and_then(text) {
                Some(source) => file_name(&part.root, &source),
                None => String::new(),
            };
            self.name_bytes += file.len();
            check("bytes of file names", MAX_NAME_BYTES, self.name_bytes)?;
            let mut record = SourceRecord {
                name_start: strings.bytes.len() as u32,
                name_len: file.len() as u32,
                ..Default::default()
            };
            strings.push(&file);
            if let Some(content) = part.contents.get(i).copied().flatten().and_then(text) {
                self.write_content(&content, &file, &mut record, strings, budget, sink)?;
            }
            record.encode(&mut self.records);
            self.count += 1;
        }
        Ok(())
    }

    fn write_content<W: Write>(
        &mut self,
        content: &str,
        file: &str,
        record: &mut SourceRecord,
        strings: &mut Strings,
        budget: &Budget,
        sink: &mut Sink<'_, W>,
    ) -> Result<(), MapError> {
        let scopes = self.finder.find(file, content, strings, budget);
        strings.check_interned(budget.function_name_bytes)?;
        self.with_content += 1;
        self.unparsed += usize::from(scopes.is_none());
        let scopes: Scopes = scopes.unwrap_or_default();
        self.functions += scopes.functions;
        record.has_content = 1;
        record.text_start = sink.put(content.as_bytes())?.start as u64;
        record.text_len = content.len() as u32;
        record.line_count = write_lines(content, sink)?;
        record.scope_count = (scopes.bytes.len() / super::format::SCOPE_ENTRY) as u32;
        sink.put(&scopes.bytes)?;
        Ok(())
    }
}

fn write_lines<W: Write>(content: &str, sink: &mut Sink<'_, W>) -> Result<u32, MapError> {
    let mut chunk = Vec::new();
    let mut count = 0;
    for start in line_starts(content) {
        count += 1;
        chunk.extend_from_slice(&start.to_le_bytes());
        if chunk.len() >= CHUNK {
            sink.put(&chunk)?;
            chunk.clear();
        }
    }
    sink.put(&chunk)?;
    Ok(count)
}
