//! Why a sign-in at a provider failed.

use crate::outbound::OutboundError;
use crate::text::shown;

/// Each text is a sentence for the person who runs the instance; none contains a token, code or secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FederationError {
    /// The provider did not answer, or the guard does not allow its address.
    #[error("{0}")]
    Unreachable(String),
    /// The provider refused, in its own words: at most 200 characters each, without control characters.
    #[error("the provider refused with `{error}`{}", description.as_deref().map(|text| format!(": {text}")).unwrap_or_default())]
    ProviderRefused { error: String, description: Option<String> },
    /// An answer that is not valid or cannot be trusted.
    #[error("{0}")]
    InvalidAnswer(String),
}

impl FederationError {
    /// The error code in the URL of the sign-in page.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unreachable(_) => "unreachable",
            Self::ProviderRefused { .. } => "provider_refused",
            Self::InvalidAnswer(_) => "invalid_answer",
        }
    }

    /// A refusal in the provider's words, from the token endpoint or from the callback.
    pub fn refused(error: &str, description: Option<&str>) -> Self {
        let description = description.map(|text| shown(text, 200)).filter(|text| !text.is_empty());
        Self::ProviderRefused { error: shown(error, 200), description }
    }

    pub(super) fn invalid(text: impl Into<String>) -> Self {
        Self::InvalidAnswer(text.into())
    }
}

impl From<OutboundError> for FederationError {
    fn from(error: OutboundError) -> Self {
        match error {
            OutboundError::Redirect { .. } | OutboundError::TooLarge { .. } | OutboundError::Header(_) => {
                Self::InvalidAnswer(error.to_string())
            }
            _ => Self::Unreachable(error.to_string()),
        }
    }
}
