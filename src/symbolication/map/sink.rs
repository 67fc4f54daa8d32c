//! The output: counts the bytes written and computes their checksum.

use std::io::{self, Write};
use std::ops::Range;

use xxhash_rust::xxh3::Xxh3;

pub(super) struct Sink<'w, W> {
    out: &'w mut W,
    hash: Xxh3,
    written: usize,
}

impl<'w, W: Write> Sink<'w, W> {
    pub(super) fn new(out: &'w mut W) -> Self {
        Self { out, hash: Xxh3::new(), written: 0 }
    }

    /// Bytes written so far, which is the offset of what comes next.
    pub(super) fn position(&self) -> usize {
        self.written
    }

    /// Writes `bytes` and returns where they are in the file.
    pub(super) fn put(&mut self, bytes: &[u8]) -> io::Result<Range<usize>> {
        let start = self.written;
        self.out.write_all(bytes)?;
        self.hash.update(bytes);
        self.written += bytes.len();
        Ok(start..self.written)
    }

    /// Appends the checksum of everything so far, then `tail`; returns the file's length.
    pub(super) fn finish(mut self, tail: &[u8]) -> io::Result<u64> {
        let checksum = self.hash.digest();
        self.put(&checksum.to_le_bytes())?;
        self.put(tail)?;
        self.out.flush()?;
        Ok(self.written as u64)
    }
}
