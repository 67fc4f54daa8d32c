//! Mail through an HTTP API of Resend's shape.

use super::{CONNECT, Failure, Letter};
use crate::config::Secret;
use crate::text;
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::{Request, header};
use hyper_util::rt::TokioIo;
use lettre::message::Mailbox;
use serde_json::json;
use std::sync::{Arc, OnceLock};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::{self, ClientConfig, RootCertStore, pki_types::ServerName};
use url::Url;

/// Bytes of an answer that are read.
const ANSWER_MAX: usize = 64 << 10;
/// Characters of the API's own words that are repeated.
const SAID_MAX: usize = 200;

type AnyError = Box<dyn std::error::Error + Send + Sync>;

/// Posts the letter. 400, 413 and 422 speak of the letter itself and are final; a refused key, a wrong
/// address or a limit is passing, since the operator or time mends it.
pub(super) async fn send(url: &str, key: &Secret, from: &Mailbox, letter: &Letter) -> Result<(), Failure> {
    let body = json!({
        "from": from.to_string(),
        "to": [letter.to],
        "subject": letter.subject,
        "text": letter.text,
    });
    let bearer = format!("Bearer {}", key.as_str());
    let headers = [("authorization", bearer.as_str()), ("idempotency-key", letter.idempotency_key.as_str())];
    let answer = post_json(url, &headers, body.to_string().into_bytes()).await;
    let (status, body) =
        answer.map_err(|error| Failure::passing(format!("the mail API cannot be reached: {error}")))?;
    if (200..300).contains(&status) {
        return Ok(());
    }
    let text = format!("the mail API answered {status}{}", said(&body, key));
    let permanent = matches!(status, 400 | 413 | 422);
    Err(if permanent { Failure::permanent(text) } else { Failure::passing(text) })
}

/// The API's own words, without the key if they repeat it.
fn said(body: &[u8], key: &Secret) -> String {
    let message = |value: serde_json::Value| Some(value.get("message")?.as_str()?.to_owned());
    match serde_json::from_slice(body).ok().and_then(message) {
        Some(message) => format!(": {}", text::shown(&message.replace(key.as_str(), "…"), SAID_MAX)),
        None => String::new(),
    }
}

/// Posts JSON; the answer's status, and its body of at most 64 KiB. The caller sets the deadline.
async fn post_json(url: &str, headers: &[(&str, &str)], body: Vec<u8>) -> Result<(u16, Bytes), AnyError> {
    let url = Url::parse(url)?;
    let host = url.host_str().ok_or("the address has no host")?;
    let port = url.port_or_known_default().ok_or("the address has no port")?;
    let name = host.trim_start_matches('[').trim_end_matches(']');
    let stream = tokio::time::timeout(CONNECT, TcpStream::connect((name, port)))
        .await
        .map_err(|_| "the connection took too long")??;
    let target = &url[url::Position::BeforePath..url::Position::AfterQuery];
    let authority = &url[url::Position::BeforeHost..url::Position::AfterPort];
    let mut request = Request::post(target)
        .header(header::HOST, authority)
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::USER_AGENT, concat!("mayday/", env!("CARGO_PKG_VERSION")));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Full::new(Bytes::from(body)))?;
    if url.scheme() == "http" {
        return exchange(stream, request).await;
    }
    let stream = TlsConnector::from(tls()?).connect(ServerName::try_from(name.to_owned())?, stream).await?;
    exchange(stream, request).await
}

async fn exchange<S>(stream: S, request: Request<Full<Bytes>>) -> Result<(u16, Bytes), AnyError>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    let answer = async {
        let answer = sender.send_request(request).await?;
        let status = answer.status().as_u16();
        let body = Limited::new(answer.into_body(), ANSWER_MAX).collect().await?.to_bytes();
        Ok((status, body))
    };
    // The connection is driven here, so that a deadline ends it, too.
    let connection = async {
        let _ = connection.await;
        std::future::pending::<()>().await;
    };
    tokio::select! {
        answer = answer => answer,
        () = connection => Err("the connection ended".into()),
    }
}

/// The system's certificates; where it has none, those of `webpki-roots`.
fn tls() -> Result<Arc<ClientConfig>, AnyError> {
    static CONFIG: OnceLock<Arc<ClientConfig>> = OnceLock::new();
    if let Some(config) = CONFIG.get() {
        return Ok(config.clone());
    }
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(CONFIG.get_or_init(|| Arc::new(config)).clone())
}
