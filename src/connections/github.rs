//! GitHub, through the server's own app: it authenticates with a token signed with its private key, and gets a token
//! for an installation that is valid for an hour.

mod commits;
mod pulls;

pub use commits::{Comparison, HostCommit};
pub use pulls::NewPullRequest;

use super::ask::{Proof, Service};
use super::tracker::{
    DESTINATIONS_MAX, IssueTracker, NewTicket, Remark, RemoteTicket, is_repository, not_before, numbered,
    path_of,
};
use super::{AskError, Destination, HostRepository, name_of};
use crate::config::HostApp;
use crate::crypto::secret::Secret;
use crate::outbound::{self, Client, Policy};
use crate::time::{MINUTE, SECOND, Timestamp};
use async_trait::async_trait;
use hyper::{Method, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

const NAME: &str = "GitHub";
const HEADERS: &[(&str, &str)] =
    &[("accept", "application/vnd.github+json"), ("x-github-api-version", "2022-11-28")];
/// Bytes of a page of 100 issues, comments or repositories.
const PAGE_MAX_BYTES: usize = 16 << 20;
/// The lifetime of the app's own token, in seconds. GitHub allows ten minutes, but clocks differ.
const APP_TOKEN: i64 = 8 * 60;
/// A token of an installation is not used in its last milliseconds.
const MARGIN: i64 = 5 * MINUTE;
/// The most tokens that are kept.
const TOKENS_MAX: usize = 1_000;

/// Tokens of installations, each with the time until which it is used.
type Tokens = HashMap<(String, Purpose), (Secret, Timestamp)>;

/// The app. Cheap to clone.
#[derive(Clone)]
pub struct Github {
    app: HostApp,
    client: Client,
    tokens: Arc<Mutex<Tokens>>,
}

/// What a token is for; it allows nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Purpose {
    /// Repositories and their issues.
    Tickets,
    /// Reading commits.
    Code,
    /// Opening pull requests.
    PullRequests,
}

impl Purpose {
    fn permissions(self) -> Value {
        match self {
            Self::Tickets => json!({ "issues": "write", "metadata": "read" }),
            Self::Code => json!({ "contents": "read", "metadata": "read" }),
            Self::PullRequests => json!({ "pull_requests": "write", "metadata": "read" }),
        }
    }
}

/// An installation of the app, as the host shows it.
#[derive(Debug, Clone)]
pub struct Installation {
    /// The person or organization that it belongs to.
    pub account: String,
    /// When it was last changed, or else created.
    pub changed_at: Option<Timestamp>,
}

/// An error about an installation from a request of the app itself. If the app is not accepted, whoever installed it
/// cannot help.
fn of_app(error: AskError) -> AskError {
    match error {
        AskError::Missing(_) => AskError::Revoked(format!("{NAME}: the app is no longer installed there")),
        AskError::Revoked(text) => AskError::Passing(format!(
            "{text}. {NAME} does not accept this server's app: its operator has to check SERVICE_HOST_APP_ID, \
             SERVICE_HOST_APP_PRIVATE_KEY_FILE and the server's clock"
        )),
        other => other,
    }
}

impl Github {
    pub fn new(app: HostApp, client: Client) -> Self {
        Self { app, client, tokens: Arc::default() }
    }

    fn service(&self, token: Secret) -> Service {
        Service {
            name: NAME,
            client: self.client.clone(),
            policy: Policy::Configured,
            base: self.app.api_url.clone(),
            proof: Proof::Bearer(token),
            headers: HEADERS,
        }
    }

    fn as_app(&self) -> Result<Service, AskError> {
        let now = Timestamp::now().millis() / SECOND;
        // A minute earlier, because clocks differ.
        let claims = json!({ "iss": self.app.id, "iat": now - 60, "exp": now + APP_TOKEN });
        let token = self.app.key.token(&claims);
        let token = token.map_err(|_| AskError::Passing("The app's token cannot be signed".to_owned()))?;
        Ok(self.service(Secret::new(&token)))
    }

    /// The page where people install the app.
    ///
    /// # Errors
    /// If the request fails, or the host does not know the app.
    pub async fn install_page(&self, state: &str) -> Result<String, AskError> {
        let app = self.as_app()?.get("/app").await?;
        let page = app["html_url"].as_str().unwrap_or_default().trim_end_matches('/');
        let page = outbound::read(&format!("{page}/installations/new?state={state}"), Policy::Configured);
        page.map(String::from).map_err(|_| AskError::unreadable(NAME, "the address of the app"))
    }

    /// # Errors
    /// *Revoked* if the app is no longer installed, or suspended.
    pub async fn installation(&self, id: &str) -> Result<Installation, AskError> {
        let found = self.as_app()?.get(&format!("/app/installations/{id}")).await;
        let found = found.map_err(of_app)?;
        let account = name_of(found["account"]["login"].as_str().unwrap_or_default(), NAME);
        if !found["suspended_at"].is_null() {
            return Err(AskError::Revoked(format!("{NAME}: the installation at {account} is suspended")));
        }
        let time = |name: &str| found[name].as_str().and_then(Timestamp::parse);
        Ok(Installation { account, changed_at: time("updated_at").or_else(|| time("created_at")) })
    }

    /// A client for an installation's tickets.
    pub async fn as_installation(&self, id: &str) -> Result<Service, AskError> {
        self.allowed(id, Purpose::Tickets).await
    }

    /// A client for an installation, with a token that allows one purpose. Tokens are kept until shortly before they
    /// expire.
    async fn allowed(&self, id: &str, purpose: Purpose) -> Result<Service, AskError> {
        let now = Timestamp::now();
        let key = (id.to_owned(), purpose);
        let kept = self.lock().get(&key).filter(|(_, end)| *end > now).map(|(token, _)| token.clone());
        if let Some(token) = kept {
            return Ok(self.service(token));
        }
        let path = format!("/app/installations/{id}/access_tokens");
        let wanted = json!({ "permissions": purpose.permissions() });
        let made = self.as_app()?.post(&path, &wanted).await.map_err(of_app)?;
        let end = made["expires_at"].as_str().and_then(Timestamp::parse);
        let (Some(token), Some(end)) = (made["token"].as_str(), end) else {
            return Err(AskError::unreadable(NAME, "a token"));
        };
        let token = Secret::new(token);
        let mut tokens = self.lock();
        tokens.retain(|_, (_, end)| *end > now);
        if tokens.len() < TOKENS_MAX {
            tokens.insert(key, (token.clone(), end.plus(-MARGIN)));
        }
        Ok(self.service(token))
    }

    /// Drops a token that was refused, because it may have been revoked early: the next attempt gets a new one.
    fn judged<T>(&self, id: &str, outcome: Result<T, AskError>) -> Result<T, AskError> {
        if matches!(outcome, Err(AskError::Revoked(_))) {
            self.lock().retain(|(of, _), _| of != id);
        }
        outcome
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Tokens> {
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The tickets of an installation's repositories.
    pub fn tracker(&self, installation: &str) -> GithubIssues {
        GithubIssues { github: self.clone(), installation: installation.to_owned() }
    }

    /// The repositories that an installation may read, at most 500.
    pub async fn repositories(&self, installation: &str) -> Result<Vec<HostRepository>, AskError> {
        let service = self.as_installation(installation).await?;
        let mut all = Vec::new();
        for page in 1..=DESTINATIONS_MAX / 100 {
            let path = format!("/installation/repositories?per_page=100&page={page}");
            let found: Repositories = service.get_large(&path, PAGE_MAX_BYTES).await?;
            let is_last = found.repositories.len() < 100;
            all.extend(found.repositories.into_iter().filter(|one| is_repository(&one.full_name)).map(
                |one| HostRepository {
                    id: one.id.to_string(),
                    name: one.full_name,
                    url: one.clone_url,
                    default_branch: one.default_branch.unwrap_or_else(|| "main".to_owned()),
                    is_private: one.private,
                },
            ));
            if is_last {
                break;
            }
        }
        Ok(all)
    }
}

#[derive(Deserialize)]
struct Repositories {
    repositories: Vec<Repository>,
}

#[derive(Deserialize)]
struct Repository {
    id: u64,
    full_name: String,
    clone_url: String,
    default_branch: Option<String>,
    #[serde(default)]
    private: bool,
}

/// The issues of an installation's repositories, as tickets.
pub struct GithubIssues {
    github: Github,
    installation: String,
}

impl GithubIssues {
    async fn service(&self) -> Result<Service, AskError> {
        self.github.as_installation(&self.installation).await
    }

    fn judged<T>(&self, outcome: Result<T, AskError>) -> Result<T, AskError> {
        self.github.judged(&self.installation, outcome)
    }

    /// The items newer than `since` that contain the mark.
    async fn marked(
        &self,
        service: &Service,
        path: &str,
        (mark, since): (&str, Timestamp),
    ) -> Result<Option<Value>, AskError> {
        let path = format!("{path}&since={}&per_page=100", not_before(since));
        let list: Vec<Value> = service.get_large(&path, PAGE_MAX_BYTES).await?;
        Ok(list.into_iter().find(|one| one["body"].as_str().is_some_and(|body| body.contains(mark))))
    }

    async fn make(&self, new: &NewTicket) -> Result<RemoteTicket, AskError> {
        let repository = &new.destination;
        if !is_repository(repository) {
            return Err(AskError::Refused(
                "destination: expected a repository such as acme/shop".to_string(),
            ));
        }
        let service = self.service().await?;
        let issues = format!("/repos/{repository}/issues");
        let path = format!("{issues}?state=all");
        if let Some(known) = self.marked(&service, &path, (&new.mark, new.since)).await? {
            return ticket(repository, &known);
        }
        let made = service.post(&issues, &json!({ "title": new.title, "body": new.markdown() })).await?;
        ticket(repository, &made)
    }

    async fn say(&self, id: &str, remark: &Remark) -> Result<(), AskError> {
        let (repository, number) = numbered(NAME, id)?;
        let service = self.service().await?;
        let comments = format!("/repos/{repository}/issues/{number}/comments");
        let path = format!("{comments}?page=1");
        if self.marked(&service, &path, (&remark.mark, remark.since)).await?.is_some() {
            return Ok(());
        }
        let body = format!("[{}]({})", remark.text, remark.marked_link());
        service.post(&comments, &json!({ "body": body })).await.map(drop)
    }
}

fn ticket(repository: &str, issue: &Value) -> Result<RemoteTicket, AskError> {
    let text = |name: &str| issue[name].as_str().unwrap_or_default().to_owned();
    let number =
        issue["number"].as_u64().ok_or_else(|| AskError::unreadable(NAME, "the number of the issue"))?;
    let key = format!("{repository}#{number}");
    let (id, state) = (key.clone(), text("state"));
    let is_closed = state == "closed";
    let destination = Destination { id: repository.to_owned(), name: repository.to_owned() };
    let ticket =
        RemoteTicket { id, key, title: text("title"), url: text("html_url"), state, is_closed, destination };
    Ok(ticket.bounded())
}

#[async_trait]
impl IssueTracker for GithubIssues {
    async fn destinations(&self) -> Result<Vec<Destination>, AskError> {
        let found = self.judged(self.github.repositories(&self.installation).await)?;
        Ok(found.into_iter().map(|one| Destination { id: one.name.clone(), name: one.name }).collect())
    }

    async fn create(&self, new: &NewTicket) -> Result<RemoteTicket, AskError> {
        self.judged(self.make(new).await)
    }

    async fn find(&self, reference: &str) -> Result<RemoteTicket, AskError> {
        let none =
            || AskError::Missing("expected the address of an issue, or one such as acme/shop#42".to_owned());
        let id = match path_of(reference) {
            Some(parts) => match parts.as_slice() {
                [owner, name, kind, number, ..] if kind == "issues" => format!("{owner}/{name}#{number}"),
                _ => return Err(none()),
            },
            None => reference.to_owned(),
        };
        numbered(NAME, &id).map_err(|_| none())?;
        self.state(&id).await
    }

    async fn state(&self, id: &str) -> Result<RemoteTicket, AskError> {
        let (repository, number) = numbered(NAME, id)?;
        let service = self.service().await?;
        let path = format!("/repos/{repository}/issues/{number}");
        let reply = service.ask(Method::GET, &path, None, PAGE_MAX_BYTES).await?;
        // Here the status does not mean that the app was removed.
        if reply.status == StatusCode::GONE {
            return Err(AskError::Missing(format!("{NAME}: the issue was deleted")));
        }
        self.judged(service.judge(&reply))?;
        ticket(repository, &service.parse(&reply)?)
    }

    async fn comment(&self, id: &str, remark: &Remark) -> Result<(), AskError> {
        self.judged(self.say(id, remark).await)
    }

    async fn close(&self, id: &str) -> Result<RemoteTicket, AskError> {
        let (repository, number) = numbered(NAME, id)?;
        let path = format!("/repos/{repository}/issues/{number}");
        let body = json!({ "state": "closed", "state_reason": "completed" });
        let closed = self.service().await?.json(Method::PATCH, &path, Some(&body)).await;
        ticket(repository, &self.judged(closed)?)
    }
}

/// Checks that a repository's name can be part of a path.
fn checked(repository: &str) -> Result<&str, AskError> {
    let none = || AskError::Missing(format!("{NAME} has no such repository"));
    is_repository(repository).then_some(repository).ok_or_else(none)
}
