//! Machines that run sessions: their rows and tokens, and the protocol that they speak ([`http::protocol`]).

pub mod http;
pub mod protocol;
pub mod sql;

use crate::error::{Error, Result};
use crate::ids::RunnerId;
use crate::repositories::check_text;
use crate::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

/// Runners of an organization.
pub const RUNNERS_MAX: i64 = 50;
/// Labels of a runner, of an automation or of a session, and characters of each.
pub const LABELS_MAX: usize = 20;
pub const LABEL_MAX: usize = 64;
/// Names of agents that a runner may say it has.
pub const AGENTS_MAX: usize = 100;
/// Random characters of a token, 238 bits.
const TOKEN_LENGTH: usize = 40;
/// A runner that has not called for this long, in milliseconds, counts as offline: runners call at least once a
/// minute.
pub const SILENT: i64 = 150_000;

/// A machine that runs sessions.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Runner {
    pub id: RunnerId,
    pub organization_id: String,
    pub name: String,
    /// A session may require some of these.
    pub labels: Vec<String>,
    /// The agents that it has, as it said last; none: any.
    pub agents: Vec<String>,
    /// Whether it takes no session whose cause anybody may have written: it cannot shut its agents in.
    pub refuses_public: bool,
    /// The caps that it cannot keep, `tokens` and `cost_usd`: it takes no session that has one.
    pub uncounted: Vec<String>,
    /// `waiting` (has never called), `online` or `offline`.
    pub status: RunnerStatus,
    /// Sessions it takes at once,
    pub capacity: i64,
    /// and sessions it had when it last asked for one.
    pub running: i64,
    /// The version of its `mayday`.
    pub version: Option<String>,
    /// Such as `linux/x86_64`.
    pub platform: Option<String>,
    pub last_seen_at: Option<Timestamp>,
    pub created_by: Option<String>,
    pub created_at: Timestamp,
}

/// Whether a runner is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RunnerStatus {
    Waiting,
    Online,
    Offline,
}

impl RunnerStatus {
    pub fn of(last_seen_at: Option<Timestamp>, now: Timestamp) -> Self {
        match last_seen_at {
            None => Self::Waiting,
            Some(at) if now.millis() - at.millis() <= SILENT => Self::Online,
            Some(_) => Self::Offline,
        }
    }
}

/// A new token, which a runner shows with each call.
pub fn new_token() -> String {
    format!("rt_{}", crate::crypto::token::random_base62(TOKEN_LENGTH))
}

/// Checks labels: each once, in order.
///
/// # Errors
/// 422 naming the field and the bounds.
pub fn check_labels(field: &str, labels: Vec<String>) -> Result<Vec<String>> {
    if labels.len() > LABELS_MAX {
        return Err(Error::invalid(format!("{field}: expected at most {LABELS_MAX}, got {}", labels.len())));
    }
    let mut checked =
        labels.iter().map(|label| check_text(field, label, LABEL_MAX)).collect::<Result<Vec<_>>>()?;
    checked.sort_unstable();
    checked.dedup();
    Ok(checked)
}
