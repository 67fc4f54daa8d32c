//! What can go wrong, in the domain's words. HTTP statuses are the shell's affair (`http/error.rs`).
//!
//! The text of each variant but [`Error::Internal`] and [`Error::Unavailable`]'s cause is shown to
//! the caller: it says what was wrong, what was expected and what to do.

use std::borrow::Cow;

pub type Result<T, E = Error> = std::result::Result<T, E>;
type Text = Cow<'static, str>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Not JSON, or not UTF-8.
    #[error("{0}")]
    Malformed(Text),
    /// Readable, and not what is accepted: names the field, what was expected and what was got.
    #[error("{0}")]
    Invalid(Text),
    /// Nobody known is asking.
    #[error("{0}")]
    Unauthenticated(Text),
    /// Somebody known who may not.
    #[error("{0}")]
    Forbidden(Text),
    #[error("{0}")]
    NotFound(Text),
    /// It is there, and this cannot be done to it.
    #[error("{0}")]
    NotAllowed(Text),
    /// It contradicts what is stored.
    #[error("{0}")]
    Conflict(Text),
    #[error("{0}")]
    TooLarge(Text),
    /// More than one caller may have at a time.
    #[error("{text}")]
    TooMany {
        text: Text,
        /// Seconds, at least 1.
        retry_after: u32,
        /// Of a rate limit.
        quota: Option<Quota>,
    },
    /// A content type or encoding that is not taken.
    #[error("{0}")]
    Unsupported(Text),
    /// Overload or storage trouble: nothing of the request is stored, and it may be sent again.
    #[error("{text}")]
    Unavailable { text: Text, cause: Option<Box<dyn std::error::Error + Send + Sync>> },
    /// The disk is nearly full: nothing of the request is stored, and it may be sent again.
    #[error("{0}")]
    NoRoom(Text),
    /// A fault of ours; the cause goes to the log and never to the caller.
    #[error("Internal error")]
    Internal(Box<dyn std::error::Error + Send + Sync>),
}

/// How many there may be in the limit's time, and how many of them are left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    pub limit: u32,
    pub remaining: u32,
}

impl Error {
    pub fn malformed(text: impl Into<Text>) -> Self {
        Self::Malformed(text.into())
    }

    pub fn invalid(text: impl Into<Text>) -> Self {
        Self::Invalid(text.into())
    }

    pub fn forbidden(text: impl Into<Text>) -> Self {
        Self::Forbidden(text.into())
    }

    pub fn not_found(text: impl Into<Text>) -> Self {
        Self::NotFound(text.into())
    }

    pub fn not_allowed(text: impl Into<Text>) -> Self {
        Self::NotAllowed(text.into())
    }

    pub fn conflict(text: impl Into<Text>) -> Self {
        Self::Conflict(text.into())
    }

    pub fn too_large(text: impl Into<Text>) -> Self {
        Self::TooLarge(text.into())
    }

    pub fn unsupported(text: impl Into<Text>) -> Self {
        Self::Unsupported(text.into())
    }

    pub fn internal(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Internal(cause.into())
    }

    /// A bounded queue is full: the caller should come back.
    pub fn overloaded(what: &'static str) -> Self {
        Self::Unavailable { text: what.into(), cause: None }
    }

    /// The disk or the database did not take it.
    pub fn storage(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Unavailable {
            text: "Storage is temporarily unavailable, nothing was stored. Try again.".into(),
            cause: Some(cause.into()),
        }
    }

    /// Nobody signed in.
    pub fn signed_out() -> Self {
        Self::Unauthenticated(
            "Not signed in. Sign in at /login, or send `Authorization: Bearer <token>`.".into(),
        )
    }

    /// A tool of somebody's, where only they themselves may.
    pub fn no_tools() -> Self {
        Self::Forbidden("A personal access token cannot do this: sign in.".into())
    }

    /// The one text for every way in which a key can be wrong.
    pub fn invalid_key() -> Self {
        Self::Unauthenticated("Invalid API key".into())
    }

    /// For every project that is not the caller's, whether or not it exists.
    pub fn no_project_access() -> Self {
        Self::Forbidden("You do not have access to this project".into())
    }

    /// For every organization that is not the caller's, whether or not it exists.
    pub fn no_organization_access() -> Self {
        Self::Forbidden("You do not have access to this organization".into())
    }
}
