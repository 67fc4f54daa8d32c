//! Sums up what a batch adds to the facets of its issues. Each name and each value is looked up once per
//! batch.

use super::prepare::{Alias, PreparedEvent};
use crate::error::Result;
use crate::ids::{IssueId, ProjectId};
use crate::issues::sql::facets::{self, Facet, Sum, Tags};
use crate::issues::{ALIASES_MAX, PROJECT_TAG_VALUES_MAX, PROJECT_TAGS_MAX, PROJECT_VALUES_MAX};
use crate::store::Transaction;
use crate::text::line;
use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

/// The most warnings about full facets, over all projects, until the server restarts.
pub(super) const WARNINGS_MAX: usize = 1_000;

/// An issue, a facet and a value.
type Key<'a> = (i64, &'a str, &'a str);

/// Sums that are yet to be written, and the facet names they need.
#[derive(Default)]
pub(super) struct Facets<'a> {
    sums: HashMap<Key<'a>, Sum>,
    aliases: HashSet<(ProjectId, &'a Alias)>,
    names: Names<'a>,
}

/// What happened to a [`Sum`], and the id of its value.
pub(super) enum WriteOutcome {
    Counted(i64),
    /// The value is new to the issue.
    Added(i64),
    /// The issue or its project accepts no more values.
    Refused,
}

impl<'a> Facets<'a> {
    /// Adds an event of an issue.
    pub(super) fn add(&mut self, issue: i64, project: ProjectId, new: &'a PreparedEvent) {
        for (facet, value) in &new.facets {
            let first = Sum { count: 0, first_seen: new.timestamp, last_seen: new.timestamp };
            let sum = self.sums.entry((issue, facet, value)).or_insert(first);
            sum.count += 1;
            sum.first_seen = sum.first_seen.min(new.timestamp);
            sum.last_seen = sum.last_seen.max(new.timestamp);
        }
        self.aliases.extend(new.aliases.iter().map(|alias| (project, alias)));
    }

    /// Takes all sums, sorted, so that rows are written in key order; counting starts over.
    pub(super) fn take(&mut self) -> Vec<(Key<'a>, Sum)> {
        let mut sums: Vec<_> = std::mem::take(&mut self.sums).into_iter().collect();
        sums.sort_unstable_by_key(|(key, _)| *key);
        sums
    }

    /// Adds to an issue's count of a value. If the value is new to the issue, `is_full` is called first, with
    /// the facet's id if it has one. A refused value gets no row of its own, either; its event keeps it.
    pub(super) fn write(
        &mut self,
        tx: &Transaction<'_>,
        (project, issue): (ProjectId, IssueId),
        (name, value): (&'a str, &'a str),
        sum: Sum,
        is_full: impl FnOnce(Option<i64>) -> Result<bool>,
    ) -> Result<WriteOutcome> {
        let facet = self.names.facet(tx, project, name)?;
        let facet = facet.map(|facet| facet.id);
        let known = facet.map_or(Ok(None), |facet| self.names.value(tx, facet, value))?;
        if let (Some(facet), Some(known)) = (facet, known)
            && facets::count(tx, issue, (facet, known), sum)?
        {
            return Ok(WriteOutcome::Counted(known));
        }
        if is_full(facet)? {
            return Ok(WriteOutcome::Refused);
        }
        if known.is_none()
            && let Some(full) = self.names.full(tx, project, name)?
        {
            warn(project, full);
            return Ok(WriteOutcome::Refused);
        }
        let facet = facet.map_or_else(|| self.names.make_facet(tx, project, name), Ok)?;
        let id = known.map_or_else(|| self.names.make_value(tx, (project, name), (facet, value)), Ok)?;
        facets::add(tx, issue, (facet, id), sum)?;
        Ok(WriteOutcome::Added(id))
    }

    /// Writes the aliases of users and accounts; called after their values are written.
    pub(super) fn write_aliases(&mut self, tx: &Transaction<'_>) -> Result<()> {
        let mut aliases: Vec<_> = std::mem::take(&mut self.aliases).into_iter().collect();
        aliases.sort_unstable();
        // How many aliases of a kind a new value has; none of them was stored before.
        let mut had = (0, "", 0);
        for (project, alias) in aliases {
            let Some(facet) = self.names.facet(tx, project, alias.facet)? else { continue };
            let Some(value) = self.names.value(tx, facet.id, &alias.value)? else { continue };
            if !self.names.made.contains(&value) {
                facets::add_alias(tx, value, alias.kind, &alias.alias)?;
                continue;
            }
            had = (value, alias.kind, if (had.0, had.1) == (value, alias.kind) { had.2 + 1 } else { 1 });
            if had.2 <= ALIASES_MAX {
                facets::add_first_alias(tx, value, alias.kind, &alias.alias)?;
            }
        }
        self.names.made.clear();
        Ok(())
    }
}

/// Of which facets of which projects it was said that they are full.
#[derive(Default)]
pub(super) struct Warned(BTreeSet<(ProjectId, String)>);

impl Warned {
    /// Whether it has yet to be said of a facet. Once it was said so often, nothing more is.
    pub(super) fn is_first(&mut self, project: ProjectId, facet: &str) -> bool {
        self.0.len() < WARNINGS_MAX && self.0.insert((project, facet.to_owned()))
    }
}

/// Says once that a project has as many values of a facet as are counted.
fn warn(project: ProjectId, facet: &str) {
    static WARNED: Mutex<Warned> = Mutex::new(Warned(BTreeSet::new()));
    if WARNED.lock().unwrap_or_else(PoisonError::into_inner).is_first(project, facet) {
        tracing::warn!(
            %project,
            facet = line(facet, 64),
            "this project has as many values of a facet as are counted: further ones are neither counted nor found"
        );
    }
}

/// Whether the values of a facet are counted exactly, however many there are.
pub(super) fn is_counted(facet: &str) -> bool {
    matches!(facet, "user" | "account")
}

fn is_tag(facet: &str) -> bool {
    facet.starts_with("tag.")
}

/// The facets and ids of values that the batch has met (`None`: there is none yet), and how many tags the projects have
/// that have met a new one.
#[derive(Default)]
struct Names<'a> {
    facets: HashMap<(ProjectId, &'a str), Option<Facet>>,
    values: HashMap<(i64, &'a str), Option<i64>>,
    /// The values that were created since aliases were last written.
    made: HashSet<i64>,
    tags: HashMap<ProjectId, Tags>,
}

impl<'a> Names<'a> {
    fn facet(&mut self, tx: &Transaction<'_>, project: ProjectId, name: &'a str) -> Result<Option<Facet>> {
        Ok(match self.facets.entry((project, name)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(unknown) => *unknown.insert(facets::facet(tx, project, name)?),
        })
    }

    fn value(&mut self, tx: &Transaction<'_>, facet: i64, value: &'a str) -> Result<Option<i64>> {
        Ok(match self.values.entry((facet, value)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(unknown) => *unknown.insert(facets::value(tx, facet, value)?),
        })
    }

    /// What a project accepts no more of, if it accepts no more values of a facet: of it, or of all tags.
    fn full(&mut self, tx: &Transaction<'_>, project: ProjectId, name: &'a str) -> Result<Option<&'a str>> {
        if is_counted(name) {
            return Ok(None);
        }
        let facet = self.facet(tx, project, name)?;
        if facet.is_some_and(|facet| facet.value_count >= PROJECT_VALUES_MAX) {
            return Ok(Some(name));
        }
        if !is_tag(name) {
            return Ok(None);
        }
        let tags = match self.tags.entry(project) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(unknown) => *unknown.insert(facets::tags(tx, project)?),
        };
        let are_full =
            tags.value_count >= PROJECT_TAG_VALUES_MAX || facet.is_none() && tags.count >= PROJECT_TAGS_MAX;
        Ok(are_full.then_some("tags"))
    }

    fn make_facet(&mut self, tx: &Transaction<'_>, project: ProjectId, name: &'a str) -> Result<i64> {
        let id = facets::make_facet(tx, project, name)?;
        self.facets.insert((project, name), Some(Facet { id, value_count: 0 }));
        if let Some(tags) = self.tags.get_mut(&project).filter(|_| is_tag(name)) {
            tags.count += 1;
        }
        Ok(id)
    }

    fn make_value(
        &mut self,
        tx: &Transaction<'_>,
        (project, name): (ProjectId, &'a str),
        (facet, value): (i64, &'a str),
    ) -> Result<i64> {
        let id = facets::make_value(tx, facet, value)?;
        self.values.insert((facet, value), Some(id));
        self.made.insert(id);
        if let Some(Some(facet)) = self.facets.get_mut(&(project, name)) {
            facet.value_count += 1;
        }
        if let Some(tags) = self.tags.get_mut(&project).filter(|_| is_tag(name)) {
            tags.value_count += 1;
        }
        Ok(id)
    }
}
