//! Keys of the model gateway: one for each time that a runner has a session, from its claim to its end.
//!
//! A key's row is written before the key is minted, and names it by an alias, so that one whose answer is lost is deleted
//! all the same. The key itself is never stored: the runner gets it with its claim, and the row keeps its hash, by which
//! the gateway knows it, too. Caps lie on the person and on the organization ([`service`]), so that sessions share them. A
//! key is over when its session is no longer running under its lease; [`jobs`] then blocks it, reads what it has spent, and
//! deletes it. It also ends by itself, somewhat after the session's time limit.

pub mod client;
pub mod jobs;
pub mod service;
pub mod sql;

use crate::ids::{OrganizationId, SessionId, UserId};
use crate::time::{DAY, Timestamp};

/// How much longer than its session's time limit a key is valid, in seconds: checking out counts towards the limit, starting
/// and ending the agent do not.
pub const MARGIN: i64 = 15 * 60;
/// How long after the end of a key its deletion is tried, in milliseconds.
pub const REMEMBERED: i64 = 30 * DAY;

/// Whose money a session spends.
#[derive(Debug, Clone)]
pub struct Owner {
    pub organization: OrganizationId,
    pub organization_name: String,
    /// Who started the session, else who made its automation; `None`: nobody who is known any more.
    pub person: Option<(UserId, String)>,
    /// How long the key is valid, in seconds.
    pub lasts: i64,
    /// What is left of the session's own cap, in US dollars.
    pub budget: Option<f64>,
}

impl Owner {
    /// Whom the gateway knows as the person. What nobody started has one cap for all of it.
    pub fn user(&self, instance: &str) -> (String, String) {
        match &self.person {
            Some((id, name)) => (format!("mayday-{instance}-user-{}", id.0), name.clone()),
            None => {
                let id = format!("mayday-{instance}-organization-{}", self.organization.0);
                (id, format!("{} (nobody)", self.organization_name))
            }
        }
    }

    /// What the gateway knows the organization as.
    pub fn team(&self, instance: &str) -> (String, String) {
        let id = format!("mayday-{instance}-organization-{}", self.organization.0);
        let name = format!("{} ({id})", self.organization_name);
        (id, name)
    }
}

/// How far a key is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It is valid, or being minted.
    Minted,
    /// It is no longer valid, and the gateway writes down what it has spent.
    Blocked,
    /// The gateway no longer has it; its lease is not given back yet.
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

/// A key that is over.
#[derive(Debug, Clone)]
pub struct Over {
    pub alias: String,
    pub session: SessionId,
    /// `None`: it was not minted, or its answer was lost.
    pub hash: Option<String>,
    pub state: State,
    /// Failures since the last step.
    pub attempts: i64,
    /// When it ends by itself.
    pub ends_at: Timestamp,
}
