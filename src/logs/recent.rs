//! Batches that were just stored, for the indexer and for those who watch: neither has to read and unpack
//! what was in memory a moment ago.

use super::sql::Stored;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::Thread;
use tokio::sync::broadcast;

/// Bytes of entries that are kept for the indexer; when it is behind by more, it reads `logs.db`.
const BYTES_MAX: usize = 8 << 20;
/// Batches that a watcher may be behind before it misses some.
const WATCHED: usize = 256;

pub struct Recent {
    queue: Mutex<Queue>,
    /// The position of the newest batch that is stored.
    newest: AtomicI64,
    indexer: OnceLock<Thread>,
    watchers: broadcast::Sender<Arc<Stored>>,
}

#[derive(Default)]
struct Queue {
    batches: VecDeque<Arc<Stored>>,
    bytes: usize,
}

/// What follows a position.
pub enum Next {
    /// All that is stored was seen.
    Nothing,
    Batches(Vec<Arc<Stored>>),
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

    /// Told of each batch once it is committed, in order.
    pub fn add(&self, batch: Stored) {
        let (id, size, batch) = (batch.id, batch.plain.size(), Arc::new(batch));
        {
            let mut queue = self.queue();
            if queue.bytes + size > BYTES_MAX {
                *queue = Queue::default();
            }
            queue.bytes += size;
            queue.batches.push_back(batch.clone());
        }
        self.newest.store(id, Ordering::Release);
        // Nobody watches, mostly.
        drop(self.watchers.send(batch));
        if let Some(indexer) = self.indexer.get() {
            indexer.unpark();
        }
    }

    pub fn newest(&self) -> i64 {
        self.newest.load(Ordering::Acquire)
    }

    /// What follows `position`, up to about `bytes`; what comes before is forgotten.
    pub fn after(&self, position: i64, bytes: usize) -> Next {
        let mut queue = self.queue();
        while queue.batches.front().is_some_and(|batch| batch.id <= position) {
            let size = queue.batches.pop_front().map_or(0, |batch| batch.plain.size());
            queue.bytes -= size;
        }
        match queue.batches.front() {
            Some(first) if first.id == position + 1 => {
                let mut left = bytes;
                let fits = |batch: &&Arc<Stored>| {
                    let fits = left > 0;
                    left = left.saturating_sub(batch.plain.size());
                    fits
                };
                Next::Batches(queue.batches.iter().take_while(fits).cloned().collect())
            }
            _ if self.newest() <= position => Next::Nothing,
            _ => Next::OnDisk,
        }
    }

    /// The thread that is woken by each batch.
    pub fn wake(&self, indexer: Thread) {
        drop(self.indexer.set(indexer));
    }

    pub fn watch(&self) -> broadcast::Receiver<Arc<Stored>> {
        self.watchers.subscribe()
    }
}
