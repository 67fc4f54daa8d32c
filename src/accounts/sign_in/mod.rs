//! Sessions of browsers and tools: how they start, how long they last, how they end.

pub mod http;
pub mod sql;

use crate::ids::SignInId;
use crate::time::{DAY, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A session ends this long after it started,
pub const LIFETIME: i64 = 30 * DAY;
/// and this long after it was last used. Both in milliseconds.
pub const IDLE: i64 = 7 * DAY;

/// How somebody signed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// By claiming the instance.
    Setup,
    Password,
    /// By registering with an invitation.
    Invitation,
    Sso,
    GitHub,
}

impl Method {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Setup => "setup",
            Self::Password => "password",
            Self::Invitation => "invitation",
            Self::Sso => "sso",
            Self::GitHub => "github",
        }
    }

    pub fn parse(text: &str) -> Self {
        let known = [Self::Setup, Self::Invitation, Self::Sso, Self::GitHub];
        known.into_iter().find(|method| method.as_str() == text).unwrap_or(Self::Password)
    }
}

/// A session, as its owner sees it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Session {
    pub id: SignInId,
    /// Whether it is the session of this request.
    pub current: bool,
    pub method: Method,
    /// The client's address at sign-in.
    pub address: Option<String>,
    pub user_agent: Option<String>,
    pub created_at: Timestamp,
    /// Accurate to a minute.
    pub last_seen_at: Timestamp,
    /// When it ends at the latest; after 7 days without use, it ends earlier.
    pub expires_at: Timestamp,
}

/// A session to store.
#[derive(Debug, Clone)]
pub struct NewSignIn {
    pub token_hash: [u8; 32],
    pub method: Method,
    pub address: String,
    pub user_agent: Option<String>,
}
