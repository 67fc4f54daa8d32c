//! Tokens that were nobody's a moment ago. A page with an ended session, or a script with a revoked
//! key, asks again and again: that costs a hash, and no database.
//!
//! It never hides a token that is somebody's: what was noted counts until the next change of the
//! database that a caller was told of. Keys of projects need none of this, as their directory is
//! in memory.

use quick_cache::sync::Cache;
use std::time::{Duration, Instant};

/// How long a token counts as nobody's, for changes that no caller waited for.
const AGE: Duration = Duration::from_secs(3);
/// Tokens that are remembered. Made-up ones, which come only once, do not drive out those that come again.
const TOKENS_MAX: usize = 1_024;

/// The hashes of such tokens.
#[derive(Debug)]
pub struct Unknown(Cache<[u8; 32], Noted>);

impl Default for Unknown {
    fn default() -> Self {
        Self(Cache::new(TOKENS_MAX))
    }
}

#[derive(Debug, Clone, Copy)]
struct Noted {
    at: Instant,
    /// The database's changes when it was looked for.
    changes: u64,
}

impl Unknown {
    /// Whether the token was nobody's when the database was as it is.
    pub fn has(&self, hash: &[u8; 32], changes: u64) -> bool {
        let noted = self.0.get(hash);
        noted.is_some_and(|noted| noted.changes == changes && noted.at.elapsed() < AGE)
    }

    /// Notes that the token is nobody's. `changes` is from before it was looked for.
    pub fn add(&self, hash: [u8; 32], changes: u64) {
        self.0.insert(hash, Noted { at: Instant::now(), changes });
    }
}

#[cfg(test)]
mod tests;
