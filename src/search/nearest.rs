//! Selects the first entries in an order out of many, keeping and reading no more than may be among the
//! first.
//!
//! Documents are in chronological order down to the millisecond. So a span is searched block by block from
//! its near end, until everything left comes after what was found; within a moment, blocks are skipped by
//! their [`Bounds`].

use super::blocks::{BLOCK, Bounds, block_of};
use super::fields::EntryId;
use super::order::{Hit, Order};
use super::view::Span;
use std::ops::Range;
use tantivy::DocId;

/// The first entries in an order, of those given so far.
pub(crate) struct Nearest {
    order: Order,
    most: usize,
    /// Only entries after this one are wanted.
    behind: Option<Hit>,
    found: Vec<Hit>,
    /// The last entry that can be among the first; `None` while there are fewer than wanted.
    last: Option<Hit>,
    /// How many documents were read.
    #[cfg(test)]
    pub(crate) read: usize,
}

impl Nearest {
    pub(crate) fn new(order: Order, most: usize, behind: Option<Hit>) -> Self {
        Self {
            order,
            most,
            behind,
            found: Vec::new(),
            last: None,
            #[cfg(test)]
            read: 0,
        }
    }

    /// The entries found, in order.
    pub(crate) fn into_sorted(mut self) -> Vec<Hit> {
        self.found.sort_unstable_by(|a, b| self.order.compare(a, b));
        self.found.truncate(self.most);
        self.found
    }

    /// Whether no entry with this key, or a later one in the order, can be among the first.
    pub(crate) fn is_past(&self, key: u64) -> bool {
        let is_past = |((last, _), _): Hit| match self.order {
            Order::Newest => key < last,
            Order::Oldest => key > last,
        };
        self.most == 0 || self.last.is_some_and(is_past)
    }

    /// Whether no entry of a block of one moment can be among the first.
    fn passes_over(&self, key: u64, bounds: Bounds) -> bool {
        let [first, last] = [bounds.first, bounds.last].map(|(rest, id)| ((key, rest), id));
        let (near, far) = match self.order {
            Order::Newest => (last, first),
            Order::Oldest => (first, last),
        };
        self.last.is_some_and(|last| !self.order.is_before(&near, &last))
            || self.behind.is_some_and(|behind| !self.order.is_before(&behind, &far))
    }

    fn add(&mut self, found: Hit) {
        if self.last.is_some_and(|last| !self.order.is_before(&found, &last))
            || self.behind.is_some_and(|behind| !self.order.is_before(&behind, &found))
        {
            return;
        }
        self.found.push(found);
        // As many are dropped at once as are kept, so the cost per entry does not depend on how many are
        // wanted.
        let room = if self.last.is_none() { self.most } else { self.most.saturating_mul(2) };
        if self.found.len() >= room {
            self.cut();
        }
    }

    /// Drops those that are too many.
    fn cut(&mut self) {
        let Some(last) = self.most.checked_sub(1).filter(|last| *last < self.found.len()) else { return };
        let order = self.order;
        let (_, found, _) = self.found.select_nth_unstable_by(last, |a, b| order.compare(a, b));
        self.last = Some(*found);
        self.found.truncate(self.most);
    }

    /// Searches documents of a span, as far as they may be among the first.
    pub(crate) fn look(&mut self, span: &Span, mut docs: Docs<'_>) {
        let (segment, mut moment) = (&*span.segment, None::<(u64, Range<DocId>)>);
        while let Some((near, part)) = docs.next(self.order) {
            let block = block_of(near, segment.reader.max_doc());
            let is_in = |(_, docs): &(u64, Range<DocId>)| docs.start <= block.start && block.end <= docs.end;
            if !moment.as_ref().is_some_and(is_in) {
                let key = segment.keys.get_val(near);
                if self.is_past(key) {
                    return;
                }
                moment = segment.is_of_one_moment(&block).then(|| (key, segment.of_moment(key)));
            }
            let bounds = || segment.blocks.bounds(&block);
            let is_bounded = self.last.is_some() || self.behind.is_some();
            if !(is_bounded && moment.as_ref().is_some_and(|(key, _)| self.passes_over(*key, bounds()))) {
                self.read(span, &part);
            }
        }
    }

    /// Reads documents of one block.
    fn read(&mut self, span: &Span, part: &Docs<'_>) {
        let segment = &span.segment;
        let mut buffers = [[0; BLOCK as usize]; 3];
        let mut all = [0; BLOCK as usize];
        let docs = part.list(span, &mut all);
        #[cfg(test)]
        {
            self.read += docs.len();
        }
        let [keys, rests, ids] = buffers.each_mut().map(|buffer| &mut buffer[..docs.len()]);
        segment.keys.get_vals(docs, keys);
        segment.rests.get_vals(docs, rests);
        segment.ids.get_vals(docs, ids);
        let found = keys
            .iter()
            .zip(rests.iter())
            .zip(ids.iter())
            .map(|((key, rest), id)| ((*key, *rest), EntryId(id.cast_signed())));
        match self.order {
            Order::Newest => found.rev().for_each(|found| self.add(found)),
            Order::Oldest => found.for_each(|found| self.add(found)),
        }
    }
}

/// Documents of a span, ascending.
pub(crate) enum Docs<'a> {
    /// All documents of a run that belong to the span.
    Run(Range<DocId>),
    /// The documents that match a query.
    Hits(&'a [DocId]),
}

impl Docs<'_> {
    /// Takes the documents of the next block from the near end of an order: the nearest one, and all of them.
    fn next(&mut self, order: Order) -> Option<(DocId, Self)> {
        match self {
            Self::Run(run) if run.start >= run.end => None,
            Self::Run(run) => Some(next_of_run(run, order)).map(|(near, part)| (near, Self::Run(part))),
            Self::Hits(docs) => next_of(docs, order).map(|(near, part)| (near, Self::Hits(part))),
        }
    }

    /// The documents of one block that belong to its span, listed in `all` if they are not listed yet.
    fn list<'b>(&'b self, span: &Span, all: &'b mut [DocId; BLOCK as usize]) -> &'b [DocId] {
        let run = match self {
            Self::Hits(docs) => return docs,
            Self::Run(run) => run.clone(),
        };
        let mut count = 0;
        if !span.lacks_all(&run) {
            for (doc, place) in run.filter(|doc| !span.lacks(*doc)).zip(all.iter_mut()) {
                *place = doc;
                count += 1;
            }
        }
        &all[..count]
    }
}

/// The next block of a run that is not empty.
fn next_of_run(run: &mut Range<DocId>, order: Order) -> (DocId, Range<DocId>) {
    match order {
        Order::Newest => {
            let near = run.end - 1;
            let part = run.start.max(near / BLOCK * BLOCK)..run.end;
            run.end = part.start;
            (near, part)
        }
        Order::Oldest => {
            let near = run.start;
            let part = near..run.end.min((near / BLOCK * BLOCK).saturating_add(BLOCK));
            run.start = part.end;
            (near, part)
        }
    }
}

fn next_of<'a>(docs: &mut &'a [DocId], order: Order) -> Option<(DocId, &'a [DocId])> {
    match order {
        Order::Newest => {
            let near = *docs.last()?;
            let start = near / BLOCK * BLOCK;
            // A block has no more than this.
            let most = docs.len().saturating_sub(BLOCK as usize);
            let (rest, part) = docs.split_at(most + docs[most..].partition_point(|doc| *doc < start));
            *docs = rest;
            Some((near, part))
        }
        Order::Oldest => {
            let near = *docs.first()?;
            let end = (near / BLOCK * BLOCK).saturating_add(BLOCK);
            let most = docs.len().min(BLOCK as usize);
            let (part, rest) = docs.split_at(docs[..most].partition_point(|doc| *doc < end));
            *docs = rest;
            Some((near, part))
        }
    }
}
