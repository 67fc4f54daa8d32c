//! Reads webhook calls from GitHub.

use super::config::{GithubConfig, GithubEvent};
use crate::time::Timestamp;
use serde_json::Value;

/// The prefix of the branches that agents push. Events on them call no automation, or agents would call themselves.
pub const OWN_BRANCHES: &str = "mayday/";

/// A call from GitHub, as far as Mayday uses it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GithubCall {
    /// GitHub tests the address.
    Ping,
    /// A pull request of a repository was merged.
    Merged { url: String, repository: Repository },
    /// A pull request was closed without being merged.
    Closed { url: String, repository: Repository, by: String },
    /// A closed pull request was opened again.
    Reopened { url: String, repository: Repository, by: String },
    /// An event that the trigger is configured for.
    Wanted {
        kind: String,
        repository: Option<Repository>,
        /// Caused by somebody without a say in the repository.
        is_public: bool,
    },
    /// Something else.
    Other { kind: String },
}

/// The repository that a call is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    pub id: String,
    /// Such as `acme/shop`.
    pub name: String,
}

/// Reads a call. `event` is its header `X-GitHub-Event`.
pub fn read(event: &str, payload: &Value, config: &GithubConfig) -> GithubCall {
    if event == "ping" {
        return GithubCall::Ping;
    }
    if event == "pull_request"
        && let Some(call) = pull_request(payload)
    {
        return call;
    }
    let kind = format!("github.{}", crate::text::line(event, 40));
    let repository = repository(payload);
    let is_named = config.repositories.is_empty()
        || repository.as_ref().is_some_and(|named| {
            config.repositories.iter().any(|wanted| wanted.eq_ignore_ascii_case(&named.name))
        });
    if is_named && is_wanted(event, payload, config) {
        GithubCall::Wanted { kind, repository, is_public: is_by_anybody(event, payload) }
    } else {
        GithubCall::Other { kind }
    }
}

/// Reads a merge, close or reopen of a pull request.
fn pull_request(payload: &Value) -> Option<GithubCall> {
    let url = payload["pull_request"]["html_url"].as_str()?.to_owned();
    let (repository, by) = (repository(payload)?, sender(payload));
    match payload["action"].as_str()? {
        "closed" if payload["pull_request"]["merged"] == true => Some(GithubCall::Merged { url, repository }),
        "closed" => Some(GithubCall::Closed { url, repository, by }),
        "reopened" => Some(GithubCall::Reopened { url, repository, by }),
        _ => None,
    }
}

/// A comment on a pull request by somebody with a say in the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GithubComment {
    /// The pull request's address.
    pub url: String,
    pub repository: Repository,
    pub by: String,
    /// On one line.
    pub text: String,
    /// The time that GitHub gives.
    pub at: Option<Timestamp>,
}

/// Characters kept of such a comment.
const SAID_MAX: usize = 500;

/// Reads a comment on a pull request, or the text of a review.
pub fn said(event: &str, payload: &Value) -> Option<GithubComment> {
    let (action, pull_request, written) = match event {
        "issue_comment" => ("created", &payload["issue"]["pull_request"], &payload["comment"]),
        "pull_request_review" => ("submitted", &payload["pull_request"], &payload["review"]),
        _ => return None,
    };
    let is_heard = payload["action"] == action
        && payload["sender"]["type"] != "Bot"
        && is_of_the_team(&written["author_association"]);
    let text = crate::text::line(written["body"].as_str()?, SAID_MAX);
    (is_heard && !text.is_empty()).then_some(())?;
    let url = pull_request["html_url"].as_str()?.to_owned();
    let at = written["created_at"].as_str().or_else(|| written["submitted_at"].as_str());
    let at = at.and_then(Timestamp::parse);
    Some(GithubComment { url, repository: repository(payload)?, by: sender(payload), text, at })
}

fn sender(payload: &Value) -> String {
    crate::text::line(payload["sender"]["login"].as_str().unwrap_or("somebody"), 100)
}

fn repository(payload: &Value) -> Option<Repository> {
    let of = &payload["repository"];
    let id = of["id"].as_i64().map(|id| id.to_string()).or_else(|| of["node_id"].as_str().map(str::to_owned));
    Some(Repository { id: id?, name: of["full_name"].as_str()?.to_owned() })
}

fn is_wanted(event: &str, payload: &Value, config: &GithubConfig) -> bool {
    match event {
        "push" => {
            let branch = payload["ref"].as_str().and_then(|name| name.strip_prefix("refs/heads/"));
            config.wants(GithubEvent::Push)
                && payload["deleted"] != true
                && branch.is_some_and(|branch| is_branch(branch, config))
        }
        "issue_comment" => {
            let comment = payload["comment"]["body"].as_str().unwrap_or_default();
            config.wants(GithubEvent::IssueComment)
                && payload["action"] == "created"
                && payload["sender"]["type"] != "Bot"
                && (config.from_anybody || is_of_the_team(&payload["comment"]["author_association"]))
                && comment.contains(&config.phrase)
        }
        "check_run" | "check_suite" => {
            let check = &payload[event];
            let branch =
                check["head_branch"].as_str().or_else(|| check["check_suite"]["head_branch"].as_str());
            config.wants(GithubEvent::CheckFailure)
                && payload["action"] == "completed"
                && matches!(check["conclusion"].as_str(), Some("failure" | "timed_out"))
                && is_branch(branch.unwrap_or_default(), config)
        }
        _ => false,
    }
}

/// Whether a stranger may have caused a call: by a comment, or by a check of a proposed change whose branch is not in
/// the repository.
fn is_by_anybody(event: &str, payload: &Value) -> bool {
    match event {
        "issue_comment" => !is_of_the_team(&payload["comment"]["author_association"]),
        "check_run" | "check_suite" => {
            let check = &payload[event];
            let suite = if event == "check_run" { &check["check_suite"] } else { check };
            let is_proposed_here = |list: &Value| list.as_array().is_some_and(|list| !list.is_empty());
            // For forks, GitHub lists no pull requests in this payload, and no branch either.
            suite["head_branch"].is_null() && !is_proposed_here(&suite["pull_requests"])
        }
        _ => false,
    }
}

/// Whether the author of a comment can be expected to have a say in the repository.
fn is_of_the_team(association: &Value) -> bool {
    matches!(association.as_str(), Some("OWNER" | "MEMBER" | "COLLABORATOR"))
}

fn is_branch(branch: &str, config: &GithubConfig) -> bool {
    !branch.starts_with(OWN_BRANCHES)
        && (config.branches.is_empty() || config.branches.iter().any(|wanted| wanted == branch))
}

#[cfg(test)]
mod tests;
