//! Requests to the server. Transient failures are retried: a pipeline should not fail because the server was
//! restarted.

use super::{Failure, Progress, Result};
use crate::outbound::{Body, Client, OutboundError, Policy, Request};
use bytes::Bytes;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};
use hyper::{Method, StatusCode};
use serde_json::Value;
use std::fs::File;
use std::io::{self, Read as _, Seek as _};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// How long a request is retried after its first failure.
const PATIENCE: Duration = Duration::from_mins(5);
/// The first and the longest pause between two attempts.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(20);
/// The time limit of a request without a file.
const TOTAL: Duration = Duration::from_mins(1);
/// The server may send nothing for a while when it converts a bundle of large maps.
const STALL: Duration = Duration::from_mins(10);
/// Bytes of an answer.
const ANSWER_MAX: usize = 32 << 20;
/// Bytes of a file that are read at once.
const PIECE: usize = 64 << 10;

/// A server and a key.
pub(in crate::cli) struct Api {
    client: Client,
    runtime: Runtime,
    base: String,
    key: String,
}

/// An answer of the server.
pub(in crate::cli) struct Reply {
    pub(in crate::cli) status: StatusCode,
    pub(in crate::cli) body: Value,
    retry_after: Option<Duration>,
}

impl Reply {
    /// The body of a success.
    pub(in crate::cli) fn done(self) -> Result<Value> {
        if self.status.is_success() { Ok(self.body) } else { Err(Failure::new(self.refusal())) }
    }

    /// The error message in the answer.
    pub(in crate::cli) fn refusal(&self) -> String {
        let hint = match self.status.as_u16() {
            401 => ". Is MAYDAY_KEY a key of this server, and not revoked?",
            403 => ". The key needs the permission `releases`",
            _ => "",
        };
        match self.body["detail"].as_str() {
            Some(detail) => format!("{}{hint} ({})", detail.trim_end_matches('.'), self.status.as_u16()),
            None => format!(
                "the server answered {}{hint}. Is MAYDAY_URL the address of a Mayday server?",
                self.status
            ),
        }
    }

    fn is_temporary(&self) -> bool {
        matches!(self.status.as_u16(), 408 | 429 | 500 | 502 | 503 | 504)
    }
}

/// The body of a request.
pub(in crate::cli) enum Content<'a> {
    Nothing,
    Json(&'a Value),
    /// A zip, and its progress bar.
    File(&'a File, Progress),
}

impl Api {
    pub(super) fn new(url: &str, key: &str) -> Result<Self> {
        let base = url.trim_end_matches('/').trim_end_matches("/api/v1").to_owned();
        crate::outbound::read(&base, Policy::Open)
            .map_err(|error| Failure::Usage(format!("the server's address `{base}`: {error}")))?;
        HeaderValue::from_str(key)
            .map_err(|_| Failure::Usage("the key contains characters that no key has".into()))?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| Failure::new(error.to_string()))?;
        Ok(Self { client: Client::new().within(TOTAL).stalling(STALL), runtime, base, key: key.to_owned() })
    }

    pub(in crate::cli) fn get(&self, path: &str) -> Result<Reply> {
        self.send(&Method::GET, path, &Content::Nothing)
    }

    pub(in crate::cli) fn delete(&self, path: &str) -> Result<Reply> {
        self.send(&Method::DELETE, path, &Content::Nothing)
    }

    pub(in crate::cli) fn post(&self, path: &str, body: &Value) -> Result<Reply> {
        self.send(&Method::POST, path, &Content::Json(body))
    }

    /// The project that the key belongs to.
    pub(in crate::cli) fn project(&self) -> Result<i64> {
        let me = self.get("/api/v1/me")?.done()?;
        me["project_id"].as_i64().ok_or_else(|| Failure::new("MAYDAY_KEY is not a project key"))
    }

    /// Sends a request, and retries while another attempt might succeed.
    pub(in crate::cli) fn send(&self, method: &Method, path: &str, content: &Content<'_>) -> Result<Reply> {
        let (start, mut pause) = (Instant::now(), FIRST_PAUSE);
        loop {
            let (why, asked) = match self.runtime.block_on(self.attempt(method, path, content)) {
                Ok(reply) if !reply.is_temporary() => return Ok(reply),
                Ok(reply) => (reply.refusal(), reply.retry_after),
                Err(error) if is_temporary(&error) => (error.to_string(), None),
                Err(error) => return Err(Failure::new(error.to_string())),
            };
            let wait = asked.unwrap_or(pause).max(Duration::from_millis(100));
            if start.elapsed() + wait > PATIENCE {
                return Err(Failure::new(why));
            }
            let line = format!("{why}; trying again in {} s", wait.as_secs().max(1));
            match content {
                Content::File(_, progress) => progress.line(&line),
                _ => super::super::note(&line),
            }
            std::thread::sleep(wait);
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    async fn attempt(
        &self,
        method: &Method,
        path: &str,
        content: &Content<'_>,
    ) -> Result<Reply, OutboundError> {
        let mut headers = HeaderMap::new();
        let body = match content {
            Content::Nothing => Body::from(Vec::new()),
            Content::Json(json) => {
                headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
                Body::from(json.to_string().into_bytes())
            }
            Content::File(file, progress) => {
                headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/zip"));
                pieces(file, progress)
                    .map_err(|error| OutboundError::Address(format!("the bundle: {error}")))?
            }
        };
        let url = format!("{}{path}", self.base);
        let request = Request { method: method.clone(), url, headers, body };
        let request = request.secret_header(AUTHORIZATION, &format!("Bearer {}", self.key))?;
        let mut answer = self.client.stream(request, Policy::Open, ANSWER_MAX).await?;
        let mut bytes = Vec::new();
        while let Some(piece) = answer.next().await? {
            bytes.extend_from_slice(&piece);
        }
        let seconds = answer.headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
        Ok(Reply {
            status: answer.status,
            body: serde_json::from_slice(&bytes).unwrap_or(Value::Null),
            retry_after: seconds.map(Duration::from_secs),
        })
    }
}

/// A file from its beginning, read while it is sent.
fn pieces(file: &File, progress: &Progress) -> io::Result<Body> {
    let mut file = file.try_clone()?;
    file.rewind()?;
    let length = file.metadata()?.len();
    let state = (file, progress.clone(), 0_u64);
    let stream = futures_util::stream::try_unfold(state, |(mut file, mut progress, sent)| async move {
        let mut piece = vec![0; PIECE];
        let read = file.read(&mut piece)?;
        piece.truncate(read);
        let sent = sent + read as u64;
        progress.at(sent);
        Ok((read > 0).then(|| (Bytes::from(piece), (file, progress, sent))))
    });
    Ok(Body::of_pieces(Some(length), stream))
}

/// Whether a later attempt may succeed: the server may be restarting, or a proxy in front of it.
fn is_temporary(error: &OutboundError) -> bool {
    use OutboundError::{Broken, Connect, Stalled, Timeout};
    matches!(error, Connect { .. } | Timeout { .. } | Stalled { .. } | Broken { .. })
}
