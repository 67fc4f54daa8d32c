//! Opened maps, kept while they are used.

use std::path::PathBuf;
use std::sync::Arc;

use super::error::OpenError;
use super::lookup::Map;
use crate::cache::{self, Size};

/// The most maps held at once, whatever their size: each is one memory mapping of the process.
const MAX_MAPS: u64 = 1024;

/// A cache of opened maps, limited by the bytes of their files. Thread-safe.
#[derive(Debug)]
pub struct Cache(cache::Cache<[u8; 32], Arc<Map>>);

impl Size for Arc<Map> {
    fn bytes(&self) -> u64 {
        self.file_len() as u64
    }
}

impl Cache {
    /// A cache of at most `max_bytes` of mapped files. A single larger map is opened and returned, but not
    /// kept.
    pub fn new(max_bytes: u64) -> Self {
        Self(cache::bounded(max_bytes, MAX_MAPS))
    }

    /// The map under `key` (the content hash), opened from `path()` if it is not held. Only look-ups of the
    /// same map wait for it.
    pub fn get(&self, key: [u8; 32], path: impl FnOnce() -> PathBuf) -> Result<Arc<Map>, OpenError> {
        self.0.get_or_insert_with(&key, || Map::open(path()).map(Arc::new))
    }

    /// Removes a map whose file is about to be deleted. Existing references stay valid.
    pub fn remove(&self, key: &[u8; 32]) {
        self.0.remove(key);
    }

    /// Bytes of the files held, small ones rounded up.
    pub fn bytes(&self) -> u64 {
        self.0.weight()
    }

    /// The number of maps held.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing is held.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
