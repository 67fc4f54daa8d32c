//! Comments on the tickets of an issue when it is resolved.

use super::service::{Act, Order, mark};
use super::sql;
use crate::connections::OnResolve;
use crate::connections::sql as connections;
use crate::deliveries::Deliveries;
use crate::error::Result;
use crate::notifications::sql::facts;
use crate::signals::consumer::Consumer;
use crate::signals::{Kind, Signal};
use crate::store::Transaction;
use crate::text::line;
use std::sync::Arc;

/// The consumer's name.
pub const NAME: &str = "tickets";

/// Writes a delivery for each ticket that is open.
pub struct Resolved(pub Arc<Deliveries>);

impl Consumer for Resolved {
    fn name(&self) -> &'static str {
        NAME
    }

    fn kinds(&self) -> &'static [Kind] {
        &[Kind::IssueResolved]
    }

    fn consume(&self, tx: &Transaction<'_>, signal: &Signal) -> Result<()> {
        let Some(issue) = signal.issue else { return Ok(()) };
        let tickets = sql::open_of(tx, issue)?;
        let Some(facts) = (if tickets.is_empty() { None } else { facts::issue(tx, issue)? }) else {
            return Ok(());
        };
        for ticket in tickets {
            let Some(id) = ticket.connection else { continue };
            let Some(connection) = connections::get(tx, ticket.organization, id)? else { continue };
            if connection.settings.on_resolve == OnResolve::Nothing {
                continue;
            }
            let text = match signal.text("in_release") {
                "" => format!("{} was resolved in Mayday", facts.short_id),
                release => {
                    format!("{} was resolved in Mayday, in release {}", facts.short_id, line(release, 80))
                }
            };
            // Used as a link's text in Markdown or in Jira's markup.
            let text = text.replace(['[', ']', '|', '(', ')'], " ");
            let order = Order { ticket: ticket.id, act: Act::Resolved { mark: mark(), text, at: signal.at } };
            self.0.add(tx, &order.delivery(id)?, signal.at)?;
        }
        Ok(())
    }

    fn committed(&self) {
        self.0.wake();
    }
}
