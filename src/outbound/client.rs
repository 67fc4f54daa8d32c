//! One request: resolved once, checked, connected to what was checked, bounded.

use super::target::Target;
use super::{OutboundError, Policy, Request, Resolver, Response, SystemResolver, tls};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::client::conn::http1;
use hyper::header::{HOST, HeaderValue, LOCATION, USER_AGENT};
use hyper_util::rt::TokioIo;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::RootCertStore;
use tokio_rustls::rustls::pki_types::ServerName;

/// How long and how much.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// From the name to the last byte of the answer.
    pub total: Duration,
    /// For each of a host's addresses.
    pub connect: Duration,
    /// Bytes of an answer's body.
    pub body: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { total: Duration::from_secs(10), connect: Duration::from_secs(3), body: 1 << 20 }
    }
}

/// Sends requests, each over a connection of its own. Cheap to clone.
#[derive(Clone)]
pub struct Client {
    resolver: Arc<dyn Resolver>,
    tls: Arc<Connector>,
    limits: Limits,
}

/// Made when it is needed first: certificates of the system are hundreds of files, and a start waits for none.
type Connector = LazyLock<TlsConnector, Box<dyn FnOnce() -> TlsConnector + Send>>;

impl Client {
    /// With the system's resolver and roots. Certificate files are read at the first use: make one, and clone it.
    #[expect(clippy::new_without_default, reason = "it reads files, if later")]
    pub fn new() -> Self {
        Self::made(Arc::new(SystemResolver), tls::roots, Limits::default())
    }

    pub fn with(resolver: Arc<dyn Resolver>, roots: RootCertStore, limits: Limits) -> Self {
        Self::made(resolver, || roots, limits)
    }

    fn made(
        resolver: Arc<dyn Resolver>,
        roots: impl FnOnce() -> RootCertStore + Send + 'static,
        limits: Limits,
    ) -> Self {
        let tls = Arc::new(Connector::new(Box::new(|| tls::connector(roots()))));
        Self { resolver, tls, limits }
    }

    /// Waits for the files that are read at the first use where that holds up nobody.
    async fn connector(&self) -> Result<TlsConnector, String> {
        let tls = self.tls.clone();
        tokio::task::spawn_blocking(move || TlsConnector::clone(&tls))
            .await
            .map_err(|error| error.to_string())
    }

    /// Sends a request and reads the whole answer. A status of 400 and over is an answer.
    ///
    /// # Errors
    /// When the policy forbids the address, nobody answers in time, or the answer is a redirect or too large.
    pub async fn fetch(&self, request: Request, policy: Policy) -> Result<Response, OutboundError> {
        let target = Target::parse(&request.url, policy)?;
        self.in_time(&target, self.send(&target, request, policy)).await
    }

    /// The addresses a request would go to now, without one: what a check shows, and what is asked before
    /// a browser is sent somewhere.
    ///
    /// # Errors
    /// When the policy forbids the address, or the name has none.
    pub async fn check(&self, url: &str, policy: Policy) -> Result<Vec<IpAddr>, OutboundError> {
        let target = Target::parse(url, policy)?;
        let addresses = self.in_time(&target, self.addresses(&target, policy)).await?;
        Ok(addresses.iter().map(SocketAddr::ip).collect())
    }

    async fn in_time<T>(
        &self,
        target: &Target,
        work: impl Future<Output = Result<T, OutboundError>>,
    ) -> Result<T, OutboundError> {
        let late =
            || OutboundError::Timeout { host: target.host.clone(), seconds: self.limits.total.as_secs() };
        timeout(self.limits.total, work).await.unwrap_or_else(|_| Err(late()))
    }

    /// Every address of the host, all of them allowed.
    async fn addresses(&self, target: &Target, policy: Policy) -> Result<Vec<SocketAddr>, OutboundError> {
        if let Some(address) = target.literal {
            return Ok(vec![SocketAddr::new(address, target.port)]);
        }
        let unresolvable = |cause: String| OutboundError::Unresolvable { host: target.host.clone(), cause };
        let resolved = self.resolver.resolve(&target.host, target.port).await;
        let addresses = resolved.map_err(|error| unresolvable(error.to_string()))?;
        if addresses.is_empty() {
            return Err(unresolvable("the name has no addresses".to_owned()));
        }
        for address in &addresses {
            target.judge_address(address.ip(), policy)?;
        }
        Ok(addresses)
    }

    async fn send(
        &self,
        target: &Target,
        request: Request,
        policy: Policy,
    ) -> Result<Response, OutboundError> {
        let addresses = self.addresses(target, policy).await?;
        let stream = self.connect(target, &addresses).await?;
        if !target.tls {
            return self.exchange(stream, target, request).await;
        }
        let fault = |cause: String| OutboundError::Tls { host: target.host.clone(), cause };
        let name = ServerName::try_from(target.host.clone()).map_err(|error| fault(error.to_string()))?;
        let tls = self.connector().await.map_err(fault)?;
        let stream = tls.connect(name, stream).await.map_err(|error| fault(error.to_string()))?;
        self.exchange(stream, target, request).await
    }

    /// To the first of the addresses that takes a connection.
    async fn connect(&self, target: &Target, addresses: &[SocketAddr]) -> Result<TcpStream, OutboundError> {
        let mut last = None;
        for address in in_turn(addresses) {
            let cause = match timeout(self.limits.connect, TcpStream::connect(address)).await {
                Ok(Ok(stream)) => return Ok(stream),
                Ok(Err(error)) => error.to_string(),
                Err(_) => format!("no answer within {} s", self.limits.connect.as_secs()),
            };
            last = Some(OutboundError::Connect { host: target.host.clone(), address, cause });
        }
        Err(last.unwrap_or_else(|| OutboundError::Address("the host has no addresses".to_owned())))
    }

    async fn exchange(
        &self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        target: &Target,
        request: Request,
    ) -> Result<Response, OutboundError> {
        let broken = |error: hyper::Error| broken(target, &error);
        let request = to_hyper(target, request)?;
        let (mut sender, connection) = http1::Builder::new()
            .max_buf_size(64 * 1024)
            .handshake(TokioIo::new(stream))
            .await
            .map_err(broken)?;
        // Ends with this function, whichever way it is left.
        let mut tasks = JoinSet::new();
        tasks.spawn(connection);
        let response = sender.send_request(request).await.map_err(broken)?;
        let (head, body) = response.into_parts();
        if head.status.is_redirection() {
            let to = shown_location(head.headers.get(LOCATION));
            return Err(OutboundError::Redirect { host: target.host.clone(), status: head.status, to });
        }
        let body = self.read(target, body).await?;
        Ok(Response { status: head.status, headers: head.headers, body })
    }

    async fn read(&self, target: &Target, body: hyper::body::Incoming) -> Result<Vec<u8>, OutboundError> {
        let limit = self.limits.body;
        let read = Limited::new(body, limit).collect().await.map_err(|error| {
            let host = target.host.clone();
            match error.downcast::<LengthLimitError>() {
                Ok(_) => OutboundError::TooLarge { host, limit },
                Err(error) => OutboundError::Broken { host, cause: error.to_string() },
            }
        })?;
        Ok(read.to_bytes().to_vec())
    }
}

/// One of each family in turn, beginning with the resolver's first: where one family leads nowhere, the
/// other is reached before the deadline.
fn in_turn(addresses: &[SocketAddr]) -> Vec<SocketAddr> {
    let first = addresses.first().is_some_and(SocketAddr::is_ipv4);
    let (mut these, mut others): (Vec<_>, Vec<_>) =
        addresses.iter().rev().copied().partition(|address| address.is_ipv4() == first);
    let mut order = Vec::new();
    while !these.is_empty() || !others.is_empty() {
        order.extend(these.pop());
        order.extend(others.pop());
    }
    order
}

fn broken(target: &Target, error: &hyper::Error) -> OutboundError {
    OutboundError::Broken { host: target.host.clone(), cause: error.to_string() }
}

fn to_hyper(target: &Target, request: Request) -> Result<hyper::Request<Full<Bytes>>, OutboundError> {
    let wrong = |error: &dyn std::fmt::Display| OutboundError::Address(format!("not an address: {error}"));
    let host = HeaderValue::try_from(target.authority()).map_err(|error| wrong(&error))?;
    let mut to = hyper::Request::builder()
        .method(request.method)
        .uri(target.path())
        .body(Full::new(Bytes::from(request.body)))
        .map_err(|error| wrong(&error))?;
    *to.headers_mut() = request.headers;
    to.headers_mut().insert(HOST, host);
    let agent = HeaderValue::from_static(concat!("Mayday/", env!("CARGO_PKG_VERSION")));
    to.headers_mut().insert(USER_AGENT, agent);
    Ok(to)
}

/// Host and path only: a query may hold a secret.
fn shown_location(location: Option<&HeaderValue>) -> String {
    let text = location.and_then(|value| value.to_str().ok()).unwrap_or("nowhere");
    crate::text::shown(text.split(['?', '#']).next().unwrap_or_default(), 200)
}

#[cfg(test)]
mod tests;
