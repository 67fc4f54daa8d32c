//! The signed-in person: their profile, and their identities at providers.

pub mod http;
pub mod sql;

use crate::ids::{IdentityId, UserId};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The kind of provider of an identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ProviderKind {
    /// OIDC single sign-on.
    Sso,
    /// The code host.
    GitHub,
}

impl ProviderKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sso => "sso",
            Self::GitHub => "github",
        }
    }
}

/// A person's identity at a provider.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Identity {
    pub id: IdentityId,
    pub provider: ProviderKind,
    /// The issuer's URL, or the code host's API address.
    pub issuer: String,
    /// As the provider last reported it.
    pub email: Option<String>,
    pub created_at: Timestamp,
    pub last_used_at: Timestamp,
}

/// A person's own view of their account.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Profile {
    pub id: UserId,
    pub email: String,
    pub name: String,
    pub created_at: Timestamp,
    pub has_password: bool,
    /// Whether the person has proven that the mailbox is theirs.
    pub email_proven: bool,
    pub identities: Vec<Identity>,
}
