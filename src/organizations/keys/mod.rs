//! Organization keys: they read what members can read, or also use the platform API as an admin would, and belong to no
//! person.

pub mod http;
pub mod sql;

use crate::ids::{KeyId, OrganizationId, UserId};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The most valid keys of an organization.
pub const EACH_MAX: i64 = 50;
/// Characters of a key kept for display.
pub const PREFIX: usize = 8;

/// What an organization key may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum OrganizationScope {
    /// Read what a member may read.
    Read,
    /// Change what the platform API changes: automations, repositories, sessions, runners. Includes `read`.
    Write,
}

impl OrganizationScope {
    const ALL: [Self; 2] = [Self::Read, Self::Write];

    fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }

    /// The stored form: comma-separated.
    pub fn join(scopes: &[Self]) -> String {
        scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(",")
    }

    pub fn split(stored: &str) -> Vec<Self> {
        stored.split(',').filter_map(|name| Self::ALL.into_iter().find(|s| s.as_str() == name)).collect()
    }
}

/// A key's record; the key itself is shown only when it is created.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct OrganizationKeyRecord {
    pub id: KeyId,
    pub organization_id: OrganizationId,
    pub name: String,
    /// The first 8 characters.
    pub prefix: String,
    pub scopes: Vec<OrganizationScope>,
    pub created_by: Option<UserId>,
    pub created_at: Timestamp,
    pub last_used_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
}
