//! Attaching a ticket that exists to an issue.

use super::{add_activity, mark};
use crate::accounts::standing::Standing;
use crate::connections::service::{Connector, refused};
use crate::connections::sql::StoredConnection;
use crate::connections::{AskError, RemoteTicket};
use crate::error::{Error, Result};
use crate::ids::{IssueId, ProjectId, UserId};
use crate::issues::activity::Kind as Activity;
use crate::store::Transaction;
use crate::tickets::Ticket;
use crate::tickets::sql::{self, New};
use crate::time::Timestamp;
use serde_json::json;
use url::Url;

/// Characters of an address or a key.
const REFERENCE_MAX: usize = 2_048;

/// A request to attach a ticket to an issue.
pub struct Attach {
    pub standing: Standing,
    pub by: UserId,
    pub issue: (ProjectId, IssueId),
    pub connection: StoredConnection,
    /// The ticket's address or key.
    pub reference: String,
}

impl Attach {
    /// Finds the ticket at its tracker, and attaches it.
    ///
    /// # Errors
    /// 422 if the tracker does not have it; conflict if the tracker refuses or does not answer, if this is a chat, or
    /// if the issue already has the ticket or the maximum number of them.
    pub async fn run(self, connector: &Connector) -> Result<Ticket> {
        let reference = self.reference.trim();
        if reference.is_empty() || reference.chars().count() > REFERENCE_MAX {
            return Err(Error::invalid(format!(
                "reference: expected the address or the key of a ticket, 1 to {REFERENCE_MAX} characters"
            )));
        }
        let opened = connector.open(&self.connection).map_err(|error| refused(&error))?;
        let chat = || Error::conflict("A chat has no tickets: choose a connection to a tracker.");
        let found =
            opened.tracker().ok_or_else(chat)?.find(reference).await.map_err(|error| match error {
                AskError::Missing(text) => Error::invalid(format!("reference: {text}")),
                error => refused(&error),
            })?;
        if is_elsewhere(reference, &found) {
            return Err(Error::invalid(format!(
                "reference: this address leads to another server than the connection, whose ticket {} is at {}",
                found.key, found.url
            )));
        }
        connector.main.write(move |tx| self.store(tx, &found, Timestamp::now())).await
    }

    fn store(&self, tx: &Transaction<'_>, found: &RemoteTicket, now: Timestamp) -> Result<Ticket> {
        self.standing.check(tx)?;
        let (project, issue) = self.issue;
        let connection = &self.connection.connection;
        if sql::has(tx, issue, connection.id, &found.id)? {
            return Err(Error::conflict(format!("The issue has the ticket {} already.", found.key)));
        }
        let new = New {
            project,
            issue,
            connection: (connection.id, connection.kind),
            mark: &mark(),
            destination: &found.destination,
            title: &found.title,
            by: self.by,
        };
        let id = sql::add(tx, &new, now)?;
        let gone = || Error::internal("a ticket that was just added does not exist");
        let stored = sql::seen(tx, id, found, now)?.ok_or_else(gone)?;
        let data = json!({
            "kind": connection.kind.as_str(),
            "key": found.key,
            "url": found.url,
            "state": found.state,
            "attached": true,
        });
        add_activity(tx, &stored, Activity::TicketCreated, data, now)?;
        sql::list(tx, project, issue)?
            .unwrap_or_default()
            .into_iter()
            .find(|one| one.id == id)
            .ok_or_else(gone)
    }
}

/// Whether the reference is an address at another server.
fn is_elsewhere(reference: &str, found: &RemoteTicket) -> bool {
    let host = |text: &str| Url::parse(text).ok().and_then(|url| url.host_str().map(str::to_owned));
    match (host(reference), host(&found.url)) {
        (Some(given), Some(theirs)) => given != theirs,
        _ => false,
    }
}
