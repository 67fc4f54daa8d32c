//! Entries to remove from the index.

use crate::error::Result;
use crate::ids::ProjectId;
use crate::logs::sql;
use crate::search::open::OpenIndex;
use crate::store::Connection;

/// Entries to remove from the index.
pub(super) struct Leaving {
    /// All entries of these deleted projects.
    pub(super) projects: Vec<ProjectId>,
    /// The entries of batches that retention removed: by project, up to a batch.
    pub(super) batches: Vec<(ProjectId, i64)>,
}

impl Leaving {
    pub(super) fn read(c: &Connection) -> Result<Self> {
        Ok(Self { projects: sql::to_be_unindexed(c)?, batches: sql::oldest::to_be_unindexed(c)? })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.projects.is_empty() && self.batches.is_empty()
    }

    pub(super) fn delete(&self, open: &OpenIndex) -> Result<()> {
        self.projects.iter().try_for_each(|project| open.delete(*project))?;
        self.batches.iter().try_for_each(|(project, last)| open.delete_through(*project, *last))
    }
}
