//! A snapshot that the running server makes for the command line, which turns it into a backup.
//!
//! While the copy is made, the answer is lines of JSON with the progress, several a second, and then the snapshot's
//! path. The caller closes the connection when it has used the snapshot, and the server then removes what is left of
//! it. If the caller closes the connection earlier, the server stops copying.
//!
//! The server copies into the caller's directory if it can write there. A server that runs as another user, or sees
//! other file systems (a container, `PrivateTmp`), copies into the data directory, which both can read.

use super::SNAPSHOT;
use super::body::Body;
use crate::error::{Error, Result};
use crate::store::Stop;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use axum::{Router, body};
use bytes::Bytes;
use futures_util::stream;
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

/// The interval between two lines of progress,
const PROGRESS: Duration = Duration::from_millis(250);
/// and between two empty lines afterwards: writing one shows whether the caller is still connected.
const USED: Duration = Duration::from_millis(500);
/// How long a caller waits for its turn: longer than the server takes to notice that the previous caller has left.
const TURN: Duration = Duration::from_secs(3);

/// Makes snapshots of a running server.
pub trait Snapshots: Send + Sync + 'static {
    /// A directory in the data directory; removes what another snapshot left there.
    fn place(&self) -> PathBuf;
    /// The size of a copy in the directory `into`, in bytes.
    ///
    /// # Errors
    /// If there is not enough room.
    fn check_room(&self, into: &Path) -> Result<u64>;
    /// The number of bytes in `into` so far.
    fn copied(&self, into: &Path) -> u64;
    /// Copies; returns the journal position that the copy includes. Blocks.
    ///
    /// # Errors
    /// If something cannot be copied, or `stop` was requested.
    fn copy_to(&self, into: &Path, stop: &Stop) -> Result<i64>;
}

/// The caller's directory: its path and its identity. The server may see another directory at the same path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallerDirectory {
    path: PathBuf,
    device: u64,
    inode: u64,
}

impl CallerDirectory {
    /// # Errors
    /// If the directory cannot be read.
    pub fn at(path: &Path) -> io::Result<Self> {
        let found = fs::metadata(path)?;
        Ok(Self { path: path.to_owned(), device: found.dev(), inode: found.ino() })
    }

    /// No directory of the caller's: the server uses one of its own, which the caller must be able to read.
    pub fn of_server() -> Self {
        Self { path: PathBuf::new(), device: 0, inode: 0 }
    }

    fn is_seen(&self) -> bool {
        fs::metadata(&self.path).is_ok_and(|found| (found.dev(), found.ino()) == (self.device, self.inode))
    }
}

/// A complete snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    pub path: PathBuf,
    /// The journal position that it includes.
    pub last_position: i64,
}

/// A line of the answer; an empty one has no meaning.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Line {
    /// Bytes copied, and about how many there will be.
    Progress(u64, u64),
    Copied(Snapshot),
    /// Why there is no copy.
    Failed(String),
}

/// Lets one caller at a time make and use a snapshot.
#[derive(Debug, Clone)]
pub struct Turn(Arc<Semaphore>);

impl Default for Turn {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(1)))
    }
}

impl Turn {
    /// Waits for the previous snapshot. The next caller waits until the permit is dropped.
    ///
    /// # Errors
    /// Never: the semaphore is not closed.
    pub async fn take(&self) -> Result<OwnedSemaphorePermit> {
        self.0.clone().acquire_owned().await.map_err(Error::internal)
    }
}

struct Maker<S> {
    snapshots: S,
    turn: Turn,
}

pub(super) fn router<S: Snapshots>(snapshots: S, turn: Turn) -> Router {
    let maker = Arc::new(Maker { snapshots, turn });
    Router::new().route(SNAPSHOT, post(snapshot::<S>)).with_state(maker)
}

async fn snapshot<S: Snapshots>(
    State(maker): State<Arc<Maker<S>>>,
    Body(work): Body<CallerDirectory>,
) -> Result<Response> {
    let turn = tokio::time::timeout(TURN, maker.turn.take()).await.map_err(|_| {
        Error::conflict("Another backup is being made. Wait until it is finished, and try again.")
    })??;
    let started = tokio::task::spawn_blocking(move || Watched::start(&maker, &work, turn));
    let watched = started.await.map_err(Error::internal)??;
    Ok(body::Body::from_stream(stream::unfold(watched, Watched::next)).into_response())
}

/// A copy in progress. Dropping it stops the copying, or removes the complete copy.
struct Watched {
    copied: Box<dyn Fn() -> u64 + Send + Sync>,
    expected: u64,
    done: Option<oneshot::Receiver<Result<Snapshot>>>,
    has_failed: bool,
    stop: Stop,
    /// The copying thread notices when this is dropped.
    _caller: mpsc::Sender<Infallible>,
}

impl Watched {
    fn start<S: Snapshots>(
        maker: &Arc<Maker<S>>,
        work: &CallerDirectory,
        turn: OwnedSemaphorePermit,
    ) -> Result<Self> {
        let snapshots = &maker.snapshots;
        let into = place(work, &snapshots.place()).map_err(Error::storage)?;
        let expected = snapshots.check_room(&into).map_err(|error| {
            drop(fs::remove_dir_all(&into));
            Error::invalid(error.for_operator())
        })?;
        let (tell, done) = oneshot::channel();
        let (caller, left) = mpsc::channel::<Infallible>();
        let stop = Stop::default();
        let (asked, maker, path) = (stop.clone(), maker.clone(), into.clone());
        let seen = maker.clone();
        let copy = move || {
            let copied = maker.snapshots.copy_to(&path, &asked);
            let copied = copied.map(|last_position| Snapshot { path: path.clone(), last_position });
            // The receiver may be gone.
            drop(tell.send(copied));
            // The caller uses the copy until it disconnects.
            let _ = left.recv();
            drop(fs::remove_dir_all(&path));
            drop(turn);
        };
        std::thread::Builder::new().name("snapshot".into()).spawn(copy).map_err(Error::internal)?;
        Ok(Self {
            copied: Box::new(move || seen.snapshots.copied(&into)),
            expected,
            done: Some(done),
            has_failed: false,
            stop,
            _caller: caller,
        })
    }

    async fn next(mut self) -> Option<(Result<Bytes, Infallible>, Self)> {
        if self.has_failed {
            return None;
        }
        let Some(done) = &mut self.done else {
            tokio::time::sleep(USED).await;
            return Some((Ok(Bytes::from_static(b"\n")), self));
        };
        let line = match tokio::time::timeout(PROGRESS, done).await {
            Err(_) => Line::Progress((self.copied)(), self.expected),
            Ok(result) => {
                self.done = None;
                let result = result.unwrap_or_else(|_| Err(Error::internal("the copying thread ended")));
                self.has_failed = result.is_err();
                result.map_or_else(|error| Line::Failed(error.for_operator()), Line::Copied)
            }
        };
        let mut text = serde_json::to_vec(&line).unwrap_or_default();
        text.push(b'\n');
        Some((Ok(Bytes::from(text)), self))
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.stop.ask();
    }
}

/// The directory to copy into: in the caller's directory if possible, otherwise in the data directory.
fn place(work: &CallerDirectory, own: &Path) -> io::Result<PathBuf> {
    let create = |path: &Path| DirBuilder::new().mode(0o700).create(path);
    let theirs = work.path.join("snapshot");
    if work.is_seen() && create(&theirs).is_ok() {
        return Ok(theirs);
    }
    match fs::remove_dir_all(own) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    create(own)?;
    Ok(own.to_owned())
}

#[cfg(test)]
pub(crate) mod tests;
