//! Which entries come first.

use super::fields::{EntryId, Place};
use std::cmp::Ordering;

/// An entry and its place in the order of time; entries of one microsecond are ordered by id.
pub(crate) type Found = (Place, EntryId);

/// Which entries come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Newest,
    Oldest,
}

impl Order {
    pub(crate) fn compare(self, a: &Found, b: &Found) -> Ordering {
        match self {
            Self::Newest => b.cmp(a),
            Self::Oldest => a.cmp(b),
        }
    }

    pub(crate) fn is_before(self, a: &Found, b: &Found) -> bool {
        self.compare(a, b) == Ordering::Less
    }
}
