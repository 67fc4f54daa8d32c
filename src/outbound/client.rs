//! One request: the host is resolved once and checked, the connection goes to a checked address, and the
//! answer is limited.

use super::body::Cause;
use super::target::Target;
use super::watched::TimedStream;
use super::{Answer, Body, OutboundError, Policy, Request, Resolver, Response, SystemResolver, tls};
use bytes::Bytes;
use http_body_util::combinators::UnsyncBoxBody;
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

/// Limits on time and size.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// From name resolution to the last byte of the answer.
    pub total: Duration,
    /// For connecting to each of a host's addresses.
    pub connect: Duration,
    /// Bytes of an answer's body.
    pub body: usize,
    /// How long a connection may be idle in both directions while a body is streamed.
    pub stall: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let (total, stall) = (Duration::from_secs(10), Duration::from_secs(30));
        Self { total, connect: Duration::from_secs(3), body: 1 << 20, stall }
    }
}

/// If only the status matters, the most bytes that are read of the answer, and how long that may take.
const BEGINNING: usize = 64 << 10;
const PATIENCE: Duration = Duration::from_secs(2);

/// Sends requests, each over its own connection. Cheap to clone.
#[derive(Clone)]
pub struct Client {
    resolver: Arc<dyn Resolver>,
    tls: Arc<Connector>,
    limits: Limits,
}

/// Created at the first use: the system's certificates are hundreds of files, which should not delay the start.
type Connector = LazyLock<TlsConnector, Box<dyn FnOnce() -> TlsConnector + Send>>;

impl Client {
    /// A client with the system's resolver and root certificates, which are read at the first use: create one
    /// client, and clone it.
    #[expect(clippy::new_without_default, reason = "it reads files, although only later")]
    pub fn new() -> Self {
        Self::made(Arc::new(SystemResolver), tls::roots, Limits::default())
    }

    pub fn with(resolver: Arc<dyn Resolver>, roots: RootCertStore, limits: Limits) -> Self {
        Self::made(resolver, || roots, limits)
    }

    /// The same client, with another limit on the whole time of a request.
    #[must_use]
    pub fn within(&self, total: Duration) -> Self {
        Self { limits: Limits { total, ..self.limits }, ..self.clone() }
    }

    /// The same client with another limit on a stalled connection.
    #[must_use]
    pub fn stalling(&self, stall: Duration) -> Self {
        Self { limits: Limits { stall, ..self.limits }, ..self.clone() }
    }

    /// The same client with another size limit for answers.
    #[must_use]
    pub fn taking(&self, body: usize) -> Self {
        Self { limits: Limits { body, ..self.limits }, ..self.clone() }
    }

    fn made(
        resolver: Arc<dyn Resolver>,
        roots: impl FnOnce() -> RootCertStore + Send + 'static,
        limits: Limits,
    ) -> Self {
        let tls = Arc::new(Connector::new(Box::new(|| tls::connector(roots()))));
        Self { resolver, tls, limits }
    }

    /// Waits, without blocking the runtime, for the files that are read at the first use.
    async fn connector(&self) -> Result<TlsConnector, String> {
        let tls = self.tls.clone();
        tokio::task::spawn_blocking(move || TlsConnector::clone(&tls))
            .await
            .map_err(|error| error.to_string())
    }

    /// Sends a request and reads the whole answer. A status of 400 and over is an answer.
    ///
    /// # Errors
    /// If the policy forbids the address, there is no answer in time, or the answer is a redirect or too
    /// large.
    pub async fn fetch(&self, request: Request, policy: Policy) -> Result<Response, OutboundError> {
        let target = Target::parse(&request.url, policy)?;
        let exchange = async {
            let stream = self.open(&target, policy).await?;
            self.exchange(stream, &target, request, self.limits.body).await?.whole().await
        };
        self.in_time(&target, exchange).await
    }

    /// Sends a request and reads only the status and the beginning of the answer, so that its body may be endless.
    ///
    /// # Errors
    /// If the policy forbids the address, there is no status in time, or the answer is a redirect.
    pub async fn send(&self, request: Request, policy: Policy) -> Result<Response, OutboundError> {
        let target = Target::parse(&request.url, policy)?;
        let exchange = async {
            let stream = self.open(&target, policy).await?;
            self.exchange(stream, &target, request, BEGINNING).await
        };
        let answer = self.in_time(&target, exchange).await?;
        Ok(answer.beginning(PATIENCE).await)
    }

    /// Sends a request whose body may be streamed, and streams the answer: at most `most` bytes of it. The total time
    /// limit applies until the connection is made; from then on, the stall limit.
    ///
    /// # Errors
    /// If the policy forbids the address, there is no answer, or the answer is a redirect.
    pub async fn stream(
        &self,
        request: Request<impl Into<Body>>,
        policy: Policy,
        most: usize,
    ) -> Result<Answer, OutboundError> {
        let target = Target::parse(&request.url, policy)?;
        let stream = self.in_time(&target, self.open(&target, policy)).await?;
        self.exchange(stream, &target, request, most).await
    }

    /// A connection to a port of a host, for another protocol.
    ///
    /// # Errors
    /// If the policy forbids the address, or nothing accepts a connection there in time.
    pub async fn tunnel(&self, host: &str, port: u16, policy: Policy) -> Result<TcpStream, OutboundError> {
        let target = Target::parse(&format!("https://{host}:{port}/"), policy)?;
        let connect = async { self.connect(&target, &self.addresses(&target, policy).await?).await };
        self.in_time(&target, connect).await
    }

    /// The addresses to which a request would go, without sending one: used by checks, and before a browser
    /// is redirected.
    ///
    /// # Errors
    /// If the policy forbids the address, or the name cannot be resolved.
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

    /// Every address of the host, if all are allowed.
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

    /// A connection to one of the host's addresses, all of which are allowed.
    async fn open(&self, target: &Target, policy: Policy) -> Result<Box<dyn Connection>, OutboundError> {
        let addresses = self.addresses(target, policy).await?;
        let stream = TimedStream::new(self.connect(target, &addresses).await?, self.limits.stall);
        if !target.tls {
            return Ok(Box::new(stream));
        }
        let fault = |cause: String| OutboundError::Tls { host: target.host.clone(), cause };
        let name = ServerName::try_from(target.host.clone()).map_err(|error| fault(error.to_string()))?;
        let tls = self.connector().await.map_err(fault)?;
        Ok(Box::new(tls.connect(name, stream).await.map_err(|error| fault(error.to_string()))?))
    }

    /// Connects to the first address that accepts a connection.
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
        stream: Box<dyn Connection>,
        target: &Target,
        request: Request<impl Into<Body>>,
        limit: usize,
    ) -> Result<Answer, OutboundError> {
        let (host, stall) = (target.host.clone(), self.limits.stall);
        let broken = |error: hyper::Error| OutboundError::of_exchange(&host, stall, &error);
        let request = to_hyper(target, request)?;
        let (mut sender, connection) = http1::Builder::new()
            .max_buf_size(64 * 1024)
            .handshake(TokioIo::new(stream))
            .await
            .map_err(broken)?;
        // Ends with the answer, or with this function.
        let mut tasks = JoinSet::new();
        tasks.spawn(connection);
        let answer = sender.send_request(request).await.map_err(broken)?;
        let (head, body) = answer.into_parts();
        if head.status.is_redirection() {
            let to = shown_location(head.headers.get(LOCATION));
            return Err(OutboundError::Redirect { host, status: head.status, to });
        }
        let (status, headers) = (head.status, head.headers);
        Ok(Answer { status, headers, body, read: 0, limit, host, stall, _connection: tasks })
    }
}

/// TCP, or TLS over it.
trait Connection: AsyncRead + AsyncWrite + Unpin + Send {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Connection for S {}

/// Alternates address families, starting with the resolver's first: if one family does not work, the other is
/// reached before the deadline.
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

fn to_hyper(
    target: &Target,
    request: Request<impl Into<Body>>,
) -> Result<hyper::Request<UnsyncBoxBody<Bytes, Cause>>, OutboundError> {
    let wrong = |error: &dyn std::fmt::Display| OutboundError::Address(format!("not an address: {error}"));
    let host = HeaderValue::try_from(target.authority()).map_err(|error| wrong(&error))?;
    let mut to = hyper::Request::builder()
        .method(request.method)
        .uri(target.path())
        .body(request.body.into().0)
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
