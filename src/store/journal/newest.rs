//! `newest`: which file contains the newest acknowledged records, so that its loss is noticed.
//!
//! Two slots are written alternately, in place and synced, so neither a full disk nor a torn write leaves an
//! unreadable mark. Numbers are little-endian.
//!
//! ```text
//! slot  magic 8 · number 8 · first position 8 · has records 8 · given up 8 · checksum of these 8
//! ```

use super::segment::{number, position};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

pub(super) const FILE: &str = "newest";
const MAGIC: &[u8; 8] = b"MAYDAYN1";
const SLOT: usize = 48;
/// Bytes from one slot to the other, so that they share no sector.
const APART: u64 = 4_096;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    /// The first position of the newest file with acknowledged records; without one, the next position.
    pub(super) first: i64,
    /// Whether there is such a file.
    pub(super) has_records: bool,
    /// Anything missing up to this position is known, and the operator has accepted the loss.
    pub(super) given_up: i64,
}

/// The file, open.
pub(super) struct Marker {
    file: File,
    /// The number of the newer slot.
    number: u64,
    pub(super) mark: Mark,
}

impl Marker {
    /// `None` if there is none, or it cannot be read.
    pub(super) fn open(directory: &Path) -> io::Result<Option<Self>> {
        let file = match File::options().read(true).write(true).open(directory.join(FILE)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        let mut newer: Option<(u64, Mark)> = None;
        for slot in 0..2 {
            let mut bytes = [0; SLOT];
            match file.read_exact_at(&mut bytes, slot * APART) {
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {}
                read => read?,
            }
            newer = newer.into_iter().chain(read_slot(&bytes)).max_by_key(|(number, _)| *number);
        }
        Ok(newer.map(|(number, mark)| Self { file, number, mark }))
    }

    /// Creates it; it is on disk when this returns.
    pub(super) fn create(directory: &Path, mark: Mark) -> io::Result<Self> {
        let path = directory.join(FILE);
        let file = File::options().read(true).write(true).create(true).truncate(true).open(path)?;
        let mut marker = Self { file, number: 0, mark };
        // Writes both, so that later writes need no space.
        marker.put(mark)?;
        marker.put(mark)?;
        marker.file.sync_all()?;
        File::open(directory)?.sync_all()?;
        Ok(marker)
    }

    /// Writes a mark; it is on disk after [`Marker::sync`].
    pub(super) fn put(&mut self, mark: Mark) -> io::Result<()> {
        let number = self.number + 1;
        self.file.write_all_at(&slot(number, mark), number % 2 * APART)?;
        (self.number, self.mark) = (number, mark);
        Ok(())
    }

    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

fn slot(number: u64, mark: Mark) -> [u8; SLOT] {
    let mut bytes = [0; SLOT];
    bytes[..8].copy_from_slice(MAGIC);
    bytes[8..16].copy_from_slice(&number.to_le_bytes());
    bytes[16..24].copy_from_slice(&mark.first.to_le_bytes());
    bytes[24..32].copy_from_slice(&u64::from(mark.has_records).to_le_bytes());
    bytes[32..40].copy_from_slice(&mark.given_up.to_le_bytes());
    let checksum = xxh3_64(&bytes[..40]);
    bytes[40..].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

fn read_slot(bytes: &[u8; SLOT]) -> Option<(u64, Mark)> {
    let is_whole = &bytes[..8] == MAGIC && number(&bytes[40..]) == xxh3_64(&bytes[..40]);
    let mark = || Mark {
        first: position(&bytes[16..]),
        has_records: number(&bytes[24..]) == 1,
        given_up: position(&bytes[32..]),
    };
    is_whole.then(|| (number(&bytes[8..]), mark()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torn_write_leaves_the_mark_before() {
        let directory = tempfile::tempdir().unwrap();
        let open = || Marker::open(directory.path()).unwrap().map(|marker| marker.mark);
        assert_eq!(open(), None);
        let mark = |first| Mark { first, has_records: first > 1, given_up: 0 };
        let mut marker = Marker::create(directory.path(), mark(1)).unwrap();
        assert_eq!(open(), Some(mark(1)));
        for first in 2..6 {
            marker.put(mark(first)).unwrap();
            assert_eq!(open(), Some(mark(first)));
            let (at, mut bytes) = (marker.number % 2 * APART, slot(marker.number, mark(first)));
            for torn in 0..SLOT {
                bytes[torn] ^= 0x55;
                marker.file.write_all_at(&bytes, at).unwrap();
                assert_eq!(open(), Some(mark(first - 1)), "torn at {torn}");
                bytes[torn] ^= 0x55;
            }
            marker.file.write_all_at(&bytes, at).unwrap();
        }
        std::fs::write(directory.path().join(FILE), "short").unwrap();
        assert_eq!(open(), None);
    }
}
