//! The data directory, held by one process at a time.
//!
//! A lock belongs to a file, not to its name: if `run.lock` is removed, another process can create a new one
//! and lock that. So the directory itself is locked as well, and what was opened is watched: if a name refers
//! to another file than at the start, this process ends before another one can write beside it.

use super::replacement::{self, FormerData, LOCK};
use super::{Fatal, logs_schema, main_schema, schema};
use crate::config::private_file;
use crate::error::{Error, Result};
use crate::sabotage;
use crate::time::Timestamp;
use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Files that identify a directory as ours.
const OURS: [&str; 3] = ["main.db", LOCK, "secrets.env"];
/// The interval between checks; a check queries the file system for each name.
const LOOK: Duration = Duration::from_millis(250);

/// The directory, held by this process until this is dropped.
pub struct DataDir {
    path: PathBuf,
    /// Whether taking it finished a restore that was interrupted.
    pub finished_restore: bool,
    /// The locked files: the directory and [`LOCK`].
    locked: [File; 2],
}

/// Unlocks instead of leaving that to the closing of the files: a child that another thread is just starting has
/// copies of them until it executes its program, and would keep the directory locked for that long.
impl Drop for DataDir {
    fn drop(&mut self) {
        for file in &self.locked {
            let _ = file.unlock();
        }
    }
}

impl DataDir {
    /// Creates the data directory (0700) if it is missing, and takes it for this process. A restore that was interrupted
    /// while it replaced the content is finished; what one left that was interrupted before is removed.
    ///
    /// # Errors
    /// If another process holds it, it cannot be written to, or other users have permissions on it that
    /// cannot be removed.
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
        replacement::give_to_owner(path, &path.join(LOCK)).map_err(fault)?;
        let finished_restore = replacement::finish(path)?;
        Ok(Self { path: path.to_owned(), finished_restore, locked: [directory, file] })
    }

    /// Takes the data directory of an instance to use it: like [`DataDir::take`], but refuses databases that this version
    /// cannot use, before anything in it is changed.
    ///
    /// # Errors
    /// Those of [`DataDir::take`], and if one was made by a newer Mayday or by a development version.
    pub fn take_usable(path: &Path) -> Result<Self> {
        let taken = Self::take(path)?;
        schema::check_usable(&path.join("main.db"), main_schema())?;
        schema::check_usable(&path.join("logs.db"), logs_schema())?;
        Ok(taken)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// An empty directory for new content, on the same file system. Whoever takes the data directory next removes it,
    /// unless it was put in place by [`DataDir::replace`].
    ///
    /// # Errors
    /// Storage trouble.
    pub fn new_content(&self) -> Result<PathBuf> {
        replacement::new_content(&self.path)
    }

    /// Whether a replacement was interrupted, which the next process to lock the directory continues.
    pub fn is_replacing(&self) -> bool {
        replacement::is_replacing(&self.path)
    }

    /// Gives up what was prepared, unless a replacement with it has begun.
    pub fn discard(&self) {
        replacement::discard(&self.path);
    }

    /// The entries that belong to an instance, sorted.
    ///
    /// # Errors
    /// Storage trouble.
    pub fn content(&self) -> Result<Vec<String>> {
        replacement::content(&self.path)
    }

    /// Puts what was prepared in the place of the present content, which is kept in a directory of its own. Both are on
    /// disk when this returns.
    ///
    /// # Errors
    /// If an entry cannot be moved. If this is known in advance, nothing is changed; otherwise the next process to
    /// lock the directory continues.
    pub fn replace(&self, now: Timestamp) -> Result<FormerData> {
        replacement::replace(&self.path, now)
    }

    /// Raises `fatal` if the directory, its lock or one of `files` is removed or replaced before the returned
    /// value is dropped.
    ///
    /// # Errors
    /// If one of them is already missing.
    pub fn watch(&self, files: &[&str], fatal: &Fatal) -> Result<Watch> {
        let paths = [self.path.clone(), self.path.join(LOCK)];
        let taken = paths.into_iter().chain(files.iter().map(|name| self.path.join(name)));
        let taken = taken.map(|path| Ok((identity(&path)?, path))).collect::<io::Result<Vec<_>>>();
        let (taken, fatal) = (taken.map_err(Error::internal)?, fatal.clone());
        let (watching, ended) = std::sync::mpsc::channel();
        let look = move || {
            // The other end sends nothing; it is dropped.
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

/// Stops watching when dropped.
pub struct Watch {
    _watching: std::sync::mpsc::Sender<()>,
}

/// Restricts the directory to its owner. A directory with other files, and none of ours, is not ours to
/// restrict.
fn check_rights(path: &Path) -> io::Result<()> {
    let is_ours = OURS.iter().any(|name| path.join(name).exists());
    let is_shared = fs::metadata(path)?.mode() & 0o1000 != 0;
    let mut entries = fs::read_dir(path)?.flatten();
    let is_empty = entries.all(|entry| entry.file_name() == "lost+found");
    let mode = fs::metadata(path)?.mode() & 0o7777;
    if mode & 0o077 == 0 {
        return Ok(());
    }
    // Volumes are like this: mounted for everybody.
    let another = |error: io::Error| {
        io::Error::new(
            error.kind(),
            format!("{error}. Choose a subdirectory of it that the server can create itself"),
        )
    };
    if is_empty {
        return private_file::set_mode(path, mode, 0o700).map_err(another);
    }
    if is_ours && !is_shared {
        return private_file::narrow(path, 0o700).map_err(another);
    }
    Err(io::Error::other(format!(
        "other users have access to it (mode {mode:o}), and its files are not Mayday's: choose another \
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

/// What a name refers to: file system and file.
fn identity(path: &Path) -> io::Result<(u64, u64)> {
    let found = fs::metadata(path)?;
    Ok((found.dev(), found.ino()))
}

/// Whether the name refers to nothing, or to something else. An error from the system is not a sign of
/// either.
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
