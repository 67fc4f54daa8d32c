//! The tantivy index by which logs are searched. It is built from `logs.db`, and rebuilt from it if it is
//! lost, damaged or in another format.
//!
//! One thread ([`worker`]) adds what is stored after the position in the index's own commit ([`crate::search::open`]), so
//! each entry is in it exactly once after any crash. Searches use the last commit ([`crate::search::view`]).

mod clean;
mod leaving;
mod worker;

use super::recent::Recent;
use crate::error::{Error, Result};
use crate::search::open::Payload;
use crate::search::view::View;
use crate::store::{Database, Disk, Fatal};
use arc_swap::ArcSwapOption;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// The directory of the index, beside `logs.db`.
const FOLDER: &str = "index";
/// How long a search waits for the index while it is being opened.
const OPENED: Duration = Duration::from_secs(2);
/// Searches at once: more would only compete for the cores, and leave none for anything else.
const SEARCHES: usize = 2;
/// How long a search waits for its turn.
const WAIT: Duration = Duration::from_secs(5);

/// What searches and the worker share.
#[derive(Default)]
pub struct State {
    view: ArcSwapOption<View>,
    /// The position up to which entries can be searched.
    position: AtomicI64,
    /// The position up to which the index is being rebuilt, if it has not reached that. What arrives meanwhile is not waited
    /// for: there may always be some.
    rebuilt_at: AtomicI64,
    /// Whether a search met possible damage: not every missing file is noticed when the index is opened.
    suspect: AtomicBool,
    damaged: AtomicBool,
    stopping: AtomicBool,
}

fn unavailable() -> Error {
    Error::overloaded("The log index is being rebuilt. Try again.")
}

impl State {
    /// What can be searched; right after the start, this waits for it.
    fn view_soon(&self) -> Option<Arc<View>> {
        let until = Instant::now() + OPENED;
        loop {
            let view = self.view.load_full();
            if view.is_some() || Instant::now() > until || self.stopping.load(Ordering::Acquire) {
                return view;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// The handle on the index. It can be searched immediately, however much is still to be indexed.
#[derive(Clone)]
pub struct Index {
    state: Arc<State>,
    searches: Arc<Semaphore>,
    thread: Arc<Mutex<Option<JoinHandle<()>>>>,
}

impl Index {
    /// What the index in `folder` says about itself, read before it is opened.
    pub fn left(folder: &Path) -> Option<Payload> {
        Payload::read(&folder.join(FOLDER))
    }

    /// Opens or creates the index in `folder`, for one history of `logs.db`, and starts adding what is
    /// missing.
    ///
    /// # Errors
    /// If the thread cannot be started.
    pub fn start(
        folder: &Path,
        history: String,
        stores: (Database, Arc<Disk>),
        recent: Arc<Recent>,
        fatal: &Fatal,
    ) -> Result<Self> {
        let state = Arc::new(State::default());
        let worker = worker::Worker::open(folder, history, stores, recent.clone(), state.clone());
        let fatal = fatal.clone();
        let thread = std::thread::Builder::new()
            .name("index logs".into())
            .spawn(move || {
                let _guard = fatal.on_panic("index logs");
                worker.run();
            })
            .map_err(Error::internal)?;
        recent.wake(thread.thread().clone());
        let searches = Arc::new(Semaphore::new(SEARCHES));
        Ok(Self { state, searches, thread: Arc::new(Mutex::new(Some(thread))) })
    }

    /// Runs a search on a thread where it may block. If tantivy panics, the index is damaged and is rebuilt.
    ///
    /// # Errors
    /// 503 if the index is being opened or was found to be damaged; the errors of the search.
    pub async fn search<T, F>(&self, search: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&View) -> Result<T> + Send + 'static,
    {
        let turn = tokio::time::timeout(WAIT, self.searches.clone().acquire_owned()).await;
        let turn = turn.map_err(|_| Error::overloaded("Too many searches at once. Try again."))?;
        let turn = turn.map_err(Error::internal)?;
        let state = self.state.clone();
        let run = move || {
            let _turn = turn;
            let view = state.view_soon().ok_or_else(unavailable)?;
            let searched = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| search(&view)));
            match searched {
                Ok(Err(Error::Internal(cause))) => {
                    tracing::warn!(%cause, "a search of the logs failed");
                    let told = cause.downcast_ref::<tantivy::TantivyError>();
                    let damaged = matches!(told, Some(tantivy::TantivyError::DataCorruption(_)));
                    let sign = if damaged { &state.damaged } else { &state.suspect };
                    sign.store(true, Ordering::Release);
                    Err(unavailable())
                }
                Ok(result) => result,
                Err(_) => {
                    state.suspect.store(true, Ordering::Release);
                    Err(unavailable())
                }
            }
        };
        let result = tokio::task::spawn_blocking(run).await.map_err(Error::internal)?;
        if self.state.suspect.load(Ordering::Acquire) || self.state.damaged.load(Ordering::Acquire) {
            self.look();
        }
        result
    }

    /// Has the index rebuilt because its content is wrong; returns what to answer.
    pub fn damaged(&self) -> Error {
        self.state.damaged.store(true, Ordering::Release);
        self.look();
        unavailable()
    }

    /// The position up to which entries can be searched.
    pub fn position(&self) -> i64 {
        self.state.position.load(Ordering::Acquire)
    }

    /// Whether the index is being rebuilt from what is stored.
    pub fn is_rebuilding(&self) -> bool {
        self.position() < self.state.rebuilt_at.load(Ordering::Acquire)
    }

    /// Wakes the worker.
    pub fn look(&self) {
        if let Some(thread) = self.thread.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            thread.thread().unpark();
        }
    }

    /// Commits what was added and ends the thread.
    pub fn stop(&self) {
        self.state.stopping.store(true, Ordering::Release);
        self.look();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if thread.is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the log indexer ended with a panic");
        }
    }
}
