//! A provider's signing keys, and the algorithms that are accepted.

use crate::accounts::federation::{FederationError, Result, answer};
use crate::outbound::{Client, Policy};
use openidconnect::core::{CoreJsonWebKey, CoreJsonWebKeySet, CoreJwsSigningAlgorithm as Algorithm};
use openidconnect::{JsonWebKey as _, JsonWebKeyAlgorithm, JsonWebKeyUse as _, JwsSigningAlgorithm as _};

const WHAT: &str = "Signing keys";

/// Never `none`, and none with a shared secret: with those, anybody who knows a public key could sign.
pub(super) const ALGORITHMS: &[(&str, Algorithm)] = &[
    ("RS256", Algorithm::RsaSsaPkcs1V15Sha256),
    ("RS384", Algorithm::RsaSsaPkcs1V15Sha384),
    ("RS512", Algorithm::RsaSsaPkcs1V15Sha512),
    ("PS256", Algorithm::RsaSsaPssSha256),
    ("PS384", Algorithm::RsaSsaPssSha384),
    ("PS512", Algorithm::RsaSsaPssSha512),
    ("ES256", Algorithm::EcdsaP256Sha256),
    ("ES384", Algorithm::EcdsaP384Sha384),
    ("EdDSA", Algorithm::EdDsa),
];

/// Keys of one provider.
pub(super) struct Keys(CoreJsonWebKeySet);

impl Keys {
    /// The keys that may have signed with this algorithm; only the one with that id if the token names it.
    pub(super) fn candidates<'a>(
        &'a self,
        id: Option<&'a str>,
        algorithm: &'a Algorithm,
    ) -> impl Iterator<Item = &'a CoreJsonWebKey> {
        let named = move |key: &&CoreJsonWebKey| id.is_none() || key.key_id().map(|own| own.as_str()) == id;
        self.0.keys().iter().filter(named).filter(move |key| fits(key, algorithm))
    }

    /// How many keys can sign, and with which algorithms, in the order of [`ALGORITHMS`].
    pub(super) fn usable(&self) -> (usize, Vec<&'static str>) {
        let of_key = |key| ALGORITHMS.iter().filter(move |one| fits(key, &one.1) && on_curve(key, one.0));
        let count = self.0.keys().iter().filter(|key| of_key(*key).next().is_some()).count();
        let has = |name| self.0.keys().iter().any(|key| of_key(key).any(|one| one.0 == name));
        let names = ALGORITHMS.iter().map(|one| one.0).filter(|name| has(*name));
        (count, names.collect())
    }
}

/// For [`Keys::usable`]: verification checks the curve itself but does not expose it.
fn on_curve(key: &CoreJsonWebKey, algorithm: &str) -> bool {
    let curve = match algorithm {
        "ES256" => "P-256",
        "ES384" => "P-384",
        "EdDSA" => "Ed25519",
        _ => return true,
    };
    serde_json::to_value(key).is_ok_and(|key| key["crv"] == curve)
}

/// Whether a key is for signatures, has the algorithm's type, and is not restricted to another algorithm.
fn fits(key: &CoreJsonWebKey, algorithm: &Algorithm) -> bool {
    let for_signing = key.key_use().is_none_or(|usage| usage.allows_signature());
    let of_type = algorithm.key_type().as_ref() == Some(key.key_type());
    let not_for_another = match key.signing_alg() {
        JsonWebKeyAlgorithm::Unspecified => true,
        JsonWebKeyAlgorithm::Algorithm(own) => own == algorithm,
        JsonWebKeyAlgorithm::Unsupported => false,
    };
    for_signing && of_type && not_for_another
}

/// # Errors
/// If the document cannot be fetched or is not a key set. Unknown kinds of keys are skipped.
pub(super) async fn fetch(client: &Client, policy: Policy, url: &str) -> Result<Keys> {
    let document = answer::get(client, policy, url, None, WHAT).await?;
    serde_json::from_value(document)
        .map(Keys)
        .map_err(|_| FederationError::invalid(format!("{WHAT}: expected a JSON Web Key Set with `keys`")))
}
