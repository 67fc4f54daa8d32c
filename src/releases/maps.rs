//! The stored source maps: files by content, opened ones in a cache bounded in bytes, and the turn
//! that an upload or a removal takes.

use super::map::{Cache, Map};
use super::{sql, upload};
use crate::error::{Error, Result};
use crate::store::{Blobs, Main};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::{Mutex, MutexGuard, Semaphore, SemaphorePermit};

/// Bytes of mapped files that are kept open. They are page cache, given back under pressure.
const CACHE_BYTES: u64 = 512 << 20;

/// Uploads at once; each holds its file on disk until its turn.
const UPLOADS: usize = 16;

/// The source maps of the instance.
pub struct Maps {
    pub blobs: Blobs,
    cache: Cache,
    /// Raised by every change of a release or its maps: what was remembered of them is stale.
    generation: AtomicU64,
    turn: Mutex<()>,
    places: Semaphore,
}

impl Maps {
    /// Opens the folder and removes files that no row names: an upload was interrupted there.
    pub fn open(folder: &Path, main: &Main) -> Result<Self> {
        let blobs = Blobs::open(folder.to_owned())?;
        main.readers.read_blocking(|c| blobs.retain(|hash| sql::is_known(c, hash)))?;
        Ok(Self {
            blobs,
            cache: Cache::new(CACHE_BYTES),
            generation: AtomicU64::new(0),
            turn: Mutex::new(()),
            places: Semaphore::new(UPLOADS),
        })
    }

    /// The opened map of a content.
    ///
    /// # Errors
    /// When its file is gone or damaged.
    pub fn get(&self, content: [u8; 32]) -> Result<Arc<Map>> {
        self.cache.get(content, || self.blobs.path(&content, &upload::compact())).map_err(Error::internal)
    }

    /// Says that releases or maps changed.
    pub fn changed(&self) {
        self.generation.fetch_add(1, Ordering::Release);
    }

    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// A place for an upload.
    ///
    /// # Errors
    /// Overload when all are taken.
    pub fn place(&self) -> Result<SemaphorePermit<'_>> {
        self.places
            .try_acquire()
            .map_err(|_| Error::overloaded("Too many uploads at once. Try again in a few seconds."))
    }

    /// Waits for the turn: conversions run one at a time (each may take 256 MiB), and no content is
    /// removed that an upload is about to name.
    pub async fn turn(&self) -> Result<Turn<'_>> {
        Ok(Turn { maps: self, _held: self.turn.lock().await })
    }
}

/// The right to add and remove contents.
pub struct Turn<'a> {
    maps: &'a Maps,
    _held: MutexGuard<'a, ()>,
}

impl Turn<'_> {
    /// Removes the contents that no source map names any more; `uploaded` too, unless it is stored.
    pub async fn remove_unused(&self, main: &Main, uploaded: Option<[u8; 32]>) -> Result<()> {
        self.maps.changed();
        let mut unused = main.write(sql::forget_unused_files).await?;
        if let Some(hash) = uploaded
            && !main.read(move |c| sql::is_known(c, &hash)).await?
        {
            unused.push(hash);
        }
        for hash in unused {
            self.maps.cache.remove(&hash);
            upload::remove(&self.maps.blobs, &hash)?;
        }
        Ok(())
    }
}
