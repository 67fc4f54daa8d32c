//! The one writer of the index.
//!
//! Entries are added in the order of `logs.db`. Every commit carries the position reached in its own payload,
//! so neither a crash between two files nor a merge can separate the two. After any error, the writer is
//! dropped and reopened at the position of the last commit, because its state after an error is unknown.

use super::clean::{self, IndexState};
use super::leaving::Leaving;
use super::{FOLDER, State};
use crate::error::{Error, Result};
use crate::logs::recent::{ENOUGH, Next, Recent};
use crate::logs::sql;
use crate::sabotage;
use crate::search::open::{OpenIndex, is_whole};
use crate::search::view::View;
use crate::store::{Database, Disk, Trainer};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The interval between commits; each costs about 14 syncs and makes a segment.
const COMMIT_EVERY: Duration = Duration::from_millis(750);
/// The same while far behind: larger segments cost less.
const COMMIT_BEHIND: Duration = Duration::from_secs(5);
/// The pause between two reads without a wake-up, and after trouble.
const PAUSE: Duration = Duration::from_secs(1);
/// Bytes of entries added at once.
const ROUND: usize = 16 << 20;
/// The interval between two checks of all files caused by searches.
const CHECKED_EVERY: Duration = Duration::from_secs(60);
/// The niceness of indexing: a tenth of the time of request threads if both want the core.
const NICE: i32 = 10;

pub(super) struct Worker {
    folder: PathBuf,
    /// The history of `logs.db`.
    history: String,
    db: Database,
    recent: Arc<Recent>,
    state: Arc<State>,
    open: Option<OpenIndex>,
    /// Whether the last stop was not clean.
    unclean: bool,
    /// Whether all files have been checked since the start, or are being checked.
    passed: bool,
    /// When deleted projects were last looked for, and when all files were last checked.
    looked: Option<Instant>,
    checked: Option<Instant>,
    /// What is to be deleted, and the position up to which such entries may still arrive.
    leaving: Option<(i64, Leaving)>,
    disk: Arc<Disk>,
    /// Trains the dictionary with which batches are packed.
    trainer: Arc<Trainer>,
}

impl Worker {
    pub(super) fn open(
        folder: &Path,
        history: String,
        (db, disk): (Database, Arc<Disk>),
        recent: Arc<Recent>,
        state: Arc<State>,
    ) -> Self {
        let left = clean::take(folder);
        if left == IndexState::Damaged {
            state.damaged.store(true, Ordering::Release);
        }
        let (unclean, passed) = (left == IndexState::Unclean, false);
        let (open, looked, checked, leaving) = (None, None, None, None);
        let (folder, trainer) = (folder.to_owned(), Arc::new(Trainer::new(&sql::BLOCKS)));
        Self {
            folder,
            history,
            db,
            recent,
            state,
            open,
            unclean,
            passed,
            looked,
            checked,
            leaving,
            disk,
            trainer,
        }
    }

    fn path(&self) -> PathBuf {
        self.folder.join(FOLDER)
    }

    pub(super) fn run(mut self) {
        // Requests waiting for their 202 come first; tantivy's threads inherit this priority.
        if let Err(error) = rustix::process::setpriority_process(None, NICE) {
            tracing::debug!(%error, "logs are indexed at normal priority");
        }
        while !self.state.stopping.load(Ordering::Acquire) {
            match catch_unwind(AssertUnwindSafe(|| self.work())).unwrap_or_else(|_| self.panicked()) {
                Ok(true) => {}
                Ok(false) => std::thread::park_timeout(self.pause()),
                Err(error) => {
                    tracing::warn!(?error, "indexing logs is postponed");
                    self.open = None;
                    std::thread::park_timeout(PAUSE);
                }
            }
        }
        match self.close() {
            Ok(()) => clean::mark(&self.folder),
            Err(error) => tracing::warn!(%error, "the last log entries are indexed after the next start"),
        }
    }

    /// tantivy panics at some damage: all files are checked before anything else is done.
    fn panicked(&mut self) -> Result<bool> {
        self.unclean = true;
        Err(Error::internal("the log index made tantivy panic"))
    }

    /// One step; `false` if there was nothing to do.
    fn work(&mut self) -> Result<bool> {
        if !self.disk.digesting() {
            return Err(Error::storage("the disk is nearly full"));
        }
        if self.open.is_some() && !self.path().join("meta.json").exists() {
            self.make_anew("it was deleted")?;
        }
        if self.state.damaged.swap(false, Ordering::AcqRel) {
            self.make_anew("it is damaged")?;
        }
        if self.open.is_none() {
            self.reopen()?;
        }
        if self.open.is_none() {
            self.make_anew("it cannot be opened")?;
        }
        if std::mem::take(&mut self.unclean) || self.is_suspect() {
            self.check()?;
            self.passed = true;
        }
        self.check_beside()?;
        self.unindex()?;
        self.trainer.look(&self.db, self.recent.newest());
        let added = self.add()?;
        let committed = self.commit_if_due()?;
        Ok(added || committed)
    }

    /// Whether a search met possible damage; checked at most once a minute.
    fn is_suspect(&mut self) -> bool {
        let lately = self.checked.is_some_and(|checked| checked.elapsed() < CHECKED_EVERY);
        !lately && self.state.suspect.swap(false, Ordering::AcqRel)
    }

    /// How long to wait: until the next commit is due.
    fn pause(&self) -> Duration {
        let Some(open) = &self.open else { return PAUSE };
        let waits = open.waiting_since.is_some() || self.recent.newest() > open.added;
        if waits { self.until_commit().max(Duration::from_millis(1)) } else { PAUSE }
    }

    /// Opens the existing index; leaves it closed if something is wrong with it.
    fn reopen(&mut self) -> Result<()> {
        let path = self.path();
        if !path.join("meta.json").exists() {
            return Ok(());
        }
        match OpenIndex::with_view(&path, &self.history) {
            Ok((open, view)) => self.show(open, view),
            Err(error @ Error::Unavailable { .. }) => return Err(error),
            Err(error) => tracing::warn!(?error, "the log index cannot be opened"),
        }
        Ok(())
    }

    /// Makes this what is searched from now on.
    fn show(&mut self, open: OpenIndex, view: View) {
        self.state.view.store(Some(Arc::new(view)));
        self.state.position.store(open.committed, Ordering::Release);
        self.open = Some(open);
    }

    /// Checks every file of the index, because most damage would never show.
    fn check(&mut self) -> Result<()> {
        self.checked = Some(Instant::now());
        let Some(open) = &self.open else { return Ok(()) };
        if sabotage::on("no_index_check") {
            return Ok(());
        }
        match catch_unwind(AssertUnwindSafe(|| is_whole(&open.index, &self.state.stopping))) {
            Ok(Ok(true)) => Ok(()),
            _ => self.make_anew("files of it are damaged"),
        }
    }

    /// The same in the background, once after a clean stop: although no file seems to have changed, a disk or a
    /// person may have damaged one.
    fn check_beside(&mut self) -> Result<()> {
        let Some(open) = self.open.as_ref().filter(|_| !std::mem::replace(&mut self.passed, true)) else {
            return Ok(());
        };
        if sabotage::on("no_index_check") || sabotage::on("no_check_after_clean_stops") {
            return Ok(());
        }
        let (index, state, worker) = (open.index.clone(), self.state.clone(), std::thread::current());
        // It inherits this thread's low priority.
        let check = move || match catch_unwind(AssertUnwindSafe(|| is_whole(&index, &state.stopping))) {
            Ok(Ok(true)) => {}
            Ok(Err(error)) => tracing::warn!(%error, "the check of the log index was not completed"),
            Ok(Ok(false)) | Err(_) => {
                state.damaged.store(true, Ordering::Release);
                worker.unpark();
            }
        };
        std::thread::Builder::new().name("check logs".into()).spawn(check).map(drop).map_err(Error::internal)
    }

    /// Starts over with an empty index, which is then filled from `logs.db`.
    fn make_anew(&mut self, why: &str) -> Result<()> {
        let newest = self.recent.newest();
        if newest > 0 {
            tracing::warn!(why, "the log index is being rebuilt");
        }
        self.open = None;
        self.state.view.store(None);
        self.state.position.store(0, Ordering::Release);
        self.state.rebuilt_at.store(newest, Ordering::Release);
        let path = self.path();
        if path.exists() {
            fs::remove_dir_all(&path).map_err(Error::storage)?;
        }
        fs::create_dir_all(&path).map_err(Error::storage)?;
        if newest > 0 {
            self.db.write_blocking(sql::all_indexed)?;
        }
        let mut open = OpenIndex::new(&path, &self.history)?;
        // So that the next start recognizes it as ours.
        open.commit(&path)?;
        open.last_commit = None;
        let view = open.view(None)?;
        self.show(open, view);
        Ok(())
    }

    /// Deletes the entries of deleted projects and removed batches, once no more of them can arrive.
    fn unindex(&mut self) -> Result<()> {
        if self.looked.is_some_and(|looked| looked.elapsed() < PAUSE) {
            return Ok(());
        }
        self.looked = Some(Instant::now());
        let Some(open) = self.open.as_mut() else { return Ok(()) };
        let (until, leaving) = match self.leaving.take() {
            Some(leaving) => leaving,
            None => {
                let leaving = self.db.readers.read_blocking(Leaving::read)?;
                // In this order, because their entries were stored before the last of them was deleted.
                (self.recent.newest(), leaving)
            }
        };
        if leaving.is_empty() {
            return Ok(());
        }
        if open.added < until {
            self.leaving = Some((until, leaving));
            return Ok(());
        }
        leaving.delete(open)?;
        self.commit()?;
        self.db.write_blocking(move |tx| {
            sql::unindexed(tx, &leaving.projects)?;
            sql::oldest::unindexed(tx, &leaving.batches)
        })
    }

    /// Adds some of what is stored but not in the index. `false` if there is none, or if it is better to
    /// wait: until a commit is due, or there is enough for segments of a good size.
    fn add(&mut self) -> Result<bool> {
        let is_due = self.until_commit().is_zero();
        let Some(open) = &mut self.open else { return Ok(false) };
        if !is_due && self.recent.waiting(open.added) < ENOUGH {
            return Ok(false);
        }
        // Read before what is on disk, so that nothing stored afterwards is skipped.
        let newest = self.recent.newest();
        let batches = match self.recent.take(open.added, ROUND) {
            Next::Nothing => {
                // The newest batches may have been deleted, so that no commit reaches their position.
                if open.waiting_since.is_none() {
                    self.state.rebuilt_at.store(0, Ordering::Release);
                }
                return Ok(false);
            }
            Next::Batches(batches) => batches,
            Next::OnDisk => {
                let from = open.added;
                let found = self.db.readers.read_blocking(|c| sql::after(c, from, ROUND))?;
                found.into_iter().map(Arc::new).collect()
            }
        };
        if batches.is_empty() {
            // The newest batches were deleted.
            open.added = newest.max(open.added);
        } else {
            open.add(&batches).or_else(|error| open.pass_over(&batches, error))?;
        }
        open.is_behind.store(self.recent.waiting(open.added) >= ENOUGH, Ordering::Relaxed);
        Ok(true)
    }

    /// How long until a commit is due.
    fn until_commit(&self) -> Duration {
        let last = self.open.as_ref().and_then(|open| open.last_commit);
        last.map_or(Duration::ZERO, |last| COMMIT_EVERY.saturating_sub(last.elapsed()))
    }

    /// Commits what was added once the interval since the last commit has passed, which is longer if much is
    /// still to be added.
    fn commit_if_due(&mut self) -> Result<bool> {
        let Some(open) = &self.open else { return Ok(false) };
        if open.waiting_since.is_none() || !self.until_commit().is_zero() {
            return Ok(false);
        }
        let is_early = open.last_commit.is_some_and(|last| last.elapsed() < COMMIT_BEHIND);
        if is_early && self.recent.waiting(open.added) >= ENOUGH {
            return Ok(false);
        }
        self.commit()?;
        Ok(true)
    }

    fn commit(&mut self) -> Result<()> {
        let path = self.path();
        let Some(open) = &mut self.open else { return Ok(()) };
        let start = Instant::now();
        open.commit(&path)?;
        tracing::debug!(
            position = open.committed,
            ms = start.elapsed().as_millis() as u64,
            "committed the log index"
        );
        let before = self.state.view.load_full();
        self.state.view.store(Some(Arc::new(open.view(before.as_deref())?)));
        self.state.position.store(open.committed, Ordering::Release);
        Ok(())
    }

    /// Commits what was added and waits for merges.
    fn close(&mut self) -> Result<()> {
        self.state.view.store(None);
        let path = self.path();
        let Some(mut open) = self.open.take() else { return Ok(()) };
        if open.waiting_since.is_some() {
            open.commit(&path)?;
        }
        Ok(())
    }
}
