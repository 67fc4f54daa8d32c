//! `/api/v1/organizations/{organization_id}/connections`.

pub mod install;

use super::service::{Connector, refused, tell};
use super::sql::{self, New, StoredConnection};
use super::{
    Connection, ConnectionInput, Destination, HostRepository, Kind, OnResolve, Settings, Status,
    check_destination,
};
use crate::access::{ManageOrganization, Membership, OrganizationAccess, UseConnections};
use crate::accounts::check_name;
use crate::audit::{self, Actor};
use crate::error::{Error, Result};
use crate::http::client::Client;
use crate::http::extract::Json;
use crate::ids::{ConnectionId, OrganizationId};
use crate::outbound;
use crate::store::Transaction;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
pub struct Connections {
    pub connections: Vec<Connection>,
    pub total: usize,
    /// Whether the server has an app at the code host, without which repositories cannot be connected.
    pub has_host_app: bool,
}

#[derive(Deserialize, ToSchema)]
pub struct CreateConnection {
    /// `gitlab`, `gitea`, `linear`, `jira` or `slack`; GitHub is connected by installing the server's app.
    pub kind: Kind,
    /// 1 to 128 characters.
    pub display_name: String,
    /// Of GitLab: a token with the scope `api`. Of Gitea and Forgejo: one that may write repositories and issues and read the
    /// user. Of Linear: an API key. Of Jira: an API token with `email`, or a personal access token of a server. Of Slack: the
    /// token of a bot. At most 4,096 characters.
    pub token: String,
    /// Of Jira, Gitea and Forgejo, where it is. Of the others only if it is not the usual address.
    pub url: Option<String>,
    /// Of Jira in the cloud: the address of the person whose token it is.
    pub email: Option<String>,
    /// What happens to the tickets of an issue that is resolved. Default: `comment`.
    pub on_resolve: Option<OnResolve>,
    /// Whether an issue is resolved when the last of its tickets that is open is closed at the tracker, and unresolved again
    /// when one of them is opened again there. Default: `false`.
    pub issues_follow: Option<bool>,
}

#[derive(Deserialize, ToSchema)]
pub struct UpdateConnection {
    pub display_name: Option<String>,
    /// Replaces the former one, after a check.
    pub token: Option<String>,
    pub on_resolve: Option<OnResolve>,
    pub issues_follow: Option<bool>,
    /// Where tickets or messages go unless somebody chooses another place; `null`: they choose each time.
    #[serde(default, deserialize_with = "crate::http::extract::given")]
    #[schema(value_type = Option<Destination>)]
    pub destination: Option<Option<Destination>>,
}

#[derive(Serialize, ToSchema)]
pub struct Destinations {
    /// By name, at most 500.
    pub destinations: Vec<Destination>,
}

#[derive(Serialize, ToSchema)]
pub struct HostRepositories {
    /// At most 500.
    pub repositories: Vec<HostRepository>,
}

fn connection_id(text: &str) -> Result<ConnectionId> {
    ConnectionId::parse(text).ok_or_else(unknown)
}

fn unknown() -> Error {
    Error::not_found("This organization has no such connection.")
}

/// Writes to the audit log.
struct Note {
    actor: Actor,
    act: &'static str,
    organization: OrganizationId,
}

impl Note {
    fn new(access: &Membership<ManageOrganization>, client: &Client, act: &'static str) -> Self {
        let actor = Actor::person(&access.user, client.address);
        Self { actor, act, organization: access.organization }
    }

    fn write(&self, tx: &Transaction<'_>, connection: &Connection, now: Timestamp) -> Result<()> {
        let detail = json!({ "kind": connection.kind.as_str() });
        let act = self.actor.did(self.act, &connection.display_name).within(self.organization);
        audit::sql::add(tx, &act.with(detail), now)
    }
}

async fn find(connector: &Connector, organization: OrganizationId, id: &str) -> Result<StoredConnection> {
    let id = connection_id(id)?;
    connector.main.read(move |c| sql::get(c, organization, id)).await?.ok_or_else(unknown)
}

/// Lists the connections of an organization.
#[utoipa::path(get, path = "/api/v1/organizations/{organization_id}/connections", tag = "connections",
    extensions(("x-access" = json!(OrganizationAccess::needs()))),
    params(("organization_id" = i64, Path)), responses((status = 200, body = Connections)))]
pub async fn list_connections(
    State(connector): State<Arc<Connector>>,
    access: OrganizationAccess,
) -> Result<Answer<Connections>> {
    let connections = connector.main.read(move |c| sql::list(c, access.organization)).await?;
    let has_host_app = connector.github.is_some();
    Ok(Answer(Connections { total: connections.len(), connections, has_host_app }))
}

/// Connects a tracker or a chat, after asking it what the token leads to.
#[utoipa::path(post, path = "/api/v1/organizations/{organization_id}/connections", tag = "connections",
    extensions(("x-access" = json!(Membership::<ManageOrganization>::needs()))),
    params(("organization_id" = i64, Path)), request_body = CreateConnection,
    responses((status = 201, body = Connection),
        (status = 409, description = "The service refuses, does not answer, or there are too many connections")))]
pub async fn create_connection(
    State(connector): State<Arc<Connector>>,
    access: Membership<ManageOrganization>,
    client: Client,
    Json(body): Json<CreateConnection>,
) -> Result<(StatusCode, Answer<Connection>)> {
    if body.kind == Kind::Github {
        return Err(Error::invalid("kind: GitHub is connected by installing the server's app"));
    }
    let name = check_name("display_name", &body.display_name)?;
    let given = ConnectionInput { url: body.url, email: body.email, token: body.token };
    given.check(body.kind)?;
    if let Some(url) = &given.url {
        outbound::read(url, connector.policy).map_err(|error| Error::invalid(format!("url: {error}")))?;
    }
    let credentials = given.credentials();
    let settings = Settings {
        url: given.url,
        email: given.email,
        destination: None,
        on_resolve: body.on_resolve.unwrap_or_default(),
        issues_follow: body.issues_follow.unwrap_or_default(),
    };
    let opened = connector.with(body.kind, &settings, &credentials);
    let account = opened.look().await.map_err(|error| refused(&error))?;
    let note = Note::new(&access, &client, "connection.created");
    let (seal, kind) = (connector.seal.clone(), body.kind);
    let write = connector.main.write(move |tx| {
        access.standing.check(tx)?;
        let now = Timestamp::now();
        let new = New {
            organization: access.organization,
            kind,
            display_name: &name,
            account: &account,
            external_id: None,
            credentials: Some(&credentials),
            settings: &settings,
            by: access.user.id,
        };
        let made = sql::create(tx, &seal, &new, now)?;
        note.write(tx, &made.connection, now)?;
        tell(tx, &made, Status::Connected, None, Some(access.user.id), now)?;
        Ok(made.connection)
    });
    Ok((StatusCode::CREATED, Answer(write.await?)))
}

/// Changes a connection. Another token is asked first what it leads to.
#[utoipa::path(patch, path = "/api/v1/organizations/{organization_id}/connections/{connection_id}", tag = "connections",
    extensions(("x-access" = json!(Membership::<ManageOrganization>::needs()))),
    params(("organization_id" = i64, Path), ("connection_id" = String, Path)), request_body = UpdateConnection,
    responses((status = 200, body = Connection), (status = 404, description = "No such connection"),
        (status = 409, description = "The service refuses the token")))]
pub async fn update_connection(
    State(connector): State<Arc<Connector>>,
    access: Membership<ManageOrganization>,
    client: Client,
    Path((_, id)): Path<(String, String)>,
    Json(body): Json<UpdateConnection>,
) -> Result<Answer<Connection>> {
    let stored = find(&connector, access.organization, &id).await?;
    let (id, kind) = (stored.connection.id, stored.connection.kind);
    let name = body.display_name.as_deref().map(|name| check_name("display_name", name)).transpose()?;
    let destination = body.destination.map(|given| given.map(checked_destination).transpose()).transpose()?;
    let mut credentials = None;
    if let Some(token) = body.token {
        if kind == Kind::Github {
            return Err(Error::invalid("token: a connection to GitHub has none, the server's app has"));
        }
        let given =
            ConnectionInput { url: stored.settings.url.clone(), email: stored.settings.email.clone(), token };
        given.check(kind)?;
        let opened = connector.with(kind, &stored.settings, &given.credentials());
        opened.look().await.map_err(|error| refused(&error))?;
        credentials = Some(given.credentials());
    }
    let note = Note::new(&access, &client, "connection.updated");
    let seal = connector.seal.clone();
    let organization = access.organization;
    let (has_token, user) = (credentials.is_some(), access.user.id);
    let write = connector.main.write(move |tx| {
        access.standing.check(tx)?;
        let now = Timestamp::now();
        let mut stored = sql::get(tx, organization, id)?.ok_or_else(unknown)?;
        stored.connection.display_name = name.unwrap_or(stored.connection.display_name);
        stored.settings.on_resolve = body.on_resolve.unwrap_or(stored.settings.on_resolve);
        stored.settings.issues_follow = body.issues_follow.unwrap_or(stored.settings.issues_follow);
        stored.settings.destination = destination.unwrap_or(stored.settings.destination);
        sql::update(tx, &seal, &stored, credentials.as_ref(), now)?;
        note.write(tx, &stored.connection, now)?;
        sql::get(tx, organization, id)?.ok_or_else(unknown)
    });
    let changed = write.await?;
    if !has_token {
        return Ok(Answer(changed.connection));
    }
    // The credentials work, so the state must say so.
    connector.check(changed, Some(user)).await?;
    find(&connector, organization, &id.to_string()).await.map(|found| Answer(found.connection))
}

fn checked_destination(given: Destination) -> Result<Destination> {
    let id = check_destination("destination.id", &given.id)?;
    Ok(Destination { name: super::name_of(&given.name, &id), id })
}

/// Disconnects. Its tickets stay what they are, and nobody is told of them any more.
#[utoipa::path(delete, path = "/api/v1/organizations/{organization_id}/connections/{connection_id}", tag = "connections",
    extensions(("x-access" = json!(Membership::<ManageOrganization>::needs()))),
    params(("organization_id" = i64, Path), ("connection_id" = String, Path)),
    responses((status = 204), (status = 404, description = "No such connection")))]
pub async fn delete_connection(
    State(connector): State<Arc<Connector>>,
    access: Membership<ManageOrganization>,
    client: Client,
    Path((_, id)): Path<(String, String)>,
) -> Result<StatusCode> {
    let id = connection_id(&id)?;
    let note = Note::new(&access, &client, "connection.deleted");
    let write = connector.main.write(move |tx| {
        access.standing.check(tx)?;
        let gone = sql::delete(tx, access.organization, id)?.ok_or_else(unknown)?;
        note.write(tx, &gone.connection, Timestamp::now())
    });
    write.await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Asks a connection now whether it works.
#[utoipa::path(post, path = "/api/v1/organizations/{organization_id}/connections/{connection_id}/check",
    tag = "connections", extensions(("x-access" = json!(Membership::<ManageOrganization>::needs()))),
    params(("organization_id" = i64, Path), ("connection_id" = String, Path)),
    responses((status = 200, body = Connection), (status = 404, description = "No such connection")))]
pub async fn check_connection(
    State(connector): State<Arc<Connector>>,
    access: Membership<ManageOrganization>,
    Path((_, id)): Path<(String, String)>,
) -> Result<Answer<Connection>> {
    let stored = find(&connector, access.organization, &id).await?;
    connector.check(stored, Some(access.user.id)).await?;
    find(&connector, access.organization, &id).await.map(|found| Answer(found.connection))
}

/// Lists where tickets or messages can go: repositories, teams, projects or channels.
#[utoipa::path(get, path = "/api/v1/organizations/{organization_id}/connections/{connection_id}/destinations",
    tag = "connections", extensions(("x-access" = json!(Membership::<UseConnections>::needs()))),
    params(("organization_id" = i64, Path), ("connection_id" = String, Path)),
    responses((status = 200, body = Destinations), (status = 404, description = "No such connection"),
        (status = 409, description = "The service refuses, or does not answer")))]
pub async fn list_destinations(
    State(connector): State<Arc<Connector>>,
    access: Membership<UseConnections>,
    Path((_, id)): Path<(String, String)>,
) -> Result<Answer<Destinations>> {
    let stored = find(&connector, access.organization, &id).await?;
    let opened = connector.open(&stored).map_err(|error| refused(&error))?;
    let destinations = opened.destinations().await.map_err(|error| refused(&error))?;
    Ok(Answer(Destinations { destinations }))
}

/// Lists the repositories that an installation at the code host may read, to be added with `POST /api/repos`.
#[utoipa::path(get, path = "/api/v1/organizations/{organization_id}/connections/{connection_id}/repositories",
    tag = "connections", extensions(("x-access" = json!(Membership::<ManageOrganization>::needs()))),
    params(("organization_id" = i64, Path), ("connection_id" = String, Path)),
    responses((status = 200, body = HostRepositories), (status = 404, description = "No such connection"),
        (status = 409, description = "The host refuses, does not answer, or this is no code host")))]
pub async fn list_host_repositories(
    State(connector): State<Arc<Connector>>,
    access: Membership<ManageOrganization>,
    Path((_, id)): Path<(String, String)>,
) -> Result<Answer<HostRepositories>> {
    let stored = find(&connector, access.organization, &id).await?;
    let opened = connector.open(&stored).map_err(|error| refused(&error))?;
    let found = opened.repositories().await.map_err(|error| refused(&error))?;
    let repositories = found.ok_or_else(|| Error::conflict("This connection has no repositories."))?;
    Ok(Answer(HostRepositories { repositories }))
}
