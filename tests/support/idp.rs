//! A fake OIDC provider: discovery, keys, and tokens with the claims that a test sets.

use super::flow::{self, Flow, Landing};
use super::{Client, Server, Value, World, json};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use openidconnect::core::{CoreJwsSigningAlgorithm, CoreRsaPrivateSigningKey};
use openidconnect::{JsonWebKeyId, PrivateSigningKey as _};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

const KEY: &str = include_str!("../fixtures/keys/rsa-1.pem");
const OTHER_KEY: &str = include_str!("../fixtures/keys/rsa-2.pem");
/// The client secret that the server sends to it.
pub(crate) const SECRET: &str = "canary-of-the-oidc-client-secret";

/// Runs until the process of the tests ends.
pub(crate) struct Idp {
    authority: String,
    /// The answer of the token endpoint.
    tokens: Arc<Mutex<Value>>,
    claims: Mutex<Value>,
}

fn key(pem: &str) -> CoreRsaPrivateSigningKey {
    CoreRsaPrivateSigningKey::from_pem(pem, Some(JsonWebKeyId::new("k1".to_owned()))).unwrap()
}

fn sign(pem: &str, claims: &Value) -> String {
    let base64 = |text: String| BASE64_URL_SAFE_NO_PAD.encode(text);
    let header = json!({"alg": "RS256", "kid": "k1", "typ": "JWT"});
    let signed = format!("{}.{}", base64(header.to_string()), base64(claims.to_string()));
    let algorithm = CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256;
    let signature = key(pem).sign(&algorithm, signed.as_bytes()).unwrap();
    format!("{signed}.{}", BASE64_URL_SAFE_NO_PAD.encode(signature))
}

impl Idp {
    pub(crate) fn start() -> Self {
        let tokens = Arc::new(Mutex::new(Value::Null));
        let (shared, own) = (tokens.clone(), Arc::new(OnceLock::<String>::new()));
        let knows = own.clone();
        let authority = flow::serve(move |path| {
            let base = format!("http://{}", own.get().cloned().unwrap_or_default());
            match path {
                "/.well-known/openid-configuration" => json!({
                    "issuer": base, "authorization_endpoint": format!("{base}/authorize"),
                    "token_endpoint": format!("{base}/token"), "jwks_uri": format!("{base}/keys"),
                    "response_types_supported": ["code"], "subject_types_supported": ["public"],
                    "id_token_signing_alg_values_supported": ["RS256"],
                }),
                "/keys" => {
                    let mut key = serde_json::to_value(key(KEY).as_verification_key()).unwrap();
                    key["use"] = json!("sig");
                    json!({"keys": [key]})
                }
                "/token" => shared.lock().unwrap_or_else(PoisonError::into_inner).clone(),
                _ => Value::Null,
            }
        });
        knows.set(authority.clone()).unwrap();
        Self { authority, tokens, claims: Mutex::default() }
    }

    pub(crate) fn issuer(&self) -> String {
        format!("http://{}", self.authority)
    }

    /// From now on this person is signed in there.
    pub(crate) fn be(&self, subject: &str, email: &str, verified: &Value) {
        let mut claims = json!({"sub": subject, "email": email, "name": "Grace", "email_verified": verified});
        if *verified == json!("absent") {
            claims.as_object_mut().unwrap().remove("email_verified");
        }
        *self.claims.lock().unwrap() = claims;
    }

    /// The browser returns, and the provider has a token for its flow.
    #[track_caller]
    pub(crate) fn finish(&self, flow: &Flow, client: &Client) -> Landing {
        self.finish_changed(flow, client, &json!({}))
    }

    /// With some claims changed.
    #[track_caller]
    pub(crate) fn finish_changed(&self, flow: &Flow, client: &Client, change: &Value) -> Landing {
        let token = sign(KEY, &self.claims_of(flow, change));
        self.give(&token);
        flow.finish(client)
    }

    /// The same with a token that another key signed.
    #[track_caller]
    pub(crate) fn finish_forged(&self, flow: &Flow, client: &Client) -> Landing {
        self.give(&sign(OTHER_KEY, &self.claims_of(flow, &json!({}))));
        flow.finish(client)
    }

    pub(crate) fn give(&self, id_token: &str) {
        *self.tokens.lock().unwrap() =
            json!({"access_token": "at-x", "token_type": "Bearer", "id_token": id_token});
    }

    pub(crate) fn claims_of(&self, flow: &Flow, change: &Value) -> Value {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        let mut claims = self.claims.lock().unwrap().clone();
        let rest = json!({"iss": self.issuer(), "aud": "the-client", "iat": now, "exp": now + 300,
            "nonce": flow.parameter("nonce")});
        let object = claims.as_object_mut().unwrap();
        for more in [&rest, change] {
            object.extend(more.as_object().unwrap().clone());
        }
        claims
    }

    /// Completes a sign-in at the provider in a new browser.
    #[track_caller]
    pub(crate) fn go_through(&self, client: &Client) -> Landing {
        self.finish(&Flow::start_sso(client), client)
    }

    pub(crate) fn server(&self, more: &[(&str, &str)]) -> Server {
        let issuer = self.issuer();
        let own = [
            ("SSO_ENABLED", "true"),
            ("SSO_OIDC_ISSUER_URL", issuer.as_str()),
            ("SSO_OIDC_CLIENT_ID", "the-client"),
            ("SSO_OIDC_CLIENT_SECRET", SECRET),
            ("SSO_OIDC_ALLOW_PRIVATE_PROVIDER_URLS", "true"),
        ];
        Server::start_with(&[own.as_slice(), more].concat())
    }

    pub(crate) fn world(&self, more: &[(&str, &str)]) -> World {
        World::new(self.server(more))
    }
}
