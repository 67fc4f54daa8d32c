//! Invitations: bound to an e-mail, valid once, with a role no higher than the inviter's, both when sent and
//! when accepted.
//!
//! The link's token is an HMAC of the invitation's id and nonce under `JWT_SECRET`: people who may invite can
//! be shown the link again, yet the database alone does not contain it. The link in the mail has a different
//! token from the one they are shown, so whoever uses it controls the mailbox.

pub mod http;
pub mod service;
pub mod sql;

use crate::accounts::people::People;
use crate::crypto::secret::Secret;
use crate::crypto::token;
use crate::deliveries::Status;
use crate::ids::{InvitationId, OrganizationId, UserId};
use crate::roles::Role;
use crate::time::{DAY, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How long an invitation is valid, in milliseconds.
pub const LIFETIME: i64 = 14 * DAY;
/// The most open invitations of an organization.
pub const OPEN_MAX: i64 = 500;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum InvitationStatus {
    Pending,
    Accepted,
    Revoked,
    Expired,
}

/// What happened to the mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DeliveryStatus {
    Pending,
    Sent,
    Failed,
    /// No mail is sent: mail is not configured, so the link is passed on by hand, or the invitation ended before.
    Skipped,
}

impl DeliveryStatus {
    /// The status of an invitation with this delivery.
    fn of(delivery: Option<Status>) -> Self {
        match delivery {
            None | Some(Status::Withdrawn) => Self::Skipped,
            Some(Status::Pending) => Self::Pending,
            Some(Status::Sent) => Self::Sent,
            Some(Status::Failed) => Self::Failed,
        }
    }
}

/// An invitation, as seen by people who may invite.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Invitation {
    pub id: InvitationId,
    pub organization_id: OrganizationId,
    pub email: String,
    pub role: Role,
    pub status: InvitationStatus,
    pub delivery_status: DeliveryStatus,
    /// Why its last attempt failed; of a pending one, too, which is tried again.
    pub delivery_error: Option<String>,
    /// Present while it is pending.
    pub invite_url: Option<String>,
    /// The e-mail of the inviter.
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
    /// Adds the link that accepts it, while there is one.
    #[must_use]
    pub fn with_link(mut self, people: &People) -> Self {
        // With another JWT_SECRET the token would differ, and the link would be refused.
        let token = link_token(&people.secrets.jwt, self.id, &self.nonce, Way::Shown);
        let is_good = token::keyed_hash(&people.secrets.jwt, &token) == self.token_hash;
        if self.status == InvitationStatus::Pending && is_good {
            self.invite_url = Some(format!("{}{}", people.addresses.frontend, self.path(people, Way::Shown)));
        }
        self
    }

    /// The path of the link for `way`. If nobody has a password, that page offers the providers.
    pub fn path(&self, people: &People, way: Way) -> String {
        format!("/register?token={}", link_token(&people.secrets.jwt, self.id, &self.nonce, way))
    }
}

/// How a link reaches the invited person. Only the one in the mail, which nobody else is shown, proves the
/// mailbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Shown,
    Mailed,
}

/// The token of an invitation's link: 256 bits, as hex.
pub fn link_token(secret: &Secret, id: InvitationId, nonce: &[u8; 16], way: Way) -> String {
    let kind = match way {
        Way::Shown => "invitation",
        Way::Mailed => "mailed invitation",
    };
    let text = format!("{kind} {id} {}", token::hex(nonce));
    token::hex(&token::keyed_hash(secret, &text))
}

/// An invitation that can be accepted.
#[derive(Debug, Clone)]
pub struct OpenInvitation {
    pub id: InvitationId,
    pub organization: OrganizationId,
    pub email: String,
    pub role: Role,
    /// The e-mail of the inviter.
    pub invited_by: Option<String>,
    pub inviter: Option<UserId>,
    /// The link by which it was opened; [`Way::Shown`] if it was opened without a link.
    pub way: Way,
    pub expires_at: Timestamp,
}

#[cfg(test)]
mod tests;
