//! Which documents of a span may be among the first that are wanted.
//!
//! Documents lie in the order of time; those of one moment lie in any order, since merging segments mixes them. So
//! all of the last one's moment are kept, and the order of ids decides among them once all segments are looked at.

use super::view::Span;
use std::collections::VecDeque;
use std::ops::Range;
use tantivy::DocId;

/// Which entries come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Newest,
    Oldest,
}

/// Documents over what is wanted that are let go at once.
const SLACK: usize = 4_096;

/// The first `room` documents of a span with all of the last one's moment.
pub(super) fn edge(span: &Span, order: Order, room: usize) -> Range<DocId> {
    let (docs, segment) = (&span.docs, &span.segment);
    let kept = room.min((docs.end - docs.start) as usize) as DocId;
    match order {
        _ if kept == 0 => docs.start..docs.start,
        Order::Newest => segment.first_from(segment.keys.get_val(docs.end - kept), docs.clone())..docs.end,
        Order::Oldest => {
            let behind = segment.keys.get_val(docs.start + kept - 1) + 1;
            docs.start..segment.first_from(behind, docs.clone())
        }
    }
}

/// The same of those that a query means, as they come.
pub(super) struct Kept<'s> {
    docs: VecDeque<DocId>,
    room: usize,
    span: &'s Span,
}

impl<'s> Kept<'s> {
    pub(super) fn new(room: usize, span: &'s Span) -> Self {
        Self { docs: VecDeque::new(), room, span }
    }

    pub(super) fn add(&mut self, docs: &[DocId], order: Order) {
        let keys = &self.span.segment.keys;
        match order {
            _ if self.room == 0 => {}
            Order::Oldest => {
                let fit = self.room.saturating_sub(self.docs.len()).min(docs.len());
                self.docs.extend(&docs[..fit]);
                if let Some(last) = self.docs.get(self.room - 1) {
                    let moment = keys.get_val(*last);
                    self.docs.extend(docs[fit..].iter().take_while(|doc| keys.get_val(**doc) == moment));
                }
            }
            Order::Newest => {
                self.docs.extend(docs);
                if self.docs.len() - docs.len() > self.room.saturating_add(SLACK) {
                    self.cut();
                }
            }
        }
    }

    /// Lets the oldest go that are too many.
    fn cut(&mut self) {
        let keys = &self.span.segment.keys;
        let over = self.docs.len().saturating_sub(self.room);
        if let Some(last) = self.docs.get(over).filter(|_| over > 0) {
            let moment = keys.get_val(*last);
            let first = self.docs.partition_point(|doc| keys.get_val(*doc) < moment);
            self.docs.drain(..first);
        }
    }

    pub(super) fn ended(mut self, order: Order) -> VecDeque<DocId> {
        if order == Order::Newest {
            self.cut();
        }
        self.docs
    }
}
