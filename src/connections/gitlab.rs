//! GitLab through version 4 of its REST API: issues as tickets, and merge requests for the branches that agents
//! pushed.

mod issues;
mod notes;

use super::ask::{Proof, Service};
use super::github::NewPullRequest;
use super::pulls::BY_MAX;
use super::{AskError, HostRepository, PullRequestState, REPOSITORIES_MAX, name_of};
use crate::crypto::secret::Secret;
use crate::outbound::{Client, Policy};
use crate::text::line;
use crate::time::Timestamp;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

const NAME: &str = "GitLab";
const USUAL: &str = "https://gitlab.com";
/// Projects on a page, and bytes of one.
const PAGE: usize = 100;
const PAGE_MAX: usize = 8 << 20;
/// The access level that may push: developer.
const DEVELOPER: u32 = 30;

/// A GitLab server, with a token.
pub struct Gitlab(Service);

impl Gitlab {
    /// `token` belongs to a person, a group or a project, and has the scope `api`.
    pub fn new(client: &Client, policy: Policy, url: Option<&str>, token: &str) -> Self {
        let base = url.unwrap_or(USUAL).trim_end_matches('/').to_owned();
        let proof = Proof::Bearer(Secret::new(token));
        Self(Service { name: NAME, client: client.clone(), policy, base, proof, headers: &[] })
    }

    /// The host and the account that we use there.
    pub async fn look(&self) -> Result<String, AskError> {
        let me = self.0.get("/api/v4/user").await?;
        let host = self.0.base.split("://").nth(1).unwrap_or_default();
        Ok(name_of(&format!("{host} as {}", self.0.name(&me["username"])?), NAME))
    }

    /// The projects that we may push to.
    pub async fn repositories(&self) -> Result<Vec<HostRepository>, AskError> {
        let mut all = Vec::new();
        for page in 1..=REPOSITORIES_MAX.div_ceil(PAGE) {
            let path = format!(
                "/api/v4/projects?membership=true&min_access_level={DEVELOPER}&archived=false&order_by=last_activity_at\
                 &per_page={PAGE}&page={page}"
            );
            let found: Vec<Value> = self.0.get_large(&path, PAGE_MAX).await?;
            let is_last = found.len() < PAGE;
            all.extend(found.iter().filter_map(repository));
            if is_last {
                break;
            }
        }
        all.truncate(REPOSITORIES_MAX);
        Ok(all)
    }

    /// Opens a merge request and returns its address; if the branch already has an open one, returns that. Repeating
    /// the call does no harm.
    ///
    /// # Errors
    /// *Missing* if we cannot see the project; *refused* if we may not open merge requests there.
    pub async fn open_merge_request(
        &self,
        repository: &str,
        new: &NewPullRequest,
    ) -> Result<String, AskError> {
        let path = format!("/api/v4/projects/{}/merge_requests", encoded(repository));
        let open = format!(
            "{path}?state=opened&source_branch={}&target_branch={}",
            encoded(&new.head),
            encoded(&new.base)
        );
        let open = self.0.get(&open).await?;
        // A fork may have a branch of the same name.
        let is_own = |one: &&Value| one["source_project_id"] == one["target_project_id"];
        if let Some(open) = open.as_array().and_then(|all| all.iter().find(is_own)) {
            return self.0.address(&open["web_url"]);
        }
        let NewPullRequest { title, body, head, base } = new;
        let body = json!({ "title": title, "description": body, "source_branch": head, "target_branch": base,
            "remove_source_branch": true });
        self.0.address(&self.0.post(&path, &body).await?["web_url"])
    }

    /// What became of a merge request.
    ///
    /// # Errors
    /// *Missing* if we cannot see it.
    pub async fn merge_request(&self, repository: &str, number: u64) -> Result<PullRequestState, AskError> {
        let path = format!("/api/v4/projects/{}/merge_requests/{number}", encoded(repository));
        state(&self.0.get(&path).await?)
    }
}

/// What a merge request says of itself. One that is locked is being merged.
fn state(merge_request: &Value) -> Result<PullRequestState, AskError> {
    let time = |name: &str| merge_request[name].as_str().and_then(Timestamp::parse);
    match merge_request["state"].as_str() {
        Some("opened" | "locked") => Ok(PullRequestState::Open),
        Some("merged") => Ok(PullRequestState::Merged { at: time("merged_at") }),
        Some("closed") => {
            let by = merge_request["closed_by"]["username"].as_str().map(|name| line(name, BY_MAX));
            let by = by.filter(|name| !name.is_empty());
            Ok(PullRequestState::Closed { at: time("closed_at"), by })
        }
        _ => Err(AskError::unreadable(NAME, "the state of the merge request")),
    }
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

fn repository(project: &Value) -> Option<HostRepository> {
    let text = |name: &str| project[name].as_str().map(str::to_owned);
    Some(HostRepository {
        id: project["id"].as_u64()?.to_string(),
        name: text("path_with_namespace")?,
        url: text("http_url_to_repo")?,
        default_branch: text("default_branch").unwrap_or_else(|| "main".to_owned()),
        is_private: project["visibility"] != "public",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_merge_request_says_what_became_of_it() {
        let at = Timestamp::parse("2026-11-20T10:00:00.123Z");
        assert!(at.is_some());
        let user = json!({"id": 7, "username": "ada", "name": "Ada"});
        for (merge_request, expected) in [
            (json!({"state": "opened", "merged_at": null, "closed_by": null}), PullRequestState::Open),
            (json!({"state": "locked"}), PullRequestState::Open),
            (
                json!({"state": "merged", "merged_at": "2026-11-20T10:00:00.123Z", "merged_by": user}),
                PullRequestState::Merged { at },
            ),
            (json!({"state": "merged", "merged_at": "yesterday"}), PullRequestState::Merged { at: None }),
            (
                json!({"state": "closed", "closed_at": "2026-11-20T10:00:00.123Z", "closed_by": user}),
                PullRequestState::Closed { at, by: Some("ada".to_owned()) },
            ),
            (
                json!({"state": "closed", "closed_at": null, "closed_by": null}),
                PullRequestState::Closed { at: None, by: None },
            ),
            (
                json!({"state": "closed", "closed_by": {"username": "\u{202e}\n"}}),
                PullRequestState::Closed { at: None, by: None },
            ),
        ] {
            assert_eq!(state(&merge_request), Ok(expected), "{merge_request}");
        }
        let long = json!({"state": "closed", "closed_by": {"username": "x".repeat(10_000)}});
        let Ok(PullRequestState::Closed { by: Some(by), .. }) = state(&long) else { panic!("not closed") };
        assert!(by.chars().count() <= BY_MAX, "{by}");
    }

    #[test]
    fn what_is_no_merge_request_is_not_believed() {
        for answer in [
            json!(null),
            json!([]),
            json!("merged"),
            json!({}),
            json!({"state": null}),
            json!({"state": true}),
            json!({"state": "MERGED"}),
            json!([{"state": "merged"}]),
        ] {
            let refused = state(&answer).unwrap_err();
            assert_eq!(refused.text(), "GitLab answered without the state of the merge request", "{answer}");
            assert!(!refused.may_pass());
        }
    }
}
