//! Keys of the model gateway: one for each claim of a session by a runner.
//!
//! A key's row is written before the key is created, and refers to it by an alias, so that the key is deleted even if
//! the gateway's answer is lost. The key itself is never stored: the runner gets it with its claim, and the row has
//! its hash, by which the gateway knows it as well. Budgets belong to the person and the organization ([`service`]),
//! so that their sessions share them. A key is *over* when its session no longer runs under its lease; [`jobs`] then
//! blocks it, reads its spending, and deletes it. It also expires by itself, some time after the session's time
//! limit.

pub mod client;
pub mod jobs;
pub mod service;
pub mod sql;

use crate::ids::{OrganizationId, SessionId, UserId};
use crate::time::{DAY, Timestamp};

/// How much longer than its session's time limit a key is valid, in seconds: the limit includes the checkout, but not
/// the start and end of the agent.
pub const MARGIN: i64 = 15 * 60;
/// How long after its expiry a key's deletion is retried, in milliseconds.
pub const REMEMBERED: i64 = 30 * DAY;

/// Who pays for a session.
#[derive(Debug, Clone)]
pub struct Owner {
    pub organization: OrganizationId,
    pub organization_name: String,
    /// Who started the session, or else who created its automation; `None` if that account was deleted.
    pub person: Option<(UserId, String)>,
    /// The key's validity in seconds.
    pub lasts: i64,
    /// The rest of the session's own cap, in US dollars.
    pub budget: Option<f64>,
}

impl Owner {
    /// The gateway's user for the person. Sessions without a person share one.
    pub fn user(&self, instance: &str) -> (String, String) {
        match &self.person {
            Some((id, name)) => (format!("mayday-{instance}-user-{}", id.0), name.clone()),
            None => {
                let id = format!("mayday-{instance}-organization-{}", self.organization.0);
                (id, format!("{} (nobody)", self.organization_name))
            }
        }
    }

    /// The gateway's team for the organization.
    pub fn team(&self, instance: &str) -> (String, String) {
        let id = format!("mayday-{instance}-organization-{}", self.organization.0);
        let name = format!("{} ({id})", self.organization_name);
        (id, name)
    }
}

/// The state of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Valid, or being created.
    Minted,
    /// Blocked, until the gateway has recorded its spending.
    Blocked,
    /// Deleted at the gateway; its lease has not ended.
    Deleted,
}

impl State {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Minted => "minted",
            Self::Blocked => "blocked",
            Self::Deleted => "deleted",
        }
    }
}

/// A key whose session no longer uses it.
#[derive(Debug, Clone)]
pub struct RetiredKey {
    pub alias: String,
    pub session: SessionId,
    /// `None` if it was not created, or the answer was lost.
    pub hash: Option<String>,
    pub state: State,
    /// Failures since the last step.
    pub attempts: i64,
    /// When it expires by itself.
    pub ends_at: Timestamp,
}
