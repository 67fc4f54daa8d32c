//! A snapshot that the running server makes for the command line, which turns it into a backup.
//!
//! The answer is lines of JSON for as long as the copy takes: how far it is, several times a second, then its place. It
//! does not end by itself: the caller ends the connection once the copy is used, and the server then removes what is
//! left of it. If the caller leaves earlier, the copy ends.
//!
//! It is made in the caller's directory if the server can write there. A server that runs as another user, or sees
//! other file systems (a container, `PrivateTmp`), makes it in the data directory, which both have.

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

/// The interval between two lines while the copy is made,
const PROGRESS: Duration = Duration::from_millis(250);
/// and afterwards: writing a line shows whether the caller is still there.
const USED: Duration = Duration::from_millis(500);
/// How long a caller waits for the one before: more than it takes to notice that that one has left.
const TURN: Duration = Duration::from_secs(3);

/// What a running server's snapshot is made by.
pub trait Snapshots: Send + Sync + 'static {
    /// A place in the data directory; what is left there of another snapshot is removed.
    fn place(&self) -> PathBuf;
    /// Bytes that a copy beside `into` takes.
    ///
    /// # Errors
    /// If there is not enough room.
    fn check_room(&self, into: &Path) -> Result<u64>;
    /// Bytes that are in `into` so far.
    fn copied(&self, into: &Path) -> u64;
    /// Makes the copy, and returns the position that it reaches in the journal. Blocks.
    ///
    /// # Errors
    /// If something cannot be copied, or `stop` was asked.
    fn copy_to(&self, into: &Path, stop: &Stop) -> Result<i64>;
}

/// The caller's directory: its path, and what it is. The server may see another one under the same name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Work {
    path: PathBuf,
    device: u64,
    inode: u64,
}

impl Work {
    /// # Errors
    /// If the directory cannot be looked at.
    pub fn at(path: &Path) -> io::Result<Self> {
        let found = fs::metadata(path)?;
        Ok(Self { path: path.to_owned(), device: found.dev(), inode: found.ino() })
    }

    /// None at all: the server uses one of its own, which the caller has to see.
    pub fn of_server() -> Self {
        Self { path: PathBuf::new(), device: 0, inode: 0 }
    }

    fn is_seen(&self) -> bool {
        fs::metadata(&self.path).is_ok_and(|found| (found.dev(), found.ino()) == (self.device, self.inode))
    }
}

/// A complete snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Copied {
    pub path: PathBuf,
    /// The position that it reaches in the journal.
    pub last_position: i64,
}

/// A line of the answer; an empty one says nothing.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Line {
    /// Bytes copied, of about so many.
    Progress(u64, u64),
    Copied(Copied),
    /// Why there is no copy.
    Failed(String),
}

/// Only one snapshot is made at a time, and it is used up before the next one begins.
#[derive(Debug, Clone)]
pub struct Turn(Arc<Semaphore>);

impl Default for Turn {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(1)))
    }
}

impl Turn {
    /// Waits for the snapshot before; the next one waits until what this returns is dropped.
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
    Body(work): Body<Work>,
) -> Result<Response> {
    let turn = tokio::time::timeout(TURN, maker.turn.take()).await.map_err(|_| {
        Error::conflict("Another backup is being made. Wait until it is finished, and try again.")
    })??;
    let started = tokio::task::spawn_blocking(move || Watched::start(&maker, &work, turn));
    let watched = started.await.map_err(Error::internal)??;
    Ok(body::Body::from_stream(stream::unfold(watched, Watched::next)).into_response())
}

/// A copy under way. Dropping it ends the copy, or removes it if it is complete.
struct Watched {
    copied: Box<dyn Fn() -> u64 + Send + Sync>,
    expected: u64,
    done: Option<oneshot::Receiver<Result<Copied>>>,
    has_failed: bool,
    stop: Stop,
    /// The copying thread waits for its end.
    _caller: mpsc::Sender<Infallible>,
}

impl Watched {
    fn start<S: Snapshots>(maker: &Arc<Maker<S>>, work: &Work, turn: OwnedSemaphorePermit) -> Result<Self> {
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
            let copied = copied.map(|last_position| Copied { path: path.clone(), last_position });
            // Nobody may be waiting any more.
            drop(tell.send(copied));
            // It is used until the caller leaves.
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

/// The directory to copy into: in the caller's, or else in the data directory.
fn place(work: &Work, own: &Path) -> io::Result<PathBuf> {
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
