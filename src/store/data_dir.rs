//! The data directory, held by one process at a time.
//!
//! A lock belongs to a file and not to its name: once `run.lock` is removed, another process makes a new one
//! and locks that. So the directory itself is locked, too, which its files cannot lose, and what was taken is
//! watched: when a name stands for another file than at the start, this process ends before another one writes
//! beside it.

use super::Fatal;
use crate::config::private_file;
use crate::error::{Error, Result};
use crate::sabotage;
use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Scripts may lock it, too, to keep the server out.
const LOCK: &str = "run.lock";
/// What tells that a directory is one of ours.
const OURS: [&str; 3] = ["main.db", LOCK, "secrets.env"];
/// Between two looks at what was taken; a look asks the file system for each of the names.
const LOOK: Duration = Duration::from_millis(250);

/// The directory, taken for this process until this is dropped.
pub struct DataDir {
    path: PathBuf,
    /// What holds the locks: the directory and [`LOCK`].
    _locked: [File; 2],
}

impl DataDir {
    /// Makes the data directory (0700) when missing and takes it for this process.
    ///
    /// # Errors
    /// When another process has it, it cannot be written to, or others have rights on it that cannot be taken away.
    pub fn take(path: &Path) -> Result<Self> {
        let fault = |error: io::Error| {
            Error::internal(format!("the data directory {} cannot be used: {error}", path.display()))
        };
        fs::DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(fault)?;
        check_rights(path).map_err(fault)?;
        let directory = File::open(path).map_err(fault)?;
        if !sabotage::on("lock_file_only") {
            lock(&directory, path)?;
        }
        let file = File::options().create(true).truncate(false).write(true).open(path.join(LOCK));
        let file = file.map_err(fault)?;
        lock(&file, path)?;
        Ok(Self { path: path.to_owned(), _locked: [directory, file] })
    }

    /// Raises `fatal` when the directory, its lock or one of `files` is removed or replaced from now on, until the
    /// answer is dropped.
    ///
    /// # Errors
    /// When one of them is missing already.
    pub fn watch(&self, files: &[&str], fatal: &Fatal) -> Result<Watch> {
        let paths = [self.path.clone(), self.path.join(LOCK)];
        let taken = paths.into_iter().chain(files.iter().map(|name| self.path.join(name)));
        let taken = taken.map(|path| Ok((identity(&path)?, path))).collect::<io::Result<Vec<_>>>();
        let (taken, fatal) = (taken.map_err(Error::internal)?, fatal.clone());
        let (watching, ended) = std::sync::mpsc::channel();
        let look = move || {
            // The other end sends nothing; it goes away.
            while ended.recv_timeout(LOOK) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                if let Some((_, path)) = taken.iter().find(|(taken, path)| is_gone(*taken, path)) {
                    return fatal.raise(gone(path));
                }
            }
        };
        std::thread::Builder::new().name("watch the lock".into()).spawn(look).map_err(Error::internal)?;
        Ok(Watch { _watching: watching })
    }
}

/// Ends the watching when it is dropped.
pub struct Watch {
    _watching: std::sync::mpsc::Sender<()>,
}

/// Leaves the directory to its owner. One that has other things in it, and none of ours, is not ours to close.
fn check_rights(path: &Path) -> io::Result<()> {
    let is_ours = OURS.iter().any(|name| path.join(name).exists());
    let is_shared = fs::metadata(path)?.mode() & 0o1000 != 0;
    let mut entries = fs::read_dir(path)?.flatten();
    let is_empty = entries.all(|entry| entry.file_name() == "lost+found");
    let mode = fs::metadata(path)?.mode() & 0o7777;
    if mode & 0o077 == 0 {
        return Ok(());
    }
    // As volumes are: mounted for everybody.
    let another = |error: io::Error| {
        io::Error::new(
            error.kind(),
            format!("{error}. Name a folder in it that the server can make for itself"),
        )
    };
    if is_empty {
        return private_file::set_mode(path, mode, 0o700).map_err(another);
    }
    if is_ours && !is_shared {
        return private_file::narrow(path, 0o700).map_err(another);
    }
    Err(io::Error::other(format!(
        "others have rights on it (mode {mode:o}), and what lies in it is not Mayday's: name another \
         SERVICE_DATA_DIR, or `chmod 700` it"
    )))
}

fn lock(file: &File, directory: &Path) -> Result<()> {
    let said = |what: &dyn std::fmt::Display| {
        Error::internal(format!("the data directory {} {what}", directory.display()))
    };
    match file.try_lock() {
        Err(_) if sabotage::on("no_lock") => Ok(()),
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            Err(said(&"is in use by another mayday. Stop it first, or choose another SERVICE_DATA_DIR."))
        }
        Err(TryLockError::Error(error)) => Err(said(&format_args!("cannot be locked: {error}"))),
    }
}

/// What a name stands for: file system and file.
fn identity(path: &Path) -> io::Result<(u64, u64)> {
    let found = fs::metadata(path)?;
    Ok((found.dev(), found.ino()))
}

/// Whether the name stands for nothing, or for something else. What the system refuses to say is no sign of either.
fn is_gone(taken: (u64, u64), path: &Path) -> bool {
    if sabotage::on("no_lock_watch") {
        return false;
    }
    match identity(path) {
        Ok(found) => found != taken,
        Err(error) => matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory),
    }
}

fn gone(path: &Path) -> String {
    format!(
        "{} was removed or replaced while the server ran. It ends, so that no other process writes beside it: put \
         back what was there, and start it again",
        path.display()
    )
}

#[cfg(test)]
mod tests;
