//! The directory in which a backup is made, beside its future name. Its own name does not look like a backup's.

use super::fault;
use crate::error::{Error, Result};
use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

/// The end of its name, which begins with a dot.
const ENDING: &str = ".mayday-unfinished";

/// A working directory of this process, removed when dropped. If the process is killed, the directory stays, but its
/// lock is gone, so the next process in the same place recognizes and removes it.
pub struct Workplace {
    path: PathBuf,
    _locked: File,
}

impl Workplace {
    /// Creates the directory (0700) in `folder`, and removes those of processes that were killed.
    ///
    /// # Errors
    /// If it cannot be created, or another process makes the same backup.
    pub fn create(folder: &Path, name: &str) -> Result<Self> {
        clear(folder);
        let path = folder.join(format!(".{name}{ENDING}"));
        DirBuilder::new().mode(0o700).create(&path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Error::internal(format!(
                "another backup is being made at {}: wait until it is finished",
                folder.join(name).display()
            )),
            _ => fault(&path, &error),
        })?;
        let lock = || {
            let directory = File::open(&path)?;
            directory.lock()?;
            Ok(directory)
        };
        let locked = lock().map_err(|error: io::Error| fault(&path, &error))?;
        Ok(Self { path, _locked: locked })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        // If this fails, the next backup in the same place removes it.
        drop(fs::remove_dir_all(&self.path));
    }
}

/// Removes what killed processes left. Errors are ignored, because nothing of it is needed.
fn clear(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with('.') && name.ends_with(ENDING) && path.is_dir() && is_left(&path) {
            drop(fs::remove_dir_all(&path));
        }
    }
}

fn is_left(path: &Path) -> bool {
    File::open(path).is_ok_and(|directory| directory.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_directories_of_killed_processes_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let left = folder.path().join(".old.mayday-unfinished");
        let other = folder.path().join("old.mayday-unfinished");
        for path in [&left, &other] {
            fs::create_dir(path).unwrap();
            fs::write(path.join("main.db"), "x").unwrap();
        }
        let first = Workplace::create(folder.path(), "one").unwrap();
        assert!(!left.exists() && other.exists());
        fs::write(first.path().join("main.db"), "x").unwrap();
        let second = Workplace::create(folder.path(), "two").unwrap();
        assert!(first.path().join("main.db").exists(), "another process still works in it");
        assert!(Workplace::create(folder.path(), "two").is_err());
        let paths = [first.path().to_owned(), second.path().to_owned()];
        drop((first, second));
        assert!(paths.iter().all(|path| !path.exists()));
    }
}
