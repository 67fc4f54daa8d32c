//! The files in `replays/`: one for each segment, under a generated name, never changed.

use crate::crypto::token::random;
use crate::error::{Error, Result};
use crate::event::replay::FileName;
use crate::replays::sequence::GapReason;
use crate::store::Blobs;
use std::fs::File;
use std::io::{self, Read, Seek as _, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// Events as rrweb sent them, with commas between them.
const EXTENSION: &str = "json.zst";
/// Favours speed: a request waits for it.
const LEVEL: i32 = 3;

/// The directory.
#[derive(Debug, Clone)]
pub struct Files {
    pub blobs: Blobs,
}

/// A file that is being written.
pub(crate) struct NewFile(zstd::stream::write::Encoder<'static, NamedTempFile>);

impl Files {
    /// # Errors
    /// If it cannot be created or read.
    pub fn open(folder: &Path) -> Result<Self> {
        Ok(Self { blobs: Blobs::open(folder.to_owned())? })
    }

    /// A file to write events to, which is deleted unless it is kept.
    pub(crate) fn create(&self) -> Result<NewFile> {
        let file = self.blobs.temporary()?;
        let mut encoder = zstd::stream::write::Encoder::new(file, LEVEL).map_err(Error::storage)?;
        encoder.include_checksum(true).map_err(Error::storage)?;
        Ok(NewFile(encoder))
    }

    /// Gives a finished file its name; it is on disk when this returns. Blocks for a sync.
    ///
    /// # Errors
    /// Storage trouble.
    pub(crate) fn keep(&self, file: NamedTempFile) -> Result<FileName> {
        let name = random();
        self.blobs.keep(file, &name, EXTENSION)?;
        Ok(name)
    }

    /// Reads the events of a segment, or says why its file yields none: the whole file is tried first, and the log says
    /// what is wrong with it. Blocks for that.
    ///
    /// # Errors
    /// Storage trouble, such as too many open files, which says nothing about this one.
    pub fn read(&self, name: &FileName) -> Result<Result<impl Read + Send + use<>, GapReason>> {
        let path = self.blobs.path(name, EXTENSION);
        let opened = File::open(&path).and_then(|mut file| {
            tried(&mut file)?;
            zstd::stream::read::Decoder::new(file)
        });
        let error = match opened {
            Ok(reading) => return Ok(Ok(reading)),
            Err(error) => error,
        };
        let Some(why) = loss(&error) else { return Err(Error::storage(error)) };
        tracing::error!(%error, ?why, path = %path.display(), "a file of a replay cannot be read");
        Ok(Err(why))
    }

    /// Whether a file is on the disk.
    pub fn has(&self, name: &FileName) -> bool {
        self.blobs.path(name, EXTENSION).exists()
    }

    /// Removes files; missing ones are not an error.
    ///
    /// # Errors
    /// Storage trouble.
    pub async fn remove(&self, names: Vec<FileName>) -> Result<()> {
        let blobs = self.blobs.clone();
        let work = move || names.iter().try_for_each(|name| blobs.remove(name, &[EXTENSION]));
        tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
    }
}

/// What an error says about the file itself: nothing if the system could not read it just then. Errors of decompression
/// have no number of the system.
fn loss(error: &io::Error) -> Option<GapReason> {
    match error.raw_os_error() {
        None | Some(libc::EIO) => Some(GapReason::FileDamaged),
        Some(libc::ENOENT) => Some(GapReason::FileMissing),
        Some(_) => None,
    }
}

/// Decompresses all of a file, and goes back to its beginning. Its checksum is compared, if it has one.
fn tried(file: &mut File) -> io::Result<()> {
    let mut decoder = zstd::stream::read::Decoder::new(&mut *file)?;
    io::copy(&mut decoder, &mut io::sink())?;
    drop(decoder);
    file.rewind()
}

impl NewFile {
    pub(crate) fn finish(self) -> Result<NamedTempFile> {
        self.0.finish().map_err(Error::storage)
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests;
