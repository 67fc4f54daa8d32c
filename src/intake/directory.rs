//! What intake knows about keys: an in-memory map that the projects concept fills and keeps up to date. A
//! look-up costs one hash and takes no lock.

use super::rate::{Buckets, Kind, Limiter};
use super::room::{self, DiskUse};
use crate::config::RateLimits;
use crate::crypto::token::key_hash;
use crate::error::Result;
use crate::http::body::Share;
use crate::ids::{KeyId, ProjectId};
use crate::projects::key::ValidKey;
use crate::time::Timestamp;
use arc_swap::ArcSwap;
use memchr::{memchr, memmem};
use std::collections::{BTreeSet, HashMap};
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// The longest key, in characters; longer ones are not even hashed.
const KEY_MAX: usize = 128;

/// A valid key, and what intake counts for it.
#[derive(Debug)]
pub struct KeyEntry {
    key: ValidKey,
    /// The project's buckets, shared by its keys.
    buckets: Arc<Buckets>,
    /// Milliseconds; 0: not used since the start. The last flushed value is beside it.
    last_used: AtomicI64,
    flushed: AtomicI64,
}

impl Deref for KeyEntry {
    type Target = ValidKey;

    fn deref(&self) -> &ValidKey {
        &self.key
    }
}

impl KeyEntry {
    pub fn new(key: ValidKey) -> Self {
        Self { key, buckets: Arc::default(), last_used: AtomicI64::new(0), flushed: AtomicI64::new(0) }
    }
}

/// The first key in JSON that may be cut off anywhere.
fn key_in(json: &[u8]) -> Option<&str> {
    const NAME: &[u8] = b"\"api_key\"";
    let rest = json[memmem::find(json, NAME)? + NAME.len()..].trim_ascii_start();
    let rest = rest.strip_prefix(b":")?.trim_ascii_start().strip_prefix(b"\"")?;
    let key = &rest[..memchr(b'"', &rest[..rest.len().min(KEY_MAX + 1)])?];
    std::str::from_utf8(key).ok()
}

/// All valid keys, by their hash.
#[derive(Debug, Default)]
pub struct Directory {
    keys: ArcSwap<HashMap<[u8; 32], Arc<KeyEntry>>>,
    limiter: Limiter,
    /// Locked while a newer state is loaded.
    pub refreshing: tokio::sync::Mutex<()>,
}

impl Directory {
    pub fn new(limits: RateLimits) -> Self {
        Self { limiter: Limiter::new(limits), ..Self::default() }
    }

    /// Takes `cost` and `bytes` from the buckets of the key's project.
    ///
    /// # Errors
    /// Too many, or no room; nothing of the request may be stored.
    pub fn admit_body(&self, key: &KeyEntry, kind: Kind, cost: usize, bytes: usize) -> Result<()> {
        key.buckets.taken.check()?;
        self.limiter.take_with_bytes(&key.buckets, kind, cost, bytes)?;
        key.buckets.taken.add(bytes as u64);
        Ok(())
    }

    /// Takes `cost` from the bucket of the key's project.
    ///
    /// # Errors
    /// Too many, or no room; nothing of the request may be stored.
    pub fn admit(&self, key: &KeyEntry, kind: Kind, cost: usize) -> Result<()> {
        key.buckets.taken.check()?;
        self.limiter.take(&key.buckets, kind, cost)
    }

    /// Counts disk space used other than by bodies.
    pub fn took(&self, key: &KeyEntry, bytes: u64) {
        key.buckets.taken.add(bytes);
    }

    /// # Errors
    /// No room, if the project has used more than its share of the disk.
    pub fn check_room(&self, project: ProjectId) -> Result<()> {
        let keys = self.keys.load();
        let found = keys.values().find(|entry| entry.project == project);
        found.map_or(Ok(()), |entry| entry.buckets.taken.check())
    }

    /// Divides the remaining disk space among projects, see [`DiskUse`].
    pub fn share_room(&self, room: Option<u64>) {
        let keys = self.keys.load();
        let projects: HashMap<ProjectId, &DiskUse> =
            keys.values().map(|entry| (entry.project, &entry.buckets.taken)).collect();
        for (project, taken) in room::share(&projects.into_iter().collect::<Vec<_>>(), room) {
            let (project, taken_mb) = (project.0, taken.bytes() >> 20);
            if taken.is_over_share() {
                tracing::warn!(
                    project,
                    taken_mb,
                    "the disk is nearly full: a project that used most of it is refused"
                );
            } else {
                tracing::info!(project, taken_mb, "there is room again for a project that was refused");
            }
        }
    }

    /// Lets each project's past usage count a little less.
    pub fn forget_taken(&self) {
        let keys = self.keys.load();
        let each: HashMap<ProjectId, &DiskUse> =
            keys.values().map(|entry| (entry.project, &entry.buckets.taken)).collect();
        each.into_values().for_each(DiskUse::forget);
    }

    /// Projects that are refused because they have used more than their share of the disk.
    pub fn over_share(&self) -> BTreeSet<ProjectId> {
        let keys = self.keys.load();
        let over = keys.values().filter(|entry| entry.buckets.taken.is_over_share());
        over.map(|entry| entry.project).collect()
    }

    /// Whether some project is currently over its rate.
    pub fn is_pressed(&self) -> bool {
        self.limiter.is_pressed()
    }

    /// The key's entry, recording its use; `None` if it is not a valid key. An unknown key costs one hash;
    /// there is no database behind this, so unknown keys need not be remembered.
    pub fn find(&self, key: &str) -> Option<Arc<KeyEntry>> {
        if key.len() > KEY_MAX || !key.starts_with("pk_") {
            return None;
        }
        let entry = self.keys.load().get(&key_hash(key)).cloned()?;
        entry.last_used.fetch_max(Timestamp::now().millis(), Ordering::Relaxed);
        Some(entry)
    }

    /// The share of memory that a body counts towards: that of the project whose key is in its beginning.
    /// This is only a guess, and forging it gains nothing but room.
    pub fn share(&self, beginning: &[u8]) -> Arc<Share> {
        let keys = self.keys.load();
        let entry = key_in(beginning).and_then(|key| keys.get(&key_hash(key)));
        entry.map_or_else(Share::of_strangers, |entry| entry.buckets.share.clone())
    }

    /// Whether a key is still valid.
    pub fn has(&self, key: KeyId) -> bool {
        self.keys.load().values().any(|entry| entry.id == key)
    }

    /// Replaces all keys; their last uses and the state of each project's buckets carry over.
    pub fn replace(&self, keys: Vec<([u8; 32], ValidKey)>) {
        let old = self.keys.load();
        let mut buckets: HashMap<ProjectId, Arc<Buckets>> =
            old.values().map(|entry| (entry.project, entry.buckets.clone())).collect();
        let keys = keys.into_iter().map(|(hash, key)| {
            let mut entry = KeyEntry::new(key);
            entry.buckets = buckets.entry(entry.project).or_default().clone();
            if let Some(old) = old.get(&hash) {
                entry.last_used.store(old.last_used.load(Ordering::Relaxed), Ordering::Relaxed);
                entry.flushed.store(old.flushed.load(Ordering::Relaxed), Ordering::Relaxed);
            }
            (hash, Arc::new(entry))
        });
        self.keys.store(Arc::new(keys.collect()));
    }

    /// Takes the uses recorded since the last call, in milliseconds.
    pub fn take_last_used(&self) -> Vec<(KeyId, i64)> {
        let take = |entry: &Arc<KeyEntry>| {
            let used = entry.last_used.load(Ordering::Relaxed);
            (entry.flushed.swap(used, Ordering::Relaxed) < used).then_some((entry.id, used))
        };
        self.keys.load().values().filter_map(take).collect()
    }
}
