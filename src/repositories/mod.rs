//! Repositories that agents work in, which of them a project's code is in, and their mirrors on runners.
//!
//! Mayday itself never fetches one: runners do, with credentials of their machines. A *prebuild* is a repository's mirror on
//! a runner, from which a session begins in seconds.

pub mod address;
pub mod http;
pub mod report_path;
pub mod sql;

use crate::error::{Error, Result};
use crate::ids::{ConnectionId, PrebuildId, RepositoryId, RunnerId};
use crate::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

/// Repositories of an organization.
pub const REPOSITORIES_MAX: i64 = 200;
/// Repositories of a project.
pub const OF_PROJECT_MAX: usize = 20;
/// Characters of what a code host calls a repository.
pub const HOST_NAME_MAX: usize = 255;
/// Characters of a shell command.
pub const COMMAND_MAX: usize = 2_000;
/// Hosts that agents may reach.
pub const HOSTS_MAX: usize = 50;
/// Files that they may change without a person having looked.
pub const FILES_MAX: usize = 50;
/// Characters of `source`.
pub const SOURCE_MAX: usize = 64;

/// Whether a runner has a mirror of a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PrebuildStatus {
    /// No runner has reported one.
    Pending,
    Ready,
}

impl PrebuildStatus {
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "pending" => Some(Self::Pending),
            "ready" => Some(Self::Ready),
            _ => None,
        }
    }
}

/// A repository.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Repository {
    pub id: RepositoryId,
    pub organization_id: String,
    /// The code host's id of it.
    pub host_repo_id: String,
    /// Such as `acme/shop`.
    pub host_repo_name: String,
    /// What git clones from.
    pub host_url: String,
    pub default_branch: String,
    pub created_at: Timestamp,
    /// Where it was found, such as `github`.
    pub source: String,
    pub is_private: bool,
    /// Hosts that agents in a room may reach by https; `*.example.com` stands for every name below it.
    pub allowed_hosts: Vec<String>,
    /// Manifests, lock files and files that build, by name or path, which agents may change without a person having looked.
    pub allowed_files: Vec<String>,
    /// The shell command with which runners make a checkout ready for agents and tests; `null`: nothing has to be done.
    pub setup_command: Option<String>,
    /// The one that tests it: what an agent did is pushed only if a test that came with it fails without it. `null`: nothing is
    /// tested.
    pub test_command: Option<String>,
    /// Where that writes its results as JUnit XML: a path or pattern within the repository. With it single tests are compared.
    /// `null`: the command's exit code is all that is known.
    pub test_report: Option<String>,
    pub prebuild_status: PrebuildStatus,
    /// The oldest mirror that is ready, or the one that is still to be made.
    pub prebuild_id: Option<PrebuildId>,
    /// The connection to its code host.
    pub integration_id: Option<ConnectionId>,
}

/// A repository's mirror on a runner.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Prebuild {
    pub id: PrebuildId,
    pub repository_id: RepositoryId,
    /// `null`: no runner has reported one.
    pub runner_id: Option<RunnerId>,
    pub name: String,
    /// The commit of the default branch there.
    pub snapshot_id: Option<String>,
    pub status: PrebuildStatus,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// A prebuild within an automation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct DefaultPrebuild {
    pub id: PrebuildId,
    pub name: String,
    pub snapshot_id: Option<String>,
}

/// A text of a request: trimmed, with at least one character and none that is a control character.
///
/// # Errors
/// 422 naming the field and the bounds.
pub fn check_text(field: &str, text: &str, max: usize) -> Result<String> {
    let text = text.trim();
    let length = text.chars().count();
    if length > 0 && length <= max && !text.chars().any(char::is_control) {
        return Ok(text.to_owned());
    }
    Err(Error::invalid(format!(
        "{field}: expected 1 to {max} characters without control characters, got {length}"
    )))
}
