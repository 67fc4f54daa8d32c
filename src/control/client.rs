//! The command line's side of the socket.

use super::{ANSWERS, DISABLE, ENABLE, FILE, Lines, RESET_LINK, Request, USERS};
use crate::error::{Error, Result};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited};
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

/// Bytes of an answer's body.
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
        // There is no socket at a path that is too long, either.
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
    // HTTP requires a host; a socket has none.
    let head = hyper::Request::builder().method(method).uri(path).header(HOST, "localhost");
    head.header(CONTENT_TYPE, "application/json").body(body)
}

/// The server's reason for a refusal.
fn refusal(body: &[u8]) -> String {
    let detail = |body: &Value| body["detail"].as_str().map(str::to_owned);
    let told = serde_json::from_slice(body).ok().as_ref().and_then(detail);
    told.unwrap_or_else(|| crate::text::shown(&String::from_utf8_lossy(body), 200))
}
