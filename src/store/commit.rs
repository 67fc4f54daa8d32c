//! The writer thread of a database, and group commit.
//!
//! Callers check everything first, then put a [`Job`] on a bounded queue. The writer takes everything that is
//! there, runs all jobs in one transaction, commits once, and only then settles the jobs: an answer is sent
//! after its commit, never before. A full queue is an immediate error (503), so memory stays bounded and the
//! caller knows.

use super::free_pages;
use super::queue::{Depth, Queue, Waiting, queue};
use crate::error::{Error, Result};
use crate::sabotage;
use prometheus_client::metrics::histogram::Histogram;
use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;
use tokio::sync::oneshot;

/// The extended code of a failed fsync, after which SQLite's state cannot be trusted.
const IOERR_FSYNC: i32 = rusqlite::ffi::SQLITE_IOERR_FSYNC;

/// Work for a writer thread.
pub trait Job: Send {
    /// Performs the writes. Must keep its error for [`Job::settle`] and return whether the writes should be
    /// kept.
    fn run(&mut self, transaction: &Transaction<'_>) -> bool;
    /// Called once the group's transaction is committed, or with the reason why it was not.
    fn settle(self: Box<Self>, committed: Result<()>);
    /// Bytes that count towards the limits.
    fn size(&self) -> usize {
        0
    }
    /// Whether a failed run must be undone separately. A job with one statement needs no savepoint.
    fn needs_savepoint(&self) -> bool {
        true
    }
}

/// Signals that the process cannot continue: it stops with an error exit code, and the next start recovers.
#[derive(Clone)]
pub struct Fatal(Arc<tokio::sync::watch::Sender<Option<String>>>);

impl Fatal {
    pub fn new() -> (Self, tokio::sync::watch::Receiver<Option<String>>) {
        let (sender, receiver) = tokio::sync::watch::channel(None);
        (Self(Arc::new(sender)), receiver)
    }

    /// A guard that raises this if the thread that holds it panics.
    pub fn on_panic(&self, thread: &'static str) -> impl Drop + use<> {
        Guard { fatal: self.clone(), thread }
    }

    pub fn raise(&self, reason: String) {
        tracing::error!(reason, "stopping: the store can no longer be trusted");
        self.0.send_replace(Some(reason));
    }
}

struct Guard {
    fatal: Fatal,
    thread: &'static str,
}

impl Drop for Guard {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.fatal.raise(format!("the thread `{}` ended with a panic", self.thread));
        }
    }
}

/// A handle on a writer thread.
#[derive(Clone)]
pub struct Writer {
    queue: Queue<Box<dyn Job>>,
    stopping: Arc<AtomicBool>,
    seconds: Arc<OnceLock<Histogram>>,
    shrinking: Arc<AtomicBool>,
    checkpointing: Arc<AtomicBool>,
    thread: Arc<Mutex<Option<JoinHandle<()>>>>,
}

impl Writer {
    pub fn start(name: &'static str, connection: Connection, fatal: Fatal) -> Result<Self> {
        let (queue, jobs) = queue();
        let stopping = Arc::new(AtomicBool::new(false));
        let (seconds, shrinking, checkpointing) = (Arc::default(), Arc::default(), Arc::default());
        let worker = Worker {
            seconds: Arc::clone(&seconds),
            shrinking: Arc::clone(&shrinking),
            checkpointing: Arc::clone(&checkpointing),
            name,
            connection,
            jobs,
            stopping: stopping.clone(),
            fatal,
        };
        let thread = std::thread::Builder::new()
            .name(format!("write {name}"))
            .spawn(move || worker.run())
            .map_err(Error::internal)?;
        let thread = Arc::new(Mutex::new(Some(thread)));
        Ok(Self { queue, stopping, seconds, shrinking, checkpointing, thread })
    }

    /// Commits what is queued, leaves a short WAL and ends the thread. Later jobs are refused.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Release);
        // Wakes the thread; if the queue is full, it is awake already.
        drop(self.call(|_| Ok(())));
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if thread.is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("a writer ended with a panic");
        }
    }

    /// Puts a job on the queue, or returns immediately that it is full.
    pub fn submit(&self, job: Box<dyn Job>) -> Result<()> {
        let size = job.size();
        self.queue.submit(job, size)
    }

    /// Sets the histogram that receives the seconds of each transaction with its commit.
    pub fn observe(&self, seconds: Histogram) {
        drop(self.seconds.set(seconds));
    }

    /// Returns space freed by deleting to the file system, soon and outside any transaction: while the disk
    /// is nearly full, the WAL must not keep it until its next checkpoint.
    pub fn shrink(&self) {
        self.shrinking.store(true, Ordering::Release);
        // Wakes the thread; if the queue is full, it is awake already.
        drop(self.call(|_| Ok(())));
    }

    /// Moves what is in the WAL to the database file, soon and as far as no reader is in the way.
    pub(super) fn checkpoint(&self) {
        self.checkpointing.store(true, Ordering::Release);
        drop(self.call(|_| Ok(())));
    }

    /// What waits to be written.
    pub fn depth(&self) -> Depth {
        self.queue.depth()
    }

    /// Submits a function; the receiver gets its result after the commit.
    pub fn call<T, F>(&self, write: F) -> Result<oneshot::Receiver<Result<T>>>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<T> + Send + 'static,
    {
        let (reply, receiver) = oneshot::channel();
        self.submit(Box::new(Call { write: Some(write), result: None, reply }))?;
        Ok(receiver)
    }
}

/// A function as a job.
struct Call<T, F> {
    write: Option<F>,
    result: Option<Result<T>>,
    reply: oneshot::Sender<Result<T>>,
}

impl<T, F> Job for Call<T, F>
where
    T: Send + 'static,
    F: FnOnce(&Transaction<'_>) -> Result<T> + Send + 'static,
{
    fn run(&mut self, transaction: &Transaction<'_>) -> bool {
        self.result = self.write.take().map(|write| write(transaction));
        matches!(self.result, Some(Ok(_)))
    }

    fn settle(self: Box<Self>, committed: Result<()>) {
        let result = match (committed, self.result) {
            (Ok(()), Some(result)) => result,
            (Ok(()), None) => Err(Error::internal("a write panicked")),
            (Err(error), _) => Err(error),
        };
        // The caller may have disconnected; its work is done anyway.
        drop(self.reply.send(result));
    }
}

struct Worker {
    seconds: Arc<OnceLock<Histogram>>,
    shrinking: Arc<AtomicBool>,
    checkpointing: Arc<AtomicBool>,
    name: &'static str,
    connection: Connection,
    jobs: Waiting<Box<dyn Job>>,
    stopping: Arc<AtomicBool>,
    fatal: Fatal,
}

impl Worker {
    fn run(mut self) {
        let _guard = self.fatal.on_panic(self.name);
        while let Some(mut group) = self.jobs.gather() {
            let started = Instant::now();
            let outcome = commit(&mut self.connection, &mut group);
            let took = started.elapsed();
            if let Some(seconds) = self.seconds.get() {
                seconds.observe(took.as_secs_f64());
            }
            tracing::trace!(
                database = self.name,
                jobs = group.len(),
                us = took.as_micros() as u64,
                "committed"
            );
            if let Err(error) = &outcome {
                tracing::error!(database = self.name, jobs = group.len(), %error, "a commit failed");
                if let Some(reason) = fatal(self.name, error) {
                    settle(group, &outcome);
                    self.fatal.raise(reason);
                    return;
                }
            }
            settle(group, &outcome);
            if self.shrinking.swap(false, Ordering::AcqRel) {
                self.shrink();
            }
            if self.checkpointing.swap(false, Ordering::AcqRel) {
                self.checkpoint("passive");
            }
            if self.stopping.load(Ordering::Acquire) {
                // Refuses new jobs; the loop ends once the queued ones are done.
                self.jobs.close();
            }
        }
        // Leave a short WAL behind, so that the next start has little to read.
        if let Err(error) = self.connection.execute_batch("pragma optimize; pragma wal_checkpoint(truncate)")
        {
            tracing::warn!(database = self.name, %error, "the last checkpoint failed");
        }
    }
}

/// Why nothing more may be written after an error.
fn fatal(database: &str, error: &rusqlite::Error) -> Option<String> {
    let cause = error.sqlite_error()?;
    if cause.extended_code == IOERR_FSYNC && !sabotage::on("retry_after_failed_sync") {
        return Some(format!("{database}.db could not be synced to disk: {error}"));
    }
    let is_damaged = matches!(cause.code, ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase);
    is_damaged.then(|| {
        format!(
            "{database}.db is damaged ({error}). Restore the data directory from a backup with `mayday restore`"
        )
    })
}

impl Worker {
    /// If a reader is active, some of it is left for the next time.
    fn shrink(&self) {
        if let Err(error) = free_pages::release(&self.connection, i64::MAX) {
            tracing::debug!(database = self.name, %error, "the database could not be made smaller");
        }
        self.checkpoint("truncate");
    }

    fn checkpoint(&self, mode: &str) {
        if let Err(error) = self.connection.execute_batch(&format!("pragma wal_checkpoint({mode})")) {
            tracing::debug!(database = self.name, %error, "a checkpoint failed");
        }
    }
}

fn commit(connection: &mut Connection, group: &mut [Box<dyn Job>]) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if let [job] = group {
        return run_alone(transaction, job.as_mut());
    }
    for job in group {
        run_one(&transaction, job.as_mut())?;
        if transaction.is_autocommit() {
            return Err(rolled_back());
        }
    }
    transaction.commit()
}

/// A job that is alone in its transaction needs no savepoint: for a batch of events, saving the old state of
/// each changed page takes as long as changing it.
fn run_alone(transaction: Transaction<'_>, job: &mut dyn Job) -> rusqlite::Result<()> {
    let is_kept = catch_unwind(AssertUnwindSafe(|| job.run(&transaction))).unwrap_or(false);
    if transaction.is_autocommit() {
        return Err(rolled_back());
    }
    if is_kept { transaction.commit() } else { transaction.rollback() }
}

/// SQLite rolled everything back by itself (disk full, I/O error).
fn rolled_back() -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(
        rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_FULL),
        Some("the transaction was rolled back by SQLite: the disk is full or failing".into()),
    )
}

fn run_one(transaction: &Transaction<'_>, job: &mut dyn Job) -> rusqlite::Result<()> {
    let needs_savepoint = job.needs_savepoint();
    // A panic concerns only that job.
    let mut run = || catch_unwind(AssertUnwindSafe(|| job.run(transaction)));
    if !needs_savepoint {
        // Its one statement was not finished: the whole group is rolled back.
        return run().map(drop).map_err(|_| rusqlite::Error::UnwindingPanic);
    }
    transaction.prepare_cached("savepoint job")?.execute(())?;
    if !run().unwrap_or(false) && !transaction.is_autocommit() {
        transaction.prepare_cached("rollback to job")?.execute(())?;
    }
    if !transaction.is_autocommit() {
        transaction.prepare_cached("release job")?.execute(())?;
    }
    Ok(())
}

fn settle(group: Vec<Box<dyn Job>>, outcome: &rusqlite::Result<()>) {
    for job in group {
        job.settle(match outcome {
            Ok(()) => Ok(()),
            Err(error) => Err(Error::storage(error.to_string())),
        });
    }
}
