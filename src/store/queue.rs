//! The queue in front of a writer thread, limited in items and bytes. If it is full, that is an immediate
//! error (503): memory stays bounded, and the sender knows.

use crate::error::{Error, Result};
use crate::sabotage;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::mpsc;

/// Items that may wait for one writer.
const ITEMS: usize = 4_096;
/// Bytes of payload that may wait for one writer. There are three writers, and their queues share the memory
/// of the process with bodies in flight and with the log index. A higher limit would only let more wait for a
/// stalled disk.
const BYTES: usize = 32 << 20;
/// Items and bytes of one commit: enough to share a sync, small enough to keep its latency.
const GROUP_ITEMS: usize = 512;
const GROUP_BYTES: usize = 4 << 20;

/// The sending end.
pub(super) struct Queue<T> {
    sender: mpsc::Sender<(T, usize)>,
    bytes: Arc<AtomicUsize>,
}

/// The writer's end.
pub(super) struct Waiting<T> {
    receiver: mpsc::Receiver<(T, usize)>,
    bytes: Arc<AtomicUsize>,
}

/// What waits for a writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Depth {
    pub items: usize,
    pub bytes: usize,
}

pub(super) fn queue<T>() -> (Queue<T>, Waiting<T>) {
    let items = if sabotage::on("unbounded_queue") { 1 << 24 } else { ITEMS };
    let (sender, receiver) = mpsc::channel(items);
    let bytes = Arc::new(AtomicUsize::new(0));
    (Queue { sender, bytes: bytes.clone() }, Waiting { receiver, bytes })
}

impl<T> Clone for Queue<T> {
    fn clone(&self) -> Self {
        Self { sender: self.sender.clone(), bytes: self.bytes.clone() }
    }
}

impl<T> Queue<T> {
    /// Puts an item of `size` bytes on the queue.
    ///
    /// # Errors
    /// Overload if it is full or closed.
    pub(super) fn submit(&self, item: T, size: usize) -> Result<()> {
        const FULL: &str = "The server is receiving more than it can store right now. Try again.";
        let place = self.sender.try_reserve().map_err(|_| Error::overloaded(FULL))?;
        let waiting = self.bytes.fetch_add(size, Ordering::Relaxed) + size;
        if waiting > BYTES && !sabotage::on("unbounded_queue") {
            self.bytes.fetch_sub(size, Ordering::Relaxed);
            return Err(Error::overloaded(FULL));
        }
        place.send((item, size));
        Ok(())
    }

    pub(super) fn depth(&self) -> Depth {
        let items = self.sender.max_capacity() - self.sender.capacity();
        Depth { items, bytes: self.bytes.load(Ordering::Relaxed) }
    }
}

impl<T> Waiting<T> {
    /// Waits for an item and takes the others that are there, up to a commit's worth; `None` once the queue
    /// is closed and empty.
    pub(super) fn gather(&mut self) -> Option<Vec<T>> {
        let (first, mut bytes) = self.receiver.blocking_recv()?;
        let mut group = vec![first];
        let most = if sabotage::on("no_group_commit") { 1 } else { GROUP_ITEMS };
        while group.len() < most && bytes < GROUP_BYTES {
            let Ok((item, size)) = self.receiver.try_recv() else { break };
            bytes += size;
            group.push(item);
        }
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        Some(group)
    }

    /// Refuses further items; those that wait are still taken.
    pub(super) fn close(&mut self) {
        self.receiver.close();
    }
}
