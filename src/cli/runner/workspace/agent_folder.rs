//! The directory with what the runner gives to an agent: instructions, context, messages.
//!
//! It belongs to the runner, and an agent with a separate user or a container can only read it. An agent that runs as
//! the runner's user can put anything there, so nothing is written through existing entries: each directory is opened
//! relative to its parent and never through a link, and each file is created anew.

use crate::cli::runner::folder::FOLDER;
use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, Gid, Mode, OFlags, fchmod, fchown, mkdirat, openat, unlinkat};
use rustix::io::Errno;
use std::fs::{DirBuilder, File};
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Component, Path, PathBuf};

/// The directory, kept open, so that nothing is written to whatever replaces it.
pub(super) struct AgentFolder {
    pub(super) path: PathBuf,
    folder: OwnedFd,
}

impl AgentFolder {
    /// Creates the directory in one that only the runner can write to.
    ///
    /// # Errors
    /// If the disk fails, or something exists there.
    pub(super) fn create(path: PathBuf) -> std::io::Result<Self> {
        DirBuilder::new().mode(0o700).create(&path)?;
        let folder = rustix::fs::open(&path, FOLDER, Mode::empty())?;
        Ok(Self { path, folder })
    }

    /// Writes a file, and replaces an existing one. `path` is relative to the directory.
    ///
    /// # Errors
    /// If the path leads elsewhere, the disk fails, or a directory has that name.
    pub(super) fn write(&self, path: &str, text: &str) -> std::io::Result<()> {
        let mut folder = self.folder.try_clone()?;
        let mut parts = names(path).ok_or(std::io::ErrorKind::InvalidInput)?;
        let name = parts.pop().ok_or(std::io::ErrorKind::InvalidInput)?;
        for part in parts {
            folder = step(&folder, part)?;
        }
        absent(&folder, name)?;
        let new = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = openat(&folder, name, new, Mode::from_raw_mode(0o644))?;
        File::from(file).write_all(text.as_bytes())
    }

    /// Lets only a group read it.
    ///
    /// # Errors
    /// If this process lacks the permission.
    pub(super) fn lend_to(&self, gid: u32) -> std::io::Result<()> {
        fchown(&self.folder, None, Some(Gid::from_raw(gid)))?;
        Ok(fchmod(&self.folder, Mode::from_raw_mode(0o750))?)
    }
}

/// The segments of a path, if it stays below a directory.
fn names(path: &str) -> Option<Vec<&[u8]>> {
    let plain = |part| match part {
        Component::Normal(name) => Some(name.as_bytes()),
        _ => None,
    };
    Path::new(path).components().map(plain).collect()
}

/// Opens or creates a directory; removes anything else of that name.
fn step(folder: &OwnedFd, name: &[u8]) -> Result<OwnedFd, Errno> {
    match openat(folder, name, FOLDER, Mode::empty()) {
        Err(Errno::NOENT) => {}
        Err(Errno::NOTDIR | Errno::LOOP) => absent(folder, name)?,
        found => return found,
    }
    mkdirat(folder, name, Mode::from_raw_mode(0o755))?;
    openat(folder, name, FOLDER, Mode::empty())
}

/// Removes a file or a link, which need not exist.
fn absent(folder: &OwnedFd, name: &[u8]) -> Result<(), Errno> {
    match unlinkat(folder, name, AtFlags::empty()) {
        Err(Errno::NOENT) => Ok(()),
        removed => removed,
    }
}
