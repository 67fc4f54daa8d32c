//! Registering with an invitation. Every way in which that can fail is one answer, in one time:
//! who has no valid invitation learns nothing about accounts, invitations or organizations.

pub mod http;
pub mod sql;

/// The one answer.
pub const REFUSED: &str = "Registration requires a valid invitation";
