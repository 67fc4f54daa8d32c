//! What the data directory holds, by project and kind, and how it grows.
//!
//! Counts of events and log entries are kept as they are stored and deleted (`event_days`, `entry_days`); sizes of
//! files are looked up. [`service::Meter`] puts them together and writes them down once a day.

pub mod http;
pub mod jobs;
pub mod service;
pub mod sql;

pub use sql::days::Days;

use crate::ids::ProjectId;
use crate::time::{DAY, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Days for which the daily figures are kept.
pub const KEPT_DAYS: i64 = 400;
/// Days that a rate of growth is calculated from, at most.
const GROWTH_DAYS: i64 = 14;
/// A forecast beyond this many days is meaningless.
const FORECAST_MAX: i64 = 3_650;

/// A number of things, and the bytes they take.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DataAmount {
    pub count: i64,
    pub bytes: i64,
}

impl DataAmount {
    pub fn add(&mut self, more: Self) {
        *self = self.plus(more);
    }

    pub fn subtract(&mut self, less: Self) {
        *self = Self { count: self.count - less.count, bytes: self.bytes - less.bytes };
    }

    #[must_use]
    pub fn plus(self, more: Self) -> Self {
        Self { count: self.count + more.count, bytes: self.bytes + more.bytes }
    }
}

/// What was received on a day and is still stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayAmount {
    /// Since the epoch, UTC.
    pub day: i64,
    pub held: DataAmount,
}

/// The source maps of a project.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MapsAmount {
    /// Contents, and their bytes; those of a content that several projects have are divided among them.
    pub held: DataAmount,
    /// Bytes of the contents that other projects have, too: deleting this project frees none of them.
    pub shared_bytes: i64,
}

/// What takes up the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DataKind {
    /// Payloads of events.
    Events,
    /// Log entries, as packed.
    Logs,
    /// The search index of the logs. A project's share follows from its number of entries.
    LogIndex,
    /// Source maps and style sheets of releases: the uploads, and the compact forms of maps.
    SourceMaps,
    /// Session replays.
    Replays,
    /// Events that could not be digested.
    SetAside,
    /// The rest of both databases: issues, stacks, indexes, people.
    Database,
    /// Files of the journal, which are reused.
    Journal,
    /// Free pages of both databases, which are reused or given back, and their write-ahead logs.
    Free,
    /// Everything else in the data directory, such as what a restore replaced.
    Other,
}

impl DataKind {
    pub const ALL: [Self; 10] = [
        Self::Events,
        Self::Logs,
        Self::LogIndex,
        Self::SourceMaps,
        Self::Replays,
        Self::SetAside,
        Self::Database,
        Self::Journal,
        Self::Free,
        Self::Other,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Events => "events",
            Self::Logs => "logs",
            Self::LogIndex => "log_index",
            Self::SourceMaps => "source_maps",
            Self::Replays => "replays",
            Self::SetAside => "set_aside",
            Self::Database => "database",
            Self::Journal => "journal",
            Self::Free => "free",
            Self::Other => "other",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// The part of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct KindUsage {
    pub kind: DataKind,
    /// Events, log entries, source maps or replays; 0 for kinds that are not counted.
    pub count: i64,
    pub bytes: i64,
}

impl KindUsage {
    pub fn new(kind: DataKind, held: DataAmount) -> Self {
        Self { kind, count: held.count, bytes: held.bytes }
    }
}

/// What a project holds.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ProjectUsage {
    pub project_id: ProjectId,
    pub name: String,
    /// The sum of `kinds`.
    pub bytes: i64,
    pub kinds: Vec<KindUsage>,
    /// Bytes of source maps that other projects have, too; deleting this project does not free them.
    pub shared_source_map_bytes: i64,
    /// Bytes by which it grew per day lately; `null` until there are figures of an earlier day.
    pub growth_bytes_per_day: Option<i64>,
}

/// How many names and values of events a project has that its issues can be filtered by. Events keep those beyond the
/// limits (`issue.project_values` and others), which are neither counted nor found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct FacetUsage {
    pub environments: i64,
    pub releases: i64,
    /// By name.
    pub tags: i64,
    /// The values of all tags.
    pub tag_values: i64,
    /// The first ten tags, by name, that have as many values as are counted of one.
    pub full_tags: Vec<String>,
}

/// What was held at the end of a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct DayUsage {
    /// Such as `2026-11-23` (UTC).
    pub day: String,
    pub bytes: i64,
    pub kinds: Vec<KindUsage>,
}

/// What the whole data directory holds.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct InstanceUsage {
    pub measured_at: Timestamp,
    /// Bytes of all files in the data directory: the sum of `kinds`.
    pub bytes: i64,
    pub kinds: Vec<KindUsage>,
    /// The largest first.
    pub projects: Vec<ProjectUsage>,
    /// Accepted events that are not digested yet; `null` if the server is not running.
    pub journal_waiting: Option<i64>,
    /// Bytes that are free on the disk of the data directory.
    pub free_bytes: i64,
    /// Free bytes below which nothing new is accepted: `SERVICE_DISK_FLOOR_MB`.
    pub floor_bytes: i64,
    /// Bytes by which the data directory grew per day lately; `null` until there are figures of an earlier day.
    pub growth_bytes_per_day: Option<i64>,
    /// Days until the floor is reached if it goes on growing like this; `null` if it does not grow, or for more than ten
    /// years.
    pub full_in_days: Option<i64>,
    /// The last days with figures, the oldest first.
    pub history: Vec<DayUsage>,
}

/// Bytes per day between the earliest of the last [`GROWTH_DAYS`] days and the newest day. `days` are pairs of day and
/// bytes, the oldest first. `None` with fewer than two days.
pub fn growth(days: &[(i64, i64)]) -> Option<i64> {
    let (last_day, last) = *days.last()?;
    let (first_day, first) = *days.iter().find(|(day, _)| *day >= last_day - GROWTH_DAYS)?;
    (last_day > first_day).then(|| (last - first) / (last_day - first_day))
}

/// Days until `room` bytes are used up; `None` if that does not happen within [`FORECAST_MAX`].
pub fn full_in_days(room: i64, growth: Option<i64>) -> Option<i64> {
    let growth = growth.filter(|growth| *growth > 0)?;
    Some(room.max(0) / growth).filter(|days| *days <= FORECAST_MAX)
}

/// A day since the epoch as `2026-11-23`.
pub fn date(day: i64) -> String {
    let mut text = Timestamp::from_millis(day.saturating_mul(DAY)).to_string();
    text.truncate("2026-11-23".len());
    text
}

#[cfg(test)]
mod tests;
