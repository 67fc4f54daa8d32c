//! Finds out whether a rule's filters match an issue, and sends messages to its channels.

pub mod letters;
pub mod preview;

use super::letter::Letter;
use super::message::Message;
use super::sql::events::{self, Cause};
use super::sql::{channels, firings, log, thresholds};
use super::{AlertDelivery, Condition, Rule, RuleFilters, Target};
use crate::config::Addresses;
use crate::crypto::seal::Seal;
use crate::deliveries::{Deliveries, NewDelivery};
use crate::delivery::details::Details;
use crate::error::{Error, Result};
use crate::ids::{IssueId, ProjectId};
use crate::issues::sql::{Filter, fits};
use crate::issues::views::service as views;
use crate::logs::search::Filters;
use crate::notifications::sql::facts;
use crate::organizations;
use crate::signals::{self, NewSignal};
use crate::store::{Connection, Transaction};
use crate::time::Timestamp;
use serde_json::{Value, json};
use std::sync::Arc;

/// What sending to a channel needs.
#[derive(Clone)]
pub struct Teller {
    pub deliveries: Arc<Deliveries>,
    pub seal: Seal,
    pub addresses: Addresses,
}

/// What a message is about.
pub enum Subject<'a> {
    Issue {
        id: IssueId,
        /// Its headline, and the reason.
        said: (&'a str, String),
        /// Such as `issue.created`.
        kind: &'static str,
    },
    Logs {
        count: u64,
    },
}

impl Teller {
    /// Sends a message to the channels of a rule, unless the rule is quiet. Leaves out channels that recently got a
    /// message about the issue from another rule, except for a regression: somebody had resolved the issue. Returns
    /// whether anything will be sent.
    ///
    /// # Errors
    /// Storage trouble.
    pub fn fire(
        &self,
        tx: &Transaction<'_>,
        rule: &Rule,
        subject: &Subject<'_>,
        now: Timestamp,
    ) -> Result<bool> {
        let issue = match subject {
            Subject::Issue { id, .. } => Some(*id),
            Subject::Logs { .. } => None,
        };
        let (all, open) = self.channels(tx, rule, subject, now)?;
        // A rule without channels only counts. A rule whose channels all want no message now does not use up its
        // turn.
        if all > 0 && open.is_empty() {
            return Ok(false);
        }
        let Some(message) = self.message(tx, rule, subject, now)? else { return Ok(false) };
        let taken = firings::take(tx, rule.id, issue, rule.rule.quiet_minutes, now)?;
        let Some(suppressed) = taken else { return Ok(false) };
        let message = Message { suppressed, ..message };
        let organization = organizations::sql::of_project(tx, rule.project_id)?;
        let condition = rule.rule.condition.as_str();
        let detail = json!({ "rule_id": rule.id, "rule": rule.rule.name, "condition": condition });
        let fired = NewSignal::of_alert(organization, (rule.project_id, issue), detail);
        signals::sql::add(tx, &fired, now)?;
        let mut has_told = false;
        for (stored, target) in open {
            let channel = &stored.channel;
            let letter = Letter {
                message: message.clone(),
                kind: channel.kind,
                target,
                issue: issue.map(|issue| (rule.project_id, issue)),
            };
            let delivery = self.deliveries.add(tx, &NewDelivery::letter(channel.id, &letter)?, now)?;
            let line = log::New {
                project: rule.project_id,
                rule: Some(rule.id),
                rule_name: &rule.rule.name,
                channel: channel.id,
                channel_name: &channel.name,
                issue,
                title: &message.title(),
                delivery,
            };
            log::add(tx, &line, now)?;
            has_told = true;
        }
        Ok(has_told)
    }

    /// How many channels a rule has, and those that want the message, with their targets.
    fn channels(
        &self,
        c: &Connection,
        rule: &Rule,
        subject: &Subject<'_>,
        now: Timestamp,
    ) -> Result<(usize, Vec<(channels::SealedChannel, Target)>)> {
        let stored = channels::of_rule(c, rule.id)?;
        let (all, mut open) = (stored.len(), Vec::new());
        for stored in stored {
            let channel = &stored.channel;
            if let Subject::Issue { id, kind, .. } = subject
                && *kind != signals::Kind::IssueRegressed.as_str()
                && log::spoke_for_others(c, (channel, rule.id), *id, now)?
            {
                continue;
            }
            match stored.open(&self.seal) {
                Ok(target) => open.push((stored, target)),
                // One channel that cannot be opened does not stop the others.
                Err(error) => {
                    tracing::warn!(channel = channel.id.0, ?error, "an alert channel cannot be opened")
                }
            }
        }
        Ok((all, open))
    }

    /// `None` if the subject has been deleted.
    fn message(
        &self,
        c: &Connection,
        rule: &Rule,
        subject: &Subject<'_>,
        now: Timestamp,
    ) -> Result<Option<Message>> {
        let frontend = &self.addresses.frontend;
        let project = rule.project_id;
        match subject {
            Subject::Issue { id, said: (what, why), kind } => {
                let Some(found) = facts::issue(c, *id)? else { return Ok(None) };
                let mut issue = thresholds::details(c, *id)?.unwrap_or_else(|| json!({}));
                for (name, value) in [
                    ("id", json!(found.id)),
                    ("short_id", json!(found.short_id)),
                    ("title", json!(found.title)),
                    ("culprit", json!(found.culprit)),
                    ("event_count", json!(found.event_count)),
                    ("user_count", json!(found.user_count)),
                ] {
                    issue[name] = value;
                }
                Ok(Some(Message {
                    kind: (*kind).to_owned(),
                    rule: rule.rule.name.clone(),
                    project: (project.0, found.project_name.clone()),
                    title: format!("{what}: {}", found.title),
                    text: format!(
                        "{} in {}{why}{}",
                        found.short_id,
                        found.project_name,
                        place(&found.culprit)
                    ),
                    url: format!("{frontend}/projects/{project}/issues/{id}"),
                    issue,
                    suppressed: 0,
                    at: now,
                    details: Details::default(),
                }))
            }
            Subject::Logs { count } => {
                let Some(name) = thresholds::project_name(c, project)? else { return Ok(None) };
                let Condition::Logs { search, minutes, .. } = &rule.rule.condition else { return Ok(None) };
                Ok(Some(Message {
                    kind: "logs.matched".to_owned(),
                    rule: rule.rule.name.clone(),
                    project: (project.0, name.clone()),
                    title: format!("{}: {count} log entries", rule.rule.name),
                    text: format!("{count} entries of {name} within {minutes} min match {search}"),
                    url: format!("{frontend}/projects/{project}/logs"),
                    issue: Value::Null,
                    suppressed: 0,
                    at: now,
                    details: Details::default(),
                }))
            }
        }
    }

    /// The message of a channel test.
    pub fn test_message(&self, project: (ProjectId, &str), now: Timestamp) -> Message {
        Message {
            kind: "test".to_owned(),
            rule: "Test".to_owned(),
            project: (project.0.0, project.1.to_owned()),
            title: "This is a test".to_owned(),
            text: format!("Alerts of {} will come here", project.1),
            url: format!("{}/projects/{}/settings/alerts", self.addresses.frontend, project.0),
            issue: Value::Null,
            suppressed: 0,
            at: now,
            details: Details::default(),
        }
    }
}

/// The issue's culprit, at the end of a message.
fn place(culprit: &str) -> String {
    if culprit.is_empty() { String::new() } else { format!(": {culprit}") }
}

/// Whether a rule's filters match an issue and what caused the signal. A query that was valid when it was saved may
/// name a field that no longer exists; it matches nothing.
///
/// # Errors
/// Storage trouble.
pub fn matches(
    c: &Connection,
    project: ProjectId,
    filters: &RuleFilters,
    (issue, cause): (IssueId, &Cause<'_>),
) -> Result<bool> {
    Ok(events::cause_meets(c, (project, issue), cause, filters)?
        && match AskedIssues::read(c, project, filters) {
            Err(Error::Invalid(_)) => false,
            asked => asked?.have(c, issue)?,
        })
}

/// Which issues the query and the view of a rule ask for: read once, for as many as are looked at.
pub enum AskedIssues {
    All,
    /// The view is gone, and has none.
    None,
    Of(Filter),
}

impl AskedIssues {
    /// # Errors
    /// 422 for a query that is none; storage trouble.
    pub fn read(c: &Connection, project: ProjectId, filters: &RuleFilters) -> Result<Self> {
        let mut filter = Filter::of_project(project);
        if let Some(query) = &filters.query {
            filter.query(query, None)?;
        }
        match filters.view_id {
            Some(view) if !views::narrow(c, &mut filter, view)? => Ok(Self::None),
            None if filters.query.is_none() => Ok(Self::All),
            _ => Ok(Self::Of(filter)),
        }
    }

    /// Whether an issue is one of them.
    ///
    /// # Errors
    /// Storage trouble.
    pub fn have(&self, c: &Connection, issue: IssueId) -> Result<bool> {
        match self {
            Self::All => Ok(true),
            Self::None => Ok(false),
            Self::Of(filter) => fits(c, filter, issue),
        }
    }
}

/// Why a rule can no longer fire, although it could when it was saved; `None`: it can.
///
/// # Errors
/// Storage trouble.
pub fn problem(c: &Connection, rule: &super::NewRule, project: ProjectId) -> Result<Option<String>> {
    let RuleFilters { query, view_id, .. } = &rule.filters;
    let refused = if let Condition::Logs { search, .. } = &rule.condition {
        let filters = Filters { search: Some(search.clone()), ..Filters::default() };
        filters.query().map(drop).map_err(|error| Error::invalid(format!("condition.search: {error}")))
    } else {
        let read = query.as_ref().map_or(Ok(()), |query| Filter::of_project(project).query(query, None));
        let of_view = || view_id.map_or(Ok(()), |id| views::check_named(c, project, id, "filters.view_id"));
        read.map_err(|error| Error::invalid(format!("filters.query: {error}"))).and_then(|()| of_view())
    };
    match refused {
        Err(error @ Error::Invalid(_)) => Ok(Some(format!("It cannot fire. {error}"))),
        other => other.map(|()| None),
    }
}

/// The problem of a rule that could not count everything.
pub fn partial_problem() -> String {
    format!(
        "There is more than it can count: at most {} issues and {} events, and of one issue {} events more than it needs. \
         Issues beyond that are not told. Shorten its minutes, or narrow its query.",
        thresholds::ISSUES_MAX,
        thresholds::EVENTS_MAX,
        events::BEYOND_MAX
    )
}

/// The problem of a rule whose last count timed out.
pub const UNCOUNTED: &str = "Its last count took too long, or the database could not be read. It is tried again every ten seconds. \
     If this stays, use a shorter window or a narrower query.";

/// A page of sent messages, and how many there are.
///
/// # Errors
/// Storage trouble.
pub fn sent(
    c: &Connection,
    project: ProjectId,
    page: crate::store::Page,
) -> Result<(Vec<AlertDelivery>, i64)> {
    log::list(c, project, page)
}

#[cfg(test)]
mod tests;
