//! The operator's commands beside a running server: `control.sock` (0600) in the data directory.
//!
//! One request and one answer a connection, each a line of JSON. Who may open the socket owns the data
//! directory, so nothing else is asked of the caller but the user's id. A server that is not running
//! is no obstacle: the command line takes the data directory itself (`cli/user.rs`).

use crate::error::{Error, Result};
use crate::roles::Role;
use serde::{Deserialize, Serialize};
use std::future::Future;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

/// The socket's name in the data directory.
pub const FILE: &str = "control.sock";
/// Bytes of a request's line.
const REQUEST_MAX: u64 = 64 << 10;
/// Bytes of an answer's line.
const ANSWER_MAX: u64 = 16 << 20;
/// Connections at a time.
const AT_ONCE: usize = 4;
/// How long a request may take to arrive, and how long the command line waits for its answer.
const ARRIVES: Duration = Duration::from_secs(2);
const ANSWERS: Duration = Duration::from_secs(30);

/// What the operator may ask for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    UserAdd { email: String, name: Option<String>, role: Role, organization: Option<String> },
    UserList,
    UserDisable { email: String },
    UserEnable { email: String },
    UserResetLink { email: String },
}

/// What is printed, a line each. A line may hold a link that is shown only here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lines(pub Vec<String>);

/// The commands on people. A running server answers them through its socket; without one the command
/// line answers them itself on the opened data directory.
pub trait Users: Send + Sync + 'static {
    /// Makes an account without a password; the lines hold a link to set one. `organization` is a
    /// slug; not given, the only one there is, or none.
    fn add(
        &self,
        email: &str,
        name: Option<&str>,
        role: Role,
        organization: Option<&str>,
    ) -> impl Future<Output = Result<Lines>> + Send;
    fn list(&self) -> impl Future<Output = Result<Lines>> + Send;
    /// Ends the sessions, too.
    fn disable(&self, email: &str) -> impl Future<Output = Result<Lines>> + Send;
    fn enable(&self, email: &str) -> impl Future<Output = Result<Lines>> + Send;
    /// A link to set a new password, to be handed over: it is not mailed.
    fn reset_link(&self, email: &str) -> impl Future<Output = Result<Lines>> + Send;
}

/// Does what is asked for.
pub async fn answer(users: &impl Users, request: &Request) -> Result<Lines> {
    match request {
        Request::UserAdd { email, name, role, organization } => {
            users.add(email, name.as_deref(), *role, organization.as_deref()).await
        }
        Request::UserList => users.list().await,
        Request::UserDisable { email } => users.disable(email).await,
        Request::UserEnable { email } => users.enable(email).await,
        Request::UserResetLink { email } => users.reset_link(email).await,
    }
}

/// An answer as it travels.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Reply {
    Done(Lines),
    /// What was wrong, in words for the operator.
    Refused(String),
}

/// The listening socket; dropped, it is closed and its file removed.
pub struct Control {
    path: PathBuf,
    task: JoinHandle<()>,
}

impl Control {
    /// Takes the place of a socket that a crash left: the caller holds the data directory.
    ///
    /// # Errors
    /// When the socket cannot be made, such as for a path of over about 100 bytes.
    pub fn start(data_dir: &Path, users: impl Users) -> Result<Self> {
        let path = data_dir.join(FILE);
        let fault = |error: io::Error| Error::internal(format!("{}: {error}", path.display()));
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(fault(error)),
            _ => {}
        }
        // Nobody else comes in before the next line: the directory is its owner's only.
        let listener = UnixListener::bind(&path).map_err(fault)?;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).map_err(fault)?;
        Ok(Self { path, task: tokio::spawn(listen(listener, Arc::new(users))) })
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        self.task.abort();
        // One that stays is replaced at the next start.
        let _ = std::fs::remove_file(&self.path);
    }
}

async fn listen(listener: UnixListener, users: Arc<impl Users>) {
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
        let users = users.clone();
        tokio::spawn(async move {
            if let Err(error) = talk(stream, users.as_ref()).await {
                tracing::debug!(%error, "a connection to the control socket ended early");
            }
            drop(permit);
        });
    }
}

async fn talk(mut stream: UnixStream, users: &impl Users) -> io::Result<()> {
    let peer = stream.peer_cred()?.uid();
    if peer != 0 && peer != rustix::process::geteuid().as_raw() {
        return Err(io::Error::from(io::ErrorKind::PermissionDenied));
    }
    let mut line = Vec::new();
    let mut reader = tokio::io::BufReader::new((&mut stream).take(REQUEST_MAX));
    tokio::time::timeout(ARRIVES, reader.read_until(b'\n', &mut line)).await??;
    let reply = match serde_json::from_slice(&line) {
        Ok(request) => reply_to(answer(users, &request).await),
        Err(error) => Reply::Refused(format!(
            "the request cannot be read ({error}): use the mayday of the version that is running"
        )),
    };
    stream.write_all(&[serde_json::to_vec(&reply)?.as_slice(), b"\n"].concat()).await
}

/// The cause of a fault stays in the log here, too: the operator reads both.
fn reply_to(answer: Result<Lines>) -> Reply {
    answer.map_or_else(
        |error| {
            if let Error::Internal(cause) = &error {
                tracing::error!(error = %cause, "a command of the operator failed");
            }
            Reply::Refused(error.to_string())
        },
        Reply::Done,
    )
}

/// Asks the running server; `None` when none listens. Blocks for 30 s at most.
///
/// # Errors
/// Invalid, with what the server said; internal, when it cannot be talked to.
pub fn ask(data_dir: &Path, request: &Request) -> Result<Option<Lines>> {
    let path = data_dir.join(FILE);
    let fault = |error: io::Error| Error::internal(format!("{}: {error}", path.display()));
    let stream = match std::os::unix::net::UnixStream::connect(&path) {
        Ok(stream) => stream,
        Err(error)
            if matches!(
                error.kind(),
                // A path that is too long has no socket either.
                io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused | io::ErrorKind::InvalidInput
            ) =>
        {
            return Ok(None);
        }
        Err(error) => return Err(fault(error)),
    };
    match exchange(stream, request).map_err(fault)? {
        Reply::Done(lines) => Ok(Some(lines)),
        Reply::Refused(text) => Err(Error::invalid(text)),
    }
}

fn exchange(mut stream: std::os::unix::net::UnixStream, request: &Request) -> io::Result<Reply> {
    stream.set_read_timeout(Some(ANSWERS))?;
    stream.set_write_timeout(Some(ANSWERS))?;
    stream.write_all(&[serde_json::to_vec(request)?.as_slice(), b"\n"].concat())?;
    let mut line = String::new();
    BufReader::new(stream.take(ANSWER_MAX)).read_line(&mut line)?;
    Ok(serde_json::from_str(&line)?)
}

#[cfg(test)]
mod tests;
