//! Opens the pull request for an agent's pushed work: the transport of its delivery.

mod text;

use crate::config::Addresses;
use crate::connections::AskError;
use crate::connections::service::Connector;
use crate::connections::sql as connections;
use crate::deliveries::{Channel, Deliveries, NewDelivery};
use crate::delivery::{Attempt, Failure, Parcel, Transport};
use crate::error::{Error, Result};
use crate::events::{self, Event};
use crate::ids::{OrganizationId, SessionId};
use crate::issues::activity;
use crate::live::{Changes, Hub};
use crate::notifications::sql::facts;
use crate::notifications::texts::Issue;
use crate::releases::service::Maps;
use crate::repositories;
use crate::sessions::sql;
use crate::sessions::{Outcome, Session, TITLE_MAX};
use crate::store::{Connection, Transaction};
use crate::text::line;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What to open a pull request for; stored sealed as a delivery's payload.
#[derive(Debug, Serialize, Deserialize)]
struct Order {
    organization: OrganizationId,
    session: SessionId,
    /// The agent's title for the change.
    title: Option<String>,
}

/// Writes the delivery that opens a session's pull request, if its agent completed its work, pushed something and
/// opened none itself, and the repository is connected to its code host. Call [`Deliveries::wake`] after the commit.
///
/// # Errors
/// Storage trouble.
pub(super) fn order(
    tx: &Transaction<'_>,
    deliveries: &Deliveries,
    (organization, id): (OrganizationId, SessionId),
    title: Option<&str>,
    now: Timestamp,
) -> Result<()> {
    let Some(session) = sql::get(tx, organization, id)? else { return Ok(()) };
    if session.outcome != Some(Outcome::Completed) || session.files_changed.is_empty() {
        return Ok(());
    }
    let Some(work) = Work::of(tx, organization, session)? else { return Ok(()) };
    let title = title.map(|title| line(title, TITLE_MAX)).filter(|title| !title.is_empty());
    let order = Order { organization, session: id, title };
    let new = NewDelivery {
        channel: Channel::PullRequest,
        target: work.connection.connection.id.to_string(),
        kind: "pull_request",
        payload: serde_json::to_vec(&order).map_err(Error::internal)?,
        is_followed: false,
    };
    deliveries.add(tx, &new, now).map(drop)
}

/// The pushed work, and where to open its pull request.
struct Work {
    session: Session,
    repository: String,
    head: String,
    base: String,
    connection: connections::StoredConnection,
    issue: Option<Issue>,
    /// The newest event of the issue, and the test results.
    event: Option<Event>,
    proof: Vec<String>,
}

impl Work {
    /// `None` if there is no pull request to open (any more).
    fn of(c: &Connection, organization: OrganizationId, session: Session) -> Result<Option<Self>> {
        let pushed = session.branch_name.clone().filter(|_| session.head_commit.is_some());
        let (Some(head), Some(repository)) = (pushed, session.repo_id) else { return Ok(None) };
        let Some(repository) = repositories::sql::get(c, organization, repository)? else { return Ok(None) };
        let Some(connection) = repository.integration_id else { return Ok(None) };
        let Some(connection) = connections::get(c, organization, connection)? else { return Ok(None) };
        if session.pull_request_url.is_some() || !connection.connection.kind.is_code_host() {
            return Ok(None);
        }
        let base = sql::leases::base_branch(c, session.id)?.unwrap_or(repository.default_branch);
        let issue = session.issue_id.map(|issue| facts::issue(c, issue)).transpose()?.flatten();
        let repository = repository.host_repo_name;
        let (event, proof) = (None, Vec::new());
        Ok(Some(Self { session, repository, head, base, connection, issue, event, proof }))
    }

    /// Adds the rest of the pull request's text.
    fn told(mut self, c: &Connection, maps: &Arc<Maps>) -> Result<Self> {
        self.proof = sql::messages::tests(c, self.session.id)?;
        let Some(Issue { id, project, .. }) = &self.issue else { return Ok(self) };
        if let Some(newest) = events::sql::place(c, *project, *id, None)? {
            self.event = events::service::view(c, maps.clone(), *project, &newest.event_id)?;
        }
        Ok(self)
    }
}

/// Opens pull requests.
pub struct PullRequests {
    connector: Arc<Connector>,
    addresses: Addresses,
    maps: Arc<Maps>,
    live: Arc<Hub>,
}

impl PullRequests {
    pub fn new(connector: &Arc<Connector>, addresses: &Addresses, maps: &Arc<Maps>, live: &Arc<Hub>) -> Self {
        let (connector, addresses) = (connector.clone(), addresses.clone());
        Self { connector, addresses, maps: maps.clone(), live: live.clone() }
    }

    async fn carry_out(&self, order: Order, is_last: bool) -> Result<(), Failure> {
        let Order { organization, session: id, title } = order;
        let maps = self.maps.clone();
        let read = self.connector.main.read(move |c| {
            let Some(session) = sql::get(c, organization, id)? else { return Ok(None) };
            Work::of(c, organization, session)?.map(|work| work.told(c, &maps)).transpose()
        });
        // The session was deleted, or has a pull request already.
        let Some(work) = read.await.map_err(|error| storage(&error))? else { return Ok(()) };
        let opened = self.open(&work, title).await;
        let refusal = match opened {
            Ok(url) => {
                self.write(id, move |tx| record(tx, organization, id, &url, Timestamp::now())).await?;
                if let Some(Issue { id, project, .. }) = work.issue {
                    self.live.publish(project, &Changes::of_issues([id]));
                }
                return Ok(());
            }
            Err(error) => error,
        };
        if is_last || !refusal.may_pass() {
            let text =
                format!("No pull request was opened for the branch {}: {}.", work.head, refusal.text());
            self.write(id, move |tx| sql::output::note(tx, id, &text, Timestamp::now())).await?;
        }
        Err(refusal.into())
    }

    async fn open(&self, work: &Work, title: Option<String>) -> Result<String, AskError> {
        let new = text::pull_request(work, title, &self.addresses);
        self.connector.open(&work.connection)?.open_pull_request(&work.repository, &new).await
    }

    async fn write(
        &self,
        id: SessionId,
        change: impl Fn(&Transaction<'_>) -> Result<()> + Send + 'static,
    ) -> Result<(), Failure> {
        self.connector.main.write(change).await.map_err(|error| storage(&error))?;
        self.live.session_changed(id);
        Ok(())
    }
}

impl Transport for PullRequests {
    fn send<'a>(&'a self, parcel: &'a Parcel) -> Attempt<'a> {
        Box::pin(async move {
            let order = serde_json::from_slice(&parcel.payload)
                .map_err(|_| Failure::permanent("the pull request can no longer be read"))?;
            self.carry_out(order, parcel.is_last).await
        })
    }
}

/// Stores the address of a pull request: in the session, and in its issue's activity.
fn record(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    id: SessionId,
    url: &str,
    now: Timestamp,
) -> Result<()> {
    let Some(session) = sql::get(tx, organization, id)? else { return Ok(()) };
    sql::pulls::set_pull_request(tx, id, url, now)?;
    sql::output::note(tx, id, &format!("Opened the pull request {url}"), now)?;
    match session.issue_id {
        Some(issue) => activity::sql::set_pull_request(tx, issue, &id.to_string(), url),
        None => Ok(()),
    }
}

fn storage(error: &Error) -> Failure {
    tracing::warn!(?error, "a session cannot be read or stored");
    Failure::passing("the database cannot be used")
}
