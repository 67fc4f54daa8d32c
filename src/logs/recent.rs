//! Recently stored batches, for the indexer and for live tails: neither has to read and unpack what was in
//! memory a moment ago.

use crate::event::log_batch::StoredBatch;
use crate::ids::ProjectId;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::thread::Thread;
use tokio::sync::broadcast;

/// Bytes of entries kept for the indexer; if it is further behind, it reads `logs.db`.
const BYTES_MAX: usize = 16 << 20;
/// Bytes that are indexed before a commit is due, because they make segments of a good size.
pub const ENOUGH: usize = 8 << 20;
/// How many batches, and bytes of entries, a watcher may lag before it misses some; a batch has up to 6 MiB.
const WATCHED: usize = 256;
const WATCHED_BYTES: usize = 8 << 20;

pub struct Recent {
    queue: Mutex<Queue>,
    /// The position of the newest stored batch.
    newest: AtomicI64,
    indexer: OnceLock<Thread>,
    watchers: broadcast::Sender<WatcherBatch>,
}

#[derive(Default)]
struct Queue {
    batches: VecDeque<Arc<StoredBatch>>,
    bytes: usize,
    /// The newest batches, which watchers may still read, and their bytes.
    watched: VecDeque<Arc<StoredBatch>>,
    watched_bytes: usize,
    /// Entries of each project since the start.
    counts: HashMap<ProjectId, u64>,
}

/// A batch with the number of its project's entries before it since the start, so that a watcher that misses
/// some knows how many.
#[derive(Clone)]
pub struct WatcherBatch {
    pub project: ProjectId,
    pub before: u64,
    batch: Weak<StoredBatch>,
}

impl WatcherBatch {
    /// The batch; `None` if the watcher is too far behind and misses it.
    pub fn batch(&self) -> Option<Arc<StoredBatch>> {
        self.batch.upgrade()
    }
}

impl Queue {
    fn count(&self, project: ProjectId) -> u64 {
        self.counts.get(&project).copied().unwrap_or(0)
    }

    fn next(&mut self) -> Option<Arc<StoredBatch>> {
        let batch = self.batches.pop_front()?;
        self.bytes -= batch.plain.size();
        Some(batch)
    }

    /// Keeps a batch for watchers, and drops the oldest ones if there are too many.
    fn watch(&mut self, batch: Arc<StoredBatch>) {
        self.watched_bytes += batch.plain.size();
        self.watched.push_back(batch);
        while self.watched_bytes > WATCHED_BYTES && self.watched.len() > 1 {
            let oldest = self.watched.pop_front();
            self.watched_bytes -= oldest.map_or(0, |oldest| oldest.plain.size());
        }
    }

    fn unwatch(&mut self) {
        self.watched.clear();
        self.watched_bytes = 0;
    }

    fn forget(&mut self, position: i64) {
        while self.batches.front().is_some_and(|batch| batch.id <= position) {
            self.next();
        }
    }
}

/// What comes after a position.
pub enum Next {
    /// Everything stored has been seen.
    Nothing,
    Batches(Vec<Arc<StoredBatch>>),
    /// No longer in memory.
    OnDisk,
}

impl Recent {
    pub fn new(newest: i64) -> Self {
        let (watchers, _) = broadcast::channel(WATCHED);
        Self { queue: Mutex::default(), newest: newest.into(), indexer: OnceLock::new(), watchers }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a batch once it is committed; called in order.
    pub fn add(&self, batch: StoredBatch) {
        let (id, size, batch) = (batch.id, batch.plain.size(), Arc::new(batch));
        let is_wanted = {
            let mut queue = self.queue();
            if queue.bytes + size > BYTES_MAX {
                queue.batches.clear();
                queue.bytes = 0;
            }
            queue.bytes += size;
            queue.batches.push_back(batch.clone());
            let count = queue.counts.entry(batch.project).or_default();
            let before = *count;
            *count += batch.plain.count as u64;
            let watched = WatcherBatch { project: batch.project, before, batch: Arc::downgrade(&batch) };
            // Usually nobody watches.
            match self.watchers.send(watched) {
                Ok(_) => queue.watch(batch),
                Err(_) => queue.unwatch(),
            }
            queue.batches.len() == 1 || queue.bytes >= ENOUGH
        };
        self.newest.store(id, Ordering::Release);
        if let Some(indexer) = self.indexer.get().filter(|_| is_wanted) {
            indexer.unpark();
        }
    }

    pub fn newest(&self) -> i64 {
        self.newest.load(Ordering::Acquire)
    }

    /// Takes what comes after `position`, up to about `bytes`; drops what comes before it.
    pub fn take(&self, position: i64, bytes: usize) -> Next {
        let mut queue = self.queue();
        queue.forget(position);
        match queue.batches.front() {
            Some(first) if first.id == position + 1 => {
                let (mut taken, mut size) = (Vec::new(), 0);
                while size < bytes
                    && let Some(batch) = queue.next()
                {
                    size += batch.plain.size();
                    taken.push(batch);
                }
                Next::Batches(taken)
            }
            _ if self.newest() <= position => Next::Nothing,
            _ => Next::OnDisk,
        }
    }

    /// Bytes of what comes after `position`; `usize::MAX` if some of it is only on disk.
    pub fn waiting(&self, position: i64) -> usize {
        let mut queue = self.queue();
        queue.forget(position);
        match queue.batches.front() {
            Some(first) if first.id == position + 1 => queue.bytes,
            _ if self.newest() <= position => 0,
            _ => usize::MAX,
        }
    }

    /// Sets the thread to wake for each batch.
    pub fn wake(&self, indexer: Thread) {
        drop(self.indexer.set(indexer));
    }

    /// The batches of all projects from now on, and how many entries `project` has had since the start.
    pub fn watch(&self, project: ProjectId) -> (broadcast::Receiver<WatcherBatch>, u64) {
        let queue = self.queue();
        (self.watchers.subscribe(), queue.count(project))
    }

    /// How many entries a project has had since the start.
    pub fn count(&self, project: ProjectId) -> u64 {
        self.queue().count(project)
    }
}

#[cfg(test)]
mod tests;
