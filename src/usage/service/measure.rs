//! A measurement of the data directory. Works whether or not a server is running.

use crate::error::Result;
use crate::ids::ProjectId;
use crate::issues::PROJECT_VALUES_MAX;
use crate::issues::sql::facets;
use crate::store::{Connection, files};
use crate::time::Timestamp;
use crate::usage::{
    DataAmount, DataKind, DayUsage, FacetUsage, InstanceUsage, KindUsage, MapsAmount, ProjectUsage, date,
    full_in_days, growth, sql,
};
use crate::{events, logs, replays};
use std::collections::BTreeMap;
use std::path::Path;

/// Days of history in an answer.
const HISTORY_DAYS: i64 = 90;
/// Full tags that an answer names.
const FULL_TAGS_MAX: i64 = 10;

/// The disk space of each project's source maps.
pub type Maps = BTreeMap<ProjectId, MapsAmount>;

/// What to measure.
pub struct Sources<'a> {
    pub data_dir: &'a Path,
    pub main: &'a Connection,
    pub logs: &'a Connection,
    pub maps: &'a Maps,
    /// Bytes of the disk: free ones, and the floor.
    pub room: (u64, u64),
    /// Events in the journal that are not digested yet, if somebody knows.
    pub waiting: Option<i64>,
}

impl Sources<'_> {
    /// Reads the counts of every project and the sizes of all files.
    ///
    /// # Errors
    /// Storage trouble.
    pub fn measure(&self, now: Timestamp) -> Result<InstanceUsage> {
        let index = signed(files::used(&self.data_dir.join("logs")));
        let mut projects = sql::projects(self.main)?
            .into_iter()
            .map(|(id, name)| self.project(id, name))
            .collect::<Result<Vec<_>>>()?;
        share_index(&mut projects, index);
        let kinds = self.kinds(&projects, index)?;
        let bytes = sum(&kinds);
        for project in &mut projects {
            project.bytes = sum(&project.kinds);
            project.growth_bytes_per_day = self.growth(Some(project.project_id), project.bytes, now)?;
        }
        projects.sort_by_key(|project| (-project.bytes, project.project_id));
        let growth = self.growth(None, bytes, now)?;
        let (free, floor) = (signed(self.room.0), signed(self.room.1));
        Ok(InstanceUsage {
            measured_at: now,
            bytes,
            kinds,
            projects,
            journal_waiting: self.waiting,
            free_bytes: free,
            floor_bytes: floor,
            growth_bytes_per_day: growth,
            full_in_days: full_in_days(free - floor, growth),
            history: history(self.main, None, now)?,
        })
    }

    fn project(&self, id: ProjectId, name: String) -> Result<ProjectUsage> {
        let maps = self.maps.get(&id).copied().unwrap_or_default();
        let kinds = [
            (DataKind::Events, events::sql::DAYS.total(self.main, id)?),
            (DataKind::Logs, logs::sql::DAYS.total(self.logs, id)?),
            (DataKind::LogIndex, DataAmount::default()),
            (DataKind::SourceMaps, maps.held),
            (DataKind::Replays, replays::sql::DAYS.total(self.main, id)?),
            (DataKind::SetAside, sql::set_aside(self.main, id)?),
        ];
        Ok(ProjectUsage {
            project_id: id,
            name,
            bytes: 0,
            kinds: kinds.into_iter().map(|(kind, held)| KindUsage::new(kind, held)).collect(),
            shared_source_map_bytes: maps.shared_bytes,
            growth_bytes_per_day: None,
        })
    }

    /// Divides all files of the data directory.
    fn kinds(&self, projects: &[ProjectUsage], index: i64) -> Result<Vec<KindUsage>> {
        let of = |kind| {
            let parts = projects.iter().flat_map(|project| &project.kinds).filter(|part| part.kind == kind);
            parts.fold(DataAmount::default(), |sum, part| {
                sum.plus(DataAmount { count: part.count, bytes: part.bytes })
            })
        };
        let size = |name: &str| signed(files::used(&self.data_dir.join(name)));
        let (events, entries, aside) = (of(DataKind::Events), of(DataKind::Logs), of(DataKind::SetAside));
        let contents = events.bytes + entries.bytes + aside.bytes;
        let maps = DataAmount { bytes: size("sourcemaps"), ..of(DataKind::SourceMaps) };
        let replays = DataAmount { bytes: size("replays"), ..of(DataKind::Replays) };
        let journal = size("intake");
        // What was written last is in the write-ahead log only, so the two are one.
        let named = |start: &str| signed(files::named(self.data_dir, start));
        let databases = named("main.db") + named("logs.db");
        let used = (sql::used(self.main)? + sql::used(self.logs)?).max(contents);
        let known = databases + index + maps.bytes + replays.bytes + journal;
        let uncounted = |kind, bytes| (kind, DataAmount { count: 0, bytes });
        let kinds = [
            (DataKind::Events, events),
            (DataKind::Logs, entries),
            uncounted(DataKind::LogIndex, index),
            (DataKind::SourceMaps, maps),
            (DataKind::Replays, replays),
            (DataKind::SetAside, aside),
            uncounted(DataKind::Database, used - contents),
            uncounted(DataKind::Journal, journal),
            uncounted(DataKind::Free, (databases - used).max(0)),
            uncounted(DataKind::Other, (signed(files::used(self.data_dir)) - known).max(0)),
        ];
        Ok(kinds.into_iter().map(|(kind, held)| KindUsage::new(kind, held)).collect())
    }

    fn growth(&self, project: Option<ProjectId>, bytes: i64, now: Timestamp) -> Result<Option<i64>> {
        let earlier = sql::history(self.main, project, now.day() - HISTORY_DAYS)?;
        let earlier = earlier.iter().filter(|(day, _)| **day < now.day());
        let mut days: Vec<(i64, i64)> = earlier.map(|(day, kinds)| (*day, sum(kinds))).collect();
        days.push((now.day(), bytes));
        Ok(growth(&days))
    }
}

/// The figures of past days, the oldest first.
///
/// # Errors
/// Storage trouble.
pub fn history(c: &Connection, project: Option<ProjectId>, now: Timestamp) -> Result<Vec<DayUsage>> {
    let days = sql::history(c, project, now.day() - HISTORY_DAYS)?;
    let shown = |(day, kinds): (i64, Vec<KindUsage>)| DayUsage { day: date(day), bytes: sum(&kinds), kinds };
    Ok(days.into_iter().map(shown).collect())
}

/// How many environments, releases and tags a project has.
///
/// # Errors
/// Storage trouble.
pub fn count_facets(c: &Connection, project: ProjectId) -> Result<FacetUsage> {
    let values = |name: &str| {
        let facet = facets::facet(c, project, name);
        facet.map(|facet| facet.map_or(0, |facet| facet.value_count))
    };
    let tags = facets::tags(c, project)?;
    Ok(FacetUsage {
        environments: values("environment")?,
        releases: values("release")?,
        tags: tags.count,
        tag_values: tags.value_count,
        full_tags: facets::full_tags(c, project, PROJECT_VALUES_MAX, FULL_TAGS_MAX)?,
    })
}

/// Divides the index of the logs by the number of entries.
fn share_index(projects: &mut [ProjectUsage], index: i64) {
    let entries = |project: &ProjectUsage| {
        project.kinds.iter().find(|part| part.kind == DataKind::Logs).map_or(0, |part| part.count)
    };
    let all: i64 = projects.iter().map(entries).sum();
    for project in projects {
        let own = entries(project);
        let share = i128::from(index) * i128::from(own) / i128::from(all.max(1));
        if let Some(part) = project.kinds.iter_mut().find(|part| part.kind == DataKind::LogIndex) {
            part.bytes = i64::try_from(share).unwrap_or(0);
        }
    }
}

fn sum(kinds: &[KindUsage]) -> i64 {
    kinds.iter().map(|part| part.bytes).sum()
}

fn signed(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

/// The figures of [`sql::record`].
pub(super) fn figures(usage: &InstanceUsage) -> Vec<(Option<ProjectId>, Vec<KindUsage>)> {
    let projects = usage.projects.iter().map(|project| (Some(project.project_id), project.kinds.clone()));
    std::iter::once((None, usage.kinds.clone())).chain(projects).collect()
}
