//! An append-only journal: records in the order of their acceptance, each with a position that is
//! never used twice, and a [`Form`] that says what it is, which the journal itself never looks into.
//!
//! One thread appends ([`Journal`]): it takes everything that waits, writes it as one *group*, syncs, and
//! only then answers. Another thread reads behind it ([`Journal::after`]) and reports how far it got
//! ([`Journal::forget`]). What is between the two is in *segments*, files of a fixed size that are reused
//! once they have been read: syncing a file that does not grow does not wait for metadata, which takes a
//! third less time. A group has a checksum over all of it, seeded by a number that is new each time a file is
//! used, so neither a torn write nor a file's former content is ever taken for a record.
//!
//! After a crash everything up to the last whole group is there ([`recover`]). A group that is not
//! whole was never answered, unless whole ones follow it: those were written after it was synced, so
//! the file is damaged, and the start is refused rather than something lost in silence. So it is when a
//! file is shorter than it was made, or missing: each names the one before it, the position that was read
//! up to tells the oldest that is needed, and [`newest`] the last one. Whoever copies the files of a running
//! server begins with `newest`; [`Journal::copy_to`] makes a copy from within.

mod append;
mod copy;
mod newest;
mod read;
mod recover;
mod segment;

use super::commit::Fatal;
use super::queue::{Depth, Queue};
use crate::error::{Error, Result};
use append::{Append, Work};
use prometheus_client::metrics::histogram::Histogram;
use read::Cursor;
pub use segment::RECORD_HEAD;
use segment::Segment;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{JoinHandle, Thread};
use tokio::sync::oneshot;

/// Bytes of a segment; if its only group is larger, the segment is as large as that.
const SEGMENT_BYTES: u64 = if cfg!(test) { 64 << 10 } else { 16 << 20 };
/// Segments that have been read and are kept for reuse.
const SPARES: usize = 2;
/// Bytes that may wait to be read. New appends are refused until the reader catches up.
const BACKLOG_BYTES: u64 = 8 << 30;
/// A file that the operator creates in the journal's directory to start without what is missing or damaged.
pub(super) const ACCEPT_LOSS: &str = "accept-loss";

/// The kind of a record and the version of its layout. The writer of the records assigns the numbers and never gives one
/// a second meaning; a reader leaves records of an unknown form as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Form {
    pub kind: u8,
    /// The version of the kind's layout.
    pub version: u8,
}

/// A record that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    pub position: i64,
    pub form: Form,
    pub bytes: Vec<u8>,
}

/// The state of the journal.
#[derive(Debug, Clone, Copy)]
pub struct Standing {
    /// What waits to be written.
    pub queue: Depth,
    /// The position of the newest record on disk.
    pub last: i64,
    /// Bytes of its files.
    pub bytes: u64,
}

/// A handle on the journal in a directory.
#[derive(Clone)]
pub struct Journal {
    queue: Queue<Work>,
    shared: Arc<Shared>,
    /// Where the reader is, and where it is that looks ahead.
    cursor: Arc<Mutex<Option<Cursor>>>,
    ahead: Arc<Mutex<Option<Cursor>>>,
    thread: Arc<Mutex<Option<JoinHandle<()>>>>,
    fatal: Fatal,
}

/// What the writer and the reader share.
struct Shared {
    directory: PathBuf,
    /// In order of their positions; the last one is being written to.
    segments: Mutex<VecDeque<Arc<Segment>>>,
    spares: Mutex<Vec<PathBuf>>,
    last: AtomicI64,
    /// The first position of the segment whose loss would be noticed; that segment is not released.
    marked: AtomicI64,
    /// At start the operator accepted that records up to this position may be missing.
    given_up: i64,
    /// The number of copies being made.
    holds: AtomicUsize,
    stopping: AtomicBool,
    /// The thread to wake when there is something to read.
    reader: OnceLock<Thread>,
    observed: OnceLock<Observed>,
}

/// The writer's measurements: seconds from a group's first write until it is synced, and its number of
/// records.
#[derive(Debug)]
pub struct Observed {
    pub seconds: Histogram,
    pub records: Histogram,
}

impl Shared {
    fn segments(&self) -> MutexGuard<'_, VecDeque<Arc<Segment>>> {
        self.segments.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn spares(&self) -> MutexGuard<'_, Vec<PathBuf>> {
        self.spares.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn bytes(&self) -> u64 {
        self.segments().iter().map(|segment| segment.capacity).sum()
    }
}

impl Journal {
    /// Opens or creates the journal in `directory`. `read` is the position up to which everything has been
    /// read: numbering continues above it even if the files were lost.
    ///
    /// # Errors
    /// If a file is missing, was cut, or is damaged before its end, because its records were acknowledged.
    pub fn open(directory: &Path, read: i64, fatal: &Fatal) -> Result<Self> {
        let recovered = recover::recover(directory, read)?;
        let shared = Arc::new(Shared {
            directory: directory.to_owned(),
            segments: Mutex::new(recovered.segments),
            spares: Mutex::new(recovered.spares),
            last: AtomicI64::new(recovered.last),
            marked: AtomicI64::new(recovered.marker.mark.first),
            given_up: recovered.marker.mark.given_up,
            holds: AtomicUsize::new(0),
            stopping: AtomicBool::new(false),
            reader: OnceLock::new(),
            observed: OnceLock::new(),
        });
        let (queue, thread) = append::start(shared.clone(), recovered.marker, fatal.clone())?;
        let thread = Arc::new(Mutex::new(Some(thread)));
        Ok(Self {
            queue,
            shared,
            cursor: Arc::default(),
            ahead: Arc::default(),
            thread,
            fatal: fatal.clone(),
        })
    }

    /// Sets the thread to wake when there is something to read.
    pub fn wake(&self, thread: Thread) {
        drop(self.shared.reader.set(thread));
    }

    /// Sets what receives the measurements.
    pub fn observe(&self, observed: Observed) {
        drop(self.shared.observed.set(observed));
    }

    /// Appends `count` records, each of them framed by [`frame`]; returns once they are on disk.
    ///
    /// # Errors
    /// Overload or storage trouble; none of the records is stored.
    pub async fn append(&self, framed: Vec<u8>, count: u32) -> Result<()> {
        let (reply, stored) = oneshot::channel();
        let size = framed.len();
        self.queue.submit(Work::Append(Append { framed, count, reply }), size)?;
        stored.await.map_err(|_| Error::overloaded("The server is stopping. Try again."))?
    }

    /// The next records after `position`, in order: at most `records`, ending early past `bytes`.
    ///
    /// # Errors
    /// If the file cannot be read, or is damaged, in which case the process ends.
    pub fn after(&self, position: i64, records: usize, bytes: usize) -> Result<Vec<Record>> {
        self.read(&self.cursor, position, records, bytes)
    }

    /// Like [`Journal::after`], with a separate cursor.
    ///
    /// # Errors
    /// As there.
    pub fn look_ahead(&self, position: i64, records: usize, bytes: usize) -> Result<Vec<Record>> {
        self.read(&self.ahead, position, records, bytes)
    }

    /// Closes the file that [`Journal::look_ahead`] was reading.
    pub fn end_look_ahead(&self) {
        self.ahead.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    fn read(
        &self,
        cursor: &Mutex<Option<Cursor>>,
        position: i64,
        records: usize,
        bytes: usize,
    ) -> Result<Vec<Record>> {
        let mut cursor = cursor.lock().unwrap_or_else(PoisonError::into_inner);
        let found = read::after(&self.shared, &mut cursor, position, records, bytes);
        if let Err(Error::Internal(damage)) = &found {
            self.fatal.raise(damage.to_string());
        }
        found
    }

    /// Copies the journal into a directory that has none yet: at least every record that was acknowledged
    /// before the call and is not forgotten ([`Journal::forget`]). Blocks; in the meantime no segment is
    /// released. Returns a position up to which the copy is complete.
    ///
    /// # Errors
    /// If something cannot be read or written.
    pub fn copy_to(&self, into: &Path) -> Result<i64> {
        copy::copy(&self.shared, into).map_err(Error::storage)
    }

    /// Releases the segments whose records are all at or below `position`, unless a copy is being made.
    pub fn forget(&self, position: i64) {
        let marked = self.shared.marked.load(Ordering::Acquire);
        loop {
            let done = {
                let mut segments = self.shared.segments();
                // Checked under the lock: a copy that starts after it lists only the segments that remain.
                let is_held = self.shared.holds.load(Ordering::Acquire) > 0;
                let is_done = !is_held
                    && segments.len() > 1
                    && segments[0].first < marked
                    && segments[0].last() <= position;
                if is_done { segments.pop_front() } else { None }
            };
            let Some(done) = done else { return };
            if let Err(error) = self.give_up(&done) {
                tracing::warn!(%error, file = %done.path.display(), "a journal file that has been read could not be released");
            }
        }
    }

    fn give_up(&self, segment: &Segment) -> std::io::Result<()> {
        let mut spares = self.shared.spares();
        if segment.capacity != SEGMENT_BYTES || spares.len() >= SPARES {
            return std::fs::remove_file(&segment.path);
        }
        // Renamed, so that the next start does not take its records for unread ones.
        let spare = segment.path.with_extension("spare");
        std::fs::rename(&segment.path, &spare)?;
        spares.push(spare);
        Ok(())
    }

    /// Checks that a write succeeds at this moment.
    pub async fn check(&self) -> Result<()> {
        self.append(Vec::new(), 0).await
    }

    /// The position of the newest record.
    pub fn newest(&self) -> i64 {
        self.shared.last.load(Ordering::Acquire)
    }

    pub fn standing(&self) -> Standing {
        Standing { queue: self.queue.depth(), last: self.newest(), bytes: self.shared.bytes() }
    }

    /// Writes what is queued and ends the thread. Later appends are refused.
    pub fn stop(&self) {
        self.shared.stopping.store(true, Ordering::Release);
        // Wakes the thread; if the queue is full, it is awake already.
        drop(self.queue.submit(Work::Wake, 0));
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if thread.is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the journal's writer ended with a panic");
        }
    }
}

/// Frames a record for [`Journal::append`]: `write` appends its bytes to `into`.
///
/// # Errors
/// Those of `write`, and if the record has 4 GiB or more.
pub fn frame(into: &mut Vec<u8>, form: Form, write: impl FnOnce(&mut Vec<u8>) -> Result<()>) -> Result<()> {
    let at = into.len();
    into.extend_from_slice(&[0, 0, 0, 0, form.kind, form.version]);
    write(into).inspect_err(|_| into.truncate(at))?;
    let length = u32::try_from(into.len() - at - RECORD_HEAD).map_err(Error::internal)?;
    into[at..at + 4].copy_from_slice(&length.to_le_bytes());
    Ok(())
}

#[cfg(test)]
mod tests;
