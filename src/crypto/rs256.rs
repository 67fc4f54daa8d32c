//! JSON Web Tokens signed with an RSA key (RS256, RFC 7518), which a code host's app authenticates with.

use crate::error::{Error, Result};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{RSA_PKCS1_SHA256, RsaKeyPair};
use serde_json::{Value, json};
use std::fmt;
use std::sync::Arc;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;

/// An RSA key that signs. `Debug` does not show it.
#[derive(Clone)]
pub struct RsaSigner(Arc<RsaKeyPair>);

impl RsaSigner {
    /// Reads a key in PEM form: PKCS #1, as GitHub writes it, or PKCS #8.
    ///
    /// # Errors
    /// If it is not such a key, or has fewer than 2048 or more than 4096 bits. The message does not repeat it.
    pub fn from_pem(pem: &str) -> Result<Self, &'static str> {
        const EXPECTED: &str = "expected an RSA private key of 2048 to 4096 bits in PEM form";
        let pair = match PrivateKeyDer::from_pem_slice(pem.as_bytes()).map_err(|_| EXPECTED)? {
            PrivateKeyDer::Pkcs1(der) => RsaKeyPair::from_der(der.secret_pkcs1_der()),
            PrivateKeyDer::Pkcs8(der) => RsaKeyPair::from_pkcs8(der.secret_pkcs8_der()),
            _ => return Err(EXPECTED),
        };
        pair.map(|pair| Self(Arc::new(pair))).map_err(|_| EXPECTED)
    }

    /// A token with these claims.
    ///
    /// # Errors
    /// Internal, if the operating system cannot provide randomness.
    pub fn token(&self, claims: &Value) -> Result<String> {
        let part = |value: &Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!("{}.{}", part(&json!({ "alg": "RS256", "typ": "JWT" })), part(claims));
        let mut signature = vec![0; self.0.public().modulus_len()];
        self.0
            .sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), signed.as_bytes(), &mut signature)
            .map_err(|_| Error::internal("a token cannot be signed"))?;
        Ok(format!("{signed}.{}", BASE64_URL_SAFE_NO_PAD.encode(signature)))
    }
}

impl fmt::Debug for RsaSigner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RsaSigner(…)")
    }
}

#[cfg(test)]
mod tests;
