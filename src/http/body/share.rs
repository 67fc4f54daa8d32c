//! Limits how much of the memory for bodies each sender may use at once.
//!
//! A body in flight costs memory before its worth is known: its bytes, what they decompress to, and the tree
//! they are parsed into. All three are limited, in total and for each project. Senders without a valid key
//! have one small share together, so strangers can neither fill the memory nor take the places of projects. A
//! body that waits for its share is not read: it stays with its sender.

use crate::error::{Error, Result};
use crate::sabotage;
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

/// How long a body waits for its share. (Tests wait less.)
const PATIENCE: Duration = if cfg!(test) { Duration::from_millis(50) } else { Duration::from_secs(10) };
/// The unit in which room is counted, in bytes: a semaphore has at most 2^29 permits.
const UNIT: usize = 1 << 10;

/// The limited resources.
#[derive(Debug, Clone, Copy)]
pub enum Resource {
    /// Memory for bytes from the wire, this many.
    Wire(usize),
    /// A decoder and its output. A decoder may take 16 MiB for its window (Brotli) whatever the body's limit,
    /// and a body of fifty bytes can ask for that.
    Decoding,
    /// Work on a large body: up to 70 MB for two batches of text and a tree.
    Preparing,
}

/// Room for bodies, by resource.
#[derive(Debug)]
struct Room {
    wire: Arc<Semaphore>,
    decoding: Arc<Semaphore>,
    preparing: Arc<Semaphore>,
}

/// The limits of all senders together, of a project, and of all without a valid key. A body of 10 MiB fits
/// into each.
const ALL: [usize; 3] = [40 << 20, 3, 3];
const PROJECT: [usize; 3] = [24 << 20, 2, 2];
const STRANGERS: [usize; 3] = [11 << 20, 1, 1];

impl Room {
    fn new([wire, decoding, preparing]: [usize; 3]) -> Self {
        let semaphore = |permits| Arc::new(Semaphore::new(permits));
        Self { wire: semaphore(wire / UNIT), decoding: semaphore(decoding), preparing: semaphore(preparing) }
    }

    fn of(&self, what: Resource) -> Arc<Semaphore> {
        match what {
            Resource::Wire(_) => self.wire.clone(),
            Resource::Decoding => self.decoding.clone(),
            Resource::Preparing => self.preparing.clone(),
        }
    }
}

/// What one party may use at once.
#[derive(Debug)]
pub struct Share {
    own: Room,
    all: Arc<Room>,
}

impl Default for Share {
    /// The share of a project.
    fn default() -> Self {
        Self::of_process(PROJECT)
    }
}

/// A part of a share, held until it is dropped.
#[derive(Debug)]
pub struct Permit {
    _own: OwnedSemaphorePermit,
    _of_all: OwnedSemaphorePermit,
}

impl Share {
    /// A share of what the process has.
    fn of_process(bounds: [usize; 3]) -> Self {
        static OF_PROCESS: LazyLock<Arc<Room>> = LazyLock::new(|| Arc::new(Room::new(ALL)));
        Self { own: Room::new(bounds), all: OF_PROCESS.clone() }
    }

    /// The share of all senders without a valid key.
    pub fn of_strangers() -> Arc<Self> {
        static OF_STRANGERS: LazyLock<Arc<Share>> = LazyLock::new(|| Arc::new(Share::of_process(STRANGERS)));
        OF_STRANGERS.clone()
    }

    /// Waits for a part of the share and of the total.
    ///
    /// # Errors
    /// 503 if it does not become free in time.
    pub async fn take(&self, what: Resource) -> Result<Permit> {
        let (own, of_all) = (self.own.of(what), self.all.of(what));
        let count = if let Resource::Wire(bytes) = what { bytes.div_ceil(UNIT) } else { 1 };
        let count = if sabotage::on("endless_room") { 0 } else { u32::try_from(count).unwrap_or(u32::MAX) };
        // Its own share first: while waiting for that, it takes nothing from others.
        let both = async {
            let own = own.acquire_many_owned(count).await?;
            Ok(Permit { _own: own, _of_all: of_all.acquire_many_owned(count).await? })
        };
        let waited = tokio::time::timeout(PATIENCE, both).await;
        let overloaded =
            || Error::overloaded("Too many large bodies at once, nothing was stored. Try again.");
        waited.map_err(|_| overloaded())?.map_err(|closed: AcquireError| Error::internal(closed))
    }
}

#[cfg(test)]
mod tests;
