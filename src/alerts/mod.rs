//! Alert rules: what a project's people want to be told in a channel, such as a chat or a webhook.
//!
//! A consumer of signals ([`consumer`]) and a counting job ([`jobs`]) find the rules whose condition holds. The
//! transaction that records a firing also writes a delivery for each channel of the rule ([`service`]), so no message
//! is lost or sent twice. After firing about an issue, a rule is quiet about it for a while.

pub mod consumer;
pub mod http;
pub mod jobs;
pub mod letter;
pub mod message;
mod rule;
pub mod service;
pub mod sql;
pub mod target;
pub mod template;

pub use rule::{Condition, NewRule, Rule, RuleFilters, RuleTag, Threshold};
pub use target::{ChannelKind, Target};

use crate::ids::{AlertChannelId, AlertDeliveryId, AlertRuleId, IssueId, ProjectId};
use crate::time::{DAY, HOUR, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

/// The most channels and rules of a project, and the most channels of a rule.
pub const CHANNELS_MAX: i64 = 20;
pub const RULES_MAX: i64 = 50;
/// Messages of a rule within an hour. Further ones are counted, and the next message says how many there were.
pub const HOURLY_MAX: i64 = 30;
/// How long sent messages are listed, in milliseconds, and the most that are kept for a project.
pub const KEPT: i64 = 30 * DAY;
pub const KEPT_MAX: i64 = 2_000;
/// The longest quiet time.
pub const QUIET_MINUTES_MAX: i64 = 7 * 24 * 60;
/// The default for how long a channel gets no message about an issue from other rules.
pub const ISSUE_QUIET_MINUTES: i64 = 60;
/// The period of a preview, in milliseconds.
pub const PREVIEWED: i64 = 7 * DAY;
/// The window of [`HOURLY_MAX`].
const COUNTED: i64 = HOUR;

/// Where messages go.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = AlertChannel)]
pub struct Channel {
    pub id: AlertChannelId,
    pub project_id: ProjectId,
    pub name: String,
    pub kind: ChannelKind,
    /// The host of its address. The address itself, which is often all that is needed to post there, is not shown.
    pub host: String,
    pub enabled: bool,
    /// Why Mayday switched it off; `null`: it did not.
    pub off_reason: Option<String>,
    pub off_at: Option<Timestamp>,
    /// How long it hears nothing of an issue from other rules after a message about it, except that the issue is back: 0
    /// to 10,080 minutes.
    pub issue_quiet_minutes: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// Something that was sent, or will be.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct AlertDelivery {
    pub id: AlertDeliveryId,
    /// `null` once the rule was deleted.
    pub rule_id: Option<AlertRuleId>,
    pub rule_name: String,
    pub channel_id: Option<AlertChannelId>,
    pub channel_name: String,
    pub issue_id: Option<IssueId>,
    pub title: String,
    /// `pending`, `sent`, `failed` or `withdrawn`.
    pub status: String,
    /// Attempts that failed.
    pub attempts: i64,
    /// Why the last one did.
    pub reason: Option<String>,
    /// When the next attempt is due.
    pub next_attempt_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

/// What a rule would have done.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
#[schema(as = AlertPreview)]
pub struct Preview {
    /// How often it would have fired.
    pub count: usize,
    /// How many messages more the limit of 30 an hour would have left out.
    pub suppressed: usize,
    /// The newest of these, at most 10.
    pub examples: Vec<PreviewExample>,
    /// Since when; later than seven days ago if there was too much to look at.
    #[schema(value_type = Option<Timestamp>)]
    pub since: Option<Timestamp>,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = AlertPreviewExample)]
pub struct PreviewExample {
    pub at: Timestamp,
    pub issue_id: Option<IssueId>,
    pub title: String,
}
