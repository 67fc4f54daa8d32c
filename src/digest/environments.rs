//! Sums up events per hour of an issue in each environment, and when each environment was last seen. They are written
//! with the counts of the facet, so that an environment that the issue does not accept has no hours, either.

use super::prepare::PreparedEvent;
use crate::error::Result;
use crate::ids::IssueId;
use crate::issues::sql::counts;
use crate::store::Transaction;
use crate::time::HOUR;
use std::collections::BTreeMap;

/// What is yet to be written.
#[derive(Default)]
pub(super) struct Environments<'a> {
    /// Events by issue and environment, then by hour.
    hours: BTreeMap<(i64, &'a str), BTreeMap<i64, i64>>,
    /// The time of the newest event, by the id of the environment's value.
    last_seen: BTreeMap<i64, i64>,
}

impl<'a> Environments<'a> {
    /// Adds an event of an issue.
    pub(super) fn add(&mut self, issue: i64, new: &'a PreparedEvent) {
        let Some((_, name)) = new.facets.iter().find(|(facet, _)| facet == "environment") else { return };
        let hours = self.hours.entry((issue, name.as_str())).or_default();
        *hours.entry(new.timestamp / HOUR).or_default() += 1;
    }

    /// Writes the hours of an issue in an environment, which is that value of the facet and was last seen then.
    pub(super) fn write(
        &mut self,
        tx: &Transaction<'_>,
        issue: IssueId,
        name: &'a str,
        (value_id, last_seen): (i64, i64),
    ) -> Result<()> {
        let newest = self.last_seen.entry(value_id).or_insert(last_seen);
        *newest = last_seen.max(*newest);
        let hours = self.hours.remove(&(issue.0, name)).unwrap_or_default();
        hours
            .into_iter()
            .try_for_each(|(hour, count)| counts::add_to_environment_hour(tx, issue, value_id, hour, count))
    }

    /// Writes when environments were last seen, once for all issues of the batch, and drops the hours that were not
    /// written.
    pub(super) fn finish(&mut self, tx: &Transaction<'_>) -> Result<()> {
        self.hours.clear();
        let seen = std::mem::take(&mut self.last_seen);
        seen.into_iter().try_for_each(|(value_id, at)| counts::see_environment(tx, value_id, at))
    }
}
