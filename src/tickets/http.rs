//! `/api/v1/projects/{project_id}/issues/{issue_id}/tickets`, and saying something of an issue in a chat.

use super::jobs::look_at;
use super::service::attach::Attach;
use super::service::{Act, Order, mark, title};
use super::sql::{self, New};
use super::{Ticket, check_text};
use crate::access::{Access, Read, Work};
use crate::accounts::people::People;
use crate::connections::service::{Connector, ServiceClient, refused};
use crate::connections::sql::{self as connections, StoredConnection};
use crate::connections::tracker::{NOTE_MAX, TITLE_MAX};
use crate::connections::{Destination, check_destination, name_of};
use crate::error::{Error, Result};
use crate::http::extract::Json;
use crate::ids::{ConnectionId, IssueId, OrganizationId, ProjectId, TicketId};
use crate::issues::service::IssueService;
use crate::notifications::sql::facts;
use crate::notifications::texts::Issue;
use crate::text::line;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
pub struct Tickets {
    /// Oldest first, at most 20.
    pub tickets: Vec<Ticket>,
}

#[derive(Deserialize, ToSchema)]
pub struct CreateTicket {
    /// A connection to a tracker or code host.
    pub connection_id: ConnectionId,
    /// Where it is made. Default: the destination of the connection.
    pub destination: Option<Destination>,
    /// At most 250 characters. Default: the issue's short ID and title.
    pub title: Option<String>,
    /// What the ticket says before what is known of the issue: at most 10,000 characters, in the tracker's markup.
    pub note: Option<String>,
}

#[derive(Deserialize, ToSchema)]
pub struct AttachTicket {
    /// A connection to a tracker or code host.
    pub connection_id: ConnectionId,
    /// The ticket's address, or what people call it, such as `ENG-42` or `acme/shop#42`: at most 2,048 characters.
    pub reference: String,
}

#[derive(Deserialize, ToSchema)]
pub struct ShareIssue {
    /// A connection to a chat.
    pub connection_id: ConnectionId,
    /// The channel. Default: the destination of the connection.
    pub destination: Option<Destination>,
}

fn issue_id(text: &str) -> Result<IssueId> {
    text.parse().map(IssueId).map_err(|_| no_issue())
}

fn no_issue() -> Error {
    Error::not_found("This project has no such issue.")
}

/// An issue of the project, and a connection of its organization.
async fn find(
    connector: &Connector,
    (organization, project, issue): (OrganizationId, ProjectId, IssueId),
    connection: ConnectionId,
) -> Result<(Issue, StoredConnection)> {
    let read = connector.main.read(move |c| {
        let issue = facts::issue(c, issue)?.filter(|issue| issue.project == project).ok_or_else(no_issue)?;
        let none = || Error::not_found("This organization has no such connection.");
        Ok((issue, connections::get(c, organization, connection)?.ok_or_else(none)?))
    });
    read.await
}

fn place(given: Option<Destination>, stored: &StoredConnection) -> Result<Destination> {
    if let Some(given) = given {
        let id = check_destination("destination.id", &given.id)?;
        return Ok(Destination { name: name_of(&given.name, &id), id });
    }
    let none = || Error::invalid("destination: expected, because the connection names none");
    stored.settings.destination.clone().ok_or_else(none)
}

/// Lists the tickets of an issue.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/issues/{issue_id}/tickets", tag = "connections",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path), ("issue_id" = i64, Path)),
    responses((status = 200, body = Tickets), (status = 404)))]
pub async fn list_tickets(
    State(connector): State<Arc<Connector>>,
    access: Access<Read>,
    Path((_, id)): Path<(String, String)>,
) -> Result<Answer<Tickets>> {
    let (project, id) = (access.project.id, issue_id(&id)?);
    let tickets = connector.main.read(move |c| sql::list(c, project, id)).await?.ok_or_else(no_issue)?;
    Ok(Answer(Tickets { tickets }))
}

/// Makes a ticket from an issue. It is made in the background: `pending` until then.
#[utoipa::path(post, path = "/api/v1/projects/{project_id}/issues/{issue_id}/tickets", tag = "connections",
    extensions(("x-access" = json!(Access::<Work>::needs()))),
    params(("project_id" = i64, Path), ("issue_id" = i64, Path)), request_body = CreateTicket,
    responses((status = 201, body = Ticket), (status = 404, description = "No such issue or connection"),
        (status = 409, description = "The issue has the maximum number of tickets, or a chat has none")))]
pub async fn create_ticket(
    State(connector): State<Arc<Connector>>,
    State(people): State<Arc<People>>,
    access: Access<Work>,
    Path((_, id)): Path<(String, String)>,
    Json(body): Json<CreateTicket>,
) -> Result<(StatusCode, Answer<Ticket>)> {
    let (standing, project, id) = (access.standing()?, access.project.id, issue_id(&id)?);
    let by = access.user().ok_or_else(Error::signed_out)?.id;
    let note = check_text("note", body.note, NOTE_MAX)?;
    let wanted = line(&check_text("title", body.title, TITLE_MAX)?, TITLE_MAX);
    let of = (access.project.organization, project, id);
    let (issue, stored) = find(&connector, of, body.connection_id).await?;
    if !stored.connection.kind.is_tracker() {
        return Err(Error::conflict("A chat has no tickets: choose a connection to a tracker."));
    }
    let destination = place(body.destination, &stored)?;
    let wanted = if wanted.is_empty() { title(&issue) } else { wanted };
    let deliveries = people.deliveries.clone();
    let write = connector.main.write(move |tx| {
        standing.check(tx)?;
        let now = Timestamp::now();
        let connection = (stored.connection.id, stored.connection.kind);
        let mark = mark();
        let new = New {
            project,
            issue: id,
            connection,
            mark: &mark,
            destination: &destination,
            title: &wanted,
            by,
        };
        let ticket = sql::add(tx, &new, now)?;
        let order = Order { ticket, act: Act::Create { note } };
        let delivery = deliveries.add(tx, &order.delivery(connection.0)?, now)?;
        sql::made_by(tx, ticket, delivery)?;
        let made = sql::list(tx, project, id)?.unwrap_or_default().into_iter().find(|one| one.id == ticket);
        made.ok_or_else(|| Error::internal("a ticket that was just added does not exist"))
    });
    let made = write.await?;
    people.deliveries.wake();
    Ok((StatusCode::CREATED, Answer(made)))
}

/// Attaches a ticket that the tracker has to an issue, so that it is followed as one that was made from it.
#[utoipa::path(post, path = "/api/v1/projects/{project_id}/issues/{issue_id}/tickets/attach", tag = "connections",
    extensions(("x-access" = json!(Access::<Work>::needs()))),
    params(("project_id" = i64, Path), ("issue_id" = i64, Path)), request_body = AttachTicket,
    responses((status = 201, body = Ticket), (status = 404, description = "No such issue or connection"),
        (status = 409, description = "The issue has it, or the maximum number of tickets; the tracker refuses, or does not answer"),
        (status = 422, description = "The tracker has no such ticket")))]
pub async fn attach_ticket(
    State(connector): State<Arc<Connector>>,
    access: Access<Work>,
    Path((_, id)): Path<(String, String)>,
    Json(body): Json<AttachTicket>,
) -> Result<(StatusCode, Answer<Ticket>)> {
    let (standing, project, id) = (access.standing()?, access.project.id, issue_id(&id)?);
    let by = access.user().ok_or_else(Error::signed_out)?.id;
    let of = (access.project.organization, project, id);
    let (_, connection) = find(&connector, of, body.connection_id).await?;
    let act = Attach { standing, by, issue: (project, id), connection, reference: body.reference };
    Ok((StatusCode::CREATED, Answer(act.run(&connector).await?)))
}

/// Asks the tracker now what became of a ticket.
#[utoipa::path(post, path = "/api/v1/projects/{project_id}/issues/{issue_id}/tickets/{ticket_id}/check",
    tag = "connections", extensions(("x-access" = json!(Access::<Work>::needs()))),
    params(("project_id" = i64, Path), ("issue_id" = i64, Path), ("ticket_id" = i64, Path)),
    responses((status = 200, body = Ticket), (status = 404, description = "No such issue or ticket"),
        (status = 409, description = "The tracker refuses, or does not answer")))]
pub async fn check_ticket(
    State(connector): State<Arc<Connector>>,
    State(issues): State<IssueService>,
    access: Access<Work>,
    Path((_, id, ticket)): Path<(String, String, String)>,
) -> Result<Answer<Ticket>> {
    let (project, id) = (access.project.id, issue_id(&id)?);
    let ticket = ticket_id(&ticket)?;
    let found = connector
        .main
        .read(move |c| Ok(sql::get(c, ticket)?.filter(|one| one.project == project && one.issue == id)));
    let found = found.await?.ok_or_else(no_ticket)?;
    if found.external_id.is_some() {
        look_at(&connector, &issues, found).await?.map_err(|error| refused(&error))?;
    }
    let tickets = connector.main.read(move |c| sql::list(c, project, id)).await?.unwrap_or_default();
    tickets.into_iter().find(|one| one.id == ticket).map(Answer).ok_or_else(no_ticket)
}

/// Removes a ticket from an issue; the tracker keeps it.
#[utoipa::path(delete, path = "/api/v1/projects/{project_id}/issues/{issue_id}/tickets/{ticket_id}", tag = "connections",
    extensions(("x-access" = json!(Access::<Work>::needs()))),
    params(("project_id" = i64, Path), ("issue_id" = i64, Path), ("ticket_id" = i64, Path)),
    responses((status = 204), (status = 404, description = "No such issue or ticket")))]
pub async fn delete_ticket(
    State(connector): State<Arc<Connector>>,
    access: Access<Work>,
    Path((_, id, ticket)): Path<(String, String, String)>,
) -> Result<StatusCode> {
    let (standing, project, id) = (access.standing()?, access.project.id, issue_id(&id)?);
    let ticket = ticket_id(&ticket)?;
    let write = connector.main.write(move |tx| {
        standing.check(tx)?;
        if sql::delete(tx, project, id, ticket)? { Ok(()) } else { Err(no_ticket()) }
    });
    write.await?;
    Ok(StatusCode::NO_CONTENT)
}

fn ticket_id(text: &str) -> Result<TicketId> {
    text.parse().map(TicketId).map_err(|_| no_ticket())
}

fn no_ticket() -> Error {
    Error::not_found("This issue has no such ticket.")
}

/// Says in a channel of a chat that there is this issue.
#[utoipa::path(post, path = "/api/v1/projects/{project_id}/issues/{issue_id}/share", tag = "connections",
    extensions(("x-access" = json!(Access::<Work>::needs()))),
    params(("project_id" = i64, Path), ("issue_id" = i64, Path)), request_body = ShareIssue,
    responses((status = 204), (status = 404, description = "No such issue or connection"),
        (status = 409, description = "The chat refuses, does not answer, or this is none")))]
pub async fn share_issue(
    State(connector): State<Arc<Connector>>,
    State(people): State<Arc<People>>,
    access: Access<Work>,
    Path((_, id)): Path<(String, String)>,
    Json(body): Json<ShareIssue>,
) -> Result<StatusCode> {
    let (project, id) = (access.project.id, issue_id(&id)?);
    let of = (access.project.organization, project, id);
    let (issue, stored) = find(&connector, of, body.connection_id).await?;
    let ServiceClient::Slack(slack) = connector.open(&stored).map_err(|error| refused(&error))? else {
        return Err(Error::conflict("This connection leads to no chat."));
    };
    let channel = place(body.destination, &stored)?;
    let link = format!("{}/projects/{project}/issues/{id}", people.addresses.frontend);
    slack.say(&channel.id, &title(&issue), &link).await.map_err(|error| refused(&error))?;
    Ok(StatusCode::NO_CONTENT)
}
