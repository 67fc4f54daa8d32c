//! People: accounts, the claim of the instance, the ways to sign in, and who may.

pub mod admission;
pub mod claim;
pub mod federation;
pub mod flows;
pub mod http;
pub mod links;
pub mod login;
pub mod me;
pub mod operator;
pub mod password;
pub mod provision;
pub mod registration;
pub mod sign_in;
pub mod sql;
pub mod standing;
pub mod throttle;
pub mod token;
pub mod tokens;

use crate::error::{Error, Result};
use crate::ids::UserId;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Characters of a password.
const PASSWORD_LENGTH: std::ops::RangeInclusive<usize> = 12..=256;
/// Characters of a display name.
pub const NAME_MAX: usize = 128;

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

/// A person's account as its owner sees it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct User {
    pub id: UserId,
    pub email: String,
    pub name: String,
    pub created_at: Timestamp,
}

/// Brings an e-mail address to the form that accounts are compared in.
///
/// # Errors
/// When it is not `name@host.tld` of at most 254 ASCII characters without spaces or control characters.
pub fn normal_email(email: &str) -> Result<String> {
    let wrong = || Error::invalid("email: expected an address such as ada@example.com");
    let email = email.trim().to_ascii_lowercase();
    let (local, host) = email.split_once('@').ok_or_else(wrong)?;
    let label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    let host_is_good = host == "localhost" || (host.contains('.') && host.split('.').all(label));
    let local_is_good = !local.is_empty()
        && local.len() <= 64
        && local
            .chars()
            .all(|c| c.is_ascii_graphic() && !matches!(c, '@' | ',' | ';' | '<' | '>' | '"' | '\\'));
    if email.len() > 254 || !host_is_good || !local_is_good {
        return Err(wrong());
    }
    Ok(email)
}

/// # Errors
/// When it has under 12 or over 256 characters.
pub fn check_password(password: &str) -> Result<()> {
    let length = password.chars().count();
    if PASSWORD_LENGTH.contains(&length) {
        return Ok(());
    }
    Err(Error::invalid(format!("password: expected 12 to 256 characters, got {length}")))
}

/// What a person is called who gave no name: their e-mail up to the `@`.
pub fn name_from(email: &str) -> &str {
    email.split('@').next().unwrap_or_default()
}

/// A name a person or an organization goes by: trimmed, 1 to 128 characters, none of them control.
pub fn check_name(field: &str, name: &str) -> Result<String> {
    let name = name.trim();
    let length = name.chars().count();
    if length == 0 || length > NAME_MAX || name.chars().any(char::is_control) {
        return Err(Error::invalid(format!(
            "{field}: expected 1 to {NAME_MAX} characters without control characters, got {length}"
        )));
    }
    Ok(name.to_owned())
}

#[cfg(test)]
mod tests;
