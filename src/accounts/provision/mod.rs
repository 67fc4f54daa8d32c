//! Who somebody is here that a provider vouches for: the account that they are linked to, one that
//! is linked now, or one that is made.
//!
//! Who it is comes from the provider's own number for them, never from an e-mail. An e-mail counts
//! once, when an account is linked or made, and only if the provider proved it. A person whose e-mail
//! was never proven here may have had their address taken by somebody else, so whatever that account
//! had to sign in with goes when its owner arrives.

pub mod sql;

use crate::accounts::admission::Account;
use crate::accounts::me::ProviderKind;
use crate::ids::{IdentityId, UserId};
use crate::organizations::invitations::Open;
use crate::roles::Role;

/// Why nobody was signed in: the code in the address of the sign-in page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The method is not configured.
    NotConfigured,
    Unreachable,
    ProviderRefused,
    /// The person said no at the provider.
    Cancelled,
    /// Unknown, used or too old.
    FlowExpired,
    /// It began in another browser.
    WrongBrowser,
    InvalidAnswer,
    EmailMissing,
    EmailUnverified,
    DomainNotAllowed,
    NotInvited,
    AccountDisabled,
    AccountRemoved,
    /// The account belongs to somebody else at that provider, or they to another account.
    IdentityConflict,
    /// Nobody claimed the instance yet.
    NotClaimed,
    /// The setup token is wrong, or the instance claimed already.
    SetupToken,
    RateLimited,
    /// Who wanted to link or test is not signed in any more.
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
                "There is no account linked to this person and no invitation; SSO_JIT_POLICY does not let them in without."
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
    /// They are linked to an account.
    Known {
        identity: IdentityId,
        user: UserId,
    },
    /// They are linked now.
    Link {
        account: Box<Account>,
        invitation: Option<Open>,
    },
    /// An account is made, with the role of the invitation, or this one in the only organization.
    Create {
        email: String,
        invitation: Option<Open>,
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
                    "An account for {email} would be made as {}, as they were invited.",
                    open.role.as_str()
                )
            }
            Self::Create { email, role, .. } => {
                let role = role.map_or("no role", Role::as_str);
                format!("An account for {email} would be made, with the role {role}.")
            }
            Self::Refuse(refusal) => refusal.words().to_owned(),
        }
    }
}

/// A person at a provider, as a sign-in looks at them.
#[derive(Debug, Clone)]
pub struct Somebody {
    pub provider: ProviderKind,
    pub issuer: String,
    pub subject: String,
    pub email: Option<String>,
    pub email_verified: bool,
    /// Further addresses that are verified: one of them may be invited.
    pub other_emails: Vec<String>,
    pub name: Option<String>,
}

#[cfg(test)]
mod tests;
