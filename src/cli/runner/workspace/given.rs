//! The folder with what the runner gives to an agent: instructions, context, messages of people.
//!
//! It belongs to the runner; an agent with a user or a container of its own can only read it. One that is the runner's
//! user can put anything there, so nothing is ever written through what stands there already: each folder is opened
//! below the one before it and never through a link, and each file is made anew.

use crate::cli::runner::folder::FOLDER;
use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, Gid, Mode, OFlags, fchmod, fchown, mkdirat, openat, unlinkat};
use rustix::io::Errno;
use std::fs::{DirBuilder, File};
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Component, Path, PathBuf};

/// The folder, held open: whatever is put in its place is not written to.
pub(super) struct Given {
    pub(super) path: PathBuf,
    folder: OwnedFd,
}

impl Given {
    /// Makes the folder, in one that only the runner can write to.
    ///
    /// # Errors
    /// If the disk refuses, or something is there already.
    pub(super) fn create(path: PathBuf) -> std::io::Result<Self> {
        DirBuilder::new().mode(0o700).create(&path)?;
        let folder = rustix::fs::open(&path, FOLDER, Mode::empty())?;
        Ok(Self { path, folder })
    }

    /// Writes a file; what was at its path before is replaced. `path` is below the folder.
    ///
    /// # Errors
    /// If the path leads elsewhere, the disk refuses, or a directory is in the file's place.
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

    /// Lets a group read it, and nobody else.
    ///
    /// # Errors
    /// If this process may not do so.
    pub(super) fn lend_to(&self, gid: u32) -> std::io::Result<()> {
        fchown(&self.folder, None, Some(Gid::from_raw(gid)))?;
        Ok(fchmod(&self.folder, Mode::from_raw_mode(0o750))?)
    }
}

/// The names of a path below a directory, if it is one.
fn names(path: &str) -> Option<Vec<&[u8]>> {
    let plain = |part| match part {
        Component::Normal(name) => Some(name.as_bytes()),
        _ => None,
    };
    Path::new(path).components().map(plain).collect()
}

/// Opens a folder, or makes it; what is in its place and none is removed.
fn step(folder: &OwnedFd, name: &[u8]) -> Result<OwnedFd, Errno> {
    match openat(folder, name, FOLDER, Mode::empty()) {
        Err(Errno::NOENT) => {}
        Err(Errno::NOTDIR | Errno::LOOP) => absent(folder, name)?,
        found => return found,
    }
    mkdirat(folder, name, Mode::from_raw_mode(0o755))?;
    openat(folder, name, FOLDER, Mode::empty())
}

/// Removes a file or a link; it may be missing.
fn absent(folder: &OwnedFd, name: &[u8]) -> Result<(), Errno> {
    match unlinkat(folder, name, AtFlags::empty()) {
        Err(Errno::NOENT) => Ok(()),
        removed => removed,
    }
}
