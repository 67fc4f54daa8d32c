//! Pull requests.

use super::{Github, NAME, Purpose, checked};
use crate::connections::AskError;
use crate::connections::ask::Service;
use crate::outbound::{self, Policy};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

/// A pull request to open.
#[derive(Debug, Clone)]
pub struct NewPullRequest {
    pub title: String,
    /// Markdown.
    pub body: String,
    /// The branch to merge, in the same repository,
    pub head: String,
    /// and the branch to merge it into.
    pub base: String,
}

impl Github {
    /// Opens a pull request and returns its address; if the branch already has an open one, returns that. Repeating
    /// the call does no harm.
    ///
    /// # Errors
    /// *Missing* if the installation cannot read the repository; *refused* if it may not open pull requests, or if
    /// the branch has no commits that the base lacks.
    pub async fn open_pull_request(
        &self,
        installation: &str,
        repository: &str,
        new: &NewPullRequest,
    ) -> Result<String, AskError> {
        let repository = checked(repository)?;
        let service = self.allowed(installation, Purpose::PullRequests).await?;
        self.judged(installation, find_or_open(&service, repository, new).await)
    }
}

async fn find_or_open(service: &Service, repository: &str, new: &NewPullRequest) -> Result<String, AskError> {
    let path = format!("/repos/{repository}/pulls");
    let owner = repository.split('/').next().unwrap_or_default();
    let head = format!("{owner}:{}", new.head);
    let head = utf8_percent_encode(&head, NON_ALPHANUMERIC);
    let found = service.get(&format!("{path}?head={head}&state=open&per_page=1")).await?;
    match found.get(0) {
        Some(open) => address(open),
        None => {
            let NewPullRequest { title, body, head, base } = new;
            let body = json!({ "title": title, "body": body, "head": head, "base": base });
            address(&service.post(&path, &body).await?)
        }
    }
}

fn address(pull_request: &Value) -> Result<String, AskError> {
    let url = pull_request["html_url"].as_str().unwrap_or_default();
    let url = outbound::read(url, Policy::Configured);
    url.map(String::from).map_err(|_| AskError::unreadable(NAME, "the address of the pull request"))
}
