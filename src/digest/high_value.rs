//! Marks the issues that high-value accounts meet, and counts the events of each account, so that a job can find the
//! busiest.

use super::prepare::PreparedEvent;
use crate::error::Result;
use crate::ids::{IssueId, ProjectId};
use crate::issues;
use crate::projects::high_value::{Rules, sql};
use crate::store::Transaction;
use crate::time::{DAY, Timestamp};
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

/// What a batch adds for accounts.
#[derive(Default)]
pub(super) struct HighValue<'a> {
    /// The rules of each project; read once per batch.
    rules: HashMap<ProjectId, Rules>,
    /// Events by project, account and day.
    days: BTreeMap<(ProjectId, &'a str, i64), i64>,
    /// The names of accounts in the batch.
    names: HashMap<(ProjectId, &'a str), &'a str>,
}

impl<'a> HighValue<'a> {
    pub(super) fn count(&mut self, project: ProjectId, new: &'a PreparedEvent) {
        let account = new.facets.iter().find(|(facet, _)| facet == "account");
        let Some((_, account)) = account else { return };
        *self.days.entry((project, account.as_str(), new.timestamp.div_euclid(DAY))).or_default() += 1;
        for alias in new.aliases.iter().filter(|alias| alias.facet == "account") {
            self.names.insert((project, alias.value.as_str()), alias.alias.as_str());
        }
    }

    /// Marks an issue if a facet's value belongs to a high-value account; returns whether it does.
    pub(super) fn mark(
        &mut self,
        tx: &Transaction<'_>,
        (project, issue): (ProjectId, IssueId),
        (facet, value): (&str, &'a str),
        now: Timestamp,
    ) -> Result<bool> {
        if facet != "account" && !facet.starts_with("tag.") {
            return Ok(false);
        }
        let rules = match self.rules.entry(project) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => unknown.insert(sql::rules(tx, project)?),
        };
        let name = if facet == "account" { self.names.get(&(project, value)).copied() } else { None };
        let is_meant = match facet {
            "account" => rules.has_account(value) || name.is_some_and(|name| rules.has_name(name)),
            tag => rules.has_tag(tag, value),
        };
        if !is_meant {
            return Ok(false);
        }
        let called = match facet.strip_prefix("tag.") {
            Some(key) => format!("{key}: {value}"),
            None => name.unwrap_or(value).to_owned(),
        };
        issues::sql::mark_high_value(tx, issue, &called, now)?;
        Ok(true)
    }

    /// Writes the counts and starts over.
    pub(super) fn write(&mut self, tx: &Transaction<'_>) -> Result<()> {
        for ((project, account, day), count) in std::mem::take(&mut self.days) {
            sql::add_to_day(tx, project, (account, day), count)?;
        }
        Ok(())
    }
}
