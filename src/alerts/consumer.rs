//! Fires the rules whose condition a signal fulfils, exactly once for each signal.

use super::Condition;
use super::service::{Subject, Teller, matches};
use super::sql::events::Cause;
use super::sql::rules;
use crate::error::Result;
use crate::signals::consumer::Consumer;
use crate::signals::{Kind, Signal};
use crate::store::Transaction;
use crate::time::Timestamp;

/// The consumer's name.
pub const NAME: &str = "alerts";

/// Finds the rules that a signal fulfils.
pub struct Alerts(pub Teller);

impl Consumer for Alerts {
    fn name(&self) -> &'static str {
        NAME
    }

    fn kinds(&self) -> &'static [Kind] {
        &[Kind::IssueCreated, Kind::IssueRegressed, Kind::IssueEscalating, Kind::IssueHighValue]
    }

    fn consume(&self, tx: &Transaction<'_>, signal: &Signal) -> Result<()> {
        let (Some(project), Some(issue), Some(condition)) =
            (signal.project, signal.issue, Condition::of_signal(signal.kind))
        else {
            return Ok(());
        };
        for rule in rules::of_kind(tx, project, condition)? {
            // The time of the signal, so that a consumer that lags behind decides like one that does not.
            let at = signal.at.max(Timestamp::from_millis(0));
            let event_id = Some(signal.text("event_id")).filter(|id| !id.is_empty());
            let cause = Cause { kind: signal.kind, at, event_id };
            let fits = matches(tx, project, &rule.rule.filters, (issue, &cause))?;
            if fits {
                let subject = Subject::Issue { id: issue, said: said(signal), kind: signal.kind.as_str() };
                self.0.fire(tx, &rule, &subject, at)?;
            }
        }
        Ok(())
    }

    fn committed(&self) {
        self.0.deliveries.wake();
    }
}

fn said(signal: &Signal) -> (&'static str, String) {
    match signal.kind {
        Kind::IssueRegressed => match signal.text("release") {
            "" => ("Regressed", " was resolved, and has a new event".to_owned()),
            release => ("Regressed", format!(" was resolved, and has a new event in release {release}")),
        },
        Kind::IssueEscalating => {
            let (count, limit) = (&signal.payload["count"], &signal.payload["limit"]);
            ("Escalating", format!(" had {count} events within the hour, where up to {limit} are usual"))
        }
        Kind::IssueHighValue => ("High-value account", format!(" affects {}", signal.text("account"))),
        _ => ("New issue", String::new()),
    }
}
