//! The only way out of a room. Adds keys to model requests, forwards connections to the hosts that the repository
//! allows if their addresses are permitted, and reports both in the transcript.

use super::PORT;
use super::counted::{CountedBody, Line, Tunnel, Voice};
use super::refused::Refused;
use super::requests::{asked, is_asked, is_generating};
use super::tunnel::{self, Carried};
use super::usage::{Turn, Usage};
use crate::cli::runner::output::Outbox;
use crate::outbound::{Body, Client, Policy, Request};
use bytes::Bytes;
use futures_util::TryStreamExt as _;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, BodyStream, Empty, Full};
use hyper::body::{Frame, Incoming};
use hyper::header::{AUTHORIZATION, CONTENT_LENGTH, HeaderMap, HeaderName, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, StatusCode, Uri};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::{JoinHandle, JoinSet};

/// Bytes of a model's answer.
const ANSWER_MAX: usize = 256 << 20;
/// The most connections from a room, and the most that are forwarded to hosts.
const CONNECTIONS_MAX: usize = 64;
/// The time limit for a request's headers, and for an idle connection.
const HEADERS: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(50);
/// How long a model may send nothing.
const SILENCE: Duration = Duration::from_mins(10);
const CONNECT: Duration = Duration::from_secs(10);
/// The header in which LiteLLM states the cost of an answer, unless it is streamed.
const COST: &str = "x-litellm-response-cost";
/// Hop-by-hop headers of an answer.
const NOT_PASSED: [&str; 6] =
    ["connection", "keep-alive", "proxy-connection", "set-cookie", "transfer-encoding", "upgrade"];

type Fault = Box<dyn std::error::Error + Send + Sync>;
type ProxyResponse = hyper::Response<UnsyncBoxBody<Bytes, Fault>>;

/// A model provider's address, which agents in a room reach at `/NAME/` of the proxy.
#[derive(Clone)]
pub(in crate::cli::runner) struct Model {
    pub(in crate::cli::runner) name: &'static str,
    pub(in crate::cli::runner) base: String,
    /// The header with the key, and its value.
    pub(in crate::cli::runner) key: (HeaderName, String),
}

impl Model {
    /// A provider that takes its key as a bearer token.
    pub(in crate::cli::runner) fn bearer(name: &'static str, base: &str, key: &str) -> Self {
        let base = base.trim_end_matches('/').to_owned();
        Self { name, base, key: (AUTHORIZATION, format!("Bearer {key}")) }
    }
}

/// What a room may reach.
pub(in crate::cli::runner) struct Rules {
    pub(in crate::cli::runner) models: Vec<Model>,
    /// Hosts that may be reached over https; `*.` matches any subdomain.
    pub(in crate::cli::runner) hosts: Vec<String>,
    /// Which addresses those may have.
    pub(in crate::cli::runner) policy: Policy,
    /// What the session has used of its models,
    pub(in crate::cli::runner) usage: Arc<Usage>,
    /// and what it was refused.
    pub(in crate::cli::runner) refused: Arc<Refused>,
}

/// A running proxy; it stops when dropped.
pub(in crate::cli::runner) struct Proxy {
    listening: JoinHandle<()>,
    tunnels: Arc<Mutex<JoinSet<()>>>,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.listening.abort();
        lock(&self.tunnels).abort_all();
    }
}

fn lock(tunnels: &Mutex<JoinSet<()>>) -> MutexGuard<'_, JoinSet<()>> {
    tunnels.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Gate {
    rules: Rules,
    client: Client,
    voice: Arc<Voice>,
    /// Forwarded connections; they end with the proxy.
    tunnels: Arc<Mutex<JoinSet<()>>>,
}

impl Proxy {
    /// Listens at a path.
    ///
    /// # Errors
    /// If listening fails.
    pub(in crate::cli::runner) fn start(
        runtime: &tokio::runtime::Handle,
        socket: &Path,
        rules: Rules,
        outbox: &Arc<Outbox>,
    ) -> std::io::Result<Self> {
        let _within = runtime.enter();
        let listener = listen(socket)?;
        let client = Client::new().within(CONNECT).stalling(SILENCE);
        let tunnels = Arc::<Mutex<JoinSet<()>>>::default();
        let voice = Arc::new(Voice::new(outbox.clone(), rules.refused.clone()));
        let gate = Arc::new(Gate { rules, client, voice, tunnels: tunnels.clone() });
        Ok(Self { listening: runtime.spawn(accept(listener, gate)), tunnels })
    }
}

async fn accept(listener: UnixListener, gate: Arc<Gate>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept(), if connections.len() < CONNECTIONS_MAX => match accepted {
                Ok((stream, _)) => { connections.spawn(serve(gate.clone(), stream)); }
                // For example, if the runner has run out of file descriptors.
                Err(_) => tokio::time::sleep(PAUSE).await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

/// Binds a socket. Its path may have 107 bytes and a run's path is longer, so it is reached through its directory's
/// descriptor.
fn listen(socket: &Path) -> std::io::Result<UnixListener> {
    use std::os::fd::AsRawFd as _;
    let folder = std::fs::File::open(socket.parent().unwrap_or(Path::new(".")))?;
    let name = socket.file_name().unwrap_or_default().to_string_lossy();
    UnixListener::bind(format!("/proc/self/fd/{}/{name}", folder.as_raw_fd()))
}

async fn serve(gate: Arc<Gate>, stream: UnixStream) {
    let answer = service_fn(move |request| {
        let gate = gate.clone();
        async move { Ok::<_, Infallible>(gate.answer(request).await) }
    });
    // If the connection breaks, the agent notices.
    let mut server = hyper::server::conn::http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(HEADERS);
    drop(server.serve_connection(TokioIo::new(stream), answer).with_upgrades().await);
}

impl Gate {
    async fn answer(self: Arc<Self>, request: hyper::Request<Incoming>) -> ProxyResponse {
        if request.method() == Method::CONNECT {
            return self.connect(request).await;
        }
        let path = request.uri().path().to_owned();
        let model = path.trim_start_matches('/').split('/').next().unwrap_or_default();
        if is_own(request.uri())
            && let Some(model) = self.rules.models.iter().find(|one| one.name == model).cloned()
        {
            return self.ask(model, request).await;
        }
        // Without a name and a password: those are nobody's to read.
        let to = request.uri().authority().map_or(path.as_str(), |to| without_user(to.as_str()));
        let place = format!("{} {to}", request.method());
        self.refuse(&place, "only https, to hosts that the repository allows");
        refusal(
            "This room reaches its model, and by https the hosts that its repository allows (allowed_hosts).",
        )
    }

    /// Forwards a connection to a host.
    async fn connect(self: Arc<Self>, request: hyper::Request<Incoming>) -> ProxyResponse {
        let Some(authority) = request.uri().authority().cloned() else {
            return refusal("CONNECT needs a host and a port.");
        };
        let (host, port) = (authority.host().to_ascii_lowercase(), authority.port_u16().unwrap_or(443));
        let place = format!("{host}:{port}");
        if !self.rules.allow(&host, port) {
            self.refuse(&place, "it is no host that the repository allows");
            return refusal("The repository does not allow this host (allowed_hosts).");
        }
        if self.is_full() {
            self.refuse(&place, &format!("{CONNECTIONS_MAX} connections are open"));
            return answer(StatusCode::SERVICE_UNAVAILABLE, "Too many connections are open.");
        }
        let outside = match self.client.tunnel(&host, port, self.rules.policy).await {
            Ok(outside) => outside,
            Err(why) => {
                self.voice.refuse(&place, &format!("or could not reach {place}: {why}"));
                return answer(StatusCode::BAD_GATEWAY, &why.to_string());
            }
        };
        self.voice.say(&format!("opened {place}"));
        let voice = self.voice.clone();
        lock(&self.tunnels).spawn(async move {
            let Ok(inside) = hyper::upgrade::on(request).await else { return };
            let mut end = Tunnel {
                voice,
                to: place,
                why: " was cut off;",
                carried: Carried::default(),
                started: Instant::now(),
            };
            match tunnel::carry(TokioIo::new(inside), outside, &host, &end.carried).await {
                Ok(()) => end.why = ":",
                Err(why) => {
                    end.voice.refuse(&end.to, &format!("to go on with {}: {why}", end.to));
                    end.why = ":";
                }
            }
        });
        hyper::Response::new(Empty::new().map_err(|never: Infallible| match never {}).boxed_unsync())
    }

    /// Says what was asked for in vain, and why.
    fn refuse(&self, place: &str, why: &str) {
        self.voice.refuse(place, &format!("{place}: {why}"));
    }

    /// Whether no further connection is carried.
    fn is_full(&self) -> bool {
        let mut tunnels = lock(&self.tunnels);
        while tunnels.try_join_next().is_some() {}
        tunnels.len() >= CONNECTIONS_MAX
    }

    /// Whether the request may be sent now. With caps, it gets the session's turn.
    async fn grant(
        &self,
        method: &Method,
        path: &str,
        what: &str,
    ) -> Result<Option<OwnedSemaphorePermit>, ProxyResponse> {
        if !is_asked(method, path) {
            self.refuse(what, "agents ask models only for what they answer");
            return Err(refusal("This is nothing that agents ask a model for."));
        }
        let Turn::Granted(turn) = self.rules.usage.turn(method).await else {
            self.refuse(what, "another request takes too long, and a session with caps has one");
            let why = "Another request of this session is on its way.";
            return Err(answer(StatusCode::TOO_MANY_REQUESTS, why));
        };
        if let Some(why) = self.rules.usage.reached(None) {
            self.rules.usage.refused();
            self.refuse(what, &why);
            return Err(refusal(&format!("This session asks no model any more: {why}.")));
        }
        Ok(turn)
    }

    /// Sends a request to a model, with its key.
    async fn ask(self: Arc<Self>, model: Model, request: hyper::Request<Incoming>) -> ProxyResponse {
        let (head, body) = request.into_parts();
        let path = head.uri.path().trim_start_matches('/').strip_prefix(model.name).unwrap_or_default();
        let what = format!("{} {}{path}", head.method, model.name);
        let turn = match self.grant(&head.method, path, &what).await {
            Ok(turn) => turn,
            Err(refusal) => return refusal,
        };
        let rest = head.uri.query().map_or_else(|| path.to_owned(), |query| format!("{path}?{query}"));
        let length = head.headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
        let is_generating = is_generating(&head.method, path);
        let mut line = Line::new((&self.voice, &self.rules.usage), (what, is_generating), turn);
        let out = line.out.clone();
        let pieces = BodyStream::new(body)
            .try_filter_map(|frame: Frame<Bytes>| std::future::ready(Ok(frame.into_data().ok())))
            .inspect_ok(move |piece| {
                out.fetch_add(piece.len() as u64, Ordering::Relaxed);
            })
            .map_err(std::io::Error::other);
        let headers = asked(&head.headers);
        let body = match head.method {
            Method::GET | Method::HEAD => Body::from(Bytes::new()),
            _ => Body::of_pieces(length, pieces),
        };
        let asked = Request { method: head.method, url: format!("{}{rest}", model.base), headers, body };
        let asked = match asked.secret_header(model.key.0.clone(), &model.key.1) {
            Ok(asked) => asked,
            Err(error) => return answer(StatusCode::BAD_GATEWAY, &error.to_string()),
        };
        match self.client.stream(asked, Policy::Open, ANSWER_MAX).await {
            Ok(mut found) => {
                let (status, headers) = (found.status, passed(std::mem::take(&mut found.headers)));
                line.answered(status, headers.get(COST).and_then(|value| value.to_str().ok()?.parse().ok()));
                let counted = CountedBody::new(found, line);
                let mut out = hyper::Response::new(counted.map_err(Fault::from).boxed_unsync());
                *out.status_mut() = status;
                *out.headers_mut() = headers;
                out
            }
            Err(error) => {
                line.failed(error.to_string());
                answer(StatusCode::BAD_GATEWAY, &error.to_string())
            }
        }
    }
}

impl Rules {
    fn allow(&self, host: &str, port: u16) -> bool {
        let fits = |rule: &String| match rule.strip_prefix("*.") {
            Some(above) => host.strip_suffix(above).is_some_and(|below| below.ends_with('.')),
            None => rule == host,
        };
        port == 443 && self.hosts.iter().any(fits) || self.hosts.contains(&format!("{host}:{port}"))
    }
}

/// Whether a request is for the proxy itself. A client that knows no exceptions sends such requests through it, too.
fn is_own(uri: &Uri) -> bool {
    uri.authority()
        .is_none_or(|to| ["127.0.0.1", "localhost"].contains(&to.host()) && to.port_u16() == Some(PORT))
}

fn without_user(authority: &str) -> &str {
    authority.rsplit('@').next().unwrap_or_default()
}

/// The headers of an answer that reach the agent.
fn passed(mut headers: HeaderMap) -> HeaderMap {
    NOT_PASSED.iter().for_each(|name| drop(headers.remove(*name)));
    headers
}

fn refusal(text: &str) -> ProxyResponse {
    answer(StatusCode::FORBIDDEN, text)
}

fn answer(status: StatusCode, text: &str) -> ProxyResponse {
    let document = serde_json::json!({ "error": text }).to_string();
    let body = Full::from(Bytes::from(document)).map_err(|never: Infallible| match never {}).boxed_unsync();
    let mut out = hyper::Response::new(body);
    *out.status_mut() = status;
    out.headers_mut().insert("content-type", HeaderValue::from_static("application/json"));
    out
}
