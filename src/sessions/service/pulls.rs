//! Opens the pull request of what an agent pushed: the transport of its delivery.

use crate::config::Addresses;
use crate::connections::AskError;
use crate::connections::github::NewPullRequest;
use crate::connections::service::Connector;
use crate::connections::sql as connections;
use crate::deliveries::{Channel, Deliveries, NewDelivery};
use crate::delivery::{Attempt, Failure, Parcel, Transport};
use crate::error::{Error, Result};
use crate::ids::{OrganizationId, SessionId};
use crate::issues::activity;
use crate::live::{Changes, Hub};
use crate::notifications::sql::facts;
use crate::notifications::texts::Issue;
use crate::repositories;
use crate::sessions::sql;
use crate::sessions::{Outcome, Session, TITLE_MAX};
use crate::store::{Connection, Transaction};
use crate::text::line;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::sync::Arc;

/// What a pull request is to be opened for; stored as a delivery's payload, which is sealed.
#[derive(Debug, Serialize, Deserialize)]
struct Order {
    organization: OrganizationId,
    session: SessionId,
    /// What the agent says it changed.
    title: Option<String>,
}

/// Writes the delivery that opens a session's pull request, if its agent completed its work, pushed something and opened
/// none by itself, and the repository is connected to its code host. Call [`Deliveries::wake`] after the commit.
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

/// What was pushed, and where it may be proposed.
struct Work {
    session: Session,
    repository: String,
    head: String,
    base: String,
    connection: connections::Stored,
    issue: Option<Issue>,
}

impl Work {
    /// `None`: there is nothing to open, or no longer.
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
        Ok(Some(Self { session, repository: repository.host_repo_name, head, base, connection, issue }))
    }

    fn pull_request(&self, title: Option<String>, addresses: &Addresses) -> NewPullRequest {
        let mut body = String::new();
        let site = &addresses.frontend;
        if let Some(Issue { short_id, id, project, .. }) = &self.issue {
            let _ = writeln!(body, "For [{short_id}]({site}/projects/{project}/issues/{id}).");
        }
        let Session { id, organization_id, .. } = &self.session;
        let page = format!("{site}/organizations/{organization_id}/sessions/{id}");
        let _ = writeln!(body, "An agent did this in a [session]({page}) of Mayday.");
        if let Some(summary) = self.session.summary.as_deref().filter(|summary| !summary.trim().is_empty()) {
            let _ = write!(body, "\nWhat it says it did:\n\n{}", quoted(summary));
        }
        NewPullRequest {
            title: title.unwrap_or_else(|| line(&self.session.title, TITLE_MAX)),
            body,
            head: self.head.clone(),
            base: self.base.clone(),
        }
    }
}

/// The words of an agent, in which the code host sees no mention, no issue to close, no link and no image.
fn quoted(words: &str) -> String {
    let longest = words.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{}\n{fence}\n", words.trim_end())
}

/// Opens pull requests.
pub struct PullRequests {
    connector: Arc<Connector>,
    addresses: Addresses,
    live: Arc<Hub>,
}

impl PullRequests {
    pub fn new(connector: &Arc<Connector>, addresses: &Addresses, live: &Arc<Hub>) -> Self {
        Self { connector: connector.clone(), addresses: addresses.clone(), live: live.clone() }
    }

    async fn carry_out(&self, order: Order, is_last: bool) -> Result<(), Failure> {
        let Order { organization, session: id, title } = order;
        let read = self.connector.main.read(move |c| match sql::get(c, organization, id)? {
            Some(session) => Work::of(c, organization, session),
            None => Ok(None),
        });
        // Whatever it was about is gone, or has a pull request: there is nothing to do.
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
        let new = work.pull_request(title, &self.addresses);
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

/// Stores the address of a pull request: of the session, and where its issue tells of its end.
fn record(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    id: SessionId,
    url: &str,
    now: Timestamp,
) -> Result<()> {
    let Some(session) = sql::get(tx, organization, id)? else { return Ok(()) };
    sql::set_pull_request(tx, id, url)?;
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
