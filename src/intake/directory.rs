//! What intake knows of keys: an in-memory map, filled and kept fresh by the projects concept.
//! A look-up is one hash and no lock.

use super::rate::{Buckets, Kind, Limiter};
use super::room::{self, Taken};
use super::scrub::Scrubber;
use crate::accounts::token::key_hash;
use crate::config::RateLimits;
use crate::error::{Error, Result};
use crate::http::body::Share;
use crate::ids::{KeyId, OrganizationId, ProjectId};
use crate::time::Timestamp;
use arc_swap::ArcSwap;
use memchr::{memchr, memmem};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use utoipa::ToSchema;

/// Characters that a key may have; longer ones are not even hashed.
const KEY_MAX: usize = 128;

/// What a project key may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Send errors, logs and replays.
    Ingest,
    /// Make, read, fill, finalize and delete releases.
    Releases,
    /// Read the project.
    Read,
}

impl Scope {
    fn as_str(self) -> &'static str {
        match self {
            Self::Ingest => "ingest",
            Self::Releases => "releases",
            Self::Read => "read",
        }
    }

    /// The stored form: comma-separated.
    pub fn join(scopes: &[Self]) -> String {
        scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(",")
    }

    pub fn split(stored: &str) -> Vec<Self> {
        let known = [Self::Ingest, Self::Releases, Self::Read];
        stored.split(',').filter_map(|name| known.into_iter().find(|scope| scope.as_str() == name)).collect()
    }
}

/// A valid key and its project.
#[derive(Debug)]
pub struct KeyEntry {
    pub id: KeyId,
    pub project: ProjectId,
    pub organization: OrganizationId,
    pub scopes: Vec<Scope>,
    pub environment: Option<String>,
    pub scrubber: Arc<Scrubber>,
    /// The project's: its keys share them.
    buckets: Arc<Buckets>,
    /// Milliseconds; 0: not since the start. The last flushed value beside it.
    last_used: AtomicI64,
    flushed: AtomicI64,
}

impl KeyEntry {
    pub fn new(
        id: KeyId,
        project: ProjectId,
        organization: OrganizationId,
        scopes: Vec<Scope>,
        environment: Option<String>,
        scrubber: Arc<Scrubber>,
    ) -> Self {
        let (last_used, flushed) = (AtomicI64::new(0), AtomicI64::new(0));
        let buckets = Arc::default();
        Self { id, project, organization, scopes, environment, scrubber, buckets, last_used, flushed }
    }

    /// # Errors
    /// Forbidden when the key has none of `scopes`.
    pub fn require(&self, scopes: &[Scope]) -> Result<()> {
        if scopes.iter().any(|scope| self.scopes.contains(scope)) {
            return Ok(());
        }
        Err(Error::forbidden(match scopes {
            [] => "A project key cannot do this: sign in.".to_owned(),
            _ => format!(
                "This key has the scopes {}, this needs {}. Make a key with that scope in the project's settings.",
                Scope::join(&self.scopes),
                scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(" or ")
            ),
        }))
    }
}

/// The first key in JSON that may end anywhere.
fn key_in(json: &[u8]) -> Option<&str> {
    const NAME: &[u8] = b"\"api_key\"";
    let rest = json[memmem::find(json, NAME)? + NAME.len()..].trim_ascii_start();
    let rest = rest.strip_prefix(b":")?.trim_ascii_start().strip_prefix(b"\"")?;
    let key = &rest[..memchr(b'"', &rest[..rest.len().min(KEY_MAX + 1)])?];
    std::str::from_utf8(key).ok()
}

/// All valid keys, by the hash of the key.
#[derive(Debug, Default)]
pub struct Directory {
    keys: ArcSwap<HashMap<[u8; 32], Arc<KeyEntry>>>,
    limiter: Limiter,
    /// Held while a newer state is loaded.
    pub refreshing: tokio::sync::Mutex<()>,
}

impl Directory {
    pub fn new(limits: RateLimits) -> Self {
        Self { limiter: Limiter::new(limits), ..Self::default() }
    }

    /// Takes `cost` and `bytes` out of the buckets of the key's project.
    ///
    /// # Errors
    /// Too many, or no room: nothing of the request may be stored.
    pub fn admit_body(&self, key: &KeyEntry, kind: Kind, cost: usize, bytes: usize) -> Result<()> {
        key.buckets.taken.check()?;
        self.limiter.take_with_bytes(&key.buckets, kind, cost, bytes)?;
        key.buckets.taken.add(bytes as u64);
        Ok(())
    }

    /// Takes `cost` out of the bucket of the key's project.
    ///
    /// # Errors
    /// Too many, or no room: nothing of the request may be stored.
    pub fn admit(&self, key: &KeyEntry, kind: Kind, cost: usize) -> Result<()> {
        key.buckets.taken.check()?;
        self.limiter.take(&key.buckets, kind, cost)
    }

    /// Counts what was taken of the disk beside bodies.
    pub fn took(&self, key: &KeyEntry, bytes: u64) {
        key.buckets.taken.add(bytes);
    }

    /// # Errors
    /// No room for a project that took more than its share of the disk.
    pub fn check_room(&self, project: ProjectId) -> Result<()> {
        let keys = self.keys.load();
        let found = keys.values().find(|entry| entry.project == project);
        found.map_or(Ok(()), |entry| entry.buckets.taken.check())
    }

    /// Shares out what is left of the disk, see [`Taken`].
    pub fn share_room(&self, room: Option<u64>) {
        let keys = self.keys.load();
        let projects: HashMap<ProjectId, &Taken> =
            keys.values().map(|entry| (entry.project, &entry.buckets.taken)).collect();
        for (project, taken) in room::share(&projects.into_iter().collect::<Vec<_>>(), room) {
            let (project, taken_mb) = (project.0, taken.bytes() >> 20);
            if taken.is_over_share() {
                tracing::warn!(
                    project,
                    taken_mb,
                    "a project that took most of the disk is refused: it is nearly full"
                );
            } else {
                tracing::info!(project, taken_mb, "there is room again for a project that was refused");
            }
        }
    }

    /// Lets what each project took count a little less.
    pub fn forget_taken(&self) {
        let keys = self.keys.load();
        let each: HashMap<ProjectId, &Taken> =
            keys.values().map(|entry| (entry.project, &entry.buckets.taken)).collect();
        each.into_values().for_each(Taken::forget);
    }

    /// Projects that are refused as they took more than their share of the disk.
    pub fn over_share(&self) -> BTreeSet<ProjectId> {
        let keys = self.keys.load();
        let over = keys.values().filter(|entry| entry.buckets.taken.is_over_share());
        over.map(|entry| entry.project).collect()
    }

    /// Whether some project sends more than it may just now.
    pub fn is_pressed(&self) -> bool {
        self.limiter.is_pressed()
    }

    /// The key's entry, noting its use; `None` for whatever is no valid key. An unknown key costs one hash
    /// and is forgotten at once: there is no database behind this, so nothing need remember it.
    pub fn find(&self, key: &str) -> Option<Arc<KeyEntry>> {
        if key.len() > KEY_MAX || !key.starts_with("pk_") {
            return None;
        }
        let entry = self.keys.load().get(&key_hash(key)).cloned()?;
        entry.last_used.fetch_max(Timestamp::now().millis(), Ordering::Relaxed);
        Some(entry)
    }

    /// The share of memory that a body counts to, by its beginning: that of the project whose key stands there. Only
    /// a guess: who has no key of a project gains nothing but the room of one.
    pub fn share(&self, beginning: &[u8]) -> Arc<Share> {
        let keys = self.keys.load();
        let entry = key_in(beginning).and_then(|key| keys.get(&key_hash(key)));
        entry.map_or_else(Share::of_strangers, |entry| entry.buckets.share.clone())
    }

    /// Whether a key is still valid.
    pub fn has(&self, key: KeyId) -> bool {
        self.keys.load().values().any(|entry| entry.id == key)
    }

    /// Replaces all keys; when each was last used carries over, and what is in each project's buckets.
    pub fn replace(&self, keys: Vec<([u8; 32], KeyEntry)>) {
        let old = self.keys.load();
        let mut buckets: HashMap<ProjectId, Arc<Buckets>> =
            old.values().map(|entry| (entry.project, entry.buckets.clone())).collect();
        let keys = keys.into_iter().map(|(hash, mut entry)| {
            entry.buckets = buckets.entry(entry.project).or_default().clone();
            if let Some(old) = old.get(&hash) {
                entry.last_used.store(old.last_used.load(Ordering::Relaxed), Ordering::Relaxed);
                entry.flushed.store(old.flushed.load(Ordering::Relaxed), Ordering::Relaxed);
            }
            (hash, Arc::new(entry))
        });
        self.keys.store(Arc::new(keys.collect()));
    }

    /// The uses that were not taken yet, in milliseconds.
    pub fn take_last_used(&self) -> Vec<(KeyId, i64)> {
        let take = |entry: &Arc<KeyEntry>| {
            let used = entry.last_used.load(Ordering::Relaxed);
            (entry.flushed.swap(used, Ordering::Relaxed) < used).then_some((entry.id, used))
        };
        self.keys.load().values().filter_map(take).collect()
    }
}
