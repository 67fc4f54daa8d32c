//! The files in `replays/`: one for each segment, under a generated name, never changed.

use crate::crypto::token::random;
use crate::error::{Error, Result};
use crate::event::replay::FileName;
use crate::store::Blobs;
use std::fs::File;
use std::io::{Read, Write};
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
        zstd::stream::write::Encoder::new(file, LEVEL).map(NewFile).map_err(Error::storage)
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

    /// Reads the events of a segment.
    ///
    /// # Errors
    /// If the file is missing.
    pub fn read(&self, name: &FileName) -> Result<impl Read + Send + use<>> {
        let file = File::open(self.blobs.path(name, EXTENSION)).map_err(Error::internal)?;
        zstd::stream::read::Decoder::new(file).map_err(Error::internal)
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

impl NewFile {
    pub(crate) fn finish(self) -> Result<NamedTempFile> {
        self.0.finish().map_err(Error::storage)
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_synced_is_refused_and_not_kept() {
        let directory = tempfile::tempdir().unwrap();
        let files = Files::open(directory.path()).unwrap();
        let (_, path) = files.blobs.temporary().unwrap().into_parts();
        // The device takes all that is written, but no sync of it succeeds.
        let device = File::options().write(true).open("/dev/null").unwrap();
        let refused = files.keep(NamedTempFile::from_parts(device, path)).unwrap_err();
        assert!(matches!(refused, Error::Unavailable { cause: Some(_), .. }), "{refused}");
        for folder in std::fs::read_dir(directory.path()).unwrap() {
            let folder = folder.unwrap().path();
            assert_eq!(folder.read_dir().unwrap().count(), 0, "{folder:?}");
        }
        assert!(files.keep(files.create().unwrap().finish().unwrap()).is_ok());
    }
}
