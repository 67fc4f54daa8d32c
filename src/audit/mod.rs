//! Who did what, when and from where, as far as security is concerned.
//!
//! An entry is written in the transaction of its act, so that there is neither without the other.
//! People's names and addresses stay in it as they were then.

pub mod http;
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
/// and how many: failed sign-ins can be had by anybody.
pub const KEPT_MAX: i64 = 200_000;

/// Who acts, and from where.
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

    /// Somebody who gave an e-mail and showed nothing for it.
    pub fn unknown(email: &str, address: IpAddr) -> Self {
        Self { id: None, name: email.to_owned(), address: Some(address) }
    }

    /// Who has a shell on the machine.
    pub fn operator() -> Self {
        Self { id: None, name: "operator".to_owned(), address: None }
    }

    /// Something done by this actor; `action` is such as `member.role_changed`.
    pub fn did(&self, action: &'static str, target: impl Into<String>) -> Act {
        Act { actor: self.clone(), organization: None, action, target: target.into(), detail: json!({}) }
    }
}

/// An entry to be written.
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

/// An entry as it is read.
#[derive(Debug, Serialize, ToSchema)]
pub struct Entry {
    pub id: i64,
    /// An e-mail, the name of a key, `operator`, or empty when nobody is known.
    pub actor: String,
    pub actor_id: Option<UserId>,
    /// Such as `member.role_changed`.
    pub action: String,
    /// Whom or what it was done to, as people call it.
    pub target: String,
    #[schema(value_type = Object)]
    pub detail: Value,
    /// Of the client; null when it was done at the machine itself.
    pub address: Option<String>,
    pub created_at: Timestamp,
}
