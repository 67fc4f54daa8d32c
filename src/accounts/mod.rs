//! Accounts, the claim of the instance, sign-in, and who may sign in.

pub mod admission;
pub mod federation;
pub mod flows;
pub mod http;
pub mod jobs;
pub mod links;
pub mod login;
pub mod me;
pub mod networks;
pub mod notices;
pub mod operator;
pub mod people;
pub mod provision;
pub mod registration;
pub mod service;
pub mod sign_in;
pub mod sql;
pub mod standing;
pub mod throttle;
pub mod tokens;

use crate::error::{Error, Result};
use crate::ids::UserId;
use crate::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::crypto::PASSWORD_LENGTH;
/// Characters of a display name.
pub const NAME_MAX: usize = 128;

/// A person's own view of their account.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct User {
    pub id: UserId,
    pub email: String,
    pub name: String,
    pub created_at: Timestamp,
}

/// # Errors
/// If it has fewer than 12 or more than 256 characters.
pub fn check_password(password: &str) -> Result<()> {
    let length = password.chars().count();
    if PASSWORD_LENGTH.contains(&length) {
        return Ok(());
    }
    Err(Error::invalid(format!("password: expected 12 to 256 characters, got {length}")))
}

/// The name of a person who gave none: their e-mail up to the `@`.
pub fn name_from(email: &str) -> &str {
    email.split('@').next().unwrap_or_default()
}

/// Checks the name of a person or organization: trimmed, 1 to 128 characters, no control characters.
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
