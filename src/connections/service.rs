//! Opens connections, checks them, and reports those that fail.

use super::gitea::Gitea;
use super::github::{Github, NewPullRequest};
use super::gitlab::Gitlab;
use super::jira::Jira;
use super::linear::Linear;
use super::slack::Slack;
use super::sql::{self, Outcome, StoredConnection};
use super::{
    AskError, Credentials, Destination, HostRepository, IssueTracker, Kind, PullRequestComment,
    PullRequestState, Settings, Status,
};
use crate::crypto::seal::Seal;
use crate::error::{Error, Result};
use crate::ids::{OrganizationId, UserId};
use crate::outbound::{Client, Policy};
use crate::signals::{self, NewSignal};
use crate::store::{Main, Transaction};
use crate::time::Timestamp;
use serde_json::json;

/// What connections are opened with.
pub struct Connector {
    pub main: Main,
    pub seal: Seal,
    pub client: Client,
    /// Which addresses people may enter.
    pub policy: Policy,
    /// `None` if the server has no app at the code host.
    pub github: Option<Github>,
}

/// The client of one connection.
pub enum ServiceClient {
    Github(Github, String),
    Gitlab(Gitlab),
    Gitea(Gitea),
    Linear(Linear),
    Jira(Jira),
    Slack(Slack),
}

impl Connector {
    /// # Errors
    /// If its credentials cannot be read, or the server no longer has the app.
    pub fn open(&self, stored: &StoredConnection) -> Result<ServiceClient, AskError> {
        if stored.connection.kind == Kind::Github {
            let no_app = || AskError::Passing("The server no longer has an app at GitHub".to_owned());
            let github = self.github.clone().ok_or_else(no_app)?;
            return Ok(ServiceClient::Github(github, stored.external_id.clone().unwrap_or_default()));
        }
        let credentials = stored.open(&self.seal).map_err(|error| {
            tracing::warn!(?error, "the credentials of a connection cannot be read");
            AskError::Revoked("Its credentials can no longer be read: enter them again".to_owned())
        })?;
        Ok(self.with(stored.connection.kind, &stored.settings, &credentials))
    }

    /// The client for a connection to any service but GitHub.
    pub fn with(&self, kind: Kind, settings: &Settings, credentials: &Credentials) -> ServiceClient {
        let (url, token) = (settings.url.as_deref(), credentials.token.as_str());
        let (client, policy) = (&self.client, self.policy);
        match kind {
            Kind::Gitlab => ServiceClient::Gitlab(Gitlab::new(client, policy, url, token)),
            Kind::Gitea => ServiceClient::Gitea(Gitea::new(client, policy, url.unwrap_or_default(), token)),
            Kind::Linear => ServiceClient::Linear(Linear::new(client, policy, url, token)),
            Kind::Slack => ServiceClient::Slack(Slack::new(client, policy, url, token)),
            Kind::Github | Kind::Jira => {
                let url = url.unwrap_or_default();
                ServiceClient::Jira(Jira::new(client, policy, url, settings.email.as_deref(), token))
            }
        }
    }

    /// Checks a connection and records the outcome. `by`, who requested the check, gets no notification: they see the
    /// answer.
    ///
    /// # Errors
    /// Storage trouble.
    pub async fn check(&self, stored: StoredConnection, by: Option<UserId>) -> Result<()> {
        let found = match self.open(&stored) {
            Ok(opened) => opened.look().await,
            Err(error) => Err(error),
        };
        let write = move |tx: &Transaction<'_>| record(tx, &stored, &found, by);
        self.main.write(write).await
    }
}

/// Records the outcome of a check, with a signal if the state changed.
fn record(
    tx: &Transaction<'_>,
    stored: &StoredConnection,
    found: &Result<String, AskError>,
    by: Option<UserId>,
) -> Result<()> {
    let now = Timestamp::now();
    let outcome = match found {
        Ok(account) => Outcome::Works { account },
        Err(AskError::Revoked(reason)) => Outcome::Revoked { reason },
        // Somebody who requests a check wants to know at once.
        Err(error) => Outcome::Fails {
            reason: error.text(),
            is_certain: by.is_some() || !error.may_pass(),
            wait: match error {
                AskError::Busy { wait, .. } => Some(*wait),
                _ => None,
            },
        },
    };
    match sql::checked(tx, stored, &outcome, now)? {
        Some((before, after)) if before != after => tell(tx, stored, after, found.as_ref().err(), by, now),
        _ => Ok(()),
    }
}

/// Writes the signal that a connection works again, or no longer works.
///
/// # Errors
/// Storage trouble.
pub fn tell(
    tx: &Transaction<'_>,
    stored: &StoredConnection,
    status: Status,
    error: Option<&AskError>,
    by: Option<UserId>,
    now: Timestamp,
) -> Result<()> {
    let connection = &stored.connection;
    let payload = json!({
        "connection_id": connection.id,
        "kind": connection.kind.as_str(),
        "name": connection.display_name,
        "status": status.as_str(),
        "reason": error.map(AskError::text),
    });
    let kind = match status {
        Status::Connected => signals::Kind::ConnectionConnected,
        Status::Failing | Status::Revoked => signals::Kind::ConnectionFailed,
    };
    signals::sql::add(tx, &NewSignal::of_connection(kind, connection.organization_id, payload).by(by), now)
}

/// Writes the signal that the app at the code host was not connected.
///
/// # Errors
/// Storage trouble.
pub fn tell_not_installed(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    reason: &str,
    now: Timestamp,
) -> Result<()> {
    let payload = json!({
        "connection_id": null,
        "kind": Kind::Github.as_str(),
        "name": "GitHub",
        "status": "failed",
        "reason": reason,
    });
    let failed = signals::Kind::ConnectionFailed;
    signals::sql::add(tx, &NewSignal::of_connection(failed, organization, payload), now)
}

impl ServiceClient {
    /// Checks the connection; returns the name of the account.
    ///
    /// # Errors
    /// Why the request failed.
    pub async fn look(&self) -> Result<String, AskError> {
        match self {
            Self::Github(github, installation) => {
                let found = github.installation(installation).await?;
                github.as_installation(installation).await.map(|_| found.account)
            }
            Self::Gitlab(gitlab) => gitlab.look().await,
            Self::Gitea(gitea) => gitea.look().await,
            Self::Linear(linear) => linear.look().await,
            Self::Jira(jira) => jira.look().await,
            Self::Slack(slack) => slack.look().await,
        }
    }

    /// The destinations of its tickets or messages.
    ///
    /// # Errors
    /// Why the request failed.
    pub async fn destinations(&self) -> Result<Vec<Destination>, AskError> {
        let mut found = match self {
            Self::Gitlab(gitlab) => gitlab.destinations().await?,
            Self::Gitea(gitea) => gitea.destinations().await?,
            Self::Slack(slack) => slack.channels().await?,
            Self::Github(github, installation) => github.tracker(installation).destinations().await?,
            Self::Linear(linear) => linear.destinations().await?,
            Self::Jira(jira) => jira.destinations().await?,
        };
        found.sort_by_key(|one| one.name.to_lowercase());
        Ok(found)
    }

    /// `None` for a chat.
    pub fn tracker(self) -> Option<Box<dyn IssueTracker>> {
        match self {
            Self::Github(github, installation) => Some(Box::new(github.tracker(&installation))),
            Self::Linear(linear) => Some(Box::new(linear)),
            Self::Jira(jira) => Some(Box::new(jira)),
            Self::Gitlab(gitlab) => Some(Box::new(gitlab)),
            Self::Gitea(gitea) => Some(Box::new(gitea)),
            Self::Slack(_) => None,
        }
    }

    /// The repositories of a code host that we may push to; `None` for any other service.
    ///
    /// # Errors
    /// Why the request failed.
    pub async fn repositories(&self) -> Result<Option<Vec<HostRepository>>, AskError> {
        match self {
            Self::Github(github, installation) => github.repositories(installation).await.map(Some),
            Self::Gitlab(gitlab) => gitlab.repositories().await.map(Some),
            Self::Gitea(gitea) => gitea.repositories().await.map(Some),
            Self::Linear(_) | Self::Jira(_) | Self::Slack(_) => Ok(None),
        }
    }

    /// Opens a pull request and returns its address; if the branch already has an open one, returns that.
    ///
    /// # Errors
    /// Why it was not opened.
    pub async fn open_pull_request(
        &self,
        repository: &str,
        new: &NewPullRequest,
    ) -> Result<String, AskError> {
        match self {
            Self::Github(github, installation) => {
                github.open_pull_request(installation, repository, new).await
            }
            Self::Gitlab(gitlab) => gitlab.open_merge_request(repository, new).await,
            Self::Gitea(gitea) => gitea.open_pull_request(repository, new).await,
            Self::Linear(_) | Self::Jira(_) | Self::Slack(_) => {
                Err(AskError::Refused("its connection leads to no code host".to_owned()))
            }
        }
    }

    /// What became of a pull request, of those that are asked: see [`Kind::is_asked_for_pull_requests`].
    ///
    /// # Errors
    /// Why it cannot be asked.
    pub async fn pull_request(&self, repository: &str, number: u64) -> Result<PullRequestState, AskError> {
        match self {
            Self::Gitlab(gitlab) => gitlab.merge_request(repository, number).await,
            Self::Gitea(gitea) => gitea.pull_request(repository, number).await,
            Self::Github(..) | Self::Linear(_) | Self::Jira(_) | Self::Slack(_) => Err(not_asked()),
        }
    }

    /// What somebody with a say in the repository wrote last on one of those pull requests, which was closed at that
    /// time.
    ///
    /// # Errors
    /// Why it cannot be asked.
    pub async fn last_comment(
        &self,
        repository: &str,
        number: u64,
        closed_at: Option<Timestamp>,
    ) -> Result<Option<PullRequestComment>, AskError> {
        match self {
            Self::Gitlab(gitlab) => gitlab.last_comment(repository, number).await,
            Self::Gitea(gitea) => gitea.last_comment(repository, number, closed_at).await,
            Self::Github(..) | Self::Linear(_) | Self::Jira(_) | Self::Slack(_) => Err(not_asked()),
        }
    }
}

fn not_asked() -> AskError {
    AskError::Refused("its connection is not asked for pull requests".to_owned())
}

/// The error for a person whose request needed the service.
pub fn refused(error: &AskError) -> Error {
    Error::conflict(format!("{}.", error.text().trim_end_matches('.')))
}
