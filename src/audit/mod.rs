//! The audit log: who did what when, and from where, as far as it matters for security.
//!
//! An entry is written in the same transaction as its act, so neither exists without the other. It keeps people's
//! names and addresses as they were then.

pub mod http;
pub mod jobs;
pub mod sql;

use crate::accounts::User;
use crate::ids::{OrganizationId, UserId};
use crate::time::{DAY, Timestamp};
use serde::Serialize;
use serde_json::{Value, json};
use std::net::IpAddr;
use utoipa::ToSchema;

/// How long entries are kept, in milliseconds,
pub const KEPT: i64 = 400 * DAY;
/// and how many: anybody can cause failed sign-ins.
pub const KEPT_MAX: i64 = 200_000;

/// The person or key that acts, and from where.
#[derive(Debug, Clone)]
pub struct Actor {
    pub id: Option<UserId>,
    /// An e-mail, the name of a key, or `operator`.
    pub name: String,
    pub address: Option<IpAddr>,
}

impl Actor {
    pub fn person(user: &User, address: IpAddr) -> Self {
        Self { id: Some(user.id), name: user.email.clone(), address: Some(address) }
    }

    /// Somebody who gave an e-mail but did not authenticate.
    pub fn unknown(email: &str, address: IpAddr) -> Self {
        Self { id: None, name: email.to_owned(), address: Some(address) }
    }

    /// Somebody with a shell on the machine.
    pub fn operator() -> Self {
        Self { id: None, name: "operator".to_owned(), address: None }
    }

    /// An act of this actor; `action` is, for example, `member.role_changed`.
    pub fn did(&self, action: &'static str, target: impl Into<String>) -> Act {
        Act { actor: self.clone(), organization: None, action, target: target.into(), detail: json!({}) }
    }
}

/// An entry to write.
#[derive(Debug, Clone)]
pub struct Act {
    pub actor: Actor,
    pub organization: Option<OrganizationId>,
    pub action: &'static str,
    pub target: String,
    pub detail: Value,
}

impl Act {
    pub fn within(mut self, organization: OrganizationId) -> Self {
        self.organization = Some(organization);
        self
    }

    /// `detail` is an object of short values; never a secret.
    pub fn with(mut self, detail: Value) -> Self {
        self.detail = detail;
        self
    }
}

/// An entry as read from the database.
#[derive(Debug, Serialize, ToSchema)]
pub struct Entry {
    pub id: i64,
    /// An e-mail, the name of a key, `operator`, or empty if unknown.
    pub actor: String,
    pub actor_id: Option<UserId>,
    /// For example `member.role_changed`.
    pub action: String,
    /// The name of the person or thing it was done to.
    pub target: String,
    #[schema(value_type = Object)]
    pub detail: Value,
    /// The client's address; null if it was done on the machine itself.
    pub address: Option<String>,
    pub created_at: Timestamp,
}
