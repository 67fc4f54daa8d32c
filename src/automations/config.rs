//! The configuration of triggers, by provider.

use super::{CONFIG_MAX, Provider, TriggerType};
use crate::alerts::RuleFilters;
use crate::error::{Error, Result};
use crate::event::accepted::Level;
use crate::ids::{AlertRuleId, ProjectId, ViewId};
use crate::signals::Kind;
use crate::text::shown;
use crate::time::Timestamp;
use crate::time::cron::{Cron, Zone};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Values of a filter, and characters of each.
const VALUES_MAX: usize = 50;
const VALUE_MAX: usize = 200;
/// Characters of a phrase.
const PHRASE_MAX: usize = 200;
/// Characters of a query.
const QUERY_MAX: usize = 1_000;

/// A parsed trigger configuration.
#[derive(Debug, Clone, PartialEq)]
pub enum TriggerConfig {
    Errors(ErrorsConfig),
    Schedule(ScheduleConfig),
    Github(GithubConfig),
    /// Anything: Mayday passes it on without reading it.
    Free(Value),
}

/// What happened to an issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ErrorsEvent {
    #[serde(rename = "issue.created")]
    Created,
    #[serde(rename = "issue.regressed")]
    Regressed,
    #[serde(rename = "issue.escalating")]
    Escalating,
    /// An alert rule of the project holds.
    #[serde(rename = "alert.fired")]
    AlertFired,
}

impl ErrorsEvent {
    pub fn of_signal(kind: Kind) -> Option<Self> {
        match kind {
            Kind::IssueCreated => Some(Self::Created),
            Kind::IssueRegressed => Some(Self::Regressed),
            Kind::IssueEscalating => Some(Self::Escalating),
            Kind::AlertFired => Some(Self::AlertFired),
            _ => None,
        }
    }
}

/// Which issues; what is empty is not asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ErrorsConfig {
    /// At least one.
    pub events: Vec<ErrorsEvent>,
    #[serde(default, alias = "project_ids")]
    pub project_ids: Vec<ProjectId>,
    #[serde(default)]
    pub environments: Vec<String>,
    #[serde(default)]
    pub levels: Vec<Level>,
    /// As in a list of issues.
    #[serde(default)]
    pub query: Option<String>,
    /// One that the only project of `project_ids` shares: its query and its environment, and not its period.
    #[serde(default, alias = "view_id", skip_serializing_if = "Option::is_none")]
    pub view_id: Option<ViewId>,
    /// For `alert.fired`: which rules.
    #[serde(default, alias = "rule_ids")]
    pub rule_ids: Vec<AlertRuleId>,
}

impl ErrorsConfig {
    /// The filters that an issue must match.
    pub fn filters(&self) -> RuleFilters {
        RuleFilters {
            environments: self.environments.clone(),
            levels: self.levels.clone(),
            query: self.query.clone(),
            view_id: self.view_id,
            ..RuleFilters::default()
        }
    }
}

/// When it calls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScheduleConfig {
    /// Five fields.
    pub cron: String,
    /// A name such as `Europe/Berlin`.
    #[serde(default = "utc", alias = "time_zone", alias = "timeZone")]
    pub timezone: String,
}

fn utc() -> String {
    "UTC".to_owned()
}

impl ScheduleConfig {
    /// The next time after `now`.
    ///
    /// # Errors
    /// 422 if it is not a schedule, or has no next time.
    pub fn next(&self, now: Timestamp) -> Result<Timestamp> {
        let zone = Zone::parse(&self.timezone).ok_or_else(|| {
            let given = shown(&self.timezone, 64);
            Error::invalid(format!("config.timezone: expected a name such as Europe/Berlin, got `{given}`"))
        })?;
        let given = shown(&self.cron, 64);
        let cron = Cron::parse(&self.cron, &zone).ok_or_else(|| {
            Error::invalid(format!(
                "config.cron: expected minute, hour, day, month and weekday, such as `0 3 * * 1-5`, got `{given}`"
            ))
        })?;
        cron.after(now).ok_or_else(|| {
            Error::invalid(format!("config.cron: expected times that come, but `{given}` never does"))
        })
    }
}

/// What happens on GitHub.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GithubEvent {
    /// Commits on a branch.
    Push,
    /// A comment with the phrase.
    IssueComment,
    /// A check run or suite that failed.
    CheckFailure,
}

/// Which of it; what is empty is not asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GithubConfig {
    /// Default: all.
    #[serde(default)]
    pub events: Vec<GithubEvent>,
    /// What a comment must have. Default: `/mayday`.
    #[serde(default = "phrase")]
    pub phrase: String,
    /// Whether comments of people who have no say in the repository count, too. Anybody may comment on a public one.
    #[serde(default, alias = "from_anybody", skip_serializing_if = "std::ops::Not::not")]
    pub from_anybody: bool,
    #[serde(default)]
    pub branches: Vec<String>,
    /// Such as `acme/shop`.
    #[serde(default)]
    pub repositories: Vec<String>,
}

fn phrase() -> String {
    "/mayday".to_owned()
}

impl GithubConfig {
    pub fn wants(&self, event: GithubEvent) -> bool {
        self.events.is_empty() || self.events.contains(&event)
    }
}

impl TriggerConfig {
    /// Reads and checks what a client sent. `null` is an empty object.
    ///
    /// # Errors
    /// 422 naming what does not fit.
    pub fn read(provider: Provider, given: &Value) -> Result<Self> {
        let empty = json!({});
        let given = if given.is_null() { &empty } else { given };
        if !given.is_object() {
            return Err(Error::invalid("config: expected an object"));
        }
        let size = given.to_string().len();
        if size > CONFIG_MAX {
            let most = CONFIG_MAX >> 10;
            return Err(Error::invalid(format!("config: expected at most {most} KiB, got {size} bytes")));
        }
        match provider {
            Provider::Errors => {
                let config: ErrorsConfig = fit(given)?;
                check_errors(&config)?;
                Ok(Self::Errors(config))
            }
            Provider::Schedule => {
                let config: ScheduleConfig = fit(given)?;
                config.next(Timestamp::now())?;
                Ok(Self::Schedule(config))
            }
            Provider::Github => {
                let config: GithubConfig = fit(given)?;
                check_texts("config.phrase", std::slice::from_ref(&config.phrase), PHRASE_MAX)?;
                check_texts("config.branches", &config.branches, VALUE_MAX)?;
                check_texts("config.repositories", &config.repositories, VALUE_MAX)?;
                Ok(Self::Github(config))
            }
            _ => Ok(Self::Free(given.clone())),
        }
    }

    /// The form in which it is stored and shown.
    pub fn value(&self) -> Value {
        match self {
            Self::Errors(config) => json!(config),
            Self::Schedule(config) => json!(config),
            Self::Github(config) => json!(config),
            Self::Free(value) => value.clone(),
        }
    }
}

fn check_errors(config: &ErrorsConfig) -> Result<()> {
    if config.events.is_empty() {
        return Err(Error::invalid(
            "config.events: expected at least one of issue.created, issue.regressed, issue.escalating, alert.fired",
        ));
    }
    for (name, count) in [
        ("events", config.events.len()),
        ("projectIds", config.project_ids.len()),
        ("levels", config.levels.len()),
        ("ruleIds", config.rule_ids.len()),
    ] {
        if count > VALUES_MAX {
            return Err(Error::invalid(format!("config.{name}: expected at most {VALUES_MAX}, got {count}")));
        }
    }
    check_texts("config.environments", &config.environments, VALUE_MAX)?;
    if config.view_id.is_some() && config.project_ids.len() != 1 {
        return Err(Error::invalid(
            "config.viewId: expected the project of the view alone in config.projectIds",
        ));
    }
    match &config.query {
        Some(query) if query.chars().count() > QUERY_MAX => {
            Err(Error::invalid(format!("config.query: expected at most {QUERY_MAX} characters")))
        }
        _ => Ok(()),
    }
}

fn check_texts(name: &str, texts: &[String], max: usize) -> Result<()> {
    if texts.len() > VALUES_MAX {
        return Err(Error::invalid(format!("{name}: expected at most {VALUES_MAX}, got {}", texts.len())));
    }
    let is_good = |text: &String| !text.trim().is_empty() && text.chars().count() <= max;
    match texts.iter().find(|text| !is_good(text)) {
        Some(bad) => {
            Err(Error::invalid(format!("{name}: expected 1 to {max} characters, got `{}`", shown(bad, 64))))
        }
        None => Ok(()),
    }
}

fn fit<T: DeserializeOwned>(given: &Value) -> Result<T> {
    serde_path_to_error::deserialize(given).map_err(|error| match error.path().to_string() {
        path if path != "." => Error::invalid(format!("config.{path}: {}", error.inner())),
        _ => Error::invalid(format!("config: {}", error.inner())),
    })
}

/// Whether a provider's triggers may have a type.
pub fn is_type_of(provider: Provider, kind: TriggerType) -> bool {
    match provider {
        Provider::Errors | Provider::Schedule => kind == provider.usual_type(),
        _ => matches!(kind, TriggerType::Webhook | TriggerType::Event),
    }
}

#[cfg(test)]
mod tests;
