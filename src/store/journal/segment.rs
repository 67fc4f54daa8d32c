//! A file of the journal: a header, then groups. Numbers are little-endian.
//!
//! ```text
//! header  magic 8 · nonce 8 · first position 8 · that of the segment before 8 · bytes of the file 8 · checksum of
//!         these 8
//! group   checksum of all that follows 8 · magic 4 · records 4 · bytes 8 · first position 8 · body
//! body    each record: length of its bytes 4 · kind 1 · version 1 · bytes
//! ```
//!
//! The header's length, the first seven bytes of its magic and its checksum never change, so that every Mayday can tell
//! a file of another version from a damaged one. The eighth byte of the magic is the version of everything else.

use super::ACCEPT_LOSS;
use crate::error::{Error, Result};
use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use xxhash_rust::xxh3::xxh3_64_with_seed;

const MAGIC: &[u8; 8] = b"MAYDAYJ3";
pub(super) const GROUP_MAGIC: [u8; 4] = *b"\xf1GRP";
/// Bytes before the first group.
pub(super) const HEADER: u64 = 48;
/// Bytes before a group's body.
pub(super) const GROUP_HEAD: usize = 32;
/// Bytes before a record's own.
pub const RECORD_HEAD: usize = 6;

/// An open segment.
pub(super) struct Segment {
    pub(super) path: PathBuf,
    pub(super) file: File,
    /// Seeds the checksums of its groups.
    pub(super) nonce: u64,
    /// The position of its first record.
    pub(super) first: i64,
    /// The first position of the segment written before it; 0 if it was the first.
    pub(super) before: i64,
    /// Bytes for groups, including the header.
    pub(super) capacity: u64,
    /// Bytes that have been written and synced.
    end: AtomicU64,
    /// The position after its last record.
    next: AtomicI64,
}

/// The fields of a group's head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head {
    checksum: u64,
    pub(super) records: u32,
    /// Bytes of the body.
    pub(super) bytes: u64,
    pub(super) first: i64,
}

impl Segment {
    pub(super) fn new(path: PathBuf, file: File, start: Start) -> Self {
        let Start { nonce, first, before, capacity } = start;
        let (end, next) = (AtomicU64::new(HEADER), AtomicI64::new(first));
        Self { path, file, nonce, first, before, capacity, end, next }
    }

    pub(super) fn end(&self) -> u64 {
        self.end.load(Ordering::Acquire)
    }

    /// The position of its last record; the one before its first if it has none.
    pub(super) fn last(&self) -> i64 {
        self.next.load(Ordering::Acquire) - 1
    }

    /// Whether it has no records.
    pub(super) fn is_empty(&self) -> bool {
        self.last() < self.first
    }

    /// Records that a group up to `end` was synced.
    pub(super) fn advance(&self, end: u64, next: i64) {
        self.next.store(next, Ordering::Release);
        self.end.store(end, Ordering::Release);
    }

    /// Reads the group at `offset` with its head into `into`; `None` if there is no whole group.
    pub(super) fn group(&self, offset: u64, into: &mut Vec<u8>) -> std::io::Result<Option<Head>> {
        into.clear();
        if offset + GROUP_HEAD as u64 > self.capacity {
            return Ok(None);
        }
        into.resize(GROUP_HEAD, 0);
        if !self.read_exact(into, offset)? {
            return Ok(None);
        }
        let Some(head) = Head::read(into).filter(|head| head.fits(offset, self.capacity)) else {
            return Ok(None);
        };
        let length = usize::try_from(head.bytes).map_err(std::io::Error::other)?;
        into.resize(GROUP_HEAD + length, 0);
        let is_there = self.read_exact(&mut into[GROUP_HEAD..], offset + GROUP_HEAD as u64)?;
        Ok((is_there && xxh3_64_with_seed(&into[8..], self.nonce) == head.checksum).then_some(head))
    }

    /// `false` if the file ends before that: it was cut.
    pub(super) fn read_exact(&self, into: &mut [u8], offset: u64) -> std::io::Result<bool> {
        match self.file.read_exact_at(into, offset) {
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Ok(false),
            read => read.map(|()| true),
        }
    }

    /// The message about a group that was written but is not there.
    pub(super) fn damage(&self, offset: u64) -> String {
        format!("{} is damaged at byte {offset}", self.path.display())
    }

    /// The same as an error met while reading.
    pub(super) fn damaged(&self, offset: u64) -> Error {
        lost(self.path.parent().unwrap_or(&self.path), &self.damage(offset))
    }
}

/// The error for acknowledged events that cannot be read.
pub(super) fn lost(directory: &Path, what: &str) -> Error {
    Error::internal(format!(
        "{what}: accepted events are lost with it. Restore the data directory from a backup with `mayday \
         restore`; or, to continue without them, `touch {}` and start again.",
        directory.join(ACCEPT_LOSS).display()
    ))
}

/// The fields of a segment's header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Start {
    pub(super) nonce: u64,
    pub(super) first: i64,
    pub(super) before: i64,
    pub(super) capacity: u64,
}

impl Start {
    pub(super) fn new(first: i64, before: i64, capacity: u64) -> Result<Self> {
        let mut nonce = [0; 8];
        getrandom::fill(&mut nonce).map_err(Error::internal)?;
        Ok(Self { nonce: u64::from_le_bytes(nonce), first, before, capacity })
    }

    pub(super) fn bytes(self) -> [u8; HEADER as usize] {
        let mut bytes = [0; HEADER as usize];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..16].copy_from_slice(&self.nonce.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.first.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.before.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.capacity.to_le_bytes());
        let checksum = xxh3_64_with_seed(&bytes[..40], 0);
        bytes[40..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    pub(super) fn read(bytes: &[u8; HEADER as usize]) -> Option<Self> {
        (is_whole(bytes) && &bytes[..8] == MAGIC).then(|| Self {
            nonce: number(&bytes[8..]),
            first: position(&bytes[16..]),
            before: position(&bytes[24..]),
            capacity: number(&bytes[32..]),
        })
    }
}

fn is_whole(header: &[u8; HEADER as usize]) -> bool {
    header[40..] == xxh3_64_with_seed(&header[..40], 0).to_le_bytes()
}

/// Whether a header is intact and of a file version that this Mayday does not know.
pub(super) fn is_of_another_version(header: &[u8; HEADER as usize]) -> bool {
    is_whole(header) && header[..7] == MAGIC[..7] && header[7] != MAGIC[7]
}

impl Head {
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let records = u32::from_le_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]);
        (bytes[8..12] == GROUP_MAGIC).then(|| Self {
            checksum: number(bytes),
            records,
            bytes: number(&bytes[16..]),
            first: position(&bytes[24..]),
        })
    }

    pub(super) fn fits(&self, offset: u64, capacity: u64) -> bool {
        self.bytes <= capacity && offset + self.length() <= capacity
    }

    /// Bytes including the head.
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

pub(super) fn position(bytes: &[u8]) -> i64 {
    number(bytes).cast_signed()
}

pub(super) fn number(bytes: &[u8]) -> u64 {
    let mut number = [0; 8];
    number.copy_from_slice(&bytes[..8]);
    u64::from_le_bytes(number)
}
