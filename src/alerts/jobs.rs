//! Counts events and log entries for the rules that need it, and deletes what is old.

use super::service::{AskedIssues, Subject, Teller, UNCOUNTED, partial_problem};
use super::sql::{firings, log, rules, thresholds};
use super::{Condition, Rule, Threshold};
use crate::error::{Error, Result};
use crate::ids::IssueId;
use crate::jobs::Job;
use crate::logs::search::Filters;
use crate::logs::store::LogStore;
use crate::search::{Order, Scope};
use crate::store::{Main, Transaction};
use crate::time::{MINUTE, Timestamp};
use std::time::Duration;

/// How often the job counts: a message is late by at most this much.
const LOOK: Duration = Duration::from_secs(10);
/// How often old firings and messages are deleted.
const SWEEP: Duration = Duration::from_hours(1);

/// The jobs of alerts.
pub fn jobs(main: &Main, logs: &LogStore, teller: &Teller) -> Vec<Job> {
    let looker = Looker { main: main.clone(), logs: logs.clone(), teller: teller.clone() };
    let look = move || {
        let looker = looker.clone();
        async move { looker.look(Timestamp::now()).await }
    };
    let sweeping = main.clone();
    let sweep = move || {
        let main = sweeping.clone();
        async move {
            let now = Timestamp::now();
            main.write(move |tx| {
                firings::forget(tx, now)?;
                log::forget(tx, now)
            })
            .await
        }
    };
    vec![Job::every("alert_counts", LOOK, look), Job::every("alerts_sweep", SWEEP, sweep)]
}

#[derive(Clone)]
struct Looker {
    main: Main,
    logs: LogStore,
    teller: Teller,
}

impl Looker {
    /// Checks every counting rule once. A rule that fails does not stop the others.
    async fn look(&self, now: Timestamp) -> Result<()> {
        let mut unavailable = Ok(());
        for rule in self.main.read(rules::counting).await? {
            let id = rule.id;
            let problem = match self.look_at(rule.clone(), now).await {
                Ok(problem) => problem,
                // The query took too long, or the database is unavailable: the next rules will show which.
                Err(error @ Error::Unavailable { .. }) => {
                    unavailable = Err(error);
                    Some(UNCOUNTED.to_owned())
                }
                // The rule reports this itself, see `service::problem`.
                Err(Error::Invalid(_)) => None,
                Err(error) => {
                    tracing::warn!(rule = id.0, ?error, "an alert rule could not be looked at");
                    continue;
                }
            };
            if problem != rule.problem {
                let write = move |tx: &Transaction<'_>| rules::set_problem(tx, &rule, problem.as_deref());
                unavailable = unavailable.and(self.main.write(write).await);
            }
        }
        unavailable
    }

    /// Returns why the rule could not count everything.
    async fn look_at(&self, rule: Rule, now: Timestamp) -> Result<Option<String>> {
        match rule.rule.condition.clone() {
            Condition::Events { count, minutes, users } => {
                let asked = rule.clone();
                let over = Threshold { count, users, minutes };
                let read = self.main.read(move |c| {
                    let issues = AskedIssues::read(c, asked.project_id, &asked.rule.filters)?;
                    thresholds::over(c, &asked, over, now, |issue| issues.have(c, issue))
                });
                let counted = read.await?;
                self.fire_issues(rule, counted.over, over, now).await?;
                Ok(counted.is_partial.then(partial_problem))
            }
            Condition::Logs { search, count, minutes } => {
                let query = Filters { search: Some(search), ..Filters::default() }.query()?;
                let scope =
                    Scope { project: rule.project_id, start: now.plus(-minutes * MINUTE), end: now, query };
                let found =
                    self.logs.index.search(move |view| view.page(&scope, Order::Newest, 0, 1)).await?.1;
                if found <= u64::try_from(count).unwrap_or(0) {
                    return Ok(None);
                }
                let teller = self.teller.clone();
                let write =
                    move |tx: &Transaction<'_>| teller.fire(tx, &rule, &Subject::Logs { count: found }, now);
                if self.main.write(write).await? {
                    self.teller.deliveries.wake();
                }
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    async fn fire_issues(
        &self,
        rule: Rule,
        issues: Vec<IssueId>,
        over: Threshold,
        now: Timestamp,
    ) -> Result<()> {
        if issues.is_empty() {
            return Ok(());
        }
        let teller = self.teller.clone();
        let Threshold { count, users, minutes } = over;
        let of = users.map(|users| format!(" of more than {users} people")).unwrap_or_default();
        let why = format!(" had more than {count} events{of} within {minutes} min");
        let write = move |tx: &Transaction<'_>| {
            let mut has_told = false;
            for id in issues {
                let why = why.clone();
                let subject = Subject::Issue { id, said: ("Many events", why), kind: "issue.events" };
                has_told |= teller.fire(tx, &rule, &subject, now)?;
            }
            Ok(has_told)
        };
        if self.main.write(write).await? {
            self.teller.deliveries.wake();
        }
        Ok(())
    }
}
