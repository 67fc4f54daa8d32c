//! Why a sign-in through somebody else went no further.

use crate::outbound::OutboundError;
use crate::text::shown;

/// Each text is a sentence for whoever runs the instance; none holds a token, code or secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FederationError {
    /// No answer, or none may be asked for.
    #[error("{0}")]
    Unreachable(String),
    /// The provider says no, in its own words: at most 200 characters each, without control characters.
    #[error("the provider refused with `{error}`{}", description.as_deref().map(|text| format!(": {text}")).unwrap_or_default())]
    ProviderRefused { error: String, description: Option<String> },
    /// An answer that cannot be believed or understood.
    #[error("{0}")]
    InvalidAnswer(String),
}

impl FederationError {
    /// The code for the address of the sign-in page.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unreachable(_) => "unreachable",
            Self::ProviderRefused { .. } => "provider_refused",
            Self::InvalidAnswer(_) => "invalid_answer",
        }
    }

    /// A refusal in the words of the provider, from the token endpoint or from the browser's return.
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
