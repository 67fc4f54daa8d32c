//! Personal access tokens, for a person's tools; each may do only what its scopes allow.

pub mod http;
pub mod sql;

use crate::ids::TokenId;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Valid tokens of a person at once; revoked and expired ones do not count.
pub const EACH_MAX: i64 = 50;
/// The longest lifetime of a token that expires, in days.
pub const DAYS_MAX: u32 = 366;
/// Characters of a token kept for display.
pub const PREFIX: usize = 8;

/// What a token may do, within what its person may do; each scope includes the ones before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TokenScope {
    /// Read.
    Read,
    /// Work on issues.
    Write,
    /// Do what administrators may do.
    Admin,
}

impl TokenScope {
    const ALL: [Self; 3] = [Self::Read, Self::Write, Self::Admin];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Admin => "admin",
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

/// A token's record; the token itself is shown only when it is created.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PersonalToken {
    pub id: TokenId,
    pub name: String,
    /// The first 8 characters.
    pub prefix: String,
    pub scopes: Vec<TokenScope>,
    pub created_at: Timestamp,
    /// Null: it does not expire.
    pub expires_at: Option<Timestamp>,
    pub last_used_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
}
