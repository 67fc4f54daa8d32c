//! What a person may do in an organization.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a person may do in an organization; each role includes the ones before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// May read, and work on issues.
    Member,
    /// May manage projects, keys, invitations, and the roles below owner.
    Admin,
    /// May do everything. There is exactly one: who claimed the instance, or was handed the organization.
    Owner,
}

impl Role {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Member => "member",
            Self::Admin => "admin",
            Self::Owner => "owner",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        [Self::Member, Self::Admin, Self::Owner].into_iter().find(|role| role.as_str() == text)
    }
}
