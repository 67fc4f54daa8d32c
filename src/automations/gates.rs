//! The gates of an automation: limits on how often it runs, for what, and at what cost.

use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Bounds of the gates.
const RUNS_MAX: i64 = 1_000;
const MINUTES_MAX: i64 = 30 * 24 * 60;
const EVENTS_MAX: i64 = 1_000_000;
const DAYS_MAX: i64 = 365;
const USD_MAX: f64 = 1_000_000.0;
/// Minutes in a month, for some hundred runners.
const MONTH_MAX: i64 = 5_000_000;

/// The conditions under which a call starts a session; a missing one does not count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Gates {
    /// Sessions started within an hour, 1 to 1,000. Default: 10.
    #[serde(alias = "maxRunsPerHour")]
    pub max_runs_per_hour: Option<i64>,
    /// At most one unfinished session about the same issue. A paused one that no runner has counts for a day. Default: true.
    #[serde(alias = "onePerIssue")]
    pub one_per_issue: bool,
    /// Minutes after a session was started in which none is started about the same issue, or, by a call without an issue,
    /// none at all; 1 to 43,200.
    #[serde(alias = "cooldownMinutes")]
    pub cooldown_minutes: Option<i64>,
    /// The issue has at least this many events, 1 to 1,000,000.
    #[serde(alias = "minEvents")]
    pub min_events: Option<i64>,
    /// The issue was seen within this many days, 1 to 365.
    #[serde(alias = "seenWithinDays")]
    pub seen_within_days: Option<i64>,
    /// US dollars that its sessions may cost in a calendar month (UTC), as far as it is known what they cost; over 0, up
    /// to 1,000,000.
    #[serde(alias = "monthlyBudgetUsd")]
    pub monthly_budget_usd: Option<f64>,
    /// Minutes that its sessions may run in a calendar month (UTC), 1 to 5,000,000.
    #[serde(alias = "monthlyMinutes")]
    pub monthly_minutes: Option<i64>,
}

impl Default for Gates {
    fn default() -> Self {
        Self {
            max_runs_per_hour: Some(10),
            one_per_issue: true,
            cooldown_minutes: None,
            min_events: None,
            seen_within_days: None,
            monthly_budget_usd: None,
            monthly_minutes: None,
        }
    }
}

impl Gates {
    /// # Errors
    /// 422 naming the gate and its bounds.
    pub fn check(&self) -> Result<()> {
        for (name, given, min, max) in [
            ("max_runs_per_hour", self.max_runs_per_hour, 1, RUNS_MAX),
            ("cooldown_minutes", self.cooldown_minutes, 1, MINUTES_MAX),
            ("min_events", self.min_events, 1, EVENTS_MAX),
            ("seen_within_days", self.seen_within_days, 1, DAYS_MAX),
            ("monthly_minutes", self.monthly_minutes, 1, MONTH_MAX),
        ] {
            if let Some(given) = given.filter(|given| !(min..=max).contains(given)) {
                return Err(Error::invalid(format!("gates.{name}: expected {min} to {max}, got {given}")));
            }
        }
        match self.monthly_budget_usd {
            Some(usd) if !(usd > 0.0 && usd <= USD_MAX) => Err(Error::invalid(format!(
                "gates.monthly_budget_usd: expected over 0, up to {USD_MAX}, got {usd}"
            ))),
            _ => Ok(()),
        }
    }
}
