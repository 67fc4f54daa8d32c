//! Tokens that were nobody's a moment ago. A page with an ended session, or a script with a revoked
//! key, asks again and again: that costs a hash, and no database.
//!
//! It never hides a token that is somebody's: what was noted counts until the next change of the
//! database that a caller was told of. Keys of projects need none of this, as their directory is
//! in memory.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a token counts as nobody's, for changes that no caller waited for.
const AGE: Duration = Duration::from_secs(3);
/// Tokens that are remembered; beyond, all are forgotten: made-up ones come only once.
const TOKENS_MAX: usize = 1_024;

/// The hashes of such tokens.
#[derive(Debug, Default)]
pub struct Unknown(Mutex<HashMap<[u8; 32], Noted>>);

#[derive(Debug, Clone, Copy)]
struct Noted {
    at: Instant,
    /// The database's changes when it was looked for.
    changes: u64,
}

impl Unknown {
    /// Whether the token was nobody's when the database was as it is.
    pub fn has(&self, hash: &[u8; 32], changes: u64) -> bool {
        let noted = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(hash).copied();
        noted.is_some_and(|noted| noted.changes == changes && noted.at.elapsed() < AGE)
    }

    /// Notes that the token is nobody's. `changes` is from before it was looked for.
    pub fn add(&self, hash: [u8; 32], changes: u64) {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if noted.len() >= TOKENS_MAX {
            noted.clear();
        }
        noted.insert(hash, Noted { at: Instant::now(), changes });
    }
}

#[cfg(test)]
mod tests;
