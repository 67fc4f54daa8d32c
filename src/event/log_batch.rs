//! Packs the entries of a batch for `logs.db`.
//!
//! Entries are stored in blocks of [`BLOCK`], each serialized with postcard and compressed with zstd, so that
//! reading one entry unpacks its block and not the whole batch: rare hits are spread over as many batches as
//! there are hits.

use crate::error::{Error, Result};
use crate::event::log_entry::Entry;
use crate::ids::ProjectId;
use crate::store::{Packer, unpack};
use crate::time::Timestamp;
use std::sync::Arc;

/// The most entries of a batch.
pub const ENTRIES_MAX: usize = 100;
/// Entries of a block. Half as many take a tenth more bytes; twice as many read rare hits half as fast.
const BLOCK: usize = 32;
/// The form written: its first byte.
const VERSION: u8 = 2;
/// The largest unpacked block, in bytes: 32 entries of at most 64 KiB of JSON, and their templates.
const BLOCK_MAX: usize = 8 << 20;

/// Serialized entries, which are packed, indexed, and sent to watchers.
#[derive(Clone)]
pub struct Plain {
    pub environment: Arc<str>,
    pub release: Option<Arc<str>>,
    bytes: Arc<[u8]>,
    /// Where each block begins.
    blocks: Arc<[usize]>,
    pub count: usize,
}

impl Plain {
    /// # Errors
    /// None that a decoded entry could cause.
    pub fn new(environment: &str, release: Option<&str>, entries: &[Entry<'_>]) -> Result<Self> {
        let (mut bytes, mut blocks) = (Vec::with_capacity(entries.len() * 512), Vec::new());
        for (at, entry) in entries.iter().enumerate() {
            if at % BLOCK == 0 {
                blocks.push(bytes.len());
            }
            bytes = postcard::to_extend(entry, bytes).map_err(Error::internal)?;
        }
        let (environment, release) = (environment.into(), release.map(Into::into));
        Ok(Self { environment, release, bytes: bytes.into(), blocks: blocks.into(), count: entries.len() })
    }

    /// Bytes it occupies in memory.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// The entries, borrowed from this.
    ///
    /// # Errors
    /// If the bytes were not written by [`Plain::new`].
    pub fn entries(&self) -> impl Iterator<Item = Result<Entry<'_>>> {
        Entries { rest: &self.bytes }.take(self.count)
    }

    /// The entries with their start, for [`Plain::entry_at`].
    ///
    /// # Errors
    /// As [`Plain::entries`].
    pub fn placed(&self) -> impl Iterator<Item = Result<(usize, Entry<'_>)>> {
        let mut entries = Entries { rest: &self.bytes };
        let next = move || {
            let start = self.bytes.len() - entries.rest.len();
            entries.next().map(|entry| Ok((start, entry?)))
        };
        std::iter::from_fn(next).take(self.count)
    }

    /// # Errors
    /// If no entry begins there.
    pub fn entry_at(&self, start: usize) -> Result<Entry<'_>> {
        let rest = self.bytes.get(start..).unwrap_or_default();
        Entries { rest }.next().unwrap_or_else(|| Err(Error::internal("no log entry begins there")))
    }

    /// # Errors
    /// If memory runs out.
    pub fn pack(&self, packer: &Packer) -> Result<Vec<u8>> {
        let mut packed = Vec::with_capacity(self.bytes.len() / 4);
        packed.push(VERSION);
        for (at, start) in self.blocks.iter().enumerate() {
            let end = self.blocks.get(at + 1).copied().unwrap_or(self.bytes.len());
            let block = packer.pack(&self.bytes[*start..end])?;
            packed.extend_from_slice(&u32::try_from(block.len()).map_err(Error::internal)?.to_le_bytes());
            packed.extend_from_slice(&block);
        }
        Ok(packed)
    }

    /// Unpacks what [`Plain::pack`] made of `count` entries.
    ///
    /// # Errors
    /// If it is damaged or has another format.
    pub fn unpack(environment: &str, release: Option<&str>, count: usize, packed: &[u8]) -> Result<Self> {
        let (mut bytes, mut blocks) = (Vec::new(), Vec::new());
        for block in self::blocks(packed)? {
            blocks.push(bytes.len());
            bytes.extend_from_slice(&unpack(block?, BLOCK_MAX)?);
        }
        let (environment, release) = (environment.into(), release.map(Into::into));
        Ok(Self { environment, release, bytes: bytes.into(), blocks: blocks.into(), count })
    }
}

/// Unpacks the blocks that contain the entries at `places` (ascending), and passes each of those to `give`.
///
/// # Errors
/// If the batch is damaged, has another format, or has no such entry.
pub fn pick(packed: &[u8], places: &[usize], mut give: impl FnMut(usize, Entry<'_>)) -> Result<()> {
    let mut wanted = places.iter().copied().peekable();
    for (number, block) in blocks(packed)?.enumerate() {
        let of_block = number * BLOCK..(number + 1) * BLOCK;
        if !wanted.peek().is_some_and(|place| of_block.contains(place)) {
            continue;
        }
        let bytes = unpack(block?, BLOCK_MAX)?;
        for (at, entry) in (of_block.start..).zip(Entries { rest: &bytes }) {
            if wanted.next_if_eq(&at).is_some() {
                give(at, entry?);
            }
            if !wanted.peek().is_some_and(|place| of_block.contains(place)) {
                break;
            }
        }
    }
    match wanted.next() {
        None => Ok(()),
        Some(place) => Err(Error::internal(format!("a batch of log entries has no entry {place}"))),
    }
}

/// The first block, unpacked, for training; at most `most` bytes.
pub fn sample(packed: &[u8], most: usize) -> Option<Vec<u8>> {
    unpack(blocks(packed).ok()?.next()?.ok()?, most).ok()
}

fn blocks(packed: &[u8]) -> Result<impl Iterator<Item = Result<&[u8]>>> {
    let damaged = || Error::internal("a batch of log entries is damaged");
    let (version, mut rest) = packed.split_first().ok_or_else(damaged)?;
    if *version != VERSION {
        return Err(Error::internal(format!("a batch of log entries has the form {version}")));
    }
    let next = move || {
        if rest.is_empty() {
            return None;
        }
        let block = rest.split_first_chunk::<4>().and_then(|(length, after)| {
            let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
            after.split_at_checked(length)
        });
        rest = block.map_or(&[][..], |(_, after)| after);
        Some(block.map(|(block, _)| block).ok_or_else(damaged))
    };
    Ok(std::iter::from_fn(next))
}

struct Entries<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Entries<'a> {
    type Item = Result<Entry<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        match postcard::take_from_bytes(self.rest) {
            Ok((entry, rest)) => {
                self.rest = rest;
                Some(Ok(entry))
            }
            Err(error) => {
                self.rest = &[];
                Some(Err(Error::internal(error)))
            }
        }
    }
}

/// A stored batch.
pub struct StoredBatch {
    pub id: i64,
    pub project: ProjectId,
    pub received_at: Timestamp,
    pub plain: Plain,
}

#[cfg(test)]
mod tests;
