//! Opened maps, kept while they are used.
//!
//! Written here rather than taken from a crate: strict least-recently-used order over a few
//! hundred entries, with opening outside of the lock, is these few lines (`quick_cache` keeps no
//! LRU order, `moka` brings a background thread, `lru` has no weights).

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::error::OpenError;
use super::lookup::Map;

/// The most maps held at once, whatever their size: each is one memory mapping of the process.
const MAX_MAPS: usize = 1024;

/// An LRU cache of opened maps, bounded by the bytes of their files. Thread-safe.
#[derive(Debug)]
pub struct Cache {
    max_bytes: u64,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    maps: HashMap<[u8; 32], Entry>,
    bytes: u64,
    clock: u64,
}

#[derive(Debug)]
struct Entry {
    map: Arc<Map>,
    used: u64,
}

impl Cache {
    /// A cache of at most `max_bytes` of mapped files. A larger single map is opened and given,
    /// but not kept.
    pub fn new(max_bytes: u64) -> Self {
        Self { max_bytes, held: Mutex::default() }
    }

    /// The map under `key` (the content hash), opened from `path()` when it is not held. Opening
    /// happens outside of the lock: two threads that miss at once both open, one result is kept.
    pub fn get(&self, key: [u8; 32], path: impl FnOnce() -> PathBuf) -> Result<Arc<Map>, OpenError> {
        if let Some(map) = self.lock().touch(&key) {
            return Ok(map);
        }
        let map = Arc::new(Map::open(path())?);
        let mut held = self.lock();
        if let Some(winner) = held.touch(&key) {
            return Ok(winner);
        }
        if map.file_len() as u64 <= self.max_bytes {
            held.insert(key, Arc::clone(&map), self.max_bytes);
        }
        Ok(map)
    }

    /// Forgets a map (its file is about to be deleted). Whoever holds it keeps it.
    pub fn remove(&self, key: &[u8; 32]) {
        self.lock().remove(key);
    }

    /// Bytes of the files held.
    pub fn bytes(&self) -> u64 {
        self.lock().bytes
    }

    /// The number of maps held.
    pub fn len(&self) -> usize {
        self.lock().maps.len()
    }

    /// Whether nothing is held.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// No code panics while holding the lock, and a half-done insert only miscounts bytes.
    fn lock(&self) -> std::sync::MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    fn touch(&mut self, key: &[u8; 32]) -> Option<Arc<Map>> {
        self.clock += 1;
        let entry = self.maps.get_mut(key)?;
        entry.used = self.clock;
        Some(Arc::clone(&entry.map))
    }

    fn insert(&mut self, key: [u8; 32], map: Arc<Map>, max_bytes: u64) {
        let size = map.file_len() as u64;
        while self.bytes + size > max_bytes || self.maps.len() >= MAX_MAPS {
            let Some(oldest) = self.oldest() else { break };
            self.remove(&oldest);
        }
        self.bytes += size;
        self.maps.insert(key, Entry { map, used: self.clock });
    }

    fn remove(&mut self, key: &[u8; 32]) {
        if let Some(entry) = self.maps.remove(key) {
            self.bytes = self.bytes.saturating_sub(entry.map.file_len() as u64);
        }
    }

    fn oldest(&self) -> Option<[u8; 32]> {
        self.maps.iter().min_by_key(|(_, entry)| entry.used).map(|(key, _)| *key)
    }
}
