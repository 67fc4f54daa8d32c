//! Tests with a provider in the test process.

mod discovery;
mod emails;
mod flow;
mod rotation;
mod signer;
mod tokens;

use super::*;
use crate::accounts::federation::tests::server::Server;
use crate::accounts::federation::tests::{client, grant};
use crate::config::JitPolicy;
use crate::crypto::secret::Secret;
use crate::roles::Role;
use crate::time::Timestamp;
use serde_json::{Value, json};
use signer::Signer;
use std::sync::Mutex as StdMutex;
use std::time::{Duration, Instant};

const CLIENT: &str = "mayday-client";
const SECRET: &str = "s3cret & more";
const NONCE: &str = "the-nonce";
const DISCOVERY: &str = "/.well-known/openid-configuration";

fn settings(issuer: &str) -> Sso {
    Sso {
        issuer_url: issuer.to_owned(),
        client_id: CLIENT.to_owned(),
        client_secret: Secret::new(SECRET),
        jit_policy: JitPolicy::Disabled,
        allowed_domains: Vec::new(),
        trusted_email_domains: Vec::new(),
        default_role: Role::Member,
        display_name: "Company SSO".to_owned(),
        scopes: vec!["email".to_owned(), "profile".to_owned()],
        callback_base_url: None,
        allow_private_provider_urls: true,
        discovery_url: None,
        authorization_endpoint: None,
        token_endpoint: None,
        jwks_uri: None,
        userinfo_endpoint: None,
    }
}

/// A provider that answers everything correctly unless a test changes something.
struct Idp {
    server: Server,
    signer: Signer,
    settings: Sso,
    passed: Arc<StdMutex<Duration>>,
}

impl Idp {
    async fn start() -> Self {
        Self::signing("RS256").await
    }

    async fn signing(algorithm: &str) -> Self {
        let server = Server::start().await;
        let settings = settings(&server.url(""));
        let idp = Self { server, signer: Signer::new(algorithm, "k1"), settings, passed: Arc::default() };
        idp.server.json(DISCOVERY, 200, &idp.document());
        idp.server.json("/jwks", 200, &json!({"keys": [idp.signer.jwk()]}));
        idp.gives(&idp.signer.sign(&idp.claims()));
        idp
    }

    fn document(&self) -> Value {
        json!({
            "issuer": self.server.url(""),
            "authorization_endpoint": self.server.url("/authorize?tenant=1"),
            "token_endpoint": self.server.url("/token"),
            "jwks_uri": self.server.url("/jwks"),
        })
    }

    /// Gives the provider a user info endpoint with this answer.
    fn tells(&self, info: &Value) {
        let mut document = self.document();
        document["userinfo_endpoint"] = self.server.url("/userinfo").into();
        self.server.json(DISCOVERY, 200, &document);
        self.server.json("/userinfo", 200, info);
    }

    fn claims(&self) -> Value {
        let now = Timestamp::now().millis() / 1_000;
        json!({
            "iss": self.server.url(""), "aud": CLIENT, "sub": "u-1", "nonce": NONCE, "exp": now + 300,
            "iat": now, "email": "ada@example.com", "email_verified": true, "name": "Ada Lovelace",
        })
    }

    fn gives(&self, id_token: &str) {
        let answer = json!({"access_token": "at-1", "token_type": "Bearer", "id_token": id_token});
        self.server.json("/token", 200, &answer);
    }

    fn provider(&self) -> Provider {
        let (began, passed) = (Instant::now(), self.passed.clone());
        let running = move || began + *passed.lock().unwrap();
        Provider::new(self.settings.clone(), client(), Clock::new(Timestamp::now, running))
    }

    fn wait(&self, time: Duration) {
        *self.passed.lock().unwrap() += time;
    }

    /// One sign-in with an empty cache.
    async fn sign_in(&self) -> Result<Profile> {
        self.provider().exchange(grant(), NONCE).await
    }

    /// The claims with one value changed; null removes it.
    fn changed(&self, name: &str, value: Value) -> Value {
        let mut claims = self.claims();
        if value.is_null() {
            claims.as_object_mut().unwrap().remove(name);
        } else {
            claims[name] = value;
        }
        claims
    }
}
