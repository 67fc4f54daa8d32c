//! Releases, their source maps, and which map belongs to a frame's address.

pub mod bundle;
pub mod commits;
pub mod compare;
pub mod dashboard;
pub mod deploys;
pub mod http;
pub mod jobs;
pub mod late;
mod matching;
pub mod order;
pub mod service;
pub mod sql;
pub mod styles;
pub mod suspect;

pub use matching::{Candidates, Match, ReleaseMaps, Rule, base_name};

use crate::error::{Error, Result};
use crate::ids::{ProjectId, ReleaseId, SourceMapId};
use crate::symbolication::map::Flaws;
use crate::text::shown;
use crate::time::{DAY, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

/// Characters.
pub const VERSION_MAX: usize = 128;
pub const URL_PREFIX_MAX: usize = 512;
pub const URL_MAX: usize = 2_048;
/// The most rows of a page of releases, and of a page of source maps.
pub const PAGE_MAX: u64 = 100;
pub const MAPS_PAGE_MAX: u64 = 1_000;
pub const URL_PREFIX_DEFAULT: &str = "~/";
/// The most releases that only events name and that are counted, because anybody with a public key can name some:
/// those with the newest last events. Others are counted again with their next event, or when they are created.
pub const SEEN_MAX: i64 = 1_000;
/// Rows of releases that are deleted in one transaction, so that others can write in between.
pub const DELETE_AT_ONCE: i64 = 5_000;
/// The environments in which the events of a release are counted: those of its first events.
pub const ENVIRONMENTS_MAX: i64 = 100;
/// How long after a release's last event it is known who its users were, in milliseconds.
pub const USERS_KEPT: i64 = 90 * DAY;

/// A release of a project.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Release {
    pub id: ReleaseId,
    pub project_id: ProjectId,
    pub version: String,
    pub url_prefix: String,
    pub created_at: Timestamp,
    /// `null` until finalized.
    pub finalized_at: Option<Timestamp>,
    pub source_map_count: i64,
    /// The commit that it was built from; `null` if the pipeline did not say.
    pub commit: Option<String>,
}

/// The totals of a release's events.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Figures {
    pub event_count: i64,
    /// Issues with events in this release,
    pub issue_count: i64,
    /// those first seen in it,
    pub new_issue_count: i64,
    /// and those that regressed in it.
    pub regression_count: i64,
    /// Users that its events happened to.
    pub user_count: i64,
    pub first_event_at: Option<Timestamp>,
    pub last_event_at: Option<Timestamp>,
}

/// A release with its totals. One that only events name has no record yet: no id, no prefix and no source maps. Whoever
/// creates it or uploads to it makes one.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ReleaseHealth {
    /// `null`: only events name it.
    pub id: Option<ReleaseId>,
    pub project_id: ProjectId,
    pub version: String,
    /// `null`: only events name it.
    pub url_prefix: Option<String>,
    /// `null`: only events name it.
    pub created_at: Option<Timestamp>,
    /// `null` until finalized.
    pub finalized_at: Option<Timestamp>,
    pub source_map_count: i64,
    /// The commit that it was built from; `null` if the pipeline did not say.
    pub commit: Option<String>,
    /// Its events within the `period` of a list, and in its `environment`, also of issues that were deleted since; `null`
    /// without a `period`.
    pub events_within: Option<i64>,
    #[serde(flatten)]
    pub figures: Figures,
}

/// A source map of a release.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SourceMap {
    pub id: SourceMapId,
    pub release_id: ReleaseId,
    /// The script's address as it appears in stacks, in the form of the url prefix.
    pub url: String,
    /// `sha256:<hex>` of the uploaded bytes.
    pub content_hash: String,
    /// Bytes as uploaded.
    pub file_size: i64,
    pub created_at: Timestamp,
    /// Events whose frames it resolved when they arrived.
    pub use_count: i64,
    /// The time of the latest of them; `null`: never.
    pub last_used_at: Option<Timestamp>,
    #[serde(flatten)]
    pub flaws: Flaws,
}

/// The key of a user in a release: 8 bytes of a hash of what identifies them in the project.
pub fn user_key(user: &str) -> i64 {
    let mut key = [0; 8];
    key.copy_from_slice(&blake3::hash(user.as_bytes()).as_bytes()[..8]);
    i64::from_le_bytes(key)
}

/// # Errors
/// 422 if it is empty, over 128 characters, or contains control characters.
pub fn check_version(field: &str, version: &str) -> Result<()> {
    check_text(field, version, 1, VERSION_MAX)
}

/// A commit in lower case.
///
/// # Errors
/// 422 if it is not 7 to 64 hexadecimal digits.
pub fn check_commit(commit: &str) -> Result<String> {
    if (7..=64).contains(&commit.len()) && commit.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(commit.to_ascii_lowercase());
    }
    Err(Error::invalid(format!(
        "commit: expected the 7 to 64 hexadecimal digits of a commit, got `{}`",
        shown(commit, 64)
    )))
}

/// # Errors
/// 422 if it is over 512 characters, or neither `~…`, an absolute address nor empty.
pub fn check_url_prefix(prefix: &str) -> Result<()> {
    check_text("url_prefix", prefix, 0, URL_PREFIX_MAX)?;
    if prefix.is_empty() || prefix.starts_with('~') || prefix.contains("://") {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "url_prefix: expected `~/…` (any host), an absolute address, or nothing (relative addresses), got `{}`",
        shown(prefix, 64)
    )))
}

/// # Errors
/// 422 if it is empty, over 2,048 characters, or does not start with the release's prefix.
pub fn check_url(url: &str, prefix: &str) -> Result<()> {
    check_text("url", url, 1, URL_MAX)?;
    if url.starts_with(prefix) {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "url: `{}` does not start with the release's url_prefix `{prefix}`",
        shown(url, 64)
    )))
}

fn check_text(field: &str, text: &str, min: usize, max: usize) -> Result<()> {
    let length = text.chars().count();
    if length < min || length > max {
        return Err(Error::invalid(format!("{field}: expected {min} to {max} characters, got {length}")));
    }
    if text.chars().any(char::is_control) {
        return Err(Error::invalid(format!("{field}: expected no control characters")));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
