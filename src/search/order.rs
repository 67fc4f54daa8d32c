//! Which entries come first.

use super::fields::{EntryId, SortPosition};
use std::cmp::Ordering;

/// An entry and its place in the order of time; entries of one microsecond are ordered by id.
pub(crate) type Hit = (SortPosition, EntryId);

/// Which entries come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Newest,
    Oldest,
}

impl Order {
    pub(crate) fn compare(self, a: &Hit, b: &Hit) -> Ordering {
        match self {
            Self::Newest => b.cmp(a),
            Self::Oldest => a.cmp(b),
        }
    }

    pub(crate) fn is_before(self, a: &Hit, b: &Hit) -> bool {
        self.compare(a, b) == Ordering::Less
    }
}
