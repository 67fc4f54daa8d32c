//! Builds segments of the index from stored batches.
//!
//! Entries are sorted into the order of the index before tantivy sees them: it would sort them only once all
//! are in its tables, by building every posting list a second time.

use super::document::{Document, SharedDocument};
use super::fault::fault;
use super::fields::{self, EntryId, Fields};
use super::terms::NameSets;
use crate::error::{Error, Result};
use crate::event::log_batch::StoredBatch;
use crate::time::Timestamp;
use std::ops::RangeInclusive;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;
use tantivy::Index;
use tantivy::index::SegmentMeta;
use tantivy::indexer::{AddOperation, SegmentWriter};

/// Bytes of entries that are worth a separate segment.
const WORTH: usize = if cfg!(test) { 64 << 10 } else { 4 << 20 };
/// Bytes by which the tables of a segment may grow before it is written and another one is started.
const MEMORY: usize = if cfg!(test) { 64 << 10 } else { 16 << 20 };
/// The initial size of its tables, in bytes.
const TABLES: RangeInclusive<usize> = 1 << 20..=16 << 20;

/// Builds segments from the entries of batches. They do not belong to a commit yet.
pub(super) fn segments(
    index: &Index,
    fields: Fields,
    sets: &Arc<NameSets>,
    batches: &[Arc<StoredBatch>],
) -> Result<Vec<SegmentMeta>> {
    // The entries are sorted already.
    let mut index = index.clone();
    index.settings_mut().sort_by_field = None;
    let build =
        |part: &[Arc<StoredBatch>]| Builder::new(&index, Document::new(fields, sets.clone()), part)?.build();
    let (first, second) = halves(batches);
    let built = thread::scope(|scope| {
        let second = (!second.is_empty()).then(|| scope.spawn(|| build(second)));
        let first = build(first);
        let second = second.map(|second| second.join().unwrap_or_else(|panic| resume_unwind(panic)));
        [Some(first), second].into_iter().flatten().collect::<Result<Vec<_>>>()
    });
    Ok(built?.concat())
}

/// Splits the batches into halves of about the same size; all in one half if they are few.
fn halves(batches: &[Arc<StoredBatch>]) -> (&[Arc<StoredBatch>], &[Arc<StoredBatch>]) {
    let size = |batches: &[Arc<StoredBatch>]| batches.iter().map(|batch| batch.plain.size()).sum::<usize>();
    let all = size(batches);
    if all < 2 * WORTH {
        return (batches, &[]);
    }
    let mut before = 0;
    let first = batches.iter().take_while(|batch| {
        let fits = before < all / 2;
        before += batch.plain.size();
        fits
    });
    batches.split_at(first.count())
}

/// The location of an entry.
struct EntryLocation {
    /// Its place in the order of time.
    at: fields::SortPosition,
    /// The number of its batch, its place there, and where its bytes begin.
    batch: u32,
    place: u32,
    start: u32,
}

struct Builder<'a> {
    index: &'a Index,
    batches: &'a [Arc<StoredBatch>],
    places: Vec<EntryLocation>,
    document: Arc<Document>,
    /// The initial size of the tables, in bytes.
    memory: usize,
}

impl<'a> Builder<'a> {
    fn new(index: &'a Index, document: Document, batches: &'a [Arc<StoredBatch>]) -> Result<Self> {
        let bytes = batches.iter().map(|batch| batch.plain.size()).sum::<usize>();
        let memory = (2 * bytes).clamp(*TABLES.start(), *TABLES.end());
        let document = Arc::new(document);
        Ok(Self { index, batches, places: places(batches)?, document, memory })
    }

    fn build(mut self) -> Result<Vec<SegmentMeta>> {
        let mut made = Vec::new();
        let mut rest = std::mem::take(&mut self.places).into_iter().peekable();
        while rest.peek().is_some() {
            made.push(self.segment(&mut rest)?);
        }
        Ok(made)
    }

    /// Builds a segment from the first places, as many as its tables have room for.
    fn segment(&mut self, rest: &mut impl Iterator<Item = EntryLocation>) -> Result<SegmentMeta> {
        let segment = self.index.new_segment();
        let mut writer = SegmentWriter::for_segment(self.memory, segment.clone()).map_err(fault)?;
        let most = writer.mem_usage() + MEMORY;
        for place in rest {
            let document = self.document(&place)?;
            writer.add_document(AddOperation { opstamp: 0, document }).map_err(fault)?;
            if writer.mem_usage() > most {
                break;
            }
        }
        let count = writer.max_doc();
        writer.finalize().map_err(fault)?;
        let meta = segment.with_max_doc(count).meta().clone();
        meta.untrack_temp_docstore();
        Ok(meta)
    }

    fn document(&mut self, place: &EntryLocation) -> Result<SharedDocument> {
        let batch = &self.batches[place.batch as usize];
        let entry = batch.plain.entry_at(place.start as usize)?;
        let id = EntryId::new(batch.id, place.place as usize);
        // tantivy has dropped the last one.
        let document = Arc::get_mut(&mut self.document)
            .ok_or_else(|| Error::internal("the log index still holds a document"))?;
        document.fill(batch.project, id, &batch.plain, &entry);
        Ok(SharedDocument(self.document.clone()))
    }
}

/// The places of all entries, in the order of the index.
fn places(batches: &[Arc<StoredBatch>]) -> Result<Vec<EntryLocation>> {
    let mut places = Vec::with_capacity(batches.iter().map(|batch| batch.plain.count).sum());
    for (number, batch) in (0..).zip(batches) {
        for (place, placed) in (0..).zip(batch.plain.placed()) {
            let (start, entry) = placed?;
            let start = u32::try_from(start).map_err(Error::internal)?;
            let at = fields::place(batch.project, Timestamp::from_micros(entry.timestamp));
            places.push(EntryLocation { at, batch: number, place, start });
        }
    }
    places.sort_unstable_by_key(|place| (place.at, place.batch, place.place));
    Ok(places)
}
