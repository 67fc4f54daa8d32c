//! Stores an uploaded source map: hashes it while it streams, converts it under a budget, one at a time, and
//! keeps it by content. A style sheet is only compressed.

use crate::error::{Error, Result};
use crate::event::DebugId;
use crate::releases::sql::File;
use crate::releases::styles;
use crate::store::{Blobs, Content, files};
use crate::symbolication::map::{self, Budget, Flaws};
use sha2::{Digest as _, Sha256};
use std::io::{Read as _, Write as _};
use tempfile::NamedTempFile;

/// The upload itself, compressed, from which a later format can be converted.
const ORIGINAL: &str = "map.zst";
/// A style sheet, compressed.
const STYLE: &str = "css.zst";
/// Favours speed: an upload waits for it.
const LEVEL: i32 = 1;

/// The extension of the compact form; its version is part of it.
pub fn compact() -> String {
    format!("v{}.map", map::FORMAT_VERSION)
}

/// Removes every form of a content.
pub fn remove(blobs: &Blobs, hash: &[u8; 32]) -> Result<()> {
    blobs.remove(hash, &[ORIGINAL, &compact(), STYLE])
}

/// The text of a kept style sheet. Blocks.
///
/// # Errors
/// If its file is missing or damaged.
pub fn read_style(blobs: &Blobs, content: &Content) -> Result<Vec<u8>> {
    let packed = std::fs::File::open(blobs.path(content, STYLE)).map_err(Error::internal)?;
    let unpacked = zstd::stream::read::Decoder::new(packed).map_err(Error::internal)?;
    let mut text = Vec::new();
    unpacked.take(styles::SIZE_MAX).read_to_end(&mut text).map_err(Error::internal)?;
    Ok(text)
}

/// A file that is being received.
pub struct UploadFile {
    file: NamedTempFile,
    size: u64,
    limit: u64,
    /// What it is, and the variable that sets the limit.
    words: (&'static str, &'static str),
    blake3: blake3::Hasher,
    sha256: Sha256,
}

impl UploadFile {
    pub fn new(blobs: &Blobs, limit: u64) -> Result<Self> {
        Self::limited(blobs, limit, ("sourcemap", " (SERVICE_SOURCEMAP_MAX_MB)"))
    }

    /// The same for a style sheet.
    pub fn of_style(blobs: &Blobs) -> Result<Self> {
        Self::limited(blobs, styles::SIZE_MAX, ("style sheet", ""))
    }

    fn limited(blobs: &Blobs, limit: u64, words: (&'static str, &'static str)) -> Result<Self> {
        let file = blobs.temporary()?;
        Ok(Self { file, size: 0, limit, words, blake3: blake3::Hasher::new(), sha256: Sha256::new() })
    }

    /// Writes the next bytes (into the page cache, without waiting for the disk).
    ///
    /// # Errors
    /// 413 over the limit; 503 if the disk fails.
    pub fn write(&mut self, chunk: &[u8]) -> Result<()> {
        self.size += chunk.len() as u64;
        if self.size > self.limit {
            let ((what, variable), mib) = (self.words, self.limit >> 20);
            return Err(Error::too_large(format!("{what}: at most {mib} MiB are accepted{variable}")));
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
            zstd::stream::copy_encode(&bytes[..], &mut original, LEVEL).map_err(Error::storage)?;
            blobs.keep(original, &blake3, ORIGINAL)?;
            blobs.keep(compact_file, &blake3, &compact())?;
        }
        Ok(self.stored(blobs, map::debug_id(&bytes), flaws))
    }

    /// Compresses and keeps a style sheet, unless the same content is there already and can be read. Blocks.
    pub fn keep_style(self, blobs: &Blobs) -> Result<File> {
        let hash = self.blake3.finalize();
        let is_kept = read_style(blobs, hash.as_bytes()).is_ok_and(|text| blake3::hash(&text) == hash);
        if !is_kept {
            let received = std::fs::File::open(self.file.path()).map_err(Error::storage)?;
            let mut packed = blobs.temporary()?;
            zstd::stream::copy_encode(received, &mut packed, LEVEL).map_err(Error::storage)?;
            blobs.keep(packed, hash.as_bytes(), STYLE)?;
        }
        Ok(self.stored(blobs, None, None))
    }

    /// The content that was kept.
    fn stored(self, blobs: &Blobs, debug_id: Option<DebugId>, flaws: Option<Flaws>) -> File {
        let blake3 = *self.blake3.finalize().as_bytes();
        let used = |form: &str| files::used(&blobs.path(&blake3, form));
        let disk_size = used(ORIGINAL) + used(&compact()) + used(STYLE);
        File { blake3, sha256: self.sha256.finalize().into(), size: self.size, disk_size, debug_id, flaws }
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
