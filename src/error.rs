//! What can go wrong, in terms of the domain. HTTP statuses belong to the shell (`http/error.rs`).
//!
//! The text of each variant is shown to the caller and says what was wrong, what was expected and what to do;
//! the exceptions are [`Error::Internal`] and the cause of [`Error::Unavailable`].

use std::borrow::Cow;

pub type Result<T, E = Error> = std::result::Result<T, E>;
type Text = Cow<'static, str>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Not JSON, or not UTF-8.
    #[error("{0}")]
    Malformed(Text),
    /// Readable but not acceptable: names the field, what was expected and what was received.
    #[error("{0}")]
    Invalid(Text),
    /// The caller is not authenticated.
    #[error("{0}")]
    Unauthenticated(Text),
    /// The caller may not do this.
    #[error("{0}")]
    Forbidden(Text),
    #[error("{0}")]
    NotFound(Text),
    /// The target exists but does not support this.
    #[error("{0}")]
    NotAllowed(Text),
    /// The request contradicts what is stored.
    #[error("{0}")]
    Conflict(Text),
    #[error("{0}")]
    TooLarge(Text),
    /// More than one caller may have at once.
    #[error("{text}")]
    TooMany {
        text: Text,
        /// Seconds, at least 1.
        retry_after: u32,
        /// The state of the rate limit, if that was the reason.
        quota: Option<Quota>,
    },
    /// A content type or encoding that is not supported.
    #[error("{0}")]
    Unsupported(Text),
    /// Overload or storage trouble: nothing of the request is stored, and it may be sent again.
    #[error("{text}")]
    Unavailable { text: Text, cause: Option<Box<dyn std::error::Error + Send + Sync>> },
    /// The disk is nearly full: nothing of the request is stored, and it may be sent again.
    #[error("{0}")]
    NoRoom(Text),
    /// An internal error; the cause goes to the log and never to the caller.
    #[error("Internal error")]
    Internal(Box<dyn std::error::Error + Send + Sync>),
}

/// How many requests the limit allows, and how many of them are left.
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

    /// A bounded queue is full; the caller should retry.
    pub fn overloaded(what: &'static str) -> Self {
        Self::Unavailable { text: what.into(), cause: None }
    }

    /// The disk or the database failed.
    pub fn storage(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Unavailable {
            text: "Storage is temporarily unavailable, nothing was stored. Try again.".into(),
            cause: Some(cause.into()),
        }
    }

    /// The cause of the error, if there is one, for the person who runs the instance.
    pub fn for_operator(&self) -> String {
        match self {
            Self::Internal(cause) | Self::Unavailable { cause: Some(cause), .. } => cause.to_string(),
            error => error.to_string(),
        }
    }

    /// The caller is not signed in.
    pub fn signed_out() -> Self {
        Self::Unauthenticated(
            "Not signed in. Sign in at /login, or send `Authorization: Bearer <token>`.".into(),
        )
    }

    /// Only a person with a session may do this, not a token.
    pub fn no_tools() -> Self {
        Self::Forbidden("A personal access token or a key cannot do this: sign in.".into())
    }

    /// The same text for every reason why a key is refused.
    pub fn invalid_key() -> Self {
        Self::Unauthenticated("Invalid API key".into())
    }

    /// The answer for every project that is not the caller's, whether or not it exists.
    pub fn no_project_access() -> Self {
        Self::Forbidden("You do not have access to this project".into())
    }

    /// The answer for every organization that is not the caller's, whether or not it exists.
    pub fn no_organization_access() -> Self {
        Self::Forbidden("You do not have access to this organization".into())
    }
}
