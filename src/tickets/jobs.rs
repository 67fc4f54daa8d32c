//! Fetches the state of tickets from trackers.

use super::service::look;
use super::sql::{self, StoredTicket};
use crate::connections::service::Connector;
use crate::connections::sql as connections;
use crate::connections::{AskError, RemoteTicket};
use crate::error::Result;
use crate::issues::service::IssueService;
use crate::jobs::Job;
use crate::live::Changes;
use crate::store::Transaction;
use crate::time::{HOUR, MINUTE, Timestamp};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

/// How often it is looked for tickets that are due,
const LOOK: Duration = Duration::from_mins(1);
/// and how many are fetched each time, one after the other, those first that have waited longest.
const AT_ONCE: i64 = 50;
/// The pause before a ticket that could not be fetched is tried again, in milliseconds.
const AGAIN: i64 = 30 * MINUTE;

/// The jobs of tickets.
pub fn jobs(connector: &Arc<Connector>, issues: &IssueService) -> Vec<Job> {
    let (connector, issues) = (connector.clone(), issues.clone());
    let look = move || look_at_all(connector.clone(), issues.clone());
    vec![Job::every("ticket_states", LOOK, look).cut_short()]
}

async fn look_at_all(connector: Arc<Connector>, issues: IssueService) -> Result<()> {
    let now = Timestamp::now();
    let mut left_alone = HashSet::new();
    for ticket in connector.main.read(move |c| sql::due(c, now, AT_ONCE)).await? {
        let (id, connection) = (ticket.id, ticket.connection);
        if left_alone.contains(&connection) {
            continue;
        }
        if let Err(error) = look_at(&connector, &issues, ticket).await? {
            tracing::info!(ticket = id.0, cause = error.text(), "a ticket could not be asked for");
            if error.may_pass() {
                left_alone.insert(connection);
            }
        }
    }
    Ok(())
}

/// Fetches a ticket and stores its state, or when to retry. The outer error is storage trouble, the inner one why the
/// fetch failed.
pub(super) async fn look_at(
    connector: &Connector,
    issues: &IssueService,
    ticket: StoredTicket,
) -> Result<Result<(), AskError>> {
    let (id, connection, project) = (ticket.id, ticket.connection, ticket.project);
    let asked = Timestamp::now();
    let found = ask(connector, ticket).await?;
    let write = move |tx: &Transaction<'_>| {
        let now = Timestamp::now();
        let mut changes = Changes::default();
        // A newer state was stored since: we may have closed the ticket ourselves.
        if sql::is_checked_after(tx, id, asked)? {
            return Ok((Ok(()), changes));
        }
        match &found {
            Ok(remote) => changes = look(tx, id, remote, now)?,
            Err(AskError::Missing(_)) => sql::gone(tx, id, now)?,
            Err(error) => {
                let wait = match error {
                    AskError::Busy { wait, .. } => i64::try_from(wait.as_millis()).unwrap_or(HOUR),
                    _ => AGAIN,
                };
                let until = now.plus(wait.max(AGAIN));
                match connection.filter(|_| error.may_pass()) {
                    Some(connection) => sql::put_off_all(tx, connection, until)?,
                    None => sql::put_off(tx, id, until)?,
                }
            }
        }
        let outcome = match found {
            Ok(_) | Err(AskError::Missing(_)) => Ok(()),
            Err(error) => Err(error),
        };
        Ok((outcome, changes))
    };
    issues.write_and_tell(project, write).await
}

async fn ask(connector: &Connector, ticket: StoredTicket) -> Result<Result<RemoteTicket, AskError>> {
    let (organization, connection) = (ticket.organization, ticket.connection);
    let stored = connector.main.read(move |c| {
        connection.map(|connection| connections::get(c, organization, connection)).transpose()
    });
    let (Some(stored), Some(external)) = (stored.await?.flatten(), &ticket.external_id) else {
        return Ok(Err(AskError::Refused("The ticket's connection was removed".to_owned())));
    };
    let opened = match connector.open(&stored) {
        Ok(opened) => opened,
        Err(error) => return Ok(Err(error)),
    };
    Ok(match opened.tracker() {
        Some(tracker) => tracker.state(external).await,
        None => Err(AskError::Refused("A chat has no tickets".to_owned())),
    })
}
