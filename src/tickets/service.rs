//! Makes tickets and speaks on them: the transport of their deliveries.

pub mod attach;

use super::sql::{self, StoredTicket};
use crate::config::Addresses;
use crate::connections::service::Connector;
use crate::connections::sql as connections;
use crate::connections::tracker::FACTS_MAX;
use crate::connections::{AskError, IssueTracker, NewTicket, OnResolve, Remark, RemoteTicket};
use crate::crypto::token;
use crate::deliveries::{Channel, NewDelivery};
use crate::delivery::{Attempt, Failure, Parcel, Transport};
use crate::error::{Error, Result};
use crate::ids::{ConnectionId, TicketId};
use crate::issues::activity::{self, Kind as Activity};
use crate::issues::{self, Change, Status};
use crate::live::Changes;
use crate::notifications::sql::facts;
use crate::notifications::texts::Issue;
use crate::signals::{self, NewSignal};
use crate::store::Transaction;
use crate::text::{clip, line};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::borrow::Cow;
use std::sync::Arc;

/// What to do with a ticket; stored sealed as a delivery's payload.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Order {
    pub ticket: TicketId,
    pub act: Act,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// Creates it, with a note.
    Create { note: String },
    /// Comments that the issue is resolved, and closes the ticket if the connection's settings say so.
    Resolved { mark: String, text: String, at: Timestamp },
}

impl Order {
    /// The delivery of it.
    ///
    /// # Errors
    /// Internal, if it cannot be serialized.
    pub fn delivery(&self, connection: ConnectionId) -> Result<NewDelivery> {
        let payload = serde_json::to_vec(self).map_err(Error::internal)?;
        let is_followed = matches!(self.act, Act::Create { .. });
        let (channel, target) = (Channel::Ticket, connection.to_string());
        Ok(NewDelivery { channel, target, kind: "ticket", payload, is_followed })
    }
}

/// Carries out orders.
pub struct Tickets {
    connector: Arc<Connector>,
    addresses: Addresses,
}

impl Tickets {
    pub fn new(connector: &Arc<Connector>, addresses: &Addresses) -> Self {
        Self { connector: connector.clone(), addresses: addresses.clone() }
    }

    async fn carry_out(&self, order: Order) -> Result<(), Failure> {
        let id = order.ticket;
        let read = self.connector.main.read(move |c| {
            let Some(ticket) = sql::get(c, id)? else { return Ok(None) };
            let Some(connection) = ticket.connection else { return Ok(None) };
            let Some(connection) = connections::get(c, ticket.organization, connection)? else {
                return Ok(None);
            };
            let Some(issue) = facts::issue(c, ticket.issue)? else { return Ok(None) };
            Ok(Some((ticket, connection, issue)))
        });
        // The issue, ticket or connection was deleted, so there is nothing to do.
        let Some((ticket, connection, issue)) = read.await.map_err(storage)? else { return Ok(()) };
        let closes = connection.settings.on_resolve == OnResolve::Close;
        let opened = self.connector.open(&connection).map_err(Failure::from)?;
        let tracker = opened.tracker().ok_or_else(|| Failure::permanent("a chat has no tickets"))?;
        let done = match &order.act {
            Act::Create { note } => self.create(&*tracker, &ticket, &issue, note).await,
            Act::Resolved { mark, text, at } => {
                let remark =
                    Remark { text: text.clone(), link: self.link(&ticket), mark: mark.clone(), since: *at };
                self.say(&*tracker, &ticket, (&remark, closes)).await
            }
        };
        done.map_err(|error| match error {
            TicketError::Ask(error) => error.into(),
            TicketError::Storage(error) => storage(error),
        })
    }

    async fn create(
        &self,
        tracker: &dyn IssueTracker,
        ticket: &StoredTicket,
        issue: &Issue,
        note: &str,
    ) -> Result<(), TicketError> {
        let new = NewTicket {
            destination: ticket.destination.id.clone(),
            title: ticket.title.clone(),
            note: note.to_owned(),
            facts: told(issue),
            link: self.link(ticket),
            mark: ticket.mark.clone(),
            since: ticket.created_at,
        };
        let made = tracker.create(&new).await?;
        let id = ticket.id;
        let write = move |tx: &Transaction<'_>| record(tx, id, &made, Timestamp::now());
        self.connector.main.write(write).await.map_err(TicketError::Storage)
    }

    async fn say(
        &self,
        tracker: &dyn IssueTracker,
        ticket: &StoredTicket,
        (remark, closes): (&Remark, bool),
    ) -> Result<(), TicketError> {
        let Some(external) = ticket.external_id.as_deref() else { return Ok(()) };
        tracker.comment(external, remark).await?;
        if !closes {
            return Ok(());
        }
        let closed = tracker.close(external).await?;
        let id = ticket.id;
        // We closed it, so the issue gets no activity.
        let write = move |tx: &Transaction<'_>| sql::seen(tx, id, &closed, Timestamp::now()).map(drop);
        self.connector.main.write(write).await.map_err(TicketError::Storage)
    }

    fn link(&self, ticket: &StoredTicket) -> String {
        format!("{}/projects/{}/issues/{}", self.addresses.frontend, ticket.project, ticket.issue)
    }
}

impl Transport for Tickets {
    fn send<'a>(&'a self, parcel: &'a Parcel) -> Attempt<'a> {
        Box::pin(async move {
            let order = serde_json::from_slice(&parcel.payload);
            self.carry_out(order.map_err(|_| Failure::permanent("the ticket can no longer be read"))?).await
        })
    }
}

enum TicketError {
    Ask(AskError),
    Storage(Error),
}

impl From<AskError> for TicketError {
    fn from(error: AskError) -> Self {
        Self::Ask(error)
    }
}

fn storage(error: Error) -> Failure {
    tracing::warn!(?error, "a ticket cannot be read or stored");
    Failure::passing("the database cannot be used")
}

/// Stores a ticket that was made, the first time with its signal and an activity of the issue.
fn record(tx: &Transaction<'_>, id: TicketId, made: &RemoteTicket, now: Timestamp) -> Result<()> {
    let Some(before) = sql::seen(tx, id, made, now)? else { return Ok(()) };
    if before.external_id.is_some() {
        return Ok(());
    }
    let data = json!({ "kind": before.kind.as_str(), "key": made.key, "url": made.url, "state": made.state });
    add_activity(tx, &before, Activity::TicketCreated, data.clone(), now)?;
    let payload = json!({
        "kind": before.kind.as_str(),
        "key": made.key,
        "title": made.title,
        "repository": made.destination.name,
    });
    let signal = NewSignal::of_ticket(before.organization, (before.project, before.issue), payload);
    signals::sql::add(tx, &signal.by(before.created_by), now)
}

fn add_activity(
    tx: &Transaction<'_>,
    ticket: &StoredTicket,
    kind: Activity,
    data: serde_json::Value,
    now: Timestamp,
) -> Result<()> {
    let by = (kind == Activity::TicketCreated).then_some(ticket.created_by).flatten();
    activity::sql::add(tx, ticket.issue, &activity::New { by, kind, data, release: None }, now)
}

/// Stores the state of a ticket. One that was closed or opened again is an activity of its issue, which may follow
/// it.
///
/// # Errors
/// Storage trouble.
pub fn look(tx: &Transaction<'_>, id: TicketId, remote: &RemoteTicket, now: Timestamp) -> Result<Changes> {
    let Some(before) = sql::seen(tx, id, remote, now)? else { return Ok(Changes::default()) };
    let kind = match (before.is_closed, remote.is_closed) {
        (false, true) => Activity::TicketClosed,
        (true, false) => Activity::TicketReopened,
        _ => return Ok(Changes::default()),
    };
    let data = json!({
        "kind": before.kind.as_str(),
        "key": remote.key,
        "url": remote.url,
        "state": remote.state,
    });
    add_activity(tx, &before, kind, data, now)?;
    follow(tx, &before, remote, now)?;
    Ok(Changes::of_issues([before.issue]))
}

/// If the connection's settings say so, an issue is resolved when its last open ticket is closed, and reopened when
/// one is opened again. Ignored issues stay ignored.
fn follow(tx: &Transaction<'_>, ticket: &StoredTicket, remote: &RemoteTicket, now: Timestamp) -> Result<()> {
    let connection = ticket.connection.map(|id| connections::get(tx, ticket.organization, id));
    let connection = connection.transpose()?.flatten();
    if !connection.is_some_and(|connection| connection.settings.issues_follow) {
        return Ok(());
    }
    let Some(issue) = issues::sql::get(tx, ticket.project, ticket.issue, now)? else { return Ok(()) };
    let status = match (issue.status, remote.is_closed) {
        (Status::Unresolved, true) if sql::open_of(tx, ticket.issue)?.is_empty() => Status::Resolved,
        (Status::Resolved, false) => Status::Unresolved,
        _ => return Ok(()),
    };
    let change = Change { status: Some(status), ticket: Some(remote.key.clone()), ..Change::default() };
    issues::sql::change(tx, ticket.project, ticket.issue, &change, None, now).map(drop)
}

/// The facts about an issue in a ticket. All of them may come from outside, so each is one line.
fn told(issue: &Issue) -> String {
    let mut lines = vec![line(&issue.title, 1_000)];
    if !issue.culprit.is_empty() {
        lines.push(format!("in {}", line(&issue.culprit, 500)));
    }
    lines.push(String::new());
    lines.push(format!("Issue:   {} of {}", issue.short_id, line(&issue.project_name, 128)));
    lines.push(format!("Events:  {}", issue.event_count));
    lines.push(format!("Users:   {}", issue.user_count));
    if let Some(account) = &issue.high_value_account {
        lines.push(format!("Account: {}", line(account, 128)));
    }
    clip(Cow::Owned(lines.join("\n")), FACTS_MAX).0.into_owned()
}

/// The usual title of a ticket.
pub fn title(issue: &Issue) -> String {
    line(&format!("{}: {}", issue.short_id, issue.title), crate::connections::tracker::TITLE_MAX)
}

/// A new mark.
pub fn mark() -> String {
    token::uuid()
}
