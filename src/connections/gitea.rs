//! Gitea and Forgejo through version 1 of their REST API: issues as tickets, and pull requests for the branches that
//! agents pushed.

mod comments;
mod issues;

use super::ask::{Proof, Service};
use super::github::NewPullRequest;
use super::{AskError, HostRepository, PullRequestState, REPOSITORIES_MAX, name_of};
use crate::crypto::secret::Secret;
use crate::outbound::{Client, Policy};
use crate::time::Timestamp;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

const NAME: &str = "Gitea";
/// Repositories on a page (the default limit of both), and bytes of one.
const PAGE: usize = 50;
const PAGE_MAX: usize = 8 << 20;

/// A Gitea or Forgejo server, with the token of one of its users.
pub struct Gitea(Service);

impl Gitea {
    /// `token` is an access token with the scopes to write repositories and issues and to read the user.
    pub fn new(client: &Client, policy: Policy, url: &str, token: &str) -> Self {
        let base = url.trim_end_matches('/').to_owned();
        let proof = Proof::Bearer(Secret::new(token));
        Self(Service { name: NAME, client: client.clone(), policy, base, proof, headers: &[] })
    }

    /// The host and the account that we use there.
    pub async fn look(&self) -> Result<String, AskError> {
        let me = self.0.get("/api/v1/user").await?;
        let host = self.0.base.split("://").nth(1).unwrap_or_default();
        Ok(name_of(&format!("{host} as {}", self.0.name(&me["login"])?), NAME))
    }

    /// The repositories that we may push to.
    pub async fn repositories(&self) -> Result<Vec<HostRepository>, AskError> {
        self.pages(repository).await
    }

    /// The items that `wanted` selects from all repositories we can see.
    async fn pages<T>(&self, wanted: impl Fn(&Value) -> Option<T>) -> Result<Vec<T>, AskError> {
        let mut all = Vec::new();
        for page in 1..=REPOSITORIES_MAX.div_ceil(PAGE) {
            let path = format!("/api/v1/user/repos?limit={PAGE}&page={page}");
            let found: Vec<Value> = self.0.get_large(&path, PAGE_MAX).await?;
            // A server may have a lower limit.
            if found.is_empty() {
                break;
            }
            all.extend(found.iter().take(PAGE).filter_map(&wanted));
        }
        all.truncate(REPOSITORIES_MAX);
        Ok(all)
    }

    /// Opens a pull request and returns its address; if the branch already has an open one, returns that. Repeating
    /// the call does no harm.
    ///
    /// # Errors
    /// *Missing* if we cannot see the repository; *refused* if we may not open pull requests there.
    pub async fn open_pull_request(
        &self,
        repository: &str,
        new: &NewPullRequest,
    ) -> Result<String, AskError> {
        let path = pulls_path(repository);
        let between = format!("{path}/{}/{}", encoded(&new.base), encoded(&new.head));
        match self.0.get(&between).await {
            Ok(found) if found["state"] == "open" => return self.0.address(&found["html_url"]),
            Ok(_) | Err(AskError::Missing(_)) => {}
            Err(error) => return Err(error),
        }
        let NewPullRequest { title, body, head, base } = new;
        let body = json!({ "title": title, "body": body, "head": head, "base": base });
        self.0.address(&self.0.post(&path, &body).await?["html_url"])
    }

    /// What became of a pull request.
    ///
    /// # Errors
    /// *Missing* if we cannot see it.
    pub async fn pull_request(&self, repository: &str, number: u64) -> Result<PullRequestState, AskError> {
        state(&self.0.get(&format!("{}/{number}", pulls_path(repository))).await?)
    }
}

/// The path of a repository in the API.
fn repository_path(repository: &str) -> String {
    let (owner, name) = repository.split_once('/').unwrap_or((repository, ""));
    format!("/api/v1/repos/{}/{}", encoded(owner), encoded(name))
}

/// The path of its pull requests.
fn pulls_path(repository: &str) -> String {
    format!("{}/pulls", repository_path(repository))
}

/// What a pull request says of itself: of one that is closed, not by whom.
fn state(pull_request: &Value) -> Result<PullRequestState, AskError> {
    let time = |name: &str| pull_request[name].as_str().and_then(Timestamp::parse);
    match (pull_request["state"].as_str(), pull_request["merged"].as_bool()) {
        (Some("open"), _) => Ok(PullRequestState::Open),
        (Some("closed"), Some(true)) => Ok(PullRequestState::Merged { at: time("merged_at") }),
        (Some("closed"), Some(false)) => Ok(PullRequestState::Closed { at: time("closed_at"), by: None }),
        _ => Err(AskError::unreadable(NAME, "the state of the pull request")),
    }
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

fn repository(found: &Value) -> Option<HostRepository> {
    let text = |name: &str| found[name].as_str().map(str::to_owned);
    if found["permissions"]["push"] == false || found["archived"] == true {
        return None;
    }
    Some(HostRepository {
        id: found["id"].as_u64()?.to_string(),
        name: text("full_name")?,
        url: text("clone_url")?,
        default_branch: text("default_branch").unwrap_or_else(|| "main".to_owned()),
        is_private: found["private"] != false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pull_request_says_what_became_of_it() {
        let at = Timestamp::parse("2026-11-20T10:00:00Z");
        assert!(at.is_some());
        for (pull_request, expected) in [
            (json!({"state": "open", "merged": false, "merged_at": null}), PullRequestState::Open),
            (
                json!({"state": "closed", "merged": true, "merged_at": "2026-11-20T11:00:00+01:00"}),
                PullRequestState::Merged { at },
            ),
            (
                json!({"state": "closed", "merged": true, "merged_at": 7}),
                PullRequestState::Merged { at: None },
            ),
            (
                json!({"state": "closed", "merged": false, "closed_at": "2026-11-20T10:00:00Z"}),
                PullRequestState::Closed { at, by: None },
            ),
        ] {
            assert_eq!(state(&pull_request), Ok(expected), "{pull_request}");
        }
        for answer in [
            json!(null),
            json!([]),
            json!({"merged": true}),
            json!({"state": "closed"}),
            json!({"state": "closed", "merged": "true"}),
            json!({"state": "merged", "merged": true}),
        ] {
            let refused = state(&answer).unwrap_err();
            assert_eq!(refused.text(), "Gitea answered without the state of the pull request", "{answer}");
            assert!(!refused.may_pass());
        }
    }
}
