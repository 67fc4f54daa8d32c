//! Sign-in at a provider: OIDC single sign-on ([`oidc`]) and a code host ([`code_host`]).
//!
//! These modules speak the protocols and return a [`Profile`]; which account it belongs to, and whether that
//! may sign in, is decided elsewhere. State, nonce and verifier belong to the caller, which creates them,
//! binds them to the browser and accepts each once.
//!
//! To sign in, `authorize` returns the address to send the browser to. When the browser comes back with a
//! code and the state has been compared, `exchange` returns the profile. `check` and `exchange_recorded`
//! report each step to the person who sets up sign-in. An exchange may take about 40 s, 10 s for each
//! request.

mod answer;
pub mod code_host;
mod error;
pub mod oidc;
pub mod report;
mod token;

pub use error::FederationError;
pub use report::{Recorder, Report, Step};

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

pub type Result<T, E = FederationError> = std::result::Result<T, E>;

/// What a provider vouches for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// Identifies the person together with `subject`: the configured issuer, or the address of the code
    /// host's API.
    pub issuer: String,
    /// 1 to 255 bytes; the code host's numeric id in decimal.
    pub subject: String,
    /// In the provider's spelling.
    pub email: Option<String>,
    /// Whether the document that contains the e-mail says `true` (the boolean).
    pub email_verified: bool,
    /// Other verified addresses, in the provider's spelling.
    pub other_emails: Vec<String>,
    /// For display: 1 to 128 characters, no control characters.
    pub name: Option<String>,
}

/// What the browser brings back, and the stored values that belong to it.
#[derive(Clone, Copy)]
pub struct Grant<'a> {
    /// The same as at the start.
    pub redirect_uri: &'a str,
    pub code: &'a str,
    /// The verifier that [`pkce_challenge`] was derived from.
    pub pkce_verifier: &'a str,
}

/// The S256 challenge of a verifier (RFC 7636). A verifier has 43 to 128 characters of
/// `A-Za-z0-9-._~`; [`crate::crypto::token::random_base62`] of 64 is one.
pub fn pkce_challenge(verifier: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()))
}

/// A provider's display name, trimmed, without control characters and cut to 128 characters; `None` if
/// nothing is left.
fn display_name(name: Option<&str>) -> Option<String> {
    let name = crate::text::shown(name?.trim(), super::NAME_MAX).trim().to_owned();
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests;
