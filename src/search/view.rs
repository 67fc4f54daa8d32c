//! The index as it is searched: its segments with their columns open, of one commit.

use super::fields::{Fields, ID, KEY, LEVEL, Place, REST, TEMPLATE, place};
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
    /// Microseconds within the moment of a key.
    pub rests: Arc<dyn ColumnValues<u64>>,
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
            rests: columns.u64(REST)?.first_or_default_col(0),
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

    /// Of `docs`, those of the moments at the ends that lie before `from` or behind `to`. Documents of one moment lie in
    /// any order once segments are merged.
    fn outside(&self, docs: &Range<DocId>, from: Place, to: Place) -> Vec<DocId> {
        let is_outside =
            |doc: &DocId| !(from..=to).contains(&(self.keys.get_val(*doc), self.rests.get_val(*doc)));
        let first = if from.1 == 0 { docs.start } else { self.first_from(from.0 + 1, docs.clone()) };
        let last = self.first_from(to.0, first..docs.end);
        (docs.start..first).chain(last..docs.end).filter(is_outside).collect()
    }
}

/// What a search looks at in a segment: the entries of a project within a range of time.
pub struct Span {
    pub segment: Arc<Segment>,
    pub docs: Range<DocId>,
    /// Those of `docs` that lie outside the range by less than a moment; neither the first nor the last.
    outside: Vec<DocId>,
}

impl Span {
    fn new(segment: &Arc<Segment>, from: Place, to: Place) -> Self {
        let mut docs = segment.between(from.0, to.0);
        let outside = segment.outside(&docs, from, to);
        let mut left = outside.as_slice();
        while left.first() == Some(&docs.start) {
            (docs.start, left) = (docs.start + 1, &left[1..]);
        }
        while let Some((last, rest)) = left.split_last()
            && last + 1 == docs.end
        {
            (docs.end, left) = (*last, rest);
        }
        Self { segment: segment.clone(), docs, outside: left.to_vec() }
    }

    /// How many entries it has.
    pub fn count(&self) -> u64 {
        u64::from(self.docs.end - self.docs.start) - self.outside.len() as u64
    }

    /// How many of `docs` are none of it.
    pub fn lacking(&self) -> usize {
        self.outside.len()
    }

    /// Whether a document of `docs` is none of it.
    pub fn lacks(&self, doc: DocId) -> bool {
        self.outside.binary_search(&doc).is_ok()
    }
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
        let (from, to) = (place(project, start), place(project, end));
        let spans = self.segments.values().map(|segment| Span::new(segment, from, to));
        spans.filter(|span| !span.docs.is_empty()).collect()
    }

    pub fn segments(&self) -> usize {
        self.segments.len()
    }
}
