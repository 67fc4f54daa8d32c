//! The person who asks: their profile, and who they are at providers.

pub mod http;
pub mod sql;

use crate::ids::{IdentityId, UserId};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Where somebody can be somebody.
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

/// Who somebody is at a provider.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Identity {
    pub id: IdentityId,
    pub provider: ProviderKind,
    /// The issuer's URL, or the code host's API address.
    pub issuer: String,
    /// As the provider last said it.
    pub email: Option<String>,
    pub created_at: Timestamp,
    pub last_used_at: Timestamp,
}

/// A person, as they see themselves.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Profile {
    pub id: UserId,
    pub email: String,
    pub name: String,
    pub created_at: Timestamp,
    pub has_password: bool,
    /// The person was shown to own the mailbox.
    pub email_proven: bool,
    pub identities: Vec<Identity>,
}
