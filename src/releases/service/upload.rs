//! Stores an uploaded source map: hashes it while it streams, converts it under a budget, one at a time, and
//! keeps it by content.

use crate::error::{Error, Result};
use crate::releases::sql::File;
use crate::store::{Blobs, files};
use crate::symbolication::map::{self, Budget, Flaws};
use sha2::{Digest as _, Sha256};
use std::io::Write as _;
use tempfile::NamedTempFile;

/// The upload itself, compressed, from which a later format can be converted.
const ORIGINAL: &str = "map.zst";
/// Favours speed: an upload waits for it.
const ORIGINAL_LEVEL: i32 = 1;

/// The extension of the compact form; its version is part of it.
pub fn compact() -> String {
    format!("v{}.map", map::FORMAT_VERSION)
}

/// Removes every form of a content.
pub fn remove(blobs: &Blobs, hash: &[u8; 32]) -> Result<()> {
    blobs.remove(hash, &[ORIGINAL, &compact()])
}

/// A file that is being received.
pub struct UploadFile {
    file: NamedTempFile,
    size: u64,
    limit: u64,
    blake3: blake3::Hasher,
    sha256: Sha256,
}

impl UploadFile {
    pub fn new(blobs: &Blobs, limit: u64) -> Result<Self> {
        let file = blobs.temporary()?;
        Ok(Self { file, size: 0, limit, blake3: blake3::Hasher::new(), sha256: Sha256::new() })
    }

    /// Writes the next bytes (into the page cache, without waiting for the disk).
    ///
    /// # Errors
    /// 413 over the limit; 503 if the disk fails.
    pub fn write(&mut self, chunk: &[u8]) -> Result<()> {
        self.size += chunk.len() as u64;
        if self.size > self.limit {
            return Err(Error::too_large(format!(
                "sourcemap: at most {} MiB are accepted (SERVICE_SOURCEMAP_MAX_MB)",
                self.limit >> 20
            )));
        }
        self.blake3.update(chunk);
        self.sha256.update(chunk);
        self.file.write_all(chunk).map_err(Error::storage)
    }

    /// Converts and stores the received map, unless the same content exists and is `intact`. Blocks for the
    /// conversion: about 20 ms per MB, and for a hostile map as long as `budget` allows.
    ///
    /// # Errors
    /// 422 saying where it is not a valid source map.
    pub fn keep(self, blobs: &Blobs, budget: &Budget, intact: impl FnOnce([u8; 32]) -> bool) -> Result<File> {
        let blake3 = *self.blake3.finalize().as_bytes();
        let paths = || [ORIGINAL, &compact()].map(|extension| blobs.path(&blake3, extension));
        let known = paths().iter().all(|path| path.exists());
        let bytes = std::fs::read(self.file.path()).map_err(Error::storage)?;
        let mut flaws = None;
        if !(known && intact(blake3)) {
            let (compact_file, found) = convert(blobs, &bytes, budget)?;
            flaws = Some(found);
            let mut original = blobs.temporary()?;
            zstd::stream::copy_encode(&bytes[..], &mut original, ORIGINAL_LEVEL).map_err(Error::storage)?;
            blobs.keep(original, &blake3, ORIGINAL)?;
            blobs.keep(compact_file, &blake3, &compact())?;
        }
        let disk_size = paths().iter().map(|path| files::used(path)).sum();
        let debug_id = map::debug_id(&bytes);
        Ok(File {
            blake3,
            sha256: self.sha256.finalize().into(),
            size: self.size,
            disk_size,
            debug_id,
            flaws,
        })
    }
}

/// The compact form, and problems in parts of the map.
fn convert(blobs: &Blobs, bytes: &[u8], budget: &Budget) -> Result<(NamedTempFile, Flaws)> {
    let mut out = blobs.temporary()?;
    let summary = map::convert(bytes, budget, &mut out).map_err(|error| {
        if error.is_upload_fault() {
            Error::invalid(format!("sourcemap: {error}"))
        } else {
            Error::storage(error)
        }
    })?;
    Ok((out, summary.flaws))
}
