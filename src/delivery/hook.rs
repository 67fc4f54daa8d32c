//! Sends JSON to an address that a project's people entered: a webhook, or one of a chat.
//!
//! Messages are signed according to Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`). The
//! id is the delivery's, so it is the same in each attempt; the time is the attempt's.

use super::Failure;
use crate::crypto::token;
use crate::error::Result;
use crate::outbound::{Client, OutboundError, Policy, Request, Response};
use crate::text;
use crate::time::Timestamp;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper::Method;
use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use std::time::Duration;

/// The prefix of a signing secret; the rest is the key in Base64.
pub const SECRET_PREFIX: &str = "whsec_";
/// Bytes of a signing key.
const KEY_LENGTH: usize = 24;
/// The time limit from name resolution to the last byte of the answer.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The longest pause that an answer can impose.
const PAUSE_MAX: Duration = Duration::from_hours(1);
/// Characters of an answer that are repeated.
const SAID_MAX: usize = 200;

/// A request to send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    pub url: String,
    /// A JSON document.
    pub body: String,
    /// The value of `Authorization`.
    pub authorization: Option<String>,
    /// Signs the body; without one it is not signed.
    pub secret: Option<String>,
}

/// A new signing secret.
pub fn new_secret() -> String {
    format!("{SECRET_PREFIX}{}", STANDARD.encode(token::random::<KEY_LENGTH>()))
}

/// The value of `webhook-signature`; `None` if the secret is malformed.
pub fn signature(secret: &str, id: &str, seconds: i64, body: &str) -> Option<String> {
    let key = STANDARD.decode(secret.strip_prefix(SECRET_PREFIX)?).ok()?;
    let hash = token::signature(&key, format!("{id}.{seconds}.{body}").as_bytes());
    Some(format!("v1,{}", STANDARD.encode(hash)))
}

/// Sends hooks.
pub struct Hooks {
    client: Client,
    policy: Policy,
}

impl Hooks {
    pub fn new(client: &Client, policy: Policy) -> Self {
        Self { client: client.within(TIMEOUT), policy }
    }

    /// Makes one attempt; `id` is the same for all attempts.
    ///
    /// # Errors
    /// Why the message was not accepted.
    pub async fn post(&self, hook: &Hook, id: &str) -> Result<(), Failure> {
        let request = request(hook, id).map_err(|error| Failure::permanent(error.to_string()))?;
        let answer = self.client.send(request, self.policy).await;
        judge(&answer.map_err(|error| unanswered(&error))?)
    }
}

fn request(hook: &Hook, id: &str) -> Result<Request, OutboundError> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let body = hook.body.clone().into_bytes();
    let mut request = Request { method: Method::POST, url: hook.url.clone(), headers, body };
    if let Some(value) = &hook.authorization {
        request = request.secret_header(hyper::header::AUTHORIZATION, value)?;
    }
    let seconds = Timestamp::now().millis() / 1_000;
    request = request
        .secret_header(HeaderName::from_static("webhook-id"), id)?
        .secret_header(HeaderName::from_static("webhook-timestamp"), &seconds.to_string())?;
    match hook.secret.as_ref().and_then(|secret| signature(secret, id, seconds, &hook.body)) {
        Some(signature) => request.secret_header(HeaderName::from_static("webhook-signature"), &signature),
        None => Ok(request),
    }
}

/// A forbidden address stays forbidden; any other failure may be transient.
fn unanswered(error: &OutboundError) -> Failure {
    match error {
        OutboundError::Address(_)
        | OutboundError::NotHttps { .. }
        | OutboundError::Private { .. }
        | OutboundError::Redirect { .. }
        | OutboundError::Header(_) => Failure::permanent(error.to_string()),
        _ => Failure::passing(error.to_string()),
    }
}

/// 410 means that the receiver wants no further messages. Errors about the message itself (400, 413, 422) are
/// permanent.
fn judge(answer: &Response) -> Result<(), Failure> {
    if answer.status.is_success() {
        return Ok(());
    }
    let status = answer.status.as_u16();
    let said = text::line(&String::from_utf8_lossy(&answer.body), SAID_MAX);
    let said = if said.is_empty() { said } else { format!(": {said}") };
    let text = format!("the receiver answered {status}{said}");
    Err(match status {
        410 => Failure { is_gone: true, ..Failure::permanent(text) },
        400 | 413 | 422 => Failure::permanent(text),
        _ => Failure { wait: pause(&answer.headers), ..Failure::passing(text) },
    })
}

/// The pause in `Retry-After`, in seconds or as a time.
fn pause(headers: &HeaderMap) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let wait = match value.parse::<u64>() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => {
            let until = Timestamp::parse_http(value)?.millis() - Timestamp::now().millis();
            Duration::from_millis(u64::try_from(until).unwrap_or(0))
        }
    };
    Some(wait.min(PAUSE_MAX))
}

#[cfg(test)]
mod tests;
