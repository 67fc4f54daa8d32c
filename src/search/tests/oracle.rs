//! The oracle: examines every entry one by one.

use super::{Hit, Scope, Timestamp, facts, place};
use crate::event::log_batch::StoredBatch;
use crate::event::log_entry::{Entry, Level};
use crate::search::EntryId;
use crate::search::facts::template_id;
use crate::search::query::matches;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

#[derive(Default)]
pub(super) struct Oracle {
    pub(super) batches: Vec<Arc<StoredBatch>>,
}

impl Oracle {
    fn each(&self, scope: &Scope, mut give: impl FnMut(Hit, &StoredBatch, &Entry<'_>)) {
        for batch in self.batches.iter().filter(|batch| batch.project == scope.project) {
            let plain = &batch.plain;
            for (number, entry) in plain.entries().enumerate() {
                let entry = entry.unwrap();
                let time = Timestamp::from_micros(entry.timestamp);
                let meant = |query| matches(query, &plain.environment, plain.release.as_deref(), &entry);
                if (scope.start..=scope.end).contains(&time) && scope.query.as_ref().is_none_or(meant) {
                    give((place(batch.project, time), EntryId::new(batch.id, number)), batch, &entry);
                }
            }
        }
    }

    /// Oldest first.
    pub(super) fn found(&self, scope: &Scope) -> Vec<Hit> {
        let mut found = Vec::new();
        self.each(scope, |at, _, _| found.push(at));
        found.sort_unstable();
        found
    }

    /// The same without the last batches, which wait for their commit.
    pub(super) fn committed(&self, waiting: usize, scope: &Scope) -> Vec<EntryId> {
        let batches = self.batches[..self.batches.len() - waiting].to_vec();
        Self { batches }.found(scope).into_iter().map(|(_, id)| id).collect()
    }

    pub(super) fn histogram(&self, scope: &Scope, starts: &[Timestamp]) -> Vec<[u64; Level::ALL.len()]> {
        let mut counts = vec![[0; Level::ALL.len()]; starts.len()];
        self.each(scope, |_, _, entry| {
            let step = starts.partition_point(|start| start.micros() <= entry.timestamp) - 1;
            counts[step][entry.level as usize] += 1;
        });
        counts
    }

    /// How many, and the key of the newest.
    pub(super) fn templates(&self, scope: &Scope) -> BTreeMap<String, (u64, u64)> {
        let mut templates = BTreeMap::new();
        self.each(scope, |((key, _), _), _, entry| {
            let sum: &mut (u64, u64) = templates.entry(template_id(&entry.template)).or_default();
            *sum = (sum.0 + 1, sum.1.max(key));
        });
        templates
    }

    /// Fields, and how many entries have each.
    pub(super) fn names(&self, scope: &Scope) -> BTreeMap<String, u64> {
        let mut names = BTreeMap::new();
        self.each(scope, |_, batch, entry| {
            let mut own = BTreeSet::new();
            facts(&batch.plain.environment, batch.plain.release.as_deref(), entry, |field, _| {
                own.insert(field.to_owned());
            });
            for name in own {
                *names.entry(name).or_default() += 1;
            }
        });
        names
    }

    /// Fields, their values, and how many entries have each.
    pub(super) fn fields(&self, scope: &Scope) -> BTreeMap<String, BTreeMap<String, u64>> {
        let mut fields: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
        self.each(scope, |_, batch, entry| {
            let mut own = BTreeSet::new();
            facts(&batch.plain.environment, batch.plain.release.as_deref(), entry, |field, value| {
                own.insert((field.to_owned(), value.to_owned()));
            });
            for (field, value) in own {
                *fields.entry(field).or_default().entry(value).or_default() += 1;
            }
        });
        fields
    }
}
