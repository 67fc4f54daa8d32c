//! Sums up what a batch adds to its issues, so that an issue that is hit a hundred times in a batch is written once,
//! and so is each of its counters.

use super::environments::Environments;
use super::facets::{Facets, WriteOutcome, is_counted};
use super::high_value::HighValue;
use super::prepare::PreparedEvent;
use super::usage::Usage;
use crate::error::Result;
use crate::ids::{IssueId, ProjectId};
use crate::issues::spike::{self, LIMIT_MIN};
use crate::issues::{FACETS_MAX, sql};
use crate::store::Transaction;
use crate::time::{HOUR, Timestamp};
use std::collections::{BTreeMap, HashMap};

/// An issue as it was before the batch.
#[derive(Clone)]
pub(super) struct IssueSnapshot {
    pub(super) id: IssueId,
    pub(super) project: ProjectId,
    /// Whether an event may reopen it: it is resolved, or ignored until something happens.
    pub(super) may_reopen: bool,
    pub(super) first_seen: i64,
    pub(super) last_seen: i64,
    pub(super) first_release: Option<String>,
    /// When the first release was first seen.
    pub(super) first_release_at: Option<i64>,
    pub(super) last_release: Option<String>,
    /// The number of its facet values, not counting users and accounts.
    pub(super) facet_count: i64,
    /// Whether a high-value account has met it.
    pub(super) is_high_value: bool,
}

/// Sums that [`Counts::write`] has yet to write; sorted, so that rows are written in key order.
pub(super) struct Counts<'a> {
    now: Timestamp,
    issues: BTreeMap<i64, Issue<'a>>,
    /// By issue and hour.
    hours: BTreeMap<(i64, i64), i64>,
    environments: Environments<'a>,
    facets: Facets<'a>,
    usage: Usage<'a>,
    high_value: HighValue<'a>,
    /// Issues whose current hour may exceed the limit, with its count.
    hot: HashMap<i64, i64>,
    /// Issues whose texts changed.
    texts: Vec<(ProjectId, IssueId)>,
}

struct Issue<'a> {
    state: IssueSnapshot,
    events: i64,
    users: i64,
    accounts: i64,
    /// New values of other facets.
    facets: i64,
    /// The newest event, which names the issue.
    newest: Option<&'a PreparedEvent>,
}

impl<'a> Counts<'a> {
    pub(super) fn new(now: Timestamp) -> Self {
        Self {
            now,
            issues: BTreeMap::new(),
            hours: BTreeMap::new(),
            environments: Environments::default(),
            facets: Facets::default(),
            usage: Usage::default(),
            high_value: HighValue::default(),
            hot: HashMap::new(),
            texts: Vec::new(),
        }
    }

    /// The issues whose texts have changed so far.
    pub(super) fn texts(&self) -> &[(ProjectId, IssueId)] {
        &self.texts
    }

    /// Adds an event of an issue.
    pub(super) fn add(&mut self, known: &IssueSnapshot, new: &'a PreparedEvent) {
        let id = known.id.0;
        let issue = self.issues.entry(id).or_insert_with(|| Issue {
            state: known.clone(),
            events: 0,
            users: 0,
            accounts: 0,
            facets: 0,
            newest: None,
        });
        issue.add(new);
        self.usage.maps(new);
        self.usage.event((known.project, known.id), new);
        *self.hours.entry((id, new.timestamp / HOUR)).or_default() += 1;
        self.environments.add(id, new);
        self.facets.add(id, known.project, new);
        self.high_value.count(known.project, new);
    }

    /// Counts an event that was not stored before, and its size.
    pub(super) fn stored(&mut self, project: ProjectId, received_at: Timestamp, bytes: usize) {
        self.usage.stored(project, received_at, bytes);
    }

    /// Writes all sums and starts over.
    pub(super) fn write(&mut self, tx: &Transaction<'_>) -> Result<()> {
        self.write_facets(tx)?;
        self.usage.write(tx)?;
        self.high_value.write(tx)?;
        for ((issue, hour), count) in std::mem::take(&mut self.hours) {
            sql::counts::add_to_hour(tx, IssueId(issue), hour, count)?;
            if hour == self.now.hour() {
                let count = sql::counts::of_hour(tx, IssueId(issue), hour)?;
                if count >= LIMIT_MIN {
                    self.hot.insert(issue, count);
                }
            }
        }
        for issue in std::mem::take(&mut self.issues).into_values() {
            let named = (issue.state.project, issue.state.id);
            if issue.write(tx)? {
                self.texts.push(named);
            }
        }
        Ok(())
    }

    /// Compares the current hour of the written issues with their limits.
    pub(super) fn check_spikes(&mut self, tx: &Transaction<'_>) -> Result<()> {
        let hot = std::mem::take(&mut self.hot);
        hot.into_iter().try_for_each(|(id, count)| spike::sql::check(tx, IssueId(id), count, self.now))
    }

    /// Writes facets; users and accounts that are new to an issue are counted on it.
    fn write_facets(&mut self, tx: &Transaction<'_>) -> Result<()> {
        for ((id, facet, value), sum) in self.facets.take() {
            let Some(issue) = self.issues.get_mut(&id) else { continue };
            let project = issue.state.project;
            if !issue.state.is_high_value {
                let named = (facet, value);
                issue.state.is_high_value =
                    self.high_value.mark(tx, (project, IssueId(id)), named, self.now)?;
            }
            let is_full = |facet_id| Ok(!is_counted(facet) && issue.is_full(tx, facet_id)?);
            let written = self.facets.write(tx, (project, IssueId(id)), (facet, value), sum, is_full)?;
            let (is_new, value_id) = match written {
                WriteOutcome::Refused => {
                    self.usage.refuse(IssueId(id), facet, value);
                    continue;
                }
                WriteOutcome::Added(value_id) => (true, value_id),
                WriteOutcome::Counted(value_id) => (false, value_id),
            };
            match facet {
                "user" => issue.users += i64::from(is_new),
                "account" => issue.accounts += i64::from(is_new),
                _ => issue.facets += i64::from(is_new),
            }
            if facet == "environment" {
                self.environments.write(tx, IssueId(id), value, (value_id, sum.last_seen))?;
            }
            if facet == "release" {
                self.usage.release(project, value, (sum.count, is_new), (sum.first_seen, sum.last_seen));
            }
        }
        self.environments.finish(tx)?;
        self.facets.write_aliases(tx)
    }
}

impl<'a> Issue<'a> {
    fn add(&mut self, new: &'a PreparedEvent) {
        let state = &mut self.state;
        if let Some(release) = &new.release {
            let earlier = state.first_release_at.is_some_and(|first| new.timestamp < first);
            if state.first_release.is_none() || earlier {
                state.first_release = Some(release.clone());
                state.first_release_at = Some(new.timestamp);
            }
            if state.last_release.is_none() || new.timestamp >= state.last_seen {
                state.last_release = Some(release.clone());
            }
        }
        if new.timestamp >= state.last_seen {
            self.newest = Some(new);
        }
        state.first_seen = state.first_seen.min(new.timestamp);
        state.last_seen = state.last_seen.max(new.timestamp);
        self.events += 1;
    }

    /// Whether the issue accepts no more values of a facet.
    fn is_full(&self, tx: &Transaction<'_>, facet: Option<i64>) -> Result<bool> {
        if self.state.facet_count + self.facets >= FACETS_MAX {
            return Ok(true);
        }
        facet.map_or(Ok(false), |facet| sql::facets::is_full(tx, self.state.id, facet))
    }

    /// Returns whether the issue's text has changed.
    fn write(self, tx: &Transaction<'_>) -> Result<bool> {
        let state = self.state;
        let sums = sql::counts::Sums {
            events: self.events,
            users: self.users,
            accounts: self.accounts,
            facets: self.facets,
            first_seen: state.first_seen,
            last_seen: state.last_seen,
            first_release: state.first_release,
            last_release: state.last_release,
            first_release_at: state.first_release_at,
        };
        sql::counts::add(tx, state.id, &sums)?;
        self.newest.map_or(Ok(false), |newest| name(tx, (state.project, state.id), newest))
    }
}

/// Sets the issue's title and culprit from its newest event. Returns whether this changes the text.
fn name(tx: &Transaction<'_>, (project, id): (ProjectId, IssueId), new: &PreparedEvent) -> Result<bool> {
    sql::counts::name(tx, project, id, &new.naming())
}
