//! An organization's connections to code hosts, chats and trackers.
//!
//! A connection has credentials, which are sealed and bound to its row. Only GitHub connections have none, because
//! the server's own app gets a short-lived token for each installation. Each connection is checked hourly ([`jobs`]):
//! if the service cannot be reached, it becomes *failing*, with the reason; if the service refuses the credentials,
//! it becomes *revoked*.
//!
//! Each service has its own client ([`github`], [`gitlab`], [`gitea`], [`linear`], [`jira`], [`slack`]), which sends
//! requests through [`ask`]. Those with tickets implement [`IssueTracker`].

pub mod ask;
pub mod gitea;
pub mod github;
pub mod gitlab;
pub mod http;
pub mod jira;
pub mod jobs;
pub mod linear;
pub mod pulls;
pub mod service;
pub mod slack;
pub mod sql;
pub mod tracker;

pub use ask::AskError;
pub use pulls::{PullRequestComment, PullRequestState};
pub use tracker::{IssueTracker, NewTicket, Remark, RemoteTicket};

use crate::error::{Error, Result};
use crate::ids::{ConnectionId, OrganizationId};
use crate::text::{line, shown};
use crate::time::{HOUR, MINUTE, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The most connections of an organization.
pub const CONNECTIONS_MAX: i64 = 50;
/// Characters of an address, of an e-mail, of a token and of the id of a destination.
const URL_MAX: usize = 2_048;
const EMAIL_MAX: usize = 254;
const TOKEN_MAX: usize = 4_096;
pub const DESTINATION_MAX: usize = 256;
/// Characters of a name that a service gives, and of a reason.
pub const NAME_MAX: usize = 128;
pub const REASON_MAX: usize = 300;
/// The most repositories that are listed.
pub const REPOSITORIES_MAX: usize = 500;
/// How often a connection is checked, in milliseconds,
pub const CHECK_EVERY: i64 = HOUR;
/// and the pause after a transient failure.
pub const CHECK_AGAIN: i64 = 5 * MINUTE;
/// So many transient failures in a row make a connection failing.
pub const FAILURES: i64 = 2;

/// What a connection leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ConnectionKind)]
pub enum Kind {
    /// An installation of this server's app at GitHub, or at a GitHub Enterprise.
    Github,
    /// Repositories and issues of GitLab, in the cloud or on a server of one's own.
    Gitlab,
    /// Repositories and issues of a Gitea or a Forgejo.
    Gitea,
    /// A chat with Slack's Web API.
    Slack,
    Linear,
    Jira,
}

impl Kind {
    pub const ALL: [Self; 6] =
        [Self::Github, Self::Gitlab, Self::Gitea, Self::Slack, Self::Linear, Self::Jira];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Github => "github",
            Self::Gitlab => "gitlab",
            Self::Gitea => "gitea",
            Self::Slack => "slack",
            Self::Linear => "linear",
            Self::Jira => "jira",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }

    /// The name that people use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Github => "GitHub",
            Self::Gitlab => "GitLab",
            Self::Gitea => "Gitea",
            Self::Slack => "Slack",
            Self::Linear => "Linear",
            Self::Jira => "Jira",
        }
    }

    /// Whether it has tickets.
    pub fn is_tracker(self) -> bool {
        self != Self::Slack
    }

    /// Whether it has repositories.
    pub fn is_code_host(self) -> bool {
        matches!(self, Self::Github | Self::Gitlab | Self::Gitea)
    }

    /// Whether it has to be asked what became of a pull request. GitHub tells by its webhook.
    pub fn is_asked_for_pull_requests(self) -> bool {
        matches!(self, Self::Gitlab | Self::Gitea)
    }
}

/// Whether a connection works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ConnectionStatus)]
pub enum Status {
    Connected,
    /// The service cannot be asked, or refuses what is asked of it.
    Failing,
    /// The service no longer accepts the credentials.
    Revoked,
}

impl Status {
    const ALL: [Self; 3] = [Self::Connected, Self::Failing, Self::Revoked];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Connected => "connected",
            Self::Failing => "failing",
            Self::Revoked => "revoked",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }
}

/// What happens to the tickets of an issue that is resolved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum OnResolve {
    Nothing,
    /// They get a comment.
    #[default]
    Comment,
    /// They get a comment and are closed.
    Close,
}

/// Where tickets or messages go: a repository, a team, a project, a channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Destination {
    /// The service's own id of it.
    pub id: String,
    /// What people call it there.
    pub name: String,
}

/// A repository that an installation may read.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct HostRepository {
    /// The code host's id of it.
    pub id: String,
    /// Such as `acme/shop`.
    pub name: String,
    /// What git clones from.
    pub url: String,
    pub default_branch: String,
    pub is_private: bool,
}

/// A connection.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Connection {
    pub id: ConnectionId,
    pub organization_id: OrganizationId,
    pub kind: Kind,
    /// What people here call it.
    pub display_name: String,
    pub status: Status,
    /// Why it is not connected.
    pub reason: Option<String>,
    /// What it leads to there, such as the name of a workspace.
    pub account: String,
    /// The address of the service, if it is not the usual one.
    pub url: Option<String>,
    /// Of Jira in the cloud: the person whose token it is.
    pub email: Option<String>,
    /// Where tickets or messages go unless somebody chooses another place.
    pub destination: Option<Destination>,
    /// For trackers.
    pub on_resolve: OnResolve,
    /// Whether an issue is resolved when the last of its tickets that is open is closed at the tracker, and unresolved again
    /// when one of them is opened again there.
    pub issues_follow: bool,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// When the service was last asked.
    pub checked_at: Timestamp,
}

/// The editable settings of a connection; stored as JSON.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The address of the service; `None` for the usual one. Jira always has one.
    pub url: Option<String>,
    /// For Jira Cloud: the person whose token it is.
    pub email: Option<String>,
    pub destination: Option<Destination>,
    #[serde(default)]
    pub on_resolve: OnResolve,
    #[serde(default)]
    pub issues_follow: bool,
}

/// The secret part of a connection; stored sealed.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Credentials {
    pub token: String,
}

/// A connection as a person enters it.
#[derive(Debug, Clone, Default)]
pub struct ConnectionInput {
    pub url: Option<String>,
    pub email: Option<String>,
    pub token: String,
}

impl ConnectionInput {
    /// The part that is stored sealed.
    pub fn credentials(&self) -> Credentials {
        Credentials { token: self.token.clone() }
    }

    /// # Errors
    /// 422 naming the field.
    pub fn check(&self, kind: Kind) -> Result<()> {
        let length = self.token.chars().count();
        if length == 0 || length > TOKEN_MAX || !self.token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Error::invalid(format!(
                "token: expected 1 to {TOKEN_MAX} visible ASCII characters, got {length}"
            )));
        }
        if let Some(url) = &self.url
            && (url.chars().count() > URL_MAX || !url::Url::parse(url).is_ok_and(|url| is_base(&url)))
        {
            return Err(Error::invalid(format!(
                "url: expected an address such as https://acme.atlassian.net, of at most {URL_MAX} characters and without \
                 a user, a query or a fragment, got `{}`",
                shown(url, 64)
            )));
        }
        if kind != Kind::Jira && self.email.is_some() {
            return Err(Error::invalid("email: expected only with the kind `jira`"));
        }
        if matches!(kind, Kind::Jira | Kind::Gitea) && self.url.is_none() {
            let (name, usual) = match kind {
                Kind::Jira => ("Jira", "https://acme.atlassian.net"),
                _ => ("Gitea or Forgejo", "https://codeberg.org"),
            };
            return Err(Error::invalid(format!("url: expected the address of your {name}, such as {usual}")));
        }
        if let Some(email) = &self.email
            && (email.chars().count() > EMAIL_MAX
                || !email.contains('@')
                || email.contains([':', '\r', '\n']))
        {
            return Err(Error::invalid("email: expected the address of the person whose token it is"));
        }
        Ok(())
    }
}

fn is_base(url: &url::Url) -> bool {
    matches!(url.scheme(), "http" | "https")
        && (url.username(), url.password(), url.query(), url.fragment()) == ("", None, None, None)
}

/// Checks the id of a destination that a person entered.
///
/// # Errors
/// 422 naming the field.
pub fn check_destination(field: &str, id: &str) -> Result<String> {
    let length = id.chars().count();
    if length == 0 || length > DESTINATION_MAX || id.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Err(Error::invalid(format!(
            "{field}: expected the id of a place, as …/destinations lists them, of 1 to {DESTINATION_MAX} characters"
        )));
    }
    Ok(id.to_owned())
}

/// A name from a service as one non-empty line; `instead` if nothing is left.
pub fn name_of(text: &str, instead: &str) -> String {
    let name = line(text, NAME_MAX);
    if name.is_empty() { instead.to_owned() } else { name }
}

#[cfg(test)]
mod tests;
