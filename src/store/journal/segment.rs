//! A file of the journal: a header, then groups one after the other. Numbers are little-endian.
//!
//! ```text
//! header  magic 8 · nonce 8 · first position 8 · that of the segment before 8 · checksum of these 8
//! group   checksum of all that follows 8 · magic 4 · records 4 · bytes 8 · first position 8 · body
//! body    each record: length 4 · bytes
//! ```

use crate::error::{Error, Result};
use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use xxhash_rust::xxh3::xxh3_64_with_seed;

const MAGIC: &[u8; 8] = b"MAYDAYJ1";
pub(super) const GROUP_MAGIC: [u8; 4] = *b"\xf1GRP";
/// Bytes before the first group.
pub(super) const HEADER: u64 = 40;
/// Bytes before a group's body.
pub(super) const GROUP_HEAD: usize = 32;

/// An open segment.
pub(super) struct Segment {
    pub(super) path: PathBuf,
    pub(super) file: File,
    /// Seeds the checksums of its groups.
    pub(super) nonce: u64,
    /// The position of its first record.
    pub(super) first: i64,
    /// The same of the segment that was written before it; 0 when it was the first.
    pub(super) before: i64,
    pub(super) capacity: u64,
    /// Bytes that are written and synced.
    end: AtomicU64,
    /// The position after its last record.
    next: AtomicI64,
}

/// What a group's head says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head {
    checksum: u64,
    pub(super) records: u32,
    /// Of the body.
    pub(super) bytes: u64,
    pub(super) first: i64,
}

impl Segment {
    pub(super) fn new(path: PathBuf, file: File, capacity: u64, start: Start) -> Self {
        let Start { nonce, first, before } = start;
        let (end, next) = (AtomicU64::new(HEADER), AtomicI64::new(first));
        Self { path, file, nonce, first, before, capacity, end, next }
    }

    pub(super) fn end(&self) -> u64 {
        self.end.load(Ordering::Acquire)
    }

    /// The position of its last record; the one before its first when it has none.
    pub(super) fn last(&self) -> i64 {
        self.next.load(Ordering::Acquire) - 1
    }

    /// Whether it has none.
    pub(super) fn is_empty(&self) -> bool {
        self.last() < self.first
    }

    /// A group up to `end` was synced.
    pub(super) fn advance(&self, end: u64, next: i64) {
        self.next.store(next, Ordering::Release);
        self.end.store(end, Ordering::Release);
    }

    /// Reads the group at `offset` with its head into `into`; `None` when no whole one is there.
    pub(super) fn group(&self, offset: u64, into: &mut Vec<u8>) -> std::io::Result<Option<Head>> {
        into.clear();
        if offset + GROUP_HEAD as u64 > self.capacity {
            return Ok(None);
        }
        into.resize(GROUP_HEAD, 0);
        self.file.read_exact_at(into, offset)?;
        let Some(head) = Head::read(into).filter(|head| head.fits(offset, self.capacity)) else {
            return Ok(None);
        };
        let length = usize::try_from(head.bytes).map_err(std::io::Error::other)?;
        into.resize(GROUP_HEAD + length, 0);
        self.file.read_exact_at(&mut into[GROUP_HEAD..], offset + GROUP_HEAD as u64)?;
        Ok((xxh3_64_with_seed(&into[8..], self.nonce) == head.checksum).then_some(head))
    }

    /// Damage that must not be passed over.
    pub(super) fn damaged(&self, offset: u64) -> Error {
        damaged(&self.path, &format!("at byte {offset}"))
    }
}

/// Events that were acknowledged cannot be read.
pub(super) fn damaged(path: &std::path::Path, place: &str) -> Error {
    Error::internal(format!(
        "{} is damaged {place}: accepted events lie in it. Restore a backup with `mayday restore --input DIR`, \
         or move the file away to start without them.",
        path.display()
    ))
}

/// What a segment's header says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Start {
    pub(super) nonce: u64,
    pub(super) first: i64,
    pub(super) before: i64,
}

impl Start {
    pub(super) fn new(first: i64, before: i64) -> Result<Self> {
        let mut nonce = [0; 8];
        getrandom::fill(&mut nonce).map_err(Error::internal)?;
        Ok(Self { nonce: u64::from_le_bytes(nonce), first, before })
    }

    pub(super) fn bytes(self) -> [u8; HEADER as usize] {
        let mut bytes = [0; HEADER as usize];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..16].copy_from_slice(&self.nonce.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.first.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.before.to_le_bytes());
        let checksum = xxh3_64_with_seed(&bytes[..32], 0);
        bytes[32..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    pub(super) fn read(bytes: &[u8; HEADER as usize]) -> Option<Self> {
        let checksum = xxh3_64_with_seed(&bytes[..32], 0);
        let is_whole = &bytes[..8] == MAGIC && bytes[32..] == checksum.to_le_bytes();
        let position = |at: usize| number(&bytes[at..]).cast_signed();
        is_whole.then(|| Self { nonce: number(&bytes[8..]), first: position(16), before: position(24) })
    }
}

impl Head {
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let records = u32::from_le_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]);
        (bytes[8..12] == GROUP_MAGIC).then(|| Self {
            checksum: number(bytes),
            records,
            bytes: number(&bytes[16..]),
            first: number(&bytes[24..]).cast_signed(),
        })
    }

    pub(super) fn fits(&self, offset: u64, capacity: u64) -> bool {
        self.bytes <= capacity && offset + self.length() <= capacity
    }

    /// Bytes with the head.
    pub(super) fn length(&self) -> u64 {
        GROUP_HEAD as u64 + self.bytes
    }

    pub(super) fn next(&self) -> i64 {
        self.first.saturating_add(self.records.into())
    }
}

/// Fills in the head of a group, for which `group` begins with [`GROUP_HEAD`] free bytes.
pub(super) fn seal(group: &mut [u8], nonce: u64, first: i64, records: u32) {
    let bytes = (group.len() - GROUP_HEAD) as u64;
    group[8..12].copy_from_slice(&GROUP_MAGIC);
    group[12..16].copy_from_slice(&records.to_le_bytes());
    group[16..24].copy_from_slice(&bytes.to_le_bytes());
    group[24..32].copy_from_slice(&first.to_le_bytes());
    let checksum = xxh3_64_with_seed(&group[8..], nonce);
    group[..8].copy_from_slice(&checksum.to_le_bytes());
}

fn number(bytes: &[u8]) -> u64 {
    let mut number = [0; 8];
    number.copy_from_slice(&bytes[..8]);
    u64::from_le_bytes(number)
}
