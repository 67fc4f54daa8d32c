//! Sums up what a batch adds to the counters of releases and source maps.

use super::prepare::PreparedEvent;
use crate::error::Result;
use crate::ids::{ProjectId, SourceMapId};
use crate::releases;
use crate::releases::sql::{Seen, Used};
use crate::store::Transaction;
use std::collections::BTreeMap;

/// Sums that [`Usage::write`] has yet to write.
#[derive(Default)]
pub(super) struct Usage<'a> {
    maps: BTreeMap<SourceMapId, Used>,
    releases: BTreeMap<(ProjectId, &'a str), Seen>,
}

impl<'a> Usage<'a> {
    /// Counts an event for the maps that resolved its frames.
    pub(super) fn maps(&mut self, new: &PreparedEvent) {
        for map in &new.stack.maps {
            let used = self.maps.entry(*map).or_insert(Used { count: 0, last: new.timestamp });
            used.count += 1;
            used.last = used.last.max(new.timestamp);
        }
    }

    /// Counts an issue's events in a release, and the issue if it is new to the release.
    pub(super) fn release(
        &mut self,
        project: ProjectId,
        version: &'a str,
        (events, new_issue): (i64, bool),
        (first, last): (i64, i64),
    ) {
        let nothing = Seen { events: 0, issues: 0, first, last };
        let sum = self.releases.entry((project, version)).or_insert(nothing);
        sum.events += events;
        sum.issues += i64::from(new_issue);
        sum.first = sum.first.min(first);
        sum.last = sum.last.max(last);
    }

    /// Writes all sums and starts over.
    pub(super) fn write(&mut self, tx: &Transaction<'_>) -> Result<()> {
        for (map, used) in std::mem::take(&mut self.maps) {
            releases::sql::use_map(tx, map, used)?;
        }
        for ((project, version), seen) in std::mem::take(&mut self.releases) {
            releases::sql::count(tx, project, version, seen)?;
        }
        Ok(())
    }
}
