//! Requests to the server.

use crate::outbound::{Client, OutboundError, Policy, Request};
use hyper::header::{AUTHORIZATION, HeaderMap, RETRY_AFTER};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Runtime;

/// The time limit of requests that the server does not hold.
const TOTAL: Duration = Duration::from_secs(30);
/// How long a request is awaited after it was to stop, because its answer may be under way. A claim may take longer to
/// be answered: the server takes it back when the runner hangs up.
const LAST: Duration = Duration::from_secs(3);
/// Bytes of an answer, for example a session with its context.
const ANSWER_MAX: usize = 16 << 20;
/// Pauses between retries while the server cannot be reached.
pub(super) const FIRST_PAUSE: Duration = Duration::from_secs(1);
pub(super) const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// Why a request failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The server cannot be reached, or asks to retry later.
    Passing { why: String, wait: Option<Duration> },
    /// The runner's token is no longer valid: the runner was deleted.
    Token(String),
    /// This runner no longer has the session.
    Lost(String),
    /// Any other failure that a retry would not change.
    Final(String),
}

impl Refusal {
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Passing { why, .. } | Self::Token(why) | Self::Lost(why) | Self::Final(why) => why,
        }
    }
}

pub(super) type Result<T> = std::result::Result<T, Refusal>;

/// A client for the server. Cheap to clone.
#[derive(Clone)]
pub(super) struct Server {
    client: Client,
    runtime: Arc<Runtime>,
    pub(super) base: String,
    token: String,
}

impl Server {
    /// # Errors
    /// If the address is invalid.
    pub(super) fn new(url: &str, token: &str, runtime: Arc<Runtime>) -> std::result::Result<Self, String> {
        let base = url.trim_end_matches('/').trim_end_matches("/api").to_owned();
        crate::outbound::read(&base, Policy::Open)
            .map_err(|error| format!("the server's address `{base}`: {error}"))?;
        let token = token.trim().to_owned();
        if !token.starts_with("rt_") || token.chars().any(|c| !c.is_ascii_graphic()) {
            return Err("the token is none of a runner: expected rt_…, as shown when the runner was created"
                .to_owned());
        }
        Ok(Self { client: Client::new().within(TOTAL).taking(ANSWER_MAX), runtime, base, token })
    }

    /// The runtime for concurrent work.
    pub(super) fn runtime(&self) -> &tokio::runtime::Handle {
        self.runtime.handle()
    }

    /// Posts to `/api/runners/self/…`; `None` for an answer without a body.
    pub(super) fn post<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> Result<Option<T>> {
        self.runtime.block_on(self.attempt(&self.client, path, body))
    }

    /// The same within a time, if that is shorter than usual.
    pub(super) fn post_within<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
        most: Duration,
    ) -> Result<Option<T>> {
        self.runtime.block_on(self.attempt(&self.client.within(most.min(TOTAL)), path, body))
    }

    /// The same for a request that the server may hold for a while. Abandoned soon after `stop` is ready.
    pub(super) fn post_and_wait<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
        most: Duration,
        stop: impl Future<Output = ()>,
    ) -> Option<Result<Option<T>>> {
        let client = self.client.within(most + TOTAL);
        self.runtime.block_on(async {
            let answer = self.attempt(&client, path, body);
            tokio::pin!(answer);
            tokio::select! {
                biased;
                answer = &mut answer => Some(answer),
                () = stop => tokio::time::timeout(LAST, answer).await.ok(),
            }
        })
    }

    async fn attempt<T: DeserializeOwned>(
        &self,
        client: &Client,
        path: &str,
        body: &impl Serialize,
    ) -> Result<Option<T>> {
        let body = serde_json::to_value(body).map_err(|error| Refusal::Final(error.to_string()))?;
        let request = Request::post_json(format!("{}/api/runners/self/{path}", self.base), &body)
            .secret_header(AUTHORIZATION, &format!("Bearer {}", self.token))
            .map_err(|error| Refusal::Final(error.to_string()))?;
        let answer = client.fetch(request, Policy::Open).await.map_err(|error| unanswered(&error))?;
        if answer.status.is_success() {
            if answer.body.is_empty() {
                return Ok(None);
            }
            let read = serde_json::from_slice(&answer.body);
            return read.map(Some).map_err(|error| Refusal::Final(format!("the server's answer: {error}")));
        }
        let said: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        let words = said["error"].as_str().or(said["detail"].as_str());
        let why = words.map_or_else(|| format!("the server answered {}", answer.status), str::to_owned);
        // A proxy in front of the server may also answer like this while the server is down.
        let is_ours = said["code"].is_string();
        Err(match answer.status.as_u16() {
            401 | 403 if is_ours => Refusal::Token(why),
            404 | 409 if is_ours => Refusal::Lost(why),
            401 | 403 | 404 | 408 | 409 | 429 | 500.. => {
                Refusal::Passing { why, wait: wait(&answer.headers) }
            }
            _ => Refusal::Final(why),
        })
    }
}

fn wait(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds).min(LONGEST_PAUSE))
}

fn unanswered(error: &OutboundError) -> Refusal {
    match error {
        OutboundError::Address(_)
        | OutboundError::NotHttps { .. }
        | OutboundError::Private { .. }
        | OutboundError::Header(_) => Refusal::Final(error.to_string()),
        _ => Refusal::Passing { why: error.to_string(), wait: None },
    }
}

/// Growing pauses while the server cannot be reached.
pub(super) struct Pauses(Duration);

impl Pauses {
    pub(super) fn new() -> Self {
        Self(FIRST_PAUSE)
    }

    pub(super) fn next(&mut self, refusal: &Refusal) -> Duration {
        let pause = match refusal {
            Refusal::Passing { wait: Some(wait), .. } => *wait,
            _ => self.0,
        };
        self.0 = (self.0 * 2).min(LONGEST_PAUSE);
        pause.max(Duration::from_millis(100))
    }
}
