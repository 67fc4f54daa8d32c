//! How much of the memory for bodies each sender may have at once.
//!
//! A body in flight costs memory before anybody knows what it is worth: its bytes, what they decompress to, the tree
//! they are parsed to. All three are bounded, in all and for each project; senders without a valid key have one small
//! share together, so that strangers can neither fill the memory nor take the places of projects. What waits for its
//! share is not read: it stays with its sender.

use crate::error::{Error, Result};
use crate::sabotage;
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

/// How long a body waits for its share. (Tests are in a hurry.)
const PATIENCE: Duration = if cfg!(test) { Duration::from_millis(50) } else { Duration::from_secs(10) };
/// What room is counted in: a semaphore has no more than 2^29 permits.
const UNIT: usize = 1 << 10;

/// What is bounded.
#[derive(Debug, Clone, Copy)]
pub enum Of {
    /// Memory for what came over the wire, so many bytes.
    Wire(usize),
    /// A decoder and what it made. A decoder may take 16 MiB for its window (Brotli) whatever the body's bound, and a
    /// body that asks for it has fifty bytes.
    Decoding,
    /// Work on a large body: up to 70 MB for two batches of text and a tree.
    Preparing,
}

/// Room for bodies, by what is bounded.
#[derive(Debug)]
struct Room {
    wire: Arc<Semaphore>,
    decoding: Arc<Semaphore>,
    preparing: Arc<Semaphore>,
}

/// Of all together, of a project, and of all without a valid key. A body of 8 MiB fits each.
const ALL: [usize; 3] = [40 << 20, 3, 3];
const PROJECT: [usize; 3] = [24 << 20, 2, 2];
const STRANGERS: [usize; 3] = [9 << 20, 1, 1];

impl Room {
    fn new([wire, decoding, preparing]: [usize; 3]) -> Self {
        let semaphore = |permits| Arc::new(Semaphore::new(permits));
        Self { wire: semaphore(wire / UNIT), decoding: semaphore(decoding), preparing: semaphore(preparing) }
    }

    fn of(&self, what: Of) -> Arc<Semaphore> {
        match what {
            Of::Wire(_) => self.wire.clone(),
            Of::Decoding => self.decoding.clone(),
            Of::Preparing => self.preparing.clone(),
        }
    }
}

/// What one party may have at once.
#[derive(Debug)]
pub struct Share {
    own: Room,
    all: Arc<Room>,
}

impl Default for Share {
    /// A project's.
    fn default() -> Self {
        Self::of_process(PROJECT)
    }
}

/// What is held of a share until it is dropped.
#[derive(Debug)]
pub struct Held {
    _own: OwnedSemaphorePermit,
    _of_all: OwnedSemaphorePermit,
}

impl Share {
    /// One of all that the process has.
    fn of_process(bounds: [usize; 3]) -> Self {
        static OF_PROCESS: LazyLock<Arc<Room>> = LazyLock::new(|| Arc::new(Room::new(ALL)));
        Self { own: Room::new(bounds), all: OF_PROCESS.clone() }
    }

    /// The share of all without a valid key.
    pub fn of_strangers() -> Arc<Self> {
        static OF_STRANGERS: LazyLock<Arc<Share>> = LazyLock::new(|| Arc::new(Share::of_process(STRANGERS)));
        OF_STRANGERS.clone()
    }

    /// Waits for a part of the share, and of what there is in all.
    ///
    /// # Errors
    /// 503 when it does not get free in time.
    pub async fn take(&self, what: Of) -> Result<Held> {
        let (own, of_all) = (self.own.of(what), self.all.of(what));
        let count = if let Of::Wire(bytes) = what { bytes.div_ceil(UNIT) } else { 1 };
        let count = if sabotage::on("endless_room") { 0 } else { u32::try_from(count).unwrap_or(u32::MAX) };
        // Its own first: whoever waits for that takes nothing from the others.
        let both = async {
            let own = own.acquire_many_owned(count).await?;
            Ok(Held { _own: own, _of_all: of_all.acquire_many_owned(count).await? })
        };
        let waited = tokio::time::timeout(PATIENCE, both).await;
        let overloaded =
            || Error::overloaded("Too many large bodies at once, nothing was stored. Try again.");
        waited.map_err(|_| overloaded())?.map_err(|closed: AcquireError| Error::internal(closed))
    }
}

#[cfg(test)]
mod tests;
