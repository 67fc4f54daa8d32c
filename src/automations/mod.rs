//! Automations: instructions for an agent, and the triggers that start it.
//!
//! Whatever calls an automation (a webhook, a signal about an issue, a schedule, a person) becomes an automation event. The
//! gates of the automation decide whether the event starts a session; if not, the event says why it was skipped.

pub mod config;
pub mod consumer;
mod gates;
pub mod github;
pub mod http;
pub mod jobs;
pub mod service;
pub mod signature;
pub mod sql;

pub use gates::Gates;

use crate::config::Addresses;
use crate::error::{Error, Result};
use crate::ids::{
    AutomationEventId, AutomationId, ConnectionId, IssueId, PrebuildId, ProjectId, SessionId, TriggerId,
};
use crate::repositories::DefaultPrebuild;
use crate::sessions::caps::Caps;
use crate::text::shown;
use crate::time::{DAY, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// Automations of an organization, and triggers of an automation.
pub const AUTOMATIONS_MAX: i64 = 100;
pub const TRIGGERS_MAX: i64 = 20;
/// Bytes of an automation's instructions or of a prompt.
pub const INSTRUCTIONS_MAX: usize = 64 << 10;
/// Bytes of a trigger's configuration, as JSON.
pub const CONFIG_MAX: usize = 64 << 10;
/// Characters of a description, and of the names of agents and models.
pub const DESCRIPTION_MAX: usize = 2_000;
pub const AGENT_MAX: usize = 64;
pub const MODEL_MAX: usize = 128;
/// How long events are kept, in milliseconds, and the most that are kept for an automation.
pub const EVENTS_KEPT: i64 = 90 * DAY;
pub const EVENTS_MAX: i64 = 2_000;
/// The default time limit of a session in minutes, and the longest that an automation may set.
pub const TIME_LIMIT: i64 = 60;
pub const TIME_LIMIT_MAX: i64 = 24 * 60;
/// The default name of an automation.
pub const UNTITLED: &str = "Untitled Automation";
/// The default agent of automations and sessions.
pub const DEFAULT_AGENT: &str = "claude-code";

/// An automation.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Automation {
    pub id: AutomationId,
    pub organization_id: String,
    pub name: String,
    pub description: String,
    pub enabled: bool,
    /// What the agent is asked to do.
    pub agent_instructions: String,
    /// The mirror whose repository the agent works in.
    pub default_prebuild_id: Option<PrebuildId>,
    /// Without one, and without a repository of the project, the agent may choose among all of the organization.
    pub allow_agentic_repo_selection: bool,
    /// Whether its sessions may push and open pull requests, no matter who started them. Otherwise only those may that
    /// a signed-in person starts; the others only read, and what their agents would change is kept as a patch.
    pub may_open_pull_requests: bool,
    pub created_by: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Such as `claude-code`: which command that is, its runner knows.
    pub agent_type: String,
    pub model_id: Option<String>,
    pub default_prebuild: Option<DefaultPrebuild>,
    pub creator: Option<Creator>,
    pub gates: Gates,
    /// What a runner must have to be given its sessions.
    pub runner_labels: Vec<String>,
    /// Minutes that a session may take,
    pub time_limit_minutes: i64,
    /// and what else it may use at most.
    pub caps: Caps,
}

/// Who created something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Creator {
    pub id: String,
    pub name: String,
    /// An address of a picture. Mayday has none of people.
    pub image: Option<String>,
}

/// How many triggers an automation has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct TriggerCount {
    /// All but schedules.
    pub triggers: i64,
    pub schedules: i64,
}

/// An automation as it is listed.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ListedAutomation {
    #[serde(flatten)]
    pub automation: Automation,
    #[serde(rename = "_count")]
    pub count: TriggerCount,
    /// The providers of its enabled triggers, each once.
    #[serde(rename = "activeProviders")]
    pub active_providers: Vec<Provider>,
}

/// Where the calls of a trigger come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Provider {
    /// Anybody who can sign: a call of its inbound address.
    Webhook,
    /// Mayday's own issues and alert rules.
    Errors,
    /// A cron expression.
    Schedule,
    /// GitHub's webhooks, at its inbound address.
    Github,
    /// Reserved: no trigger of it can be created yet.
    Linear,
    /// The same.
    Slack,
    /// Like `webhook`, for clients of their own.
    Custom,
}

impl Provider {
    const ALL: [Self; 7] =
        [Self::Webhook, Self::Errors, Self::Schedule, Self::Github, Self::Linear, Self::Slack, Self::Custom];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Webhook => "webhook",
            Self::Errors => "errors",
            Self::Schedule => "schedule",
            Self::Github => "github",
            Self::Linear => "linear",
            Self::Slack => "slack",
            Self::Custom => "custom",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.as_str() == text)
    }

    /// Whether its triggers have an inbound address and a secret.
    pub fn is_inbound(self) -> bool {
        matches!(self, Self::Webhook | Self::Github | Self::Linear | Self::Slack | Self::Custom)
    }

    /// Whether Mayday can verify its calls.
    pub fn is_callable(self) -> bool {
        !matches!(self, Self::Linear | Self::Slack)
    }

    /// The type of a trigger for which none is named.
    pub fn usual_type(self) -> TriggerType {
        match self {
            Self::Errors => TriggerType::Event,
            Self::Schedule => TriggerType::Schedule,
            _ => TriggerType::Webhook,
        }
    }
}

/// How the calls of a trigger come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TriggerType {
    Webhook,
    Event,
    Schedule,
    Polling,
}

impl TriggerType {
    const ALL: [Self; 4] = [Self::Webhook, Self::Event, Self::Schedule, Self::Polling];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Webhook => "webhook",
            Self::Event => "event",
            Self::Schedule => "schedule",
            Self::Polling => "polling",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// A trigger.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Trigger {
    pub id: TriggerId,
    pub provider: Provider,
    pub trigger_type: TriggerType,
    pub name: String,
    pub enabled: bool,
    /// What it is about, by provider.
    #[schema(value_type = Object)]
    pub config: Value,
    /// `t_` and 12 characters: the last part of its inbound address.
    pub webhook_url_path: Option<String>,
    /// What calls are signed with: in the answer to its creation only.
    pub webhook_secret: Option<String>,
    pub integration_id: Option<ConnectionId>,
    pub integration: Option<Integration>,
    /// The inbound address.
    #[serde(rename = "webhookUrl")]
    pub webhook_url: Option<String>,
    /// When a schedule calls next.
    pub next_run_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl Trigger {
    /// Adds the inbound address under the API's.
    pub fn complete(&mut self, addresses: &Addresses) {
        self.webhook_url =
            self.webhook_url_path.as_ref().map(|path| format!("{}/webhooks/{path}", addresses.api));
    }
}

/// The connection of a trigger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Integration {
    pub id: ConnectionId,
    pub display_name: String,
    /// `connected`, `failing` or `revoked`.
    pub status: String,
}

/// An automation with its triggers.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct AutomationWithTriggers {
    #[serde(flatten)]
    pub automation: Automation,
    pub triggers: Vec<Trigger>,
}

/// What became of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EventStatus {
    /// Its session waits for a runner.
    Queued,
    /// A runner has it.
    Processing,
    Completed,
    Failed,
    /// It started no session, or no runner took it.
    Skipped,
}

impl EventStatus {
    const ALL: [Self; 5] = [Self::Queued, Self::Processing, Self::Completed, Self::Failed, Self::Skipped];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Processing => "processing",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }
}

/// A call of an automation.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct AutomationEvent {
    pub id: AutomationEventId,
    /// `null`: a person called, or the trigger was deleted.
    pub trigger_id: Option<TriggerId>,
    /// Such as `webhook`, `issue.created`, `schedule`, `manual`.
    pub kind: String,
    pub status: EventStatus,
    /// Why it was skipped, or failed.
    pub reason: Option<String>,
    pub session_id: Option<SessionId>,
    pub issue_id: Option<IssueId>,
    /// Such as `SHOP-12`.
    pub issue_short_id: Option<String>,
    pub project_id: Option<ProjectId>,
    pub created_at: Timestamp,
    pub ended_at: Option<Timestamp>,
}

/// What the automations of an organization did in some days.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = AutomationsSummary)]
pub struct Summary {
    pub since: Timestamp,
    /// Sessions that were started then.
    pub runs: i64,
    pub completed: i64,
    /// Ended in another way: failed, stopped, too long, or no runner.
    pub failed: i64,
    pub pull_requests: i64,
    /// Pull requests that are known to be merged.
    pub merged: i64,
    /// Those that were closed without being merged.
    pub closed: i64,
    /// For which runners had them, in whole minutes of each automation,
    pub minutes: i64,
    /// and those of them for which runners had sessions whose pull request was merged: work that no person had to do. It is no
    /// measure of how long a person would have taken.
    pub saved_minutes: i64,
    pub cost_usd: f64,
    /// Calls that started no session.
    pub skipped: i64,
    /// Those with most runs first.
    pub automations: Vec<AutomationSummary>,
}

/// What one of them did.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct AutomationSummary {
    pub automation_id: AutomationId,
    pub name: String,
    pub enabled: bool,
    pub runs: i64,
    pub completed: i64,
    pub failed: i64,
    pub pull_requests: i64,
    pub merged: i64,
    /// Those that were closed without being merged.
    pub closed: i64,
    pub minutes: i64,
    pub saved_minutes: i64,
    pub cost_usd: f64,
    pub skipped: i64,
    pub last_run_at: Option<Timestamp>,
}

/// Checks instructions or a prompt.
///
/// # Errors
/// 422 naming the field and the bound.
pub fn check_instructions(field: &str, text: String) -> Result<String> {
    if text.len() <= INSTRUCTIONS_MAX && !text.contains('\0') {
        return Ok(text);
    }
    let most = INSTRUCTIONS_MAX >> 10;
    Err(Error::invalid(format!("{field}: expected at most {most} KiB without NUL, got {} bytes", text.len())))
}

/// Checks the name of an agent or a model: visible ASCII, and nothing that a command line takes as an option.
///
/// # Errors
/// 422 naming the field and the bound.
pub fn check_word(field: &str, word: &str, max: usize) -> Result<String> {
    let is_good = (1..=max).contains(&word.len())
        && !word.starts_with('-')
        && word.bytes().all(|byte| byte.is_ascii_graphic());
    if is_good {
        return Ok(word.to_owned());
    }
    Err(Error::invalid(format!(
        "{field}: expected 1 to {max} ASCII characters without spaces, not beginning with `-`, got `{}`",
        shown(word, 64)
    )))
}

/// # Errors
/// 422 naming the field and the bounds.
pub fn check_time_limit(minutes: i64) -> Result<i64> {
    if (1..=TIME_LIMIT_MAX).contains(&minutes) {
        return Ok(minutes);
    }
    Err(Error::invalid(format!("timeLimitMinutes: expected 1 to {TIME_LIMIT_MAX}, got {minutes}")))
}
