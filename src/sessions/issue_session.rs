//! What an issue's page says of its agents.

use super::{Outcome, Phase, SessionStatus};
use crate::ids::SessionId;
use crate::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

/// The session that an issue's page tells of.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct IssueSession {
    pub id: SessionId,
    /// What people call it by.
    pub number: i64,
    pub status: SessionStatus,
    pub phase: Phase,
    pub outcome: Option<Outcome>,
    /// The commit that was not pushed, which its runner keeps until a person releases it.
    pub held_commit: Option<String>,
    /// As the agent or the code host gave it.
    pub pull_request_url: Option<String>,
    /// When its pull request was merged.
    pub merged_at: Option<Timestamp>,
    /// When it was closed without being merged.
    pub closed_at: Option<Timestamp>,
    /// When the issue regressed after the merge.
    pub regressed_at: Option<Timestamp>,
}
