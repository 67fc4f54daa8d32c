//! Issues: groups of events with one cause, their states, and how to find them.

pub mod activity;
mod facet;
pub mod http;
pub mod jobs;
mod query;
pub mod service;
pub mod sort;
pub mod spike;
pub mod sql;
pub mod texts;
pub mod views;
pub mod within;

pub use facet::Facet;
pub use query::TERMS_MAX;

use crate::accounts::User;
use crate::error::{Error, Result};
use crate::event::accepted::Level;
use crate::ids::{IssueId, ProjectId};
use crate::releases::order::semantic;
use crate::releases::suspect::SuspectRelease;
use crate::sessions::issue_session::IssueSession;
use crate::time::{DAY, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use within::Within;

/// The most values of one facet that are counted for an issue, except users and accounts; more would only
/// fill the disk.
pub const FACET_VALUES_MAX: i64 = 1_000;
/// The most values of all its facets together, except users and accounts.
pub const FACETS_MAX: i64 = 10_000;
/// The most tags of a project, by name.
pub const PROJECT_TAGS_MAX: i64 = 10_000;
/// The most values of one facet in a project, except users and accounts. (Tests use less, here and below.)
pub const PROJECT_VALUES_MAX: i64 = if cfg!(test) { 1_100 } else { 100_000 };
/// The most values of all tags of a project together.
pub const PROJECT_TAG_VALUES_MAX: i64 = if cfg!(test) { 12_000 } else { 1_000_000 };
/// The most e-mails, and the most names, by which a user or account can be found.
pub const ALIASES_MAX: i64 = 20;
/// The most issues in one bulk change.
pub const BULK_MAX: usize = 1_000;
/// The most rows of a page.
pub const PAGE_MAX: u64 = 100;
/// The most `tag.…` filters of one list.
pub const TAG_FILTERS_MAX: usize = 20;
/// Hours of the trend in a list, and of one that is requested: by default and at most.
pub const TREND_HOURS: u64 = 24;
pub const TREND_HOURS_DEFAULT: u64 = 168;
pub const TREND_HOURS_MAX: u64 = 720;
/// How long an issue counts as new or as regressed.
const FRESH: i64 = 7 * DAY;

/// What people decided about an issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Unresolved,
    Resolved,
    Ignored,
}

impl Status {
    pub const ALL: [Self; 3] = [Self::Unresolved, Self::Resolved, Self::Ignored];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unresolved => "unresolved",
            Self::Resolved => "resolved",
            Self::Ignored => "ignored",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }
}

/// What was observed about an unresolved issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Substatus {
    /// First seen in the last 7 days.
    New,
    Ongoing,
    /// Was resolved, and got a new event in the last 7 days.
    Regressed,
    /// Has many more events per hour than usual; takes precedence over the other three.
    Escalating,
}

impl Substatus {
    pub fn of(
        status: Status,
        first_seen: Timestamp,
        regressed_at: Option<Timestamp>,
        escalating_at: Option<Timestamp>,
        now: Timestamp,
    ) -> Option<Self> {
        if status != Status::Unresolved {
            return None;
        }
        if escalating_at.is_some() {
            return Some(Self::Escalating);
        }
        let fresh = |time: Timestamp| now.millis() - time.millis() < FRESH;
        Some(match regressed_at {
            Some(regressed) if fresh(regressed) => Self::Regressed,
            _ if fresh(first_seen) => Self::New,
            _ => Self::Ongoing,
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Priority {
    High,
    Medium,
    Low,
}

impl Priority {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        [Self::High, Self::Medium, Self::Low].into_iter().find(|priority| priority.as_str() == text)
    }

    /// The priority until somebody sets it.
    pub fn of(level: Level) -> Self {
        match level {
            Level::Fatal | Level::Error => Self::High,
            Level::Warning => Self::Medium,
            Level::Info | Level::Debug => Self::Low,
        }
    }
}

/// An issue.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Issue {
    pub id: IssueId,
    pub project_id: ProjectId,
    /// Such as `WEB-42`.
    pub short_id: String,
    /// `Type: message`.
    pub title: String,
    /// Where it was thrown.
    pub culprit: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub message: String,
    pub level: Level,
    pub platform: Option<String>,
    pub status: Status,
    /// `null` unless unresolved.
    pub substatus: Option<Substatus>,
    pub priority: Priority,
    pub assignee: Option<User>,
    pub first_seen: Timestamp,
    pub last_seen: Timestamp,
    pub event_count: i64,
    pub user_count: i64,
    pub account_count: i64,
    pub first_release: Option<String>,
    pub last_release: Option<String>,
    pub environments: Vec<String>,
    /// Events in each of the last 24 hours, the current one last.
    pub trend: Vec<i64>,
    /// A version, or `next`.
    pub resolved_in_release: Option<String>,
    pub ignore_until: Option<Timestamp>,
    /// The event count at which it is reopened.
    pub ignore_events: Option<i64>,
    /// The user count at which it is reopened.
    pub ignore_users: Option<i64>,
    /// When a high-value account first met it; `null`: none did.
    pub high_value_at: Option<Timestamp>,
    /// What that account is called, or the tag that says so.
    pub high_value_account: Option<String>,
    /// What it had within the limits of a list (`environment`, `period`); `null` without these.
    pub within: Option<Within>,
    pub created_at: Timestamp,
}

/// An issue that looks like another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct SimilarIssue {
    pub id: IssueId,
    pub short_id: String,
    pub title: String,
    pub culprit: String,
    pub status: Status,
    /// A version, or `next`.
    pub resolved_in_release: Option<String>,
    pub event_count: i64,
    pub last_seen: Timestamp,
    /// It was thrown at the same place; if not, it has the same type.
    pub has_same_culprit: bool,
}

/// An issue on its page.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ShownIssue {
    #[serde(flatten)]
    pub issue: Issue,
    /// The release that it is blamed on: the one that came out last before it rose; `null`: none did.
    pub suspect_release: Option<SuspectRelease>,
    /// The newest session about it that has not ended; if all have, the newest that opened a pull request or whose work
    /// waits for a review. Of the newest 100.
    pub agent_session: Option<IssueSession>,
}

/// Events per hour.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Trend {
    /// The start of the first hour.
    pub start: Timestamp,
    /// Events in each hour from then on, the current one last.
    pub counts: Vec<i64>,
}

/// A value of an issue's events, and how often it occurred.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TagValue {
    pub value: String,
    /// The name that people know it by: the e-mail or name of a user, the name of an account.
    pub alias: Option<String>,
    pub count: i64,
    pub first_seen: Timestamp,
    pub last_seen: Timestamp,
}

/// A tag of an issue, or `environment`, `release`, `user`, `account`, or of a context, such as `contexts.os.name`.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Tag {
    pub key: String,
    /// The name that `facet` of an issue's events and the search of issues take: `environment`, `tag.locale`.
    pub facet: String,
    /// Events that have one of its values that are counted: at most 1,000, except of `user` and `account`.
    pub total: i64,
    /// Number of distinct values that are counted.
    pub unique: i64,
    /// Whether further values are not counted: it has 1,000 of them, or the issue has 10,000 of all tags together. Never
    /// of `user` and `account`.
    pub is_full: bool,
    /// Up to 20: the most frequent values first; of `release`, the newest ones.
    pub values: Vec<TagValue>,
}

/// What a new event does to an issue that is not unresolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reopening {
    Stays,
    Regressed,
    NoLongerIgnored,
}

/// A release, for comparing versions.
#[derive(Debug, Clone, Copy)]
pub struct ReleaseAge<'a> {
    pub version: &'a str,
    pub created_at: Option<Timestamp>,
}

/// Whether an event of the release `event` is from before the fix in `fixed`: by semantic versioning if both
/// parse, else by when the releases were created. Unknown releases are not older.
pub fn is_older(event: ReleaseAge<'_>, fixed: ReleaseAge<'_>) -> bool {
    if event.version == fixed.version {
        return false;
    }
    match (semantic(event.version), semantic(fixed.version)) {
        (Some(event), Some(fixed)) => event < fixed,
        _ => match (event.created_at, fixed.created_at) {
            (Some(event), Some(fixed)) => event < fixed,
            _ => false,
        },
    }
}

/// A change to an issue; missing fields stay as they are.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
pub struct Change {
    pub status: Option<Status>,
    /// With `status` `resolved`: a version, or `next`.
    pub resolved_in_release: Option<String>,
    /// With `status` `ignored`: reopened at this time,
    pub ignore_until: Option<Timestamp>,
    /// or after this many more events (1 to 1,000,000),
    pub ignore_events: Option<i64>,
    /// or after this many more users (1 to 1,000,000).
    pub ignore_users: Option<i64>,
    /// A member's user id, or `null` for nobody.
    #[serde(default, deserialize_with = "crate::http::extract::given")]
    #[schema(value_type = Option<i64>)]
    pub assignee: Option<Option<i64>>,
    pub priority: Option<Priority>,
    /// The ticket whose state the issue follows, as people call it; people cannot name one.
    #[serde(skip)]
    pub ticket: Option<String>,
}

impl Change {
    /// # Errors
    /// 422 if there is nothing to change, or a condition is given without its status.
    pub fn check(&self) -> Result<()> {
        let ignoring =
            self.ignore_until.is_some() || self.ignore_events.is_some() || self.ignore_users.is_some();
        if self.status.is_none()
            && self.assignee.is_none()
            && self.priority.is_none()
            && !ignoring
            && self.resolved_in_release.is_none()
        {
            return Err(Error::invalid("The body: expected at least one of status, assignee and priority"));
        }
        if ignoring && self.status != Some(Status::Ignored) {
            return Err(Error::invalid(
                "ignore_until, ignore_events, ignore_users: expected with status `ignored`",
            ));
        }
        if let Some(version) = &self.resolved_in_release {
            crate::releases::check_version("resolved_in_release", version)?;
            if self.status != Some(Status::Resolved) {
                return Err(Error::invalid("resolved_in_release: expected with status `resolved`"));
            }
        }
        for (name, count) in [("ignore_events", self.ignore_events), ("ignore_users", self.ignore_users)] {
            if count.is_some_and(|count| !(1..=1_000_000).contains(&count)) {
                return Err(Error::invalid(format!("{name}: expected a whole number from 1 to 1000000")));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
