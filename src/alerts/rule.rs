//! Alert rules: a condition, filters, and how often a rule may fire.

use super::{CHANNELS_MAX, QUIET_MINUTES_MAX};
use crate::accounts::check_name;
use crate::error::{Error, Result};
use crate::event::accepted::Level;
use crate::ids::{AlertChannelId, AlertRuleId, ProjectId, ViewId};
use crate::signals::Kind;
use crate::text::shown;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Values of a filter, and characters of each.
const VALUES_MAX: usize = 20;
const VALUE_MAX: usize = 200;
/// Characters of a search.
const SEARCH_MAX: usize = 1_000;
/// The largest number of events or entries in a threshold, and the longest period.
const COUNT_MAX: i64 = 10_000;
const MINUTES_MAX: i64 = 24 * 60;

/// When a rule fires.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = AlertCondition)]
pub enum Condition {
    /// An issue is new.
    New,
    /// A resolved issue is back.
    Regressed,
    /// An issue escalates.
    Escalating,
    /// A high-value account met an issue.
    HighValue,
    /// An issue has more than `count` events (0 to 10,000) within `minutes` (1 to 1,440), and, where `users` (0 to 10,000) is
    /// given, events of more than so many people. Events without a person count as events alone.
    Events {
        count: i64,
        minutes: i64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        users: Option<i64>,
    },
    /// More than `count` log entries (0 to 10,000) within `minutes` (1 to 1,440) match a search.
    Logs { search: String, count: i64, minutes: i64 },
}

impl Condition {
    /// The name of the condition, stored in a column beside the JSON.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Regressed => "regressed",
            Self::Escalating => "escalating",
            Self::HighValue => "high_value",
            Self::Events { .. } => "events",
            Self::Logs { .. } => "logs",
        }
    }

    /// The signal that fulfils the condition; `None` if a job counts.
    pub fn signal(&self) -> Option<Kind> {
        match self {
            Self::New => Some(Kind::IssueCreated),
            Self::Regressed => Some(Kind::IssueRegressed),
            Self::Escalating => Some(Kind::IssueEscalating),
            Self::HighValue => Some(Kind::IssueHighValue),
            Self::Events { .. } | Self::Logs { .. } => None,
        }
    }

    /// The stored name of the condition that a signal fulfils.
    pub fn of_signal(kind: Kind) -> Option<&'static str> {
        [Self::New, Self::Regressed, Self::Escalating, Self::HighValue]
            .iter()
            .find(|condition| condition.signal() == Some(kind))
            .map(Self::as_str)
    }

    fn check(&self) -> Result<()> {
        let (Self::Events { count, minutes, .. } | Self::Logs { count, minutes, .. }) = self else {
            return Ok(());
        };
        whole("condition.count", *count, 0, COUNT_MAX)?;
        whole("condition.minutes", *minutes, 1, MINUTES_MAX)?;
        match self {
            Self::Logs { search, .. } => check_text("condition.search", search, SEARCH_MAX),
            Self::Events { users: Some(users), .. } => whole("condition.users", *users, 0, COUNT_MAX),
            _ => Ok(()),
        }
    }
}

/// What an issue must exceed.
#[derive(Debug, Clone, Copy)]
pub struct Threshold {
    pub count: i64,
    pub users: Option<i64>,
    pub minutes: i64,
}

impl Threshold {
    pub fn is_exceeded(&self, events: i64, people: usize) -> bool {
        events > self.count
            && self.users.is_none_or(|users| i64::try_from(people).is_ok_and(|people| people > users))
    }

    /// Whether events have to be read, not only counted.
    pub fn reads(&self, filters: &RuleFilters) -> bool {
        self.users.is_some() || filters.ask_of_events()
    }
}

/// What a rule is about; what is empty is not asked. Environments, levels, releases and tags are those of the events that
/// are counted, or of the one by which an issue is new, regressed or escalating; the query and the view are about the issue.
/// For a search of logs there are no filters: the search has them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = AlertFilters)]
pub struct RuleFilters {
    /// The event is of one of these environments. At most 20.
    pub environments: Vec<String>,
    /// It has one of these levels. At most 5.
    #[schema(value_type = Vec<String>)]
    pub levels: Vec<Level>,
    /// It is of one of these releases. At most 20.
    pub releases: Vec<String>,
    /// It has each of these tags. At most 20.
    pub tags: Vec<RuleTag>,
    /// The issue matches this query, as in a list of issues. Up to 1,000 characters.
    pub query: Option<String>,
    /// The issue is one of this view, which the project shares: it matches the view's query now, and has events in the
    /// view's environment. The view's period and order do not count.
    pub view_id: Option<ViewId>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AlertTag)]
pub struct RuleTag {
    pub key: String,
    pub value: String,
}

impl RuleFilters {
    fn check(&self) -> Result<()> {
        for (name, values) in [("environments", &self.environments), ("releases", &self.releases)] {
            most(name, values.len())?;
            values.iter().try_for_each(|value| check_text(&format!("filters.{name}"), value, VALUE_MAX))?;
        }
        most("levels", self.levels.len())?;
        most("tags", self.tags.len())?;
        self.tags.iter().try_for_each(|tag| {
            check_text("filters.tags.key", &tag.key, VALUE_MAX)?;
            check_text("filters.tags.value", &tag.value, VALUE_MAX)
        })
    }

    /// Whether any filter is about single events.
    pub fn ask_of_events(&self) -> bool {
        let Self { environments, levels, releases, tags, query: _, view_id: _ } = self;
        !(environments.is_empty() && levels.is_empty() && releases.is_empty() && tags.is_empty())
    }

    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A rule to create, or to try.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewAlertRule)]
pub struct NewRule {
    /// 1 to 128 characters.
    pub name: String,
    pub condition: Condition,
    #[serde(default)]
    pub filters: RuleFilters,
    /// Where it is told: 1 to 20 channels of the project. None: it only counts.
    #[serde(default)]
    pub channels: Vec<AlertChannelId>,
    /// How long it says nothing more about the same issue: 1 to 10,080 minutes. Default: 60.
    #[serde(default = "an_hour")]
    pub quiet_minutes: i64,
    #[serde(default = "yes")]
    pub enabled: bool,
}

fn an_hour() -> i64 {
    60
}

fn yes() -> bool {
    true
}

impl NewRule {
    /// # Errors
    /// 422 naming what does not fit.
    pub fn checked(mut self) -> Result<Self> {
        self.name = check_name("name", &self.name)?;
        self.condition.check()?;
        self.filters.check()?;
        if matches!(self.condition, Condition::Logs { .. }) && !self.filters.is_empty() {
            return Err(Error::invalid(
                "filters: expected none with a search of logs: put them into the search",
            ));
        }
        whole("quiet_minutes", self.quiet_minutes, 1, QUIET_MINUTES_MAX)?;
        self.channels.sort_unstable();
        self.channels.dedup();
        if self.channels.len() as i64 > CHANNELS_MAX {
            return Err(Error::invalid(format!("channels: expected at most {CHANNELS_MAX}")));
        }
        Ok(self)
    }
}

/// A rule.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = AlertRule)]
pub struct Rule {
    pub id: AlertRuleId,
    pub project_id: ProjectId,
    #[serde(flatten)]
    pub rule: NewRule,
    /// Why it cannot fire any more, although it could when it was saved (its query names something that no longer exists), or
    /// why it may have missed something when it last counted: there was more than it may read.
    pub problem: Option<String>,
    pub last_fired_at: Option<Timestamp>,
    /// Messages that were not sent because of the limit of 30 an hour, since the last one that was.
    pub suppressed: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

fn whole(name: &str, given: i64, min: i64, max: i64) -> Result<()> {
    if (min..=max).contains(&given) {
        return Ok(());
    }
    Err(Error::invalid(format!("{name}: expected a whole number from {min} to {max}, got {given}")))
}

fn most(name: &str, count: usize) -> Result<()> {
    if count <= VALUES_MAX {
        return Ok(());
    }
    Err(Error::invalid(format!("filters.{name}: expected at most {VALUES_MAX}, got {count}")))
}

fn check_text(name: &str, text: &str, max: usize) -> Result<()> {
    let length = text.chars().count();
    if !text.trim().is_empty() && length <= max {
        return Ok(());
    }
    Err(Error::invalid(format!("{name}: expected 1 to {max} characters, got `{}`", shown(text, 64))))
}
