//! Single-use links, which set a new password or confirm a new e-mail address.

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

/// How long a mailed link is valid, in milliseconds,
pub const MAILED: i64 = HOUR;
/// and one that an administrator passes on.
pub const HANDED: i64 = DAY;
/// Links of a kind mailed to an account per hour; further requests send no mail.
pub const EACH_HOUR: i64 = 5;

/// The answer for every reason why a link is refused.
pub const INVALID: &str = "This link is no longer valid. Ask for a new one.";
