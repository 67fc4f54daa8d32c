//! Files by content: named after the blake3 hash of what was uploaded, and shared by all uploads of the same
//! bytes. Nothing that a client sends becomes part of a path.
//!
//! A file is written under a temporary name in the same directory, synced, renamed, and its
//! directory synced. It is never changed in place afterwards: readers map it into memory.

mod copy;

use crate::error::{Error, Result};
use crate::time::Timestamp;
use copy::Heir;
pub use copy::Inheritance;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::UNIX_EPOCH;
use tempfile::NamedTempFile;

/// The blake3 hash of the uploaded bytes.
pub type Content = [u8; 32];

/// A directory of files by content.
#[derive(Debug, Clone)]
pub struct Blobs {
    dir: PathBuf,
    heir: Arc<Mutex<Option<Heir>>>,
}

impl Blobs {
    /// Creates the directory if it is missing, and removes what an interrupted upload left behind.
    pub fn open(dir: PathBuf) -> Result<Self> {
        let temporary = dir.join("tmp");
        if temporary.exists() {
            fs::remove_dir_all(&temporary).map_err(Error::storage)?;
        }
        fs::create_dir_all(&temporary).map_err(Error::storage)?;
        Ok(Self { dir, heir: Arc::default() })
    }

    /// A new file under a temporary name, on the same file system; deleted when dropped.
    pub fn temporary(&self) -> Result<NamedTempFile> {
        NamedTempFile::new_in(self.dir.join("tmp")).map_err(Error::storage)
    }

    /// The path of the content `hash` in the form `extension` (ours, never a client's).
    pub fn path(&self, hash: &Content, extension: &str) -> PathBuf {
        let name = blake3::Hash::from_bytes(*hash).to_hex();
        self.dir.join(&name[..2]).join(format!("{name}.{extension}"))
    }

    /// Gives a finished file its name; once this returns it survives a crash.
    pub fn keep(&self, mut file: NamedTempFile, hash: &Content, extension: &str) -> Result<()> {
        let path = self.path(hash, extension);
        let folder = path.parent().unwrap_or(&self.dir);
        fs::create_dir_all(folder).map_err(Error::storage)?;
        file.flush().map_err(Error::storage)?;
        file.as_file().sync_all().map_err(Error::storage)?;
        file.persist(&path).map_err(|error| Error::storage(error.error))?;
        sync_folder(folder)?;
        sync_folder(&self.dir)
    }

    /// Removes the files of every content that `known` does not know.
    pub fn retain(&self, known: impl Fn(&Content) -> Result<bool>) -> Result<()> {
        self.retain_among(|_| true, known)
    }

    /// The same among the files that were last written before `then`.
    pub fn retain_before(&self, then: Timestamp, known: impl Fn(&Content) -> Result<bool>) -> Result<()> {
        let is_old = |path: &Path| {
            let written = fs::metadata(path).and_then(|file| file.modified());
            let age = written.ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
            age.is_some_and(|age| (age.as_millis() as i64) < then.millis())
        };
        self.retain_among(is_old, known)
    }

    fn retain_among(
        &self,
        examined: impl Fn(&Path) -> bool,
        known: impl Fn(&Content) -> Result<bool>,
    ) -> Result<()> {
        let entries = |folder: &Path| fs::read_dir(folder).map_err(Error::storage);
        for folder in entries(&self.dir)? {
            let folder = folder.map_err(Error::storage)?.path();
            if folder.file_name().is_none_or(|name| name.len() != 2) {
                continue;
            }
            for file in entries(&folder)? {
                let path = file.map_err(Error::storage)?.path();
                let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
                let hash = name.split('.').next().and_then(|hex| blake3::Hash::from_hex(hex).ok());
                if let Some(hash) = hash
                    && examined(&path)
                    && !known(hash.as_bytes())?
                {
                    fs::remove_file(&path).map_err(Error::storage)?;
                }
            }
        }
        Ok(())
    }

    /// Removes every form of a content. It is not an error if one does not exist.
    pub fn remove(&self, hash: &Content, extensions: &[&str]) -> Result<()> {
        for extension in extensions {
            let path = self.path(hash, extension);
            self.hand_on(&path);
            match fs::remove_file(path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(Error::storage(error));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn sync_folder(folder: &Path) -> Result<()> {
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(Error::storage)
}
