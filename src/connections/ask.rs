//! Requests to a service, and how its answers are classified.

use super::REASON_MAX;
use crate::crypto::secret::Secret;
use crate::delivery::Failure;
use crate::outbound::{self, Client, OutboundError, Policy, Request};
use crate::text::{line, shown};
use crate::time::Timestamp;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use hyper::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use hyper::{Method, StatusCode};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::time::Duration;
use tokio::time::timeout;

/// The time limit from name resolution to the last byte of the answer.
const TIMEOUT: Duration = Duration::from_secs(15);
/// Bytes of an answer.
const ANSWER_MAX: usize = 1 << 20;
/// The longest pause that an answer can impose.
const PAUSE_MAX: Duration = Duration::from_hours(1);
/// Characters of a page's address.
const ADDRESS_MAX: usize = 2_000;
/// Characters of a service's error message that are repeated.
const SAID_MAX: usize = 160;

/// Why a request to a service failed. The texts are for people, and contain no secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskError {
    /// It no longer accepts the credentials.
    Revoked(String),
    /// It does not know the object.
    Missing(String),
    /// It refuses the request.
    Refused(String),
    /// Its answer has more bytes than we read.
    TooLarge(String),
    /// It asks for a pause.
    Busy { wait: Duration, text: String },
    /// A transient failure.
    Passing(String),
}

impl AskError {
    pub fn text(&self) -> &str {
        match self {
            Self::Revoked(text)
            | Self::Missing(text)
            | Self::Refused(text)
            | Self::TooLarge(text)
            | Self::Passing(text)
            | Self::Busy { text, .. } => text,
        }
    }

    /// Whether a later attempt may succeed.
    pub fn may_pass(&self) -> bool {
        matches!(self, Self::Busy { .. } | Self::Passing(_))
    }

    /// The error for an answer that cannot be parsed; it may be transient.
    pub fn unreadable(service: &str, what: &str) -> Self {
        Self::Refused(format!("{service} answered without {what}"))
    }
}

impl From<AskError> for Failure {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Busy { wait, text } => Self { wait: Some(wait), ..Self::passing(text) },
            AskError::Passing(text) => Self::passing(text),
            AskError::Revoked(text)
            | AskError::Missing(text)
            | AskError::Refused(text)
            | AskError::TooLarge(text) => Self::permanent(text),
        }
    }
}

impl From<OutboundError> for AskError {
    /// A forbidden address stays forbidden; any other failure may be transient.
    fn from(error: OutboundError) -> Self {
        let text = shown(&error.to_string(), REASON_MAX);
        match error {
            OutboundError::Address(_)
            | OutboundError::NotHttps { .. }
            | OutboundError::Private { .. }
            | OutboundError::Redirect { .. }
            | OutboundError::Header(_) => Self::Refused(text),
            OutboundError::TooLarge { .. } => Self::TooLarge(text),
            _ => Self::Passing(text),
        }
    }
}

/// How we authenticate.
#[derive(Debug, Clone)]
pub enum Proof {
    Bearer(Secret),
    /// The token, without a scheme.
    Plain(Secret),
    Basic(String, Secret),
}

impl Proof {
    fn header(&self) -> String {
        match self {
            Self::Bearer(token) => format!("Bearer {}", token.as_str()),
            Self::Plain(token) => token.as_str().to_owned(),
            Self::Basic(user, token) => {
                format!("Basic {}", BASE64_STANDARD.encode(format!("{user}:{}", token.as_str())))
            }
        }
    }

    fn secret(&self) -> &str {
        match self {
            Self::Bearer(token) | Self::Plain(token) | Self::Basic(_, token) => token.as_str(),
        }
    }
}

/// A service and our credentials there. Cheap to clone.
#[derive(Clone)]
pub struct Service {
    /// The name that people use.
    pub name: &'static str,
    pub client: Client,
    pub policy: Policy,
    /// Prefix of all paths, without a trailing slash.
    pub base: String,
    pub proof: Proof,
    /// Sent with each request.
    pub headers: &'static [(&'static str, &'static str)],
}

/// An answer, with any status except a redirect.
pub struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Service {
    /// The address of a page for people. Its host may differ from the one we send requests to, which may be internal.
    ///
    /// # Errors
    /// *Refused* if it is not an address.
    pub fn address(&self, given: &Value) -> Result<String, AskError> {
        let read = |url: &str| outbound::read(url, self.policy).ok();
        let page = given.as_str().filter(|url| url.len() <= ADDRESS_MAX).and_then(read);
        page.map(String::from)
            .ok_or_else(|| AskError::unreadable(self.name, "the address of what was opened"))
    }

    /// The name of the account that the credentials belong to.
    ///
    /// # Errors
    /// *Refused* if the service does not name it.
    pub fn name<'a>(&self, given: &'a Value) -> Result<&'a str, AskError> {
        given.as_str().ok_or_else(|| AskError::unreadable(self.name, "the name of the account"))
    }

    pub async fn get(&self, path: &str) -> Result<Value, AskError> {
        self.json(Method::GET, path, None).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Result<Value, AskError> {
        self.json(Method::POST, path, Some(body)).await
    }

    /// Requests JSON; `null` if the answer has no body.
    pub async fn json(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Value, AskError> {
        let reply = self.ask(method, path, body, ANSWER_MAX).await?;
        self.judge(&reply)?;
        if reply.body.is_empty() { Ok(Value::Null) } else { self.parse(&reply) }
    }

    /// Requests a large JSON document.
    pub async fn get_large<T: DeserializeOwned>(&self, path: &str, most: usize) -> Result<T, AskError> {
        let reply = self.ask(Method::GET, path, None, most).await?;
        self.judge(&reply)?;
        self.parse(&reply)
    }

    /// Sends a request and reads the answer, whatever its status.
    pub async fn ask(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        most: usize,
    ) -> Result<Reply, AskError> {
        let url = format!("{}{path}", self.base);
        let mut request = match body {
            Some(body) => Request::post_json(url, body),
            None => Request::get(url),
        };
        request.method = method;
        for (name, value) in self.headers {
            request.headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        let request = request.secret_header(AUTHORIZATION, &self.proof.header())?;
        let exchange = async {
            let mut answer = self.client.stream(request, self.policy, most).await?;
            let mut body = Vec::new();
            while let Some(piece) = answer.next().await? {
                body.extend_from_slice(&piece);
            }
            Ok(Reply { status: answer.status, headers: answer.headers.clone(), body })
        };
        let late = || {
            AskError::Passing(format!(
                "{} did not answer completely within {} s",
                self.name,
                TIMEOUT.as_secs()
            ))
        };
        timeout(TIMEOUT, exchange).await.unwrap_or_else(|_| Err(late()))
    }

    /// # Errors
    /// If it is not JSON of that form. The message repeats nothing of it.
    pub fn parse<T: DeserializeOwned>(&self, reply: &Reply) -> Result<T, AskError> {
        serde_json::from_slice(&reply.body)
            .map_err(|_| AskError::unreadable(self.name, "the JSON that was expected"))
    }

    /// # Errors
    /// For a status of 400 or above.
    pub fn judge(&self, reply: &Reply) -> Result<(), AskError> {
        if reply.status.is_success() {
            return Ok(());
        }
        let status = reply.status.as_u16();
        let said = self.said(&reply.body);
        let said = if said.is_empty() { said } else { format!(": {said}") };
        let text = format!("{} answered {status}{said}", self.name);
        Err(match status {
            _ if is_limit(reply) => AskError::Busy { wait: pause(&reply.headers), text },
            401 | 410 => AskError::Revoked(text),
            404 => AskError::Missing(text),
            408 | 425 | 500.. => AskError::Passing(text),
            _ => AskError::Refused(text),
        })
    }

    /// The service's error message, without our secret.
    fn said(&self, body: &[u8]) -> String {
        let said = serde_json::from_slice(body).ok().and_then(|value: Value| message(&value));
        self.without_secret(&said.unwrap_or_default(), SAID_MAX)
    }

    /// The beginning of a service's message, on one line and without our secret.
    pub fn without_secret(&self, said: &str, most: usize) -> String {
        let header = self.proof.header();
        // The longest first, because the header contains the token.
        let secrets = [header.as_str(), header.rsplit(' ').next().unwrap_or_default(), self.proof.secret()];
        let is_secret = |secret: &&str| !secret.is_empty();
        let said = secrets
            .into_iter()
            .filter(is_secret)
            .fold(said.to_owned(), |said, secret| said.replace(secret, "…"));
        line(&said, most)
    }
}

/// Finds the error message in the formats of GitHub, Linear, Jira and Slack.
fn message(value: &Value) -> Option<String> {
    let text = |value: &Value| value.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    let first = |value: &Value| value.as_array().and_then(|list| list.first().cloned());
    let named = |value: &Value| {
        value.as_object().and_then(|fields| {
            Some(format!("{}: {}", fields.keys().next()?, fields.values().next()?.as_str()?))
        })
    };
    text(&value["message"])
        .map(|said| match first(&value["errors"]).and_then(|error| text(&error["message"])) {
            Some(more) => format!("{said}: {more}"),
            None => said,
        })
        .or_else(|| first(&value["errorMessages"]).as_ref().and_then(text))
        .or_else(|| named(&value["errors"]))
        .or_else(|| first(&value["errors"]).and_then(|error| text(&error["message"])))
        .or_else(|| text(&value["error"]))
}

/// Whether an answer is a rate limit: 429, or GitHub's 403 with the time of its end.
fn is_limit(reply: &Reply) -> bool {
    let header = |name: &str| reply.headers.get(name).and_then(|value| value.to_str().ok());
    match reply.status.as_u16() {
        429 => true,
        403 => reply.headers.contains_key(RETRY_AFTER) || header("x-ratelimit-remaining") == Some("0"),
        _ => false,
    }
}

/// How long to pause: `Retry-After` in seconds or as a time, or GitHub's `X-RateLimit-Reset`.
pub fn pause(headers: &HeaderMap) -> Duration {
    let now = Timestamp::now().millis();
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let until = |millis: i64| Duration::from_millis(u64::try_from(millis.saturating_sub(now)).unwrap_or(0));
    let asked = text("retry-after").and_then(|value| match value.parse() {
        Ok(seconds) => Some(Duration::from_secs(seconds)),
        Err(_) => Timestamp::parse_http(value).map(|at| until(at.millis())),
    });
    let reset = || text("x-ratelimit-reset")?.parse::<i64>().ok()?.checked_mul(1_000).map(until);
    asked.or_else(reset).unwrap_or(Duration::from_mins(1)).min(PAUSE_MAX)
}

#[cfg(test)]
mod tests;
