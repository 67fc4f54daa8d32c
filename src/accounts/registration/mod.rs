//! Registering with an invitation. Every failure gets the same answer in the same time: without a valid
//! invitation nobody learns anything about accounts, invitations or organizations.

pub mod http;
pub mod sql;

/// The answer to every failure.
pub const REFUSED: &str = "Registration requires a valid invitation";
