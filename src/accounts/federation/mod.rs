//! Sign-in through somebody else: OIDC single sign-on ([`oidc`]) and a code host ([`code_host`]).
//!
//! These speak the protocols and give a [`Profile`]; who that is here, and whether they may in, is
//! decided elsewhere. State, nonce and verifier are the caller's: it makes them, binds them to the
//! browser and takes each back once.
//!
//! A sign-in: `authorize` gives the address the browser is sent to; when it comes back with a code and
//! the state has been compared, `exchange` gives the profile. `check` and `exchange_recorded` tell each
//! step to whoever sets sign-in up. An exchange may take some 40 s, 10 s for each question.

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
    /// Together with `subject` who it is: the issuer as configured, or the address of the code host's API.
    pub issuer: String,
    /// 1 to 255 bytes; the code host's numeric id in decimal.
    pub subject: String,
    /// As the provider writes it.
    pub email: Option<String>,
    /// The document that holds the e-mail says `true` (the boolean) in it.
    pub email_verified: bool,
    /// Further addresses that are verified, as the provider writes them.
    pub other_emails: Vec<String>,
    /// For display: 1 to 128 characters, none of them control.
    pub name: Option<String>,
}

/// What comes back from the browser, with what was kept for it.
#[derive(Clone, Copy)]
pub struct Grant<'a> {
    /// The same as at the start.
    pub redirect_uri: &'a str,
    pub code: &'a str,
    /// What [`pkce_challenge`] was made from.
    pub pkce_verifier: &'a str,
}

/// The S256 challenge of a verifier (RFC 7636). A verifier has 43 to 128 characters of
/// `A-Za-z0-9-._~`; [`crate::crypto::token::random_base62`] of 64 is one.
pub fn pkce_challenge(verifier: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()))
}

/// A name from a provider: trimmed and without control characters, at most 128 characters; none when
/// nothing is left.
fn display_name(name: Option<&str>) -> Option<String> {
    let name = crate::text::shown(name?.trim(), super::NAME_MAX).trim().to_owned();
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests;
