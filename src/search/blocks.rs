//! Remembers where the documents of a block are in the order of time, so that each need not be read again.
//!
//! Documents of one moment are in any order, because merging segments mixes them, and there may be a million
//! of them: a clock with whole seconds is enough for that. So that a page of the newest does not read them
//! all, each block whose documents all belong to one moment is read once, by the first search that needs it;
//! its first and last entries are remembered. A segment never changes, so neither do they.

use super::fields::EntryId;
use std::ops::Range;
use std::sync::{Arc, OnceLock};
use tantivy::DocId;
use tantivy::columnar::ColumnValues;

/// Documents per block. 48 bytes are remembered for each block, for moments with more documents than two
/// blocks.
pub(crate) const BLOCK: DocId = if cfg!(test) { 8 } else { 256 };

/// An entry's place among those of its moment: its microseconds and its id.
pub(crate) type Within = (u64, EntryId);

/// The first and last entries of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) first: Within,
    pub(crate) last: Within,
}

/// The known bounds of a segment's blocks.
pub(crate) struct Blocks {
    rests: Arc<dyn ColumnValues<u64>>,
    ids: Arc<dyn ColumnValues<u64>>,
    count: DocId,
    known: OnceLock<Box<[OnceLock<Bounds>]>>,
}

/// The documents of the block that contains `doc`, in a segment of `count` documents.
pub(crate) fn block_of(doc: DocId, count: DocId) -> Range<DocId> {
    let start = doc / BLOCK * BLOCK;
    start..count.min(start.saturating_add(BLOCK))
}

impl Blocks {
    /// Of a segment of `count` documents with these microseconds and ids.
    pub(crate) fn new(
        rests: Arc<dyn ColumnValues<u64>>,
        ids: Arc<dyn ColumnValues<u64>>,
        count: DocId,
    ) -> Self {
        Self { rests, ids, count, known: OnceLock::new() }
    }

    /// The bounds of a whole block whose documents all belong to one moment.
    pub(crate) fn bounds(&self, block: &Range<DocId>) -> Bounds {
        let blocks = self.count.div_ceil(BLOCK);
        let all = self.known.get_or_init(|| (0..blocks).map(|_| OnceLock::new()).collect());
        let read = || self.read(block);
        all.get((block.start / BLOCK) as usize).map_or_else(read, |known| *known.get_or_init(read))
    }

    fn read(&self, block: &Range<DocId>) -> Bounds {
        let length = (block.end - block.start) as usize;
        let (mut rests, mut ids) = ([0; BLOCK as usize], [0; BLOCK as usize]);
        self.rests.get_range(block.start.into(), &mut rests[..length]);
        self.ids.get_range(block.start.into(), &mut ids[..length]);
        let mut entries =
            rests[..length].iter().zip(&ids).map(|(rest, id)| (*rest, EntryId(id.cast_signed())));
        let one = entries.next().unwrap_or((0, EntryId(0)));
        entries.fold(Bounds { first: one, last: one }, |bounds, entry| Bounds {
            first: bounds.first.min(entry),
            last: bounds.last.max(entry),
        })
    }
}
