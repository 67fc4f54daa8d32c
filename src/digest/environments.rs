//! Sums up events per hour of an issue in each environment. They are written with the counts of the facet, so that
//! an environment that the issue does not accept has no hours, either.

use super::prepare::PreparedEvent;
use crate::error::Result;
use crate::ids::IssueId;
use crate::issues::sql::counts;
use crate::store::Transaction;
use crate::time::HOUR;
use std::collections::BTreeMap;

/// Events to write: by issue and environment, then by hour.
#[derive(Default)]
pub(super) struct Environments<'a>(BTreeMap<(i64, &'a str), BTreeMap<i64, i64>>);

impl<'a> Environments<'a> {
    /// Adds an event of an issue.
    pub(super) fn add(&mut self, issue: i64, new: &'a PreparedEvent) {
        let Some((_, name)) = new.facets.iter().find(|(facet, _)| facet == "environment") else { return };
        *self.0.entry((issue, name.as_str())).or_default().entry(new.timestamp / HOUR).or_default() += 1;
    }

    /// Writes the hours of an issue in an environment, which is that value of the facet.
    pub(super) fn write(
        &mut self,
        tx: &Transaction<'_>,
        issue: IssueId,
        name: &'a str,
        value_id: i64,
    ) -> Result<()> {
        let hours = self.0.remove(&(issue.0, name)).unwrap_or_default();
        hours
            .into_iter()
            .try_for_each(|(hour, count)| counts::add_to_environment_hour(tx, issue, value_id, hour, count))
    }

    /// Drops what was not written.
    pub(super) fn drop_refused(&mut self) {
        self.0.clear();
    }
}
