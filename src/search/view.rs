//! The index, open for searching: the segments of one commit, with their columns open.

use super::blocks::{Blocks, block_of};
use super::fields::{Fields, ID, KEY, LEVEL, REST, SortPosition, TEMPLATE, place};
use crate::error::{Error, Result};
use crate::ids::ProjectId;
use crate::time::Timestamp;
use std::collections::HashMap;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;
use tantivy::columnar::{BytesColumn, ColumnValues};
use tantivy::index::SegmentId;
use tantivy::{DocId, IndexReader, Searcher, SegmentReader};

/// A segment, opened once, however often it is searched.
pub struct Segment {
    pub reader: SegmentReader,
    pub keys: Arc<dyn ColumnValues<u64>>,
    pub ids: Arc<dyn ColumnValues<u64>>,
    pub levels: Arc<dyn ColumnValues<u64>>,
    /// Microseconds within the moment of a key.
    pub rests: Arc<dyn ColumnValues<u64>>,
    pub templates: BytesColumn,
    pub template_ords: Arc<dyn ColumnValues<u64>>,
    pub(super) blocks: Blocks,
    /// Runs of documents that are deleted: of removed batches, until a merge drops them.
    deleted: Vec<Range<DocId>>,
}

impl Segment {
    fn open(reader: &SegmentReader) -> tantivy::Result<Self> {
        let columns = reader.fast_fields();
        let templates = columns.bytes(TEMPLATE)?.unwrap_or_else(|| BytesColumn::empty(reader.max_doc()));
        let ids = columns.u64(ID)?.first_or_default_col(0);
        let rests = columns.u64(REST)?.first_or_default_col(0);
        Ok(Self {
            keys: columns.u64(KEY)?.first_or_default_col(0),
            levels: columns.u64(LEVEL)?.first_or_default_col(0),
            blocks: Blocks::new(rests.clone(), ids.clone(), reader.max_doc()),
            ids,
            rests,
            deleted: deleted(reader),
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

    /// The documents with keys from `from` to `to`, inclusive.
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

    /// Whether all documents of a non-empty run have one key.
    pub(super) fn is_of_one_moment(&self, docs: &Range<DocId>) -> bool {
        self.keys.get_val(docs.start) == self.keys.get_val(docs.end - 1)
    }

    /// The documents with a key.
    pub(super) fn of_moment(&self, key: u64) -> Range<DocId> {
        let all = 0..self.reader.max_doc();
        let start = self.first_from(key, all.clone());
        start..self.first_from(key + 1, start..all.end)
    }

    /// The runs of deleted documents that have some of `docs`.
    fn deleted_within(&self, docs: &Range<DocId>) -> &[Range<DocId>] {
        let first = self.deleted.partition_point(|run| run.end <= docs.start);
        let last = self.deleted.partition_point(|run| run.start < docs.end);
        self.deleted.get(first..last).unwrap_or_default()
    }

    /// Of `docs`, the runs of those that are before `from` or after `to` by less than a moment.
    fn outside(&self, docs: &Range<DocId>, from: SortPosition, to: SortPosition) -> Vec<Range<DocId>> {
        let mut outside = Vec::new();
        let first = self.first_from(from.0 + 1, docs.clone());
        let until = if from.0 == to.0 { to.1 } else { u64::MAX };
        self.add_outside(docs.start..first, from.1..=until, &mut outside);
        let last = self.first_from(to.0, first..docs.end);
        self.add_outside(last..docs.end, 0..=to.1, &mut outside);
        outside
    }

    /// Adds the runs of `docs`, which belong to one moment, whose microseconds are not `within`. Documents of
    /// one moment are in any order once segments have been merged.
    fn add_outside(&self, docs: Range<DocId>, within: RangeInclusive<u64>, outside: &mut Vec<Range<DocId>>) {
        if within.contains(&self.rests.min_value()) && within.contains(&self.rests.max_value()) {
            return;
        }
        let mut next = docs.start;
        while next < docs.end {
            let block = block_of(next, self.reader.max_doc());
            let part = next..block.end.min(docs.end);
            next = part.end;
            if part == block {
                let bounds = self.blocks.bounds(&block);
                let (first, last) = (bounds.first.0, bounds.last.0);
                if within.contains(&first) && within.contains(&last) {
                    continue;
                }
                if last < *within.start() || first > *within.end() {
                    add_run(outside, part);
                    continue;
                }
            }
            let is_outside = |doc: &DocId| !within.contains(&self.rests.get_val(*doc));
            part.filter(is_outside).for_each(|doc| add_run(outside, doc..doc + 1));
        }
    }
}

/// The runs of deleted documents.
fn deleted(reader: &SegmentReader) -> Vec<Range<DocId>> {
    let mut runs = Vec::new();
    if let Some(alive) = reader.alive_bitset() {
        (0..reader.max_doc())
            .filter(|doc| alive.is_deleted(*doc))
            .for_each(|doc| add_run(&mut runs, doc..doc + 1));
    }
    runs
}

/// Joins two lists of runs, each in order and without overlaps, within `docs`.
fn joined(a: &[Range<DocId>], b: &[Range<DocId>], docs: &Range<DocId>) -> Vec<Range<DocId>> {
    let mut all: Vec<Range<DocId>> = a.iter().chain(b).cloned().collect();
    all.sort_unstable_by_key(|run| run.start);
    let mut runs: Vec<Range<DocId>> = Vec::with_capacity(all.len());
    for run in all {
        let run = run.start.max(docs.start)..run.end.min(docs.end);
        match runs.last_mut() {
            Some(last) if last.end >= run.start => last.end = last.end.max(run.end),
            _ if run.is_empty() => {}
            _ => runs.push(run),
        }
    }
    runs
}

/// Appends a run; one that begins where the last one ends extends it.
fn add_run(runs: &mut Vec<Range<DocId>>, run: Range<DocId>) {
    match runs.last_mut() {
        Some(last) if last.end == run.start => last.end = run.end,
        _ => runs.push(run),
    }
}

/// The part of a segment that a search reads: the entries of a project within a range of time.
pub struct Span {
    pub segment: Arc<Segment>,
    pub docs: Range<DocId>,
    /// Runs of those of `docs` that are outside the range by less than a moment, or deleted; neither the first nor the
    /// last.
    outside: Vec<Range<DocId>>,
}

impl Span {
    fn new(segment: &Arc<Segment>, from: SortPosition, to: SortPosition) -> Self {
        let mut docs = segment.between(from.0, to.0);
        let mut outside = segment.outside(&docs, from, to);
        let of_span = segment.deleted_within(&docs);
        if !of_span.is_empty() {
            outside = joined(&outside, of_span, &docs);
        }
        if let Some(run) = outside.pop_if(|run| run.end == docs.end) {
            docs.end = run.start;
        }
        if outside.first().is_some_and(|run| run.start == docs.start) {
            docs.start = outside.remove(0).end;
        }
        Self { segment: segment.clone(), docs, outside }
    }

    /// How many entries it has.
    pub fn count(&self) -> u64 {
        let count = |run: &Range<DocId>| u64::from(run.end - run.start);
        count(&self.docs) - self.outside.iter().map(count).sum::<u64>()
    }

    /// Whether it is a whole segment.
    pub(super) fn is_segment(&self) -> bool {
        self.is_whole() && self.docs == (0..self.segment.reader.max_doc())
    }

    /// Whether all of `docs` belong to it.
    pub fn is_whole(&self) -> bool {
        self.outside.is_empty()
    }

    /// Whether a document of `docs` does not belong to it.
    pub fn lacks(&self, doc: DocId) -> bool {
        self.lacks_all(&(doc..doc + 1))
    }

    /// The same for all documents of a run.
    pub(super) fn lacks_all(&self, docs: &Range<DocId>) -> bool {
        let at = self.outside.partition_point(|run| run.end < docs.end);
        self.outside.get(at).is_some_and(|run| run.start <= docs.start)
    }
}

pub struct View {
    pub fields: Fields,
    pub searcher: Searcher,
    segments: HashMap<SegmentId, Arc<Segment>>,
}

impl View {
    /// Opens the last commit; segments that `before` has open stay open.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn open(reader: &IndexReader, fields: Fields, before: Option<&Self>) -> Result<Self> {
        let searcher = reader.searcher();
        let mut segments = HashMap::new();
        for reader in searcher.segment_readers() {
            let id = reader.segment_id();
            // Deleting documents leaves a segment its id.
            let is_same =
                |known: &&Arc<Segment>| known.reader.num_deleted_docs() == reader.num_deleted_docs();
            let known = before.and_then(|view| view.segments.get(&id)).filter(is_same).cloned();
            let segment = match known {
                Some(segment) => segment,
                None => Arc::new(Segment::open(reader).map_err(Error::internal)?),
            };
            segments.insert(id, segment);
        }
        Ok(Self { fields, searcher, segments })
    }

    /// The parts of the segments with entries of a project from `start` to `end`, inclusive.
    pub fn spans(&self, project: ProjectId, start: Timestamp, end: Timestamp) -> Vec<Span> {
        let (from, to) = (place(project, start), place(project, end));
        let spans = self.segments.values().map(|segment| Span::new(segment, from, to));
        spans.filter(|span| !span.docs.is_empty()).collect()
    }

    pub fn segments(&self) -> usize {
        self.segments.len()
    }
}
