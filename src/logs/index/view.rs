//! The index as it is searched: its segments with their columns open, of one commit.

use super::fields::{Fields, ID, KEY, LEVEL, TEMPLATE, key};
use crate::error::{Error, Result};
use crate::ids::ProjectId;
use crate::time::Timestamp;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use tantivy::columnar::{BytesColumn, ColumnValues};
use tantivy::index::SegmentId;
use tantivy::{DocId, IndexReader, Searcher, SegmentReader};

/// A segment, opened once however often it is searched.
pub struct Segment {
    pub reader: SegmentReader,
    pub keys: Arc<dyn ColumnValues<u64>>,
    pub ids: Arc<dyn ColumnValues<u64>>,
    pub levels: Arc<dyn ColumnValues<u64>>,
    pub templates: BytesColumn,
    pub template_ords: Arc<dyn ColumnValues<u64>>,
}

impl Segment {
    fn open(reader: &SegmentReader) -> tantivy::Result<Self> {
        let columns = reader.fast_fields();
        let templates = columns.bytes(TEMPLATE)?.unwrap_or_else(|| BytesColumn::empty(reader.max_doc()));
        Ok(Self {
            keys: columns.u64(KEY)?.first_or_default_col(0),
            ids: columns.u64(ID)?.first_or_default_col(0),
            levels: columns.u64(LEVEL)?.first_or_default_col(0),
            template_ords: templates.ords().clone().first_or_default_col(0),
            templates,
            reader: reader.clone(),
        })
    }

    /// The first document with at least this key.
    pub fn first_from(&self, key: u64, within: Range<DocId>) -> DocId {
        let (mut low, mut high) = (within.start, within.end);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.keys.get_val(middle) < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The documents of keys from `from` up to and with `to`.
    fn between(&self, from: u64, to: u64) -> Range<DocId> {
        let all = 0..self.reader.max_doc();
        if all.is_empty() || self.keys.max_value() < from || self.keys.min_value() > to {
            return 0..0;
        }
        let start = self.first_from(from, all.clone());
        let end = match to.checked_add(1) {
            Some(beyond) => self.first_from(beyond, start..all.end),
            None => all.end,
        };
        start..end
    }
}

/// What a search looks at in a segment: the entries of a project within a range of time.
pub struct Span {
    pub segment: Arc<Segment>,
    pub docs: Range<DocId>,
}

pub struct View {
    pub fields: Fields,
    pub searcher: Searcher,
    segments: HashMap<SegmentId, Arc<Segment>>,
}

impl View {
    /// The last commit's; segments that `before` had open stay open.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn open(reader: &IndexReader, fields: Fields, before: Option<&Self>) -> Result<Self> {
        let searcher = reader.searcher();
        let mut segments = HashMap::new();
        for reader in searcher.segment_readers() {
            let id = reader.segment_id();
            let known = before.and_then(|view| view.segments.get(&id)).cloned();
            let segment = match known {
                Some(segment) => segment,
                None => Arc::new(Segment::open(reader).map_err(Error::internal)?),
            };
            segments.insert(id, segment);
        }
        Ok(Self { fields, searcher, segments })
    }

    /// The parts of the segments that have entries of a project from `start` up to and with `end`.
    ///
    /// A project is deleted whole, so none of these is deleted.
    pub fn spans(&self, project: ProjectId, start: Timestamp, end: Timestamp) -> Vec<Span> {
        let (from, to) = (key(project, start), key(project, end));
        let spans = self
            .segments
            .values()
            .map(|segment| Span { docs: segment.between(from, to), segment: segment.clone() });
        spans.filter(|span| !span.docs.is_empty()).collect()
    }

    pub fn segments(&self) -> usize {
        self.segments.len()
    }
}
