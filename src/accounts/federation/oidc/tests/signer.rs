//! Keys of a provider, and tokens signed with them by ring, which is not the library that verifies them.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use openidconnect::core::CoreRsaPrivateSigningKey;
use openidconnect::{JsonWebKeyId, PrivateSigningKey as _};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio_rustls::rustls::SignatureScheme as Scheme;
use tokio_rustls::rustls::crypto::ring::sign::any_supported_type;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::sign::SigningKey;

macro_rules! key {
    ($name:literal) => {
        include_str!(concat!("../../../../../tests/fixtures/keys/", $name, ".pem"))
    };
}

/// Every accepted algorithm, with the file of a key.
pub(super) const SIGNERS: &[(&str, Scheme, &str)] = &[
    ("RS256", Scheme::RSA_PKCS1_SHA256, key!("rsa-1")),
    ("RS384", Scheme::RSA_PKCS1_SHA384, key!("rsa-1")),
    ("RS512", Scheme::RSA_PKCS1_SHA512, key!("rsa-1")),
    ("PS256", Scheme::RSA_PSS_SHA256, key!("rsa-1")),
    ("PS384", Scheme::RSA_PSS_SHA384, key!("rsa-1")),
    ("PS512", Scheme::RSA_PSS_SHA512, key!("rsa-1")),
    ("ES256", Scheme::ECDSA_NISTP256_SHA256, key!("p256")),
    ("ES384", Scheme::ECDSA_NISTP384_SHA384, key!("p384")),
    ("EdDSA", Scheme::ED25519, key!("ed25519")),
];

pub(super) fn base64(bytes: impl AsRef<[u8]>) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

#[derive(Clone)]
pub(super) struct Signer {
    pub(super) algorithm: &'static str,
    pub(super) id: &'static str,
    scheme: Scheme,
    key: Arc<dyn SigningKey>,
    pem: &'static str,
}

impl Signer {
    pub(super) fn new(algorithm: &str, id: &'static str) -> Self {
        let &(algorithm, scheme, pem) = SIGNERS.iter().find(|signer| signer.0 == algorithm).unwrap();
        let key = any_supported_type(&PrivateKeyDer::from_pem_slice(pem.as_bytes()).unwrap()).unwrap();
        Self { algorithm, id, scheme, key, pem }
    }

    /// RS256 with another key than [`Signer::new`] has.
    pub(super) fn other(id: &'static str) -> Self {
        let pem = key!("rsa-2");
        let key = any_supported_type(&PrivateKeyDer::from_pem_slice(pem.as_bytes()).unwrap()).unwrap();
        Self { id, pem, key, ..Self::new("RS256", id) }
    }

    pub(super) fn jwk(&self) -> Value {
        let spki = self.key.public_key();
        let tail = |length: usize| {
            let spki = spki.as_ref().unwrap();
            spki[spki.len() - length..].to_vec()
        };
        let curve = |name: &str, size: usize| {
            let point = tail(size * 2);
            json!({"kty": "EC", "crv": name, "x": base64(&point[..size]), "y": base64(&point[size..])})
        };
        let mut jwk = match self.algorithm {
            "ES256" => curve("P-256", 32),
            "ES384" => curve("P-384", 48),
            "EdDSA" => json!({"kty": "OKP", "crv": "Ed25519", "x": base64(tail(32))}),
            _ => {
                let id = Some(JsonWebKeyId::new(self.id.to_owned()));
                let key = CoreRsaPrivateSigningKey::from_pem(self.pem, id).unwrap();
                serde_json::to_value(key.as_verification_key()).unwrap()
            }
        };
        jwk["use"] = "sig".into();
        jwk["kid"] = self.id.into();
        jwk
    }

    pub(super) fn sign(&self, claims: &Value) -> String {
        self.sign_as(&json!({"alg": self.algorithm, "kid": self.id, "typ": "JWT"}), claims)
    }

    pub(super) fn sign_as(&self, header: &Value, claims: &Value) -> String {
        let signed = format!("{}.{}", base64(header.to_string()), base64(claims.to_string()));
        let signer = self.key.choose_scheme(&[self.scheme]).unwrap();
        let signature = signer.sign(signed.as_bytes()).unwrap();
        let signature = match self.algorithm {
            "ES256" => fixed(&signature, 32),
            "ES384" => fixed(&signature, 48),
            _ => signature,
        };
        format!("{signed}.{}", base64(signature))
    }
}

/// From ASN.1's two integers to the two of fixed size that JWS has.
fn fixed(der: &[u8], size: usize) -> Vec<u8> {
    let mut rest = &der[2..];
    let mut out = Vec::new();
    for _ in 0..2 {
        let length = usize::from(rest[1]);
        let number = &rest[2..2 + length];
        let number = &number[number.len().saturating_sub(size)..];
        out.extend(std::iter::repeat_n(0, size - number.len()));
        out.extend(number);
        rest = &rest[2 + length..];
    }
    out
}
