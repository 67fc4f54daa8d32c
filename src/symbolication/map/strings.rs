//! The string table: file names, the map's `names`, function names.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64;

use super::error::MapError;

/// Concatenated strings, identified by the order in which they were added.
#[derive(Debug, Default)]
pub(super) struct Strings {
    pub(super) bytes: Vec<u8>,
    /// u32 little endian each: where the string ends in `bytes`.
    pub(super) ends: Vec<u8>,
    /// Function names by their hash; a colliding name is simply stored again.
    known: HashMap<u64, u32>,
    interned_bytes: usize,
}

impl Strings {
    /// Adds a string without checking whether it is already known.
    pub(super) fn push(&mut self, text: &str) -> u32 {
        let id = (self.ends.len() / 4) as u32;
        self.bytes.extend_from_slice(text.as_bytes());
        self.ends.extend_from_slice(&(self.bytes.len() as u32).to_le_bytes());
        id
    }

    /// Adds a string once.
    pub(super) fn intern(&mut self, text: &str) -> u32 {
        let hash = xxh3_64(text.as_bytes());
        if let Some(&id) = self.known.get(&hash)
            && self.get(id) == Some(text.as_bytes())
        {
            return id;
        }
        let id = self.push(text);
        self.known.insert(hash, id);
        self.interned_bytes += text.len();
        id
    }

    /// Refuses more than `limit` bytes of interned strings.
    pub(super) fn check_interned(&self, limit: usize) -> Result<(), MapError> {
        check("bytes of function names", limit, self.interned_bytes)
    }

    fn get(&self, id: u32) -> Option<&[u8]> {
        let at = id as usize * 4;
        let end = super::format::read_u32(&self.ends, at)? as usize;
        let start = match at {
            0 => 0,
            _ => super::format::read_u32(&self.ends, at - 4)? as usize,
        };
        self.bytes.get(start..end)
    }
}

/// [`MapError::OverBudget`] if `got` is over `limit`.
pub(super) fn check(what: &'static str, limit: usize, got: usize) -> Result<(), MapError> {
    match got > limit {
        true => Err(MapError::OverBudget { what, limit: limit as u64, got: got as u64 }),
        false => Ok(()),
    }
}
