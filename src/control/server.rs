//! The socket of a running server.

use super::body::{ARRIVES, Body};
use super::snapshot::{self, Snapshots, Turn};
use super::{DISABLE, ENABLE, FILE, Lines, NewUser, RESET_LINK, Request, USERS, UserName, Users, answer};
use crate::error::{Error, Result};
use crate::http::shape::{Shape, shaped};
use axum::extract::{DefaultBodyLimit, State};
use axum::routing::{get, post};
use axum::{Json, Router};
use hyper::server::conn::http1::Builder;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

/// The largest request body, in bytes.
const BODY_MAX: usize = 64 << 10;
/// Connections at once.
pub(super) const AT_ONCE: usize = 4;
/// The listening socket. Dropping it closes the socket and removes its file.
pub struct Control {
    path: PathBuf,
    task: JoinHandle<()>,
}

impl Control {
    /// Listens, replacing a socket that a crash left behind: the caller holds the data directory.
    ///
    /// # Errors
    /// If the socket cannot be created, for example because its path is longer than about 100 bytes.
    pub fn start(data_dir: &Path, users: impl Users, snapshots: impl Snapshots, turn: Turn) -> Result<Self> {
        let path = data_dir.join(FILE);
        let fault = |error: io::Error| Error::internal(format!("{}: {error}", path.display()));
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(fault(error)),
            _ => {}
        }
        // Nobody else can connect before the next line, because only the owner can enter the directory.
        let listener = UnixListener::bind(&path).map_err(fault)?;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).map_err(fault)?;
        Ok(Self { path, task: tokio::spawn(listen(listener, router(users, snapshots, turn))) })
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        self.task.abort();
        // A socket file that stays behind is replaced at the next start.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Our own loop, because `axum::serve` waits for a request's head forever and accepts any number of
/// connections.
async fn listen(listener: UnixListener, router: Router) {
    let room = Arc::new(Semaphore::new(AT_ONCE));
    loop {
        let Ok(permit) = room.clone().acquire_owned().await else { return };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!(%error, "a connection to the control socket failed");
                tokio::time::sleep(Duration::from_secs(1)).await;
                continue;
            }
        };
        let router = router.clone();
        tokio::spawn(async move {
            if let Err(error) = talk(stream, router).await {
                tracing::debug!(%error, "a connection to the control socket ended early");
            }
            drop(permit);
        });
    }
}

async fn talk(stream: UnixStream, router: Router) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let peer = stream.peer_cred()?.uid();
    if peer != 0 && peer != rustix::process::geteuid().as_raw() {
        return Err(io::Error::from(io::ErrorKind::PermissionDenied).into());
    }
    let mut builder = Builder::new();
    // One command per connection: a connection that stays open would keep others waiting.
    // A client that closes its own half after the request still gets the answer.
    builder.timer(TokioTimer::new()).header_read_timeout(ARRIVES).keep_alive(false).half_close(true);
    Ok(builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router)).await?)
}

fn router(users: impl Users, snapshots: impl Snapshots, turn: Turn) -> Router {
    let routes = users_router(users).merge(snapshot::router(snapshots, turn));
    shaped(routes.fallback(unknown).layer(DefaultBodyLimit::max(BODY_MAX)), Shape::Detail, unknown)
}

fn users_router<U: Users>(users: U) -> Router {
    Router::new()
        .route(USERS, get(list::<U>).post(add::<U>))
        .route(DISABLE, post(disable::<U>))
        .route(ENABLE, post(enable::<U>))
        .route(RESET_LINK, post(reset_link::<U>))
        .with_state(Arc::new(users))
}

type Answer = Result<Json<Lines>>;

async fn list<U: Users>(State(users): State<Arc<U>>) -> Answer {
    answer(&*users, &Request::UserList).await.map(Json)
}

async fn add<U: Users>(State(users): State<Arc<U>>, Body(user): Body<NewUser>) -> Answer {
    answer(&*users, &Request::UserAdd(user)).await.map(Json)
}

async fn disable<U: Users>(State(users): State<Arc<U>>, Body(user): Body<UserName>) -> Answer {
    answer(&*users, &Request::UserDisable(user)).await.map(Json)
}

async fn enable<U: Users>(State(users): State<Arc<U>>, Body(user): Body<UserName>) -> Answer {
    answer(&*users, &Request::UserEnable(user)).await.map(Json)
}

async fn reset_link<U: Users>(State(users): State<Arc<U>>, Body(user): Body<UserName>) -> Answer {
    answer(&*users, &Request::UserResetLink(user)).await.map(Json)
}

async fn unknown() -> Error {
    Error::not_found("The server does not know this command: use the mayday of the version that is running.")
}
