//! Finds the account of a person that a provider vouches for: one that is already linked, one that is linked
//! now, or a new one.
//!
//! A person is identified by the provider's own id for them, never by an e-mail address. The address counts
//! once, when an account is linked or created, and only if the provider has verified it. If an account's
//! address was never proven here, somebody else may have registered it, so all its credentials are deleted
//! when the address's owner arrives.

pub mod sql;

use crate::accounts::admission::Account;
use crate::accounts::me::ProviderKind;
use crate::ids::{IdentityId, UserId};
use crate::organizations::invitations::OpenInvitation;
use crate::roles::Role;

/// Why a sign-in was refused: the error code in the URL of the sign-in page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The method is not configured.
    NotConfigured,
    Unreachable,
    ProviderRefused,
    /// The person declined at the provider.
    Cancelled,
    /// The flow is unknown, was used already, or has expired.
    FlowExpired,
    /// The flow was started in another browser.
    WrongBrowser,
    InvalidAnswer,
    EmailMissing,
    EmailUnverified,
    DomainNotAllowed,
    NotInvited,
    AccountDisabled,
    AccountRemoved,
    /// The account is linked to another person at that provider, or the person to another account.
    IdentityConflict,
    /// The instance has not been claimed yet.
    NotClaimed,
    /// The setup token is wrong, or the instance is already claimed.
    SetupToken,
    RateLimited,
    /// The person who wanted to link or test is no longer signed in.
    NotSignedIn,
    Internal,
}

impl Refusal {
    pub fn code(self) -> &'static str {
        match self {
            Self::NotConfigured => "not_configured",
            Self::Unreachable => "unreachable",
            Self::ProviderRefused => "provider_refused",
            Self::Cancelled => "cancelled",
            Self::FlowExpired => "flow_expired",
            Self::WrongBrowser => "wrong_browser",
            Self::InvalidAnswer => "invalid_answer",
            Self::EmailMissing => "email_missing",
            Self::EmailUnverified => "email_unverified",
            Self::DomainNotAllowed => "domain_not_allowed",
            Self::NotInvited => "not_invited",
            Self::AccountDisabled => "account_disabled",
            Self::AccountRemoved => "account_removed",
            Self::IdentityConflict => "identity_conflict",
            Self::NotClaimed => "not_claimed",
            Self::SetupToken => "setup_token",
            Self::RateLimited => "rate_limited",
            Self::NotSignedIn => "not_signed_in",
            Self::Internal => "internal",
        }
    }

    /// A sentence for the report of a test.
    pub fn words(self) -> &'static str {
        match self {
            Self::EmailMissing => {
                "The provider gave no e-mail address: add the scope email, or let the person share it."
            }
            Self::EmailUnverified => {
                "The provider does not say that the e-mail is verified (`email_verified` must be the boolean true)."
            }
            Self::DomainNotAllowed => {
                "The domain of the e-mail is not in SSO_ALLOWED_DOMAINS or ALLOWED_EMAIL_DOMAINS."
            }
            Self::NotInvited => {
                "No account is linked to this person and there is no invitation, which SSO_JIT_POLICY requires."
            }
            Self::AccountDisabled => "The account is disabled.",
            Self::AccountRemoved => "The person was removed from the organization.",
            Self::IdentityConflict => {
                "The account with this e-mail is linked to another person of this provider."
            }
            _ => "They would not be signed in.",
        }
    }
}

/// What a sign-in would do.
#[derive(Debug)]
pub enum Decision {
    /// The person is already linked to an account.
    Known {
        identity: IdentityId,
        user: UserId,
    },
    /// The person is linked to an existing account.
    Link {
        account: Box<Account>,
        invitation: Option<OpenInvitation>,
    },
    /// An account is created, with the invitation's role or with this one in the only organization.
    Create {
        email: String,
        invitation: Option<OpenInvitation>,
        role: Option<Role>,
    },
    Refuse(Refusal),
}

impl Decision {
    /// A sentence for the report of a test.
    pub fn words(&self) -> String {
        match self {
            Self::Known { .. } => "They are linked to an account and would be signed in.".to_owned(),
            Self::Link { account, .. } => {
                format!("They would be linked to the account {} and signed in.", account.user.email)
            }
            Self::Create { email, invitation: Some(open), .. } => {
                format!(
                    "An account for {email} would be created with the role {}, as in their invitation.",
                    open.role.as_str()
                )
            }
            Self::Create { email, role, .. } => {
                let role = role.map_or("no role", Role::as_str);
                format!("An account for {email} would be created with the role {role}.")
            }
            Self::Refuse(refusal) => refusal.words().to_owned(),
        }
    }
}

/// A person at a provider, as a sign-in sees them.
#[derive(Debug, Clone)]
pub struct ProviderIdentity {
    pub provider: ProviderKind,
    pub issuer: String,
    pub subject: String,
    pub email: Option<String>,
    pub email_verified: bool,
    /// Other verified addresses, one of which may be invited.
    pub other_emails: Vec<String>,
    pub name: Option<String>,
}

#[cfg(test)]
mod tests;
