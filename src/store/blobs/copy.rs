//! Copying the files while others are added and removed.

use super::Blobs;
use crate::error::{Error, Result};
use crate::store::stop::Stop;
use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::{MutexGuard, PoisonError};
use tempfile::NamedTempFile;

/// The copy that receives files before they are removed.
#[derive(Debug)]
pub(super) struct Heir {
    into: PathBuf,
    /// Why something is missing from it.
    fault: Option<io::Error>,
}

/// While it exists, a file that is removed is put into the copy first.
#[must_use]
pub struct Inheritance<'a> {
    blobs: &'a Blobs,
    into: PathBuf,
}

impl Blobs {
    /// From now on, until the returned value is dropped, a file that is removed is put into `into` first;
    /// [`Inheritance::copy`] then copies the remaining files. So the copy has every file that was named at any moment in
    /// between.
    ///
    /// # Errors
    /// If another copy is being made.
    pub fn bequeath(&self, into: &Path) -> Result<Inheritance<'_>> {
        let mut heir = self.heir();
        if heir.is_some() {
            return Err(Error::overloaded("A copy is being made already. Wait until it is finished."));
        }
        *heir = Some(Heir { into: into.to_owned(), fault: None });
        Ok(Inheritance { blobs: self, into: into.to_owned() })
    }

    fn heir(&self) -> MutexGuard<'_, Option<Heir>> {
        self.heir.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a file that is about to be removed into the copy, if one is being made.
    pub(super) fn hand_on(&self, path: &Path) {
        if let Some(heir) = self.heir().as_mut()
            && let Err(error) = share(path, &self.dir, &heir.into)
        {
            heir.fault.get_or_insert(error);
        }
    }

    fn files(&self) -> io::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for folder in fs::read_dir(&self.dir)? {
            let folder = folder?.path();
            if folder.file_name().is_some_and(|name| name.len() == 2) {
                for file in fs::read_dir(folder)? {
                    files.push(file?.path());
                }
            }
        }
        Ok(files)
    }
}

impl Inheritance<'_> {
    /// Copies all files that are there now. They are on disk when this returns, as are those removed since
    /// [`Blobs::bequeath`].
    ///
    /// # Errors
    /// If a file cannot be copied, could not be copied before it was removed, or `stop` was asked.
    pub fn copy(self, stop: &Stop) -> Result<()> {
        self.copy_all(stop).map_err(Error::storage)?;
        stop.check()?;
        let fault = self.blobs.heir().as_mut().and_then(|heir| heir.fault.take());
        fault.map_or(Ok(()), |fault| Err(Error::storage(fault)))
    }

    fn copy_all(&self, stop: &Stop) -> io::Result<()> {
        let (from, into) = (&self.blobs.dir, &self.into);
        DirBuilder::new().recursive(true).mode(0o700).create(into)?;
        let files = self.blobs.files()?;
        files.iter().take_while(|_| !stop.is_asked()).try_for_each(|path| share(path, from, into))?;
        for folder in fs::read_dir(into)? {
            File::open(folder?.path())?.sync_all()?;
        }
        File::open(into)?.sync_all()
    }
}

impl Drop for Inheritance<'_> {
    fn drop(&mut self) {
        self.blobs.heir().take();
    }
}

/// Puts a file of `from` at the same place in `into`: as a hard link, since files never change, or as a copy if `into` is
/// on another file system. A file that is there already, or was removed meanwhile (and so put there), is no error.
fn share(path: &Path, from: &Path, into: &Path) -> io::Result<()> {
    let target = into.join(path.strip_prefix(from).map_err(io::Error::other)?);
    let folder = target.parent().unwrap_or(into);
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    match fs::hard_link(path, &target) {
        Err(error) if matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::NotFound) => {
            Ok(())
        }
        Err(_) => copy(path, &target, folder),
        Ok(()) => Ok(()),
    }
}

fn copy(path: &Path, target: &Path, folder: &Path) -> io::Result<()> {
    let mut file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        file => file?,
    };
    // Under a temporary name until it is complete.
    let mut copy = NamedTempFile::new_in(folder)?;
    io::copy(&mut file, &mut copy)?;
    copy.as_file().sync_all()?;
    copy.persist(target).map(drop).map_err(|error| error.error)
}

#[cfg(test)]
mod tests;
