//! Invitations: bound to an e-mail, used once, with a role no higher than the inviter's, both when
//! it is sent and when it is accepted.
//!
//! The link's token is an HMAC of the invitation's id and nonce under `JWT_SECRET`: those who may
//! invite can be shown the link again, and the database alone does not hold it.

pub mod http;
mod mail;
pub mod sql;

use crate::accounts::{Role, token};
use crate::app::App;
use crate::config::Secret;
use crate::ids::{InvitationId, OrganizationId, UserId};
use crate::time::{DAY, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How long an invitation is good, in milliseconds.
pub const LIFETIME: i64 = 14 * DAY;
/// Open invitations of an organization.
pub const OPEN_MAX: i64 = 500;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum InvitationStatus {
    Pending,
    Accepted,
    Revoked,
    Expired,
}

/// What became of the mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DeliveryStatus {
    Pending,
    Sent,
    Failed,
    /// Mail is not configured: the link is shared by hand.
    Skipped,
}

impl DeliveryStatus {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Sent => "sent",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
        }
    }

    pub fn parse(text: &str) -> Self {
        let known = [Self::Pending, Self::Sent, Self::Failed];
        known.into_iter().find(|status| status.as_str() == text).unwrap_or(Self::Skipped)
    }
}

/// An invitation as those see it who may invite.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Invitation {
    pub id: InvitationId,
    pub organization_id: OrganizationId,
    pub email: String,
    pub role: Role,
    pub status: InvitationStatus,
    pub delivery_status: DeliveryStatus,
    pub delivery_error: Option<String>,
    /// While it is pending.
    pub invite_url: Option<String>,
    /// The e-mail of who sent it.
    pub invited_by: Option<String>,
    pub expires_at: Timestamp,
    pub created_at: Timestamp,
    pub accepted_at: Option<Timestamp>,
    #[serde(skip)]
    pub nonce: [u8; 16],
    #[serde(skip)]
    pub token_hash: [u8; 32],
}

impl Invitation {
    /// With the link that accepts it, while there is one.
    #[must_use]
    pub fn with_link(mut self, app: &App) -> Self {
        // Another JWT_SECRET makes another token: that link would be refused.
        let token = link_token(&app.secrets.jwt, self.id, &self.nonce);
        let is_good = token::keyed_hash(&app.secrets.jwt, &token) == self.token_hash;
        if self.status == InvitationStatus::Pending && is_good {
            self.invite_url = Some(format!("{}{}", app.addresses.frontend, self.path(app)));
        }
        self
    }

    /// Where the link leads. Where nobody has a password, that page offers the providers.
    pub fn path(&self, app: &App) -> String {
        format!("/register?token={}", link_token(&app.secrets.jwt, self.id, &self.nonce))
    }
}

/// The token of an invitation's link: 256 bit, as hex.
pub fn link_token(secret: &Secret, id: InvitationId, nonce: &[u8; 16]) -> String {
    let text = format!("invitation {id} {}", token::hex(nonce));
    token::hex(&token::keyed_hash(secret, &text))
}

/// An invitation that can be accepted.
#[derive(Debug, Clone)]
pub struct Open {
    pub id: InvitationId,
    pub organization: OrganizationId,
    pub email: String,
    pub role: Role,
    /// The e-mail of who sent it.
    pub invited_by: Option<String>,
    pub inviter: Option<UserId>,
    pub expires_at: Timestamp,
}
