//! Sign-ins at a provider, between their start and their callback.
//!
//! A flow is bound to the browser that started it by two values: a `state`, which passes through the
//! provider, and a cookie, which does not. Both are random, stored as hashes, valid for ten minutes and
//! accepted once. The nonce and the PKCE verifier are derived from the cookie's value, so the database
//! contains nothing that could complete a flow.

pub mod http;
pub mod methods;
pub mod sql;

use crate::accounts::me::ProviderKind;
use crate::crypto::secret::Secret;
use crate::crypto::token;
use crate::ids::{SignInId, UserId};
use crate::time::MINUTE;
use serde::Deserialize;
use utoipa::ToSchema;

/// How long a person may take at the provider, in milliseconds.
pub const LIFETIME: i64 = 10 * MINUTE;
/// Open flows at once; a new one replaces the oldest.
pub const OPEN_MAX: i64 = 10_000;
/// Characters of the path to go to afterwards.
const PATH_MAX: usize = 1_024;

/// What a flow is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    SignIn,
    /// Claims the instance: needs the setup token and a name for the organization.
    Claim,
    /// Links the account of the person who is signed in.
    Link,
    /// Reports each step without signing anybody in.
    Test,
}

impl Purpose {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SignIn => "sign_in",
            Self::Claim => "claim",
            Self::Link => "link",
            Self::Test => "test",
        }
    }

    pub fn parse(text: &str) -> Self {
        let known = [Self::Claim, Self::Link, Self::Test];
        known.into_iter().find(|purpose| purpose.as_str() == text).unwrap_or(Self::SignIn)
    }
}

/// A flow in progress.
#[derive(Debug, Clone)]
pub struct Flow {
    pub provider: ProviderKind,
    pub purpose: Purpose,
    /// The person who links or tests, and their session, with which the flow ends.
    pub user: Option<(UserId, SignInId)>,
    /// For a claim.
    pub organization_name: Option<String>,
    pub setup_token_hash: Option<[u8; 32]>,
    /// A local path.
    pub redirect_to: String,
}

/// The flow cookie's value, and what is derived from it.
pub struct Binding {
    /// The value of the flow cookie, 256 bits.
    pub cookie: String,
    pub nonce: String,
    /// 64 characters.
    pub verifier: String,
}

impl Binding {
    pub fn new(secret: &Secret) -> Self {
        Self::of(secret, token::link())
    }

    pub fn of(secret: &Secret, cookie: String) -> Self {
        let derived =
            |what: &str| token::hex(&token::keyed_hash(secret, &format!("{what} of flow {cookie}")));
        Self { nonce: derived("nonce"), verifier: derived("verifier"), cookie }
    }
}

/// Whether this is a path on this site, never a foreign address.
pub fn is_local_path(path: &str) -> bool {
    let mut rest = path.chars();
    rest.next() == Some('/')
        && !matches!(rest.next(), Some('/' | '\\'))
        && path.len() <= PATH_MAX
        && !path.chars().any(|c| c.is_control() || c == '\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_stay_on_this_site() {
        for path in ["/", "/issues", "/projects/1/issues?query=is%3Aopen#x", "/a//b"] {
            assert!(is_local_path(path), "{path}");
        }
        let long = format!("/{}", "a".repeat(PATH_MAX));
        for path in [
            "",
            "issues",
            "//evil.example",
            "/\\evil.example",
            "\\evil",
            "https://evil.example",
            "javascript:alert(1)",
            "/\t/evil.example",
            "/a\r\nSet-Cookie: x=y",
            " /",
            "/a\\b",
            &long,
        ] {
            assert!(!is_local_path(path), "{path:?}");
        }
    }

    #[test]
    fn nonce_and_verifier_are_derived_from_the_cookie_and_independent() {
        let secret = Secret::new("a secret of thirty-two bytes, or so");
        let one = Binding::new(&secret);
        let again = Binding::of(&secret, one.cookie.clone());
        assert_eq!((&one.nonce, &one.verifier), (&again.nonce, &again.verifier));
        assert_ne!(one.nonce, one.verifier);
        assert_eq!(one.verifier.len(), 64);
        assert_ne!(one.nonce, Binding::new(&secret).nonce);
    }
}
