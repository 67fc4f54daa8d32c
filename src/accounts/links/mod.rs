//! Links that are used once: another password, another e-mail.

pub mod sql;

use crate::time::{DAY, HOUR};

/// What a link is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    PasswordReset,
    EmailChange,
}

impl Purpose {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::PasswordReset => "password_reset",
            Self::EmailChange => "email_change",
        }
    }
}

/// How long a mailed link is good, in milliseconds,
pub const MAILED: i64 = HOUR;
/// and one that an administrator hands over.
pub const HANDED: i64 = DAY;
/// Links of a kind that an account gets in an hour; further wishes are not answered with mail.
pub const EACH_HOUR: i64 = 5;

/// For every way in which a link can be wrong.
pub const INVALID: &str = "This link is not valid any more. Ask for a new one.";
