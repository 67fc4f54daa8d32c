//! Calls automations about issues, exactly once for each signal.

use super::Provider;
use super::config::{ErrorsConfig, ErrorsEvent, TriggerConfig};
use super::service::{Call, Skip, accept, kept};
use super::sql::triggers::{self, AutomationTrigger};
use crate::alerts::RuleFilters;
use crate::alerts::service::matches;
use crate::alerts::sql::events::Cause;
use crate::error::{Error, Result};
use crate::ids::OrganizationId;
use crate::sessions::service::SessionService;
use crate::signals::consumer::Consumer;
use crate::signals::{Kind, Signal};
use crate::store::{Connection, Transaction};
use crate::time::Timestamp;
use crate::{issues, organizations};
use serde_json::json;

/// The consumer's name.
pub const NAME: &str = "automations";

/// Finds the triggers that a signal calls.
pub struct Automations(pub SessionService);

impl Consumer for Automations {
    fn name(&self) -> &'static str {
        NAME
    }

    fn kinds(&self) -> &'static [Kind] {
        &[Kind::IssueCreated, Kind::IssueRegressed, Kind::IssueEscalating, Kind::AlertFired]
    }

    fn consume(&self, tx: &Transaction<'_>, signal: &Signal) -> Result<()> {
        let (Some(organization), Some(event)) = (signal.organization, ErrorsEvent::of_signal(signal.kind))
        else {
            return Ok(());
        };
        if !is_there(tx, organization, signal)? {
            return Ok(());
        }
        for called in triggers::of_provider(tx, organization, Provider::Errors)? {
            let config = TriggerConfig::read(Provider::Errors, &called.trigger.config);
            if let Ok(TriggerConfig::Errors(config)) = config
                && is_addressed(&config, event, signal)
            {
                call(tx, organization, &called, &config, signal)?;
            }
        }
        Ok(())
    }

    fn committed(&self) {
        self.0.waiting.notify_waiters();
    }
}

/// Whether the project and issue of a signal still exist: either may have been deleted since.
fn is_there(c: &Connection, organization: OrganizationId, signal: &Signal) -> Result<bool> {
    match (signal.project, signal.issue) {
        (Some(project), _) if organizations::sql::of_project(c, project)? != Some(organization) => Ok(false),
        (Some(project), Some(issue)) => issues::sql::exists(c, project, issue),
        (None, Some(issue)) => Ok(issues::sql::home(c, issue)?.is_some()),
        (_, None) => Ok(true),
    }
}

/// Whether a trigger is for this project and kind of event; otherwise no event is written.
fn is_addressed(config: &ErrorsConfig, event: ErrorsEvent, signal: &Signal) -> bool {
    let is_of_project =
        config.project_ids.is_empty() || signal.project.is_some_and(|id| config.project_ids.contains(&id));
    let rule = signal.payload["rule_id"].as_i64();
    let is_of_rule = event != ErrorsEvent::AlertFired
        || config.rule_ids.is_empty()
        || rule.is_some_and(|rule| config.rule_ids.iter().any(|id| id.0 == rule));
    config.events.contains(&event) && is_of_project && is_of_rule
}

fn call(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    called: &AutomationTrigger,
    config: &ErrorsConfig,
    signal: &Signal,
) -> Result<()> {
    let fits = match (signal.project, signal.issue) {
        (Some(project), Some(issue)) => {
            let at = signal.at.max(Timestamp::from_millis(0));
            let event_id = Some(signal.text("event_id")).filter(|id| !id.is_empty());
            let cause = Cause { kind: signal.kind, at, event_id };
            matches(tx, project, &config.filters(), (issue, &cause))?
        }
        // Without an issue, no filter can match.
        _ => config.filters() == RuleFilters::default(),
    };
    let payload = kept(&json!({
        "event": signal.kind.as_str(),
        "organization_id": organization,
        "project_id": signal.project,
        "issue_id": signal.issue,
        "detail": signal.payload,
    }));
    let call = Call {
        issue: signal.issue,
        project: signal.project,
        skip: (!fits).then_some(Skip::Filter),
        is_public: true,
        ..Call::of(called.automation, Some(called.trigger.id), signal.kind.as_str(), &payload)
    };
    match accept(tx, &call, Timestamp::now()) {
        Err(Error::NotFound(_)) => Ok(()),
        outcome => outcome.map(drop),
    }
}

#[cfg(test)]
mod tests;
