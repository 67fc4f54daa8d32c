//! A fake code host: the three routes that a sign-in uses, and their answers, which tests set.

use super::{Server, Value, World, flow, json};
use std::sync::{Arc, Mutex, PoisonError};

/// The client secret that the server sends to it.
pub(crate) const SECRET: &str = "canary-of-the-host-oauth-client-secret";

/// The person who is signed in at the host.
struct Account {
    user: Value,
    emails: Value,
    /// Answered instead of a token.
    refusal: Option<Value>,
}

/// Runs until the process of the tests ends.
pub(crate) struct CodeHost {
    authority: String,
    account: Arc<Mutex<Account>>,
}

impl CodeHost {
    pub(crate) fn start() -> Self {
        let nobody = Account { user: Value::Null, emails: json!([]), refusal: None };
        let account = Arc::new(Mutex::new(nobody));
        let shared = account.clone();
        let authority = flow::serve(move |path| {
            let account = shared.lock().unwrap_or_else(PoisonError::into_inner);
            match path {
                "/token" => account.refusal.clone().unwrap_or_else(|| json!({"access_token": "gho_x"})),
                "/user" => account.user.clone(),
                "/user/emails" => account.emails.clone(),
                _ => Value::Null,
            }
        });
        Self { authority, account }
    }

    /// From now on this person is signed in there, with one e-mail of this `verified`.
    pub(crate) fn be(&self, id: u64, email: &str, verified: &Value) {
        let mut entry = json!({"email": email, "primary": true, "verified": verified});
        if *verified == json!("absent") {
            entry.as_object_mut().unwrap().remove("verified");
        }
        self.set(json!({"id": id, "login": "octo", "name": "Octo Cat"}), json!([entry]));
    }

    pub(crate) fn set(&self, user: Value, emails: Value) {
        *self.lock() = Account { user, emails, refusal: None };
    }

    pub(crate) fn refuse(&self, refusal: Value) {
        self.lock().refusal = Some(refusal);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Account> {
        self.account.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The variables of a server that signs people in through this host.
    pub(crate) fn variables(&self) -> Vec<(&'static str, String)> {
        let base = format!("http://{}", self.authority);
        vec![
            ("HOST_OAUTH_CLIENT_ID", "the-client".to_owned()),
            ("HOST_OAUTH_CLIENT_SECRET", SECRET.to_owned()),
            ("SERVICE_HOST_OAUTH_AUTHORIZE_URL", format!("{base}/login/oauth/authorize")),
            ("SERVICE_HOST_OAUTH_TOKEN_URL", format!("{base}/token")),
            ("SERVICE_HOST_OAUTH_API_URL", base),
        ]
    }

    pub(crate) fn server(&self, more: &[(&str, &str)]) -> Server {
        let own = self.variables();
        let own = own.iter().map(|(name, value)| (*name, value.as_str()));
        Server::start_with(&own.chain(more.iter().copied()).collect::<Vec<_>>())
    }

    pub(crate) fn world(&self, more: &[(&str, &str)]) -> World {
        World::new(self.server(more))
    }
}
