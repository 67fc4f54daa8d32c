//! Tokens, sealed values and password hashes.

pub mod passphrase;
pub mod password;
pub mod rs256;
pub mod seal;
pub mod secret;
pub mod token;

pub use seal::Seal;

/// Characters of a password.
pub const PASSWORD_LENGTH: std::ops::RangeInclusive<usize> = 12..=256;
