//! The command line's side of the socket.

use super::snapshot::{CallerDirectory, Line, Snapshot};
use super::{ANSWERS, DISABLE, ENABLE, FILE, Lines, RESET_LINK, Request, SNAPSHOT, USERS};
use crate::error::{Error, Result};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper::header::{CONTENT_TYPE, HOST};
use hyper::{Method, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use std::error::Error as StdError;
use std::io;
use std::path::Path;
use tokio::net::UnixStream;
use tokio::task::JoinSet;

/// The largest answer body, in bytes.
const ANSWER_MAX: usize = 16 << 20;

/// Sends a request to the running server; `None` if none is listening. Blocks for 30 s at most.
///
/// # Errors
/// Invalid, with the server's reason; internal if communication fails.
pub fn ask(data_dir: &Path, request: &Request) -> Result<Option<Lines>> {
    let path = data_dir.join(FILE);
    let fault = |error: &dyn std::fmt::Display| Error::internal(format!("{}: {error}", path.display()));
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| fault(&error))?;
    let answered = runtime.block_on(async {
        let Some(stream) = connect(&path).await? else { return Ok(None) };
        tokio::time::timeout(ANSWERS, exchange(stream, request)).await?.map(Some)
    });
    match answered.map_err(|error: Box<dyn StdError + Send + Sync>| fault(&error))? {
        None => Ok(None),
        Some((status, body)) if status.is_success() => {
            serde_json::from_slice(&body).map(Some).map_err(|error| fault(&error))
        }
        Some((_, body)) => Err(Error::invalid(refusal(&body))),
    }
}

async fn connect(path: &Path) -> Result<Option<UnixStream>, Box<dyn StdError + Send + Sync>> {
    use io::ErrorKind::{ConnectionRefused, InvalidInput, NotFound};
    match UnixStream::connect(path).await {
        Ok(stream) => Ok(Some(stream)),
        // A path that is too long for a socket has no server, either.
        Err(error) if matches!(error.kind(), NotFound | ConnectionRefused | InvalidInput) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

async fn exchange(
    stream: UnixStream,
    request: &Request,
) -> Result<(StatusCode, Bytes), Box<dyn StdError + Send + Sync>> {
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    // Aborted when this function returns, whichever way.
    let mut tasks = JoinSet::new();
    tasks.spawn(connection);
    let answer = sender.send_request(to_http(request)?).await?;
    let status = answer.status();
    Ok((status, Limited::new(answer.into_body(), ANSWER_MAX).collect().await?.to_bytes()))
}

fn to_http(request: &Request) -> Result<hyper::Request<Full<Bytes>>, hyper::http::Error> {
    let (method, path, body) = match request {
        Request::UserList => (Method::GET, USERS, None),
        Request::UserAdd(user) => (Method::POST, USERS, Some(json!(user))),
        Request::UserDisable(user) => (Method::POST, DISABLE, Some(json!(user))),
        Request::UserEnable(user) => (Method::POST, ENABLE, Some(json!(user))),
        Request::UserResetLink(user) => (Method::POST, RESET_LINK, Some(json!(user))),
    };
    let body = Full::from(body.map_or_else(String::new, |body| body.to_string()));
    head(method, path).body(body)
}

fn head(method: Method, path: &str) -> hyper::http::request::Builder {
    // HTTP requires a host; a socket has none.
    let head = hyper::Request::builder().method(method).uri(path).header(HOST, "localhost");
    head.header(CONTENT_TYPE, "application/json")
}

/// Has the running server make a snapshot, and calls `with` with it; `None` if no server is running. `tell` receives
/// the progress. The snapshot is removed when this returns, unless `with` moved it. Blocks until then.
///
/// # Errors
/// Invalid, with the server's reason; internal if communication fails or the server stops; the errors of `with`.
pub fn copy_snapshot<T>(
    data_dir: &Path,
    work: &CallerDirectory,
    tell: &dyn Fn(u64, u64),
    with: impl FnOnce(&Snapshot) -> Result<T>,
) -> Result<Option<T>> {
    let path = data_dir.join(FILE);
    let fault = |error: &dyn std::fmt::Display| Error::internal(format!("{}: {error}", path.display()));
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| fault(&error))?;
    // `with` runs outside, so that it may block on a runtime of its own; the connection stays open meanwhile.
    let made = runtime.block_on(async {
        let Some(stream) = connect(&path).await.map_err(|error| fault(&error))? else { return Ok(None) };
        let (mut sender, connection) =
            http1::handshake(TokioIo::new(stream)).await.map_err(|error| fault(&error))?;
        // Aborted when this function returns, which ends the connection.
        let mut tasks = JoinSet::new();
        tasks.spawn(connection);
        let request = head(Method::POST, SNAPSHOT).body(Full::<Bytes>::from(json!(work).to_string()));
        let request = request.map_err(|error| fault(&error))?;
        let answer = tokio::time::timeout(ANSWERS, sender.send_request(request)).await;
        let answer = answer.map_err(|error| fault(&error))?;
        let mut answer = answer.map_err(|error| if error.is_parse() { fault(&error) } else { ended() })?;
        if !answer.status().is_success() {
            let body = Limited::new(answer.into_body(), ANSWER_MAX).collect().await;
            return Err(Error::invalid(refusal(&body.map_err(|error| fault(&error))?.to_bytes())));
        }
        let copied = wait(answer.body_mut(), tell, &fault).await?;
        Ok(Some((copied, (answer, sender, tasks))))
    })?;
    let Some((copied, _open)) = made else { return Ok(None) };
    with(&copied).map(Some)
}

fn ended() -> Error {
    Error::internal("the server ended while it made the copy: see its log")
}

/// Reads lines until one reports the outcome.
async fn wait(
    body: &mut Incoming,
    tell: &dyn Fn(u64, u64),
    fault: &dyn Fn(&dyn std::fmt::Display) -> Error,
) -> Result<Snapshot> {
    let mut text = Vec::new();
    loop {
        let frame = tokio::time::timeout(ANSWERS, body.frame()).await;
        let frame = frame.map_err(|_| fault(&format_args!("no answer for {} s", ANSWERS.as_secs())))?;
        let Some(Ok(frame)) = frame else { return Err(ended()) };
        text.extend_from_slice(frame.data_ref().map_or(&[][..], |bytes| bytes));
        while let Some(end) = text.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = text.drain(..=end).collect();
            match serde_json::from_slice(&line).map_err(|error| fault(&error))? {
                Line::Progress(done, expected) => tell(done, expected),
                Line::Copied(copied) => return Ok(copied),
                Line::Failed(reason) => return Err(Error::invalid(reason)),
            }
        }
        if text.len() > ANSWER_MAX {
            return Err(fault(&"a line of the answer is too long"));
        }
    }
}

/// The server's reason for a refusal.
fn refusal(body: &[u8]) -> String {
    let detail = |body: &Value| body["detail"].as_str().map(str::to_owned);
    let told = serde_json::from_slice(body).ok().as_ref().and_then(detail);
    told.unwrap_or_else(|| crate::text::shown(&String::from_utf8_lossy(body), 200))
}
