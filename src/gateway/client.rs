//! LiteLLM's administration API, as far as Mayday uses it: users, teams and keys.

use crate::config::Gateway;
use crate::crypto::secret::Secret;
use crate::outbound::{Client, Policy, Request, Response};
use crate::text::{line, shown};
use hyper::StatusCode;
use hyper::header::AUTHORIZATION;
use serde_json::{Value, json};
use std::time::Duration;

/// The period of budgets: calendar months (UTC).
const MONTH: &str = "1mo";
/// Characters of the gateway's error message that are repeated.
const SAID_MAX: usize = 160;

/// Why a request to the gateway failed; for people, without secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault(pub String);

/// A holder of a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holder {
    User,
    Team,
}

impl Holder {
    fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Team => "team",
        }
    }
}

/// A key to create.
#[derive(Debug)]
pub struct NewKey<'a> {
    /// Unique.
    pub alias: &'a str,
    pub user: &'a str,
    pub team: Option<&'a str>,
    /// The validity in seconds.
    pub lasts: i64,
    /// The key's own budget in US dollars; `None` if only its user's and team's apply.
    pub budget: Option<f64>,
    /// Shown with the key.
    pub session: String,
}

/// A reference to a key without the key itself.
#[derive(Debug, Clone, Copy)]
pub enum KeyRef<'a> {
    Hash(&'a str),
    Alias(&'a str),
}

/// The administration of a gateway.
#[derive(Clone)]
pub struct Admin {
    client: Client,
    base: String,
    key: Secret,
}

impl Admin {
    pub fn new(config: &Gateway, client: &Client) -> Self {
        let client = client.within(config.timeout);
        Self { client, base: config.admin_url.clone(), key: config.master_key.clone() }
    }

    /// A client with a shorter time limit.
    #[must_use]
    pub fn within(&self, total: Duration) -> Self {
        Self { client: self.client.within(total), ..self.clone() }
    }

    /// Makes sure that a user or team exists and has this monthly budget in US dollars. One that is up to date is not
    /// updated, because that would start its month again.
    ///
    /// # Errors
    /// If the gateway refuses, or the request fails.
    pub async fn ensure(&self, holder: Holder, (id, name): (&str, &str), cap: f64) -> Result<(), Fault> {
        let kind = holder.as_str();
        let mut body = json!({ format!("{kind}_id"): id, "max_budget": cap, "budget_duration": MONTH });
        if let Some(known) = self.known(holder, id).await? {
            if known["max_budget"].as_f64() == Some(cap) && known["budget_duration"] == MONTH {
                return Ok(());
            }
            return self.post(&format!("/{kind}/update"), &body).await.map(drop);
        }
        body[format!("{kind}_alias")] = json!(name);
        if holder == Holder::User {
            // Otherwise the gateway would create a key for the user.
            body["auto_create_key"] = json!(false);
        }
        match self.post(&format!("/{kind}/new"), &body).await {
            Ok(_) => Ok(()),
            // Another session of the same person may have created it meanwhile.
            Err(fault) => self.known(holder, id).await?.map(drop).ok_or(fault),
        }
    }

    async fn known(&self, holder: Holder, id: &str) -> Result<Option<Value>, Fault> {
        let kind = holder.as_str();
        let query = url::form_urlencoded::Serializer::new(String::new())
            .append_pair(&format!("{kind}_id"), id)
            .finish();
        let found = self.get(&format!("/{kind}/info?{query}")).await?;
        let found = found.map(|found| found[format!("{kind}_info")].clone());
        // Earlier versions answer with an empty object.
        Ok(found.filter(|found| found[format!("{kind}_id")] == id))
    }

    /// Creates a key, which may only use models.
    ///
    /// # Errors
    /// If the gateway refuses, or the request fails; the key may exist all the same.
    pub async fn mint(&self, new: &NewKey<'_>) -> Result<Secret, Fault> {
        let mut body = json!({
            "key_alias": new.alias,
            "user_id": new.user,
            "duration": format!("{}s", new.lasts),
            "key_type": "llm_api",
            "metadata": { "mayday_session": new.session },
        });
        if let Some(team) = new.team {
            body["team_id"] = json!(team);
        }
        if let Some(budget) = new.budget {
            body["max_budget"] = json!(budget);
        }
        let made = self.post("/key/generate", &body).await?;
        let key =
            made["key"].as_str().filter(|key| !key.is_empty() && key.chars().all(|c| c.is_ascii_graphic()));
        key.map(Secret::new).ok_or_else(|| Fault("The model gateway answered without a key".to_owned()))
    }

    /// Blocks a key. Succeeds if the key does not exist.
    ///
    /// # Errors
    /// If the gateway refuses, or the request fails.
    pub async fn block(&self, hash: &str) -> Result<(), Fault> {
        self.ask(json_request(&self.base, "/key/block", &json!({ "key": hash }))).await.map(drop)
    }

    /// The spending of a key in US dollars; `None` if the gateway does not have it any more.
    ///
    /// # Errors
    /// If the gateway refuses, or the request fails.
    pub async fn spend(&self, hash: &str) -> Result<Option<f64>, Fault> {
        let found = self.get(&format!("/key/info?key={hash}")).await?;
        Ok(found.and_then(|found| found["info"]["spend"].as_f64()))
    }

    /// Deletes a key. Succeeds if the key does not exist.
    ///
    /// # Errors
    /// If the gateway refuses, or the request fails.
    pub async fn delete(&self, key: KeyRef<'_>) -> Result<(), Fault> {
        let body = match key {
            KeyRef::Hash(hash) => json!({ "keys": [hash] }),
            KeyRef::Alias(alias) => json!({ "key_aliases": [alias] }),
        };
        self.ask(json_request(&self.base, "/key/delete", &body)).await.map(drop)
    }

    async fn get(&self, path: &str) -> Result<Option<Value>, Fault> {
        self.ask(Request::get(format!("{}{path}", self.base))).await
    }

    async fn post(&self, path: &str, body: &Value) -> Result<Value, Fault> {
        let found = self.ask(json_request(&self.base, path, body)).await?;
        found.ok_or_else(|| Fault(format!("The model gateway answered 404 to {path}: is that LiteLLM?")))
    }

    /// Sends a request; `None` if the gateway does not have the object.
    async fn ask(&self, request: Request) -> Result<Option<Value>, Fault> {
        let unasked = |error: crate::outbound::OutboundError| {
            Fault(format!("The model gateway cannot be asked: {}", shown(&error.to_string(), 2 * SAID_MAX)))
        };
        let proof = format!("Bearer {}", self.key.as_str());
        let request = request.secret_header(AUTHORIZATION, &proof).map_err(unasked)?;
        // The operator's address, usually in a private network.
        let answer = self.client.fetch(request, Policy::Open).await.map_err(unasked)?;
        if answer.status == StatusCode::NOT_FOUND {
            return Ok(None);
        }
        if !answer.status.is_success() {
            return Err(self.refusal(&answer));
        }
        let read = serde_json::from_slice(&answer.body);
        read.map(Some).map_err(|_| Fault("The model gateway did not answer with JSON".to_owned()))
    }

    fn refusal(&self, answer: &Response) -> Fault {
        let said: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        let said = [&said["error"]["message"], &said["detail"]["error"], &said["detail"], &said["error"]];
        let said = said.into_iter().find_map(Value::as_str).unwrap_or_default();
        let said = line(&said.replace(self.key.as_str(), "…"), SAID_MAX);
        let status = answer.status.as_u16();
        let end = if said.is_empty() { String::new() } else { format!(": {said}") };
        Fault(format!("The model gateway answered {status}{end}"))
    }
}

fn json_request(base: &str, path: &str, body: &Value) -> Request {
    Request::post_json(format!("{base}{path}"), body)
}
