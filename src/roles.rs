//! What a person may do in an organization.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a person may do in an organization; later ones may do all that earlier ones may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Reads, and works on issues.
    Member,
    /// Projects, keys, invitations, roles below owner.
    Admin,
    /// All; exactly who claimed, can hand over.
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
