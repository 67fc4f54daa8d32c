//! The stored source maps: files by content, a cache of opened ones limited in bytes, and the lock that
//! uploads and removals take in turn.

use super::upload;
use super::upload::UploadFile;
use crate::error::{Error, Result};
use crate::releases::sql;
use crate::store::{Blobs, Content, Main, Transaction};
use crate::symbolication::map::{Budget, Cache, Map};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore};

/// Bytes of mapped files kept open. They are page cache, which the system reclaims under pressure.
const CACHE_BYTES: u64 = 512 << 20;

/// Uploads at once; each holds its file on disk until its turn.
const UPLOADS: usize = 32;
/// How long an upload waits for a place before it is refused. This is shorter than the time for which a
/// client that sends nothing can keep one, so uploads waiting behind such clients are refused rather than
/// piling up.
const PLACE_WAIT: Duration = Duration::from_secs(10);

/// The source maps of the instance.
pub struct Maps {
    pub blobs: Blobs,
    /// The largest source map, in bytes.
    pub file_max: u64,
    cache: Cache,
    /// Incremented by every change to a release or its maps, which makes anything remembered of them stale.
    generation: AtomicU64,
    /// Conversions run one at a time (each may take 256 MiB), and no content is removed that an upload is
    /// about to refer to.
    turn: Mutex<()>,
    places: Arc<Semaphore>,
}

impl Maps {
    /// Opens the directory and removes files that no row refers to, which an interrupted upload left behind.
    pub fn open(folder: &Path, main: &Main, file_max: u64) -> Result<Self> {
        let blobs = Blobs::open(folder.to_owned())?;
        blobs.retain(|hash| main.readers.read_blocking(|c| sql::is_known(c, hash)))?;
        Ok(Self {
            blobs,
            file_max,
            cache: Cache::new(CACHE_BYTES),
            generation: AtomicU64::new(0),
            turn: Mutex::new(()),
            places: Arc::new(Semaphore::new(UPLOADS)),
        })
    }

    /// The opened map of a content.
    ///
    /// # Errors
    /// If its file is missing or damaged.
    pub fn get(&self, content: Content) -> Result<Arc<Map>> {
        self.cache.get(content, || self.blobs.path(&content, &upload::compact())).map_err(Error::internal)
    }

    /// Records that releases or maps have changed.
    pub fn changed(&self) {
        self.generation.fetch_add(1, Ordering::Release);
    }

    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// A place for an upload.
    ///
    /// # Errors
    /// Overload if none becomes free in time.
    pub async fn place(&self) -> Result<OwnedSemaphorePermit> {
        const BUSY: &str = "Too many uploads at once. Try again in a few seconds.";
        let place = tokio::time::timeout(PLACE_WAIT, self.places.clone().acquire_owned()).await;
        place.map_err(|_| Error::overloaded(BUSY))?.map_err(Error::internal)
    }

    /// Converts and keeps an upload, and runs `write` for its rows.
    pub async fn keep<T, F>(self: &Arc<Self>, main: &Main, incoming: UploadFile, write: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>, &sql::File) -> Result<(T, Vec<Content>)> + Send + 'static,
    {
        let keeper = self.clone();
        let convert = move |kept: &mut Vec<Content>| {
            let budget = Budget::default();
            let file = incoming.keep(&keeper.blobs, &budget, |content| keeper.reopen(content).is_ok())?;
            kept.push(file.blake3);
            Ok(file)
        };
        self.keep_all(main, convert, write).await
    }

    /// Runs `convert`, which records each content that it stores, and `write` for the rows. Completes even if the
    /// caller disconnects, so that files and rows always agree.
    pub async fn keep_all<K, T, C, F>(self: &Arc<Self>, main: &Main, convert: C, write: F) -> Result<T>
    where
        K: Send + 'static,
        T: Send + 'static,
        C: FnOnce(&mut Vec<Content>) -> Result<K> + Send + 'static,
        F: FnOnce(&Transaction<'_>, &K) -> Result<(T, Vec<Content>)> + Send + 'static,
    {
        let (maps, main) = (self.clone(), main.clone());
        let work = async move {
            let _turn = maps.turn.lock().await;
            let converting = tokio::task::spawn_blocking(move || {
                let mut kept = Vec::new();
                let converted = convert(&mut kept);
                (converted, kept)
            });
            let (converted, kept) = converting.await.map_err(Error::internal)?;
            let stored = match converted {
                Ok(converted) => main.write(move |tx| write(tx, &converted)).await,
                Err(error) => Err(error),
            };
            maps.changed();
            if stored.is_err() {
                maps.forget_unknown(&main, kept).await?;
            }
            let (stored, unused) = stored?;
            maps.forget(&unused)?;
            Ok(stored)
        };
        tokio::spawn(work).await.map_err(Error::internal)?
    }

    /// Removes those contents that nothing refers to.
    async fn forget_unknown(&self, main: &Main, contents: Vec<Content>) -> Result<()> {
        let looking = main.read(move |c| {
            let mut unknown = Vec::new();
            for content in contents {
                if !sql::is_known(c, &content)? {
                    unknown.push(content);
                }
            }
            Ok(unknown)
        });
        let unknown = looking.await?;
        self.forget(&unknown)
    }

    /// Runs a write that may leave contents unused, and removes those. Completes even if the caller
    /// disconnects.
    pub async fn change<T, F>(self: &Arc<Self>, main: &Main, write: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<(T, Vec<Content>)> + Send + 'static,
    {
        let (maps, main) = (self.clone(), main.clone());
        let work = async move {
            let _turn = maps.turn.lock().await;
            let (result, unused) = main.write(write).await?;
            maps.changed();
            maps.forget(&unused)?;
            Ok(result)
        };
        tokio::spawn(work).await.map_err(Error::internal)?
    }

    /// Reopens a content, whatever was opened before.
    pub fn reopen(&self, content: Content) -> Result<Arc<Map>> {
        self.cache.remove(&content);
        self.get(content)
    }

    fn forget(&self, contents: &[Content]) -> Result<()> {
        for content in contents {
            self.cache.remove(content);
            upload::remove(&self.blobs, content)?;
        }
        Ok(())
    }
}
