//! Remembers tokens that were recently found to be unknown. A page whose session has ended, or a script with
//! a revoked key, tries again and again; each try then costs a hash and no database access.
//!
//! This never hides a valid token: an entry counts only until the next change to the database that a caller
//! was told about. Project keys do not need this, because their directory is in memory.

use quick_cache::sync::Cache;
use std::time::{Duration, Instant};

/// How long a token counts as unknown, for changes that no caller waited for.
const AGE: Duration = Duration::from_secs(3);
/// The most tokens remembered. Made-up tokens, which come only once, do not evict those that are tried again.
const TOKENS_MAX: usize = 1_024;

/// The hashes of unknown tokens.
#[derive(Debug)]
pub struct Unknown(Cache<[u8; 32], UnknownToken>);

impl Default for Unknown {
    fn default() -> Self {
        Self(Cache::new(TOKENS_MAX))
    }
}

#[derive(Debug, Clone, Copy)]
struct UnknownToken {
    at: Instant,
    /// The database's change count when the token was looked up.
    changes: u64,
}

impl Unknown {
    /// Whether the token was unknown in the database's current state.
    pub fn has(&self, hash: &[u8; 32], changes: u64) -> bool {
        let noted = self.0.get(hash);
        noted.is_some_and(|noted| noted.changes == changes && noted.at.elapsed() < AGE)
    }

    /// Records that the token is unknown. `changes` is the count from before the look-up.
    pub fn add(&self, hash: [u8; 32], changes: u64) {
        self.0.insert(hash, UnknownToken { at: Instant::now(), changes });
    }
}

#[cfg(test)]
mod tests;
