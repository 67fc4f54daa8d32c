//! Which rules hold of an issue, and telling their channels.

pub mod letters;

use super::letter::Letter;
use super::message::{Details, Message};
use super::sql::events::{self, Cause};
use super::sql::{channels, firings, log, look};
use super::{AlertDelivery, Condition, Preview, PreviewExample, Rule, RuleFilters, Target, Threshold};
use crate::config::Addresses;
use crate::crypto::seal::Seal;
use crate::deliveries::{Deliveries, NewDelivery};
use crate::error::{Error, Result};
use crate::ids::{IssueId, ProjectId};
use crate::issues::sql::{Filter, fits};
use crate::logs::search::Filters;
use crate::notifications::sql::facts;
use crate::organizations;
use crate::signals::{self, NewSignal};
use crate::store::{Connection, Transaction};
use crate::time::{MINUTE, Timestamp};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;

/// Examples of a preview.
const EXAMPLES: usize = 10;

/// What is needed to tell a channel.
#[derive(Clone)]
pub struct Teller {
    pub deliveries: Arc<Deliveries>,
    pub seal: Seal,
    pub addresses: Addresses,
}

/// What a rule speaks of.
pub enum Subject<'a> {
    Issue {
        id: IssueId,
        /// How it is announced, and why.
        said: (&'a str, String),
        /// Such as `issue.created`.
        kind: &'static str,
    },
    Logs {
        count: u64,
    },
}

impl Teller {
    /// Tells the channels of a rule, unless it is quiet, except those that heard of the issue a while ago from another
    /// rule: an issue that is back is told all the same, since somebody had resolved it. Returns whether anything is to be
    /// sent.
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
        // A rule without channels only counts; one whose channels all want to hear nothing keeps its turn.
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

    /// How many channels a rule has, and those of them that want to hear of it, with what leads to them.
    fn channels(
        &self,
        c: &Connection,
        rule: &Rule,
        subject: &Subject<'_>,
        now: Timestamp,
    ) -> Result<(usize, Vec<(channels::Stored, Target)>)> {
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
                // It keeps none of the others.
                Err(error) => {
                    tracing::warn!(channel = channel.id.0, ?error, "an alert channel cannot be opened")
                }
            }
        }
        Ok((all, open))
    }

    /// `None` if what it is about is gone.
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
                let mut issue = look::details(c, *id)?.unwrap_or_else(|| json!({}));
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
                let Some(name) = look::project_name(c, project)? else { return Ok(None) };
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

    /// What a test of a channel says.
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

/// Where an issue happened, at the end of what is said of it.
fn place(culprit: &str) -> String {
    if culprit.is_empty() { String::new() } else { format!(": {culprit}") }
}

/// Whether the filters of a rule hold of an issue and of what made it what it is. A query that was valid when
/// it was saved may name a field that no longer exists: it holds of nothing.
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
        && match fits_query(c, project, filters, issue) {
            Err(Error::Invalid(_)) => false,
            other => other?,
        })
}

/// Whether an issue matches the query of a rule.
///
/// # Errors
/// 422 for a query that is none; storage trouble.
pub fn fits_query(c: &Connection, project: ProjectId, filters: &RuleFilters, issue: IssueId) -> Result<bool> {
    let Some(query) = &filters.query else { return Ok(true) };
    let mut filter = Filter::of_project(project);
    filter.query(query, None)?;
    fits(c, &filter, issue)
}

/// Why a rule can no longer fire, although it could when it was saved; `None`: it can.
pub fn problem(rule: &super::NewRule, project: ProjectId) -> Option<String> {
    let (field, refused) = match (&rule.condition, &rule.filters.query) {
        (Condition::Logs { search, .. }, _) => {
            let filters = Filters { search: Some(search.clone()), ..Filters::default() };
            ("condition.search", filters.query().err())
        }
        (_, Some(query)) => ("filters.query", Filter::of_project(project).query(query, None).err()),
        (_, None) => return None,
    };
    refused.map(|error| format!("{field}: {error}"))
}

/// Times at which a rule would have fired, with what was about; quiet as it would have been.
struct Replay<'a> {
    quiet: i64,
    last: HashMap<Option<IssueId>, Timestamp>,
    fired: Vec<(Timestamp, Option<IssueId>)>,
    filters: &'a RuleFilters,
    known: HashMap<IssueId, bool>,
}

impl<'a> Replay<'a> {
    fn new(filters: &'a RuleFilters, quiet_minutes: i64) -> Self {
        let (last, fired, known) = (HashMap::new(), Vec::new(), HashMap::new());
        Self { quiet: quiet_minutes * MINUTE, last, fired, filters, known }
    }

    /// Whether the issue matches the query, as it is now.
    fn wants(&mut self, c: &Connection, project: ProjectId, issue: IssueId) -> Result<bool> {
        if let Some(known) = self.known.get(&issue) {
            return Ok(*known);
        }
        let fits = fits_query(c, project, self.filters, issue)?;
        self.known.insert(issue, fits);
        Ok(fits)
    }

    fn hold(&mut self, at: Timestamp, issue: Option<IssueId>) {
        if self.last.get(&issue).is_some_and(|last| at.millis() - last.millis() < self.quiet) {
            return;
        }
        self.last.insert(issue, at);
        self.fired.push((at, issue));
    }

    fn preview(mut self, c: &Connection, since: Timestamp) -> Result<Preview> {
        self.fired.sort_unstable_by_key(|(at, issue)| std::cmp::Reverse((*at, *issue)));
        let mut examples = Vec::new();
        for (at, issue) in self.fired.iter().take(EXAMPLES) {
            let title = match issue {
                Some(id) => facts::issue(c, *id)?.map(|found| found.title).unwrap_or_default(),
                None => String::new(),
            };
            examples.push(PreviewExample { at: *at, issue_id: *issue, title });
        }
        Ok(Preview { count: self.fired.len(), examples, since: Some(since) })
    }
}

/// How often a rule about issues would have fired since then.
///
/// # Errors
/// 422 for a query that is none; storage trouble.
pub fn preview_issues(
    c: &Connection,
    project: ProjectId,
    rule: &super::NewRule,
    since: Timestamp,
) -> Result<Preview> {
    let mut replay = Replay::new(&rule.filters, rule.quiet_minutes);
    if let Some(kind) = rule.condition.signal() {
        for (at, issue, event_id) in look::signals(c, project, kind, since)? {
            let cause = Cause { kind, at, event_id: event_id.as_deref() };
            if replay.wants(c, project, issue)?
                && events::cause_meets(c, (project, issue), &cause, &rule.filters)?
            {
                replay.hold(at, Some(issue));
            }
        }
    }
    if let Condition::Events { count, minutes, users } = rule.condition {
        let over = Threshold { count, users, minutes };
        for (issue, seen) in look::candidates(c, project, &rule.filters, over, since)? {
            let held = events::exceeded(&seen, over);
            if !held.is_empty() && replay.wants(c, project, issue)? {
                held.into_iter().for_each(|at| replay.hold(at, Some(issue)));
            }
        }
    }
    replay.preview(c, since)
}

/// How often a search of logs would have found more than `count`, from the counts of spans of its minutes.
pub fn preview_logs(counts: &[(Timestamp, u64)], count: i64, quiet_minutes: i64) -> Preview {
    let filters = RuleFilters::default();
    let mut replay = Replay::new(&filters, quiet_minutes);
    let most = u64::try_from(count).unwrap_or(0);
    counts.iter().filter(|(_, found)| *found > most).for_each(|(at, _)| replay.hold(*at, None));
    let mut fired = replay.fired;
    fired.reverse();
    let example = |(at, _): &(Timestamp, Option<IssueId>)| PreviewExample {
        at: *at,
        issue_id: None,
        title: String::new(),
    };
    let examples = fired.iter().take(EXAMPLES).map(example).collect();
    Preview { count: fired.len(), examples, since: counts.first().map(|(at, _)| *at) }
}

/// A page of what was sent, and how many lines there are.
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
