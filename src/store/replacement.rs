//! Replaces the content of the data directory by another one that was prepared beside it.
//!
//! The directory may be a mount point, so it cannot be renamed itself; its entries are. From the moment `restore.state`
//! is written, the replacement is decided: whoever takes the directory next finishes it, before anything in it is opened
//! ([`finish`]). Until then the present content is untouched, and what was prepared is removed.
//!
//! 1. The new content is complete in `restore.new/`, and on disk.
//! 2. `restore.state` says `aside NAME`: every entry moves to `NAME/`, a directory for the former content.
//! 3. `restore.state` says `in`: every entry of `restore.new/` moves up.
//! 4. `restore.new/` and `restore.state` are removed.
//!
//! Each move is one rename, and repeating a step moves only what is left. Whatever fails after `restore.state` was written
//! leaves both contents in the directory, and nobody opens anything in it until the replacement is finished.

use crate::config::private_file;
use crate::error::{Error, Result};
use crate::time::Timestamp;
use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

/// The lock of the data directory. Scripts can take it, too, to keep the server out.
pub(super) const LOCK: &str = "run.lock";
/// Where new content is prepared.
const NEW: &str = "restore.new";
/// The state file, from which an interrupted replacement continues.
const STATE: &str = "restore.state";
/// The beginning of the names of directories with former content.
const ASIDE: &str = "before-restore-";
/// A snapshot on its way to a backup; a server that was killed may leave one.
pub const SNAPSHOT: &str = "backup.new";
/// Entries of the directory that are not part of the instance.
const OTHERS: [&str; 6] = [LOCK, NEW, STATE, SNAPSHOT, "restore.state.new", "lost+found"];

/// Where the former content is kept; `None` if there was none.
pub type FormerData = Option<PathBuf>;

/// See [`super::DataDir::new_content`].
pub(super) fn new_content(dir: &Path) -> Result<PathBuf> {
    let new = dir.join(NEW);
    remove(&new).and_then(|()| DirBuilder::new().mode(0o700).create(&new)).map_err(Error::storage)?;
    Ok(new)
}

/// See [`super::DataDir::discard`].
pub(super) fn discard(dir: &Path) {
    if is_replacing(dir) {
        return;
    }
    if let Err(error) = remove(&dir.join(NEW)) {
        tracing::warn!(%error, "what was prepared for a restore is removed at the next start");
    }
}

/// See [`super::DataDir::content`].
pub(super) fn content(dir: &Path) -> Result<Vec<String>> {
    let entries = entries(dir).map_err(Error::storage)?;
    Ok(entries.iter().map(|name| name.to_string_lossy().into_owned()).collect())
}

/// See [`super::DataDir::replace`].
pub(super) fn replace(dir: &Path, now: Timestamp) -> Result<FormerData> {
    let present = entries(dir).map_err(Error::storage)?;
    check_movable(dir, &present)?;
    let kept = (!present.is_empty()).then(|| unused(dir, now));
    let state = match &kept {
        Some(name) => format!("aside {name}\n"),
        None => "in\n".to_owned(),
    };
    note(dir, &state).map_err(Error::storage)?;
    finish(dir)?;
    Ok(kept.map(|name| dir.join(name)))
}

/// Whether a replacement has begun that can only be finished.
pub fn is_replacing(dir: &Path) -> bool {
    fs::symlink_metadata(dir.join(STATE)).is_ok()
}

/// Whether the first part of a path is a name that a data directory uses for something else than an instance.
pub fn is_reserved(name: &str) -> bool {
    OTHERS.contains(&name) || name.starts_with(ASIDE)
}

/// Whether the former content of a restore is in a directory.
pub(super) fn has_former(dir: &Path) -> bool {
    former(dir).is_ok_and(|former| !former.is_empty())
}

/// The directories with former content, the oldest first.
///
/// # Errors
/// If the directory cannot be read.
pub fn former(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let is_former = |name: &OsStr| name.to_string_lossy().starts_with(ASIDE);
    let names = names(dir)?;
    let former = names.iter().filter(|name| is_former(name)).map(|name| dir.join(name));
    Ok(former.filter(|path| path.is_dir() && !path.is_symlink()).collect())
}

/// Whether a directory has an instance, or will have one as soon as it is taken: a restore of it was interrupted.
pub fn has_instance(dir: &Path) -> bool {
    ["main.db", STATE].iter().any(|name| dir.join(name).exists())
}

/// Finishes an interrupted replacement, or removes what was prepared for one that was not decided. Returns whether
/// there was one to finish.
///
/// # Errors
/// Storage trouble, with the file that it is about.
pub(super) fn finish(dir: &Path) -> Result<bool> {
    let state = match fs::read_to_string(dir.join(STATE)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            drop(fs::remove_file(dir.join("restore.state.new")));
            // Left by another user, root for one, who was interrupted: in nobody's way until it is needed.
            for error in [NEW, SNAPSHOT].iter().filter_map(|name| remove(&dir.join(name)).err()) {
                tracing::warn!(%error, "what an interrupted restore or backup has left cannot be removed");
            }
            return Ok(false);
        }
        read => read.map_err(|error| fault(dir, &error))?,
    };
    let moved = match state.trim().split_once(' ') {
        Some(("aside", name)) if name.starts_with(ASIDE) && !name.contains('/') => {
            check_prepared(dir).and_then(|()| move_aside(dir, name)).and_then(|()| move_in(dir))
        }
        // Missing once everything was moved.
        None if state.trim() == "in" && dir.join("main.db").exists() && !dir.join(NEW).exists() => {
            settle(dir)
        }
        None if state.trim() == "in" => check_prepared(dir).and_then(|()| move_in(dir)),
        _ => Err(io::Error::other(format!("{STATE} cannot be read"))),
    };
    moved.map(|()| true).map_err(|error| fault(dir, &error))
}

fn move_aside(dir: &Path, name: &str) -> io::Result<()> {
    let aside = dir.join(name);
    match DirBuilder::new().mode(0o700).create(&aside) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => give_to_owner(dir, &aside)?,
    }
    for entry in entries(dir)? {
        moving(&dir.join(&entry), &aside.join(&entry))?;
    }
    sync(&aside)?;
    sync(dir)?;
    note(dir, "in\n")
}

/// Writes the next step; it is on disk when this returns.
fn note(dir: &Path, step: &str) -> io::Result<()> {
    private_file::replace(&dir.join(STATE), step)?;
    give_to_owner(dir, &dir.join(STATE))
}

/// Gives a file of root's to the owner of the data directory, whose server has to read it.
pub(super) fn give_to_owner(dir: &Path, path: &Path) -> io::Result<()> {
    if !rustix::process::geteuid().is_root() {
        return Ok(());
    }
    let owner = fs::metadata(dir)?;
    std::os::unix::fs::lchown(path, Some(owner.uid()), Some(owner.gid()))
}

/// What was prepared is there: without it nothing would be left in the place of the former content.
fn check_prepared(dir: &Path) -> io::Result<()> {
    if dir.join(NEW).is_dir() {
        return Ok(());
    }
    Err(io::Error::other(format!(
        "{NEW} is missing. Put it back; or remove {STATE}, and move what was there back from {ASIDE}*, to have the former \
         content again"
    )))
}

fn move_in(dir: &Path) -> io::Result<()> {
    let new = dir.join(NEW);
    // The entry without which there is no instance is moved last.
    let (last, others): (Vec<_>, Vec<_>) = names(&new)?.into_iter().partition(|name| name == "main.db");
    for name in others.into_iter().chain(last) {
        moving(&new.join(&name), &dir.join(&name))?;
    }
    remove(&new)?;
    settle(dir)
}

/// Everything is in its place.
fn settle(dir: &Path) -> io::Result<()> {
    sync(dir)?;
    fs::remove_file(dir.join(STATE))?;
    sync(dir)
}

fn moving(from: &Path, to: &Path) -> io::Result<()> {
    let named = |error: io::Error| {
        io::Error::new(
            error.kind(),
            format!("{} cannot be moved to {}: {error}", from.display(), to.display()),
        )
    };
    fs::rename(from, to).map_err(named)
}

/// Finds entries that cannot be moved before anything is moved: mount points, immutable files, and directories of
/// other owners, whose `..` a move would change.
fn check_movable(dir: &Path, names: &[std::ffi::OsString]) -> Result<()> {
    let device = fs::metadata(dir).map_err(Error::storage)?.dev();
    for name in names {
        let path = dir.join(name);
        let about = fs::symlink_metadata(&path).map_err(Error::storage)?;
        let hindrance = if about.dev() != device {
            Some(
                "is on another file system than the data directory: unmount it, or choose another SERVICE_DATA_DIR",
            )
        } else if is_fixed(&path) {
            Some("is marked as immutable or append-only: take that away (chattr -i -a)")
        } else if about.is_dir() && rustix::fs::access(&path, rustix::fs::Access::WRITE_OK).is_err() {
            Some("belongs to another user: give it to the one who runs this (chown), or move it away")
        } else {
            None
        };
        if let Some(hindrance) = hindrance {
            return Err(Error::internal(format!("{} cannot be moved aside: it {hindrance}", path.display())));
        }
    }
    Ok(())
}

/// Whether the file system keeps a file from being renamed; what it does not tell is left to the attempt.
fn is_fixed(path: &Path) -> bool {
    use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};
    let fixed = StatxAttributes::IMMUTABLE | StatxAttributes::APPEND;
    statx(CWD, path, AtFlags::SYMLINK_NOFOLLOW, StatxFlags::empty())
        .is_ok_and(|found| found.stx_attributes.intersects(fixed))
}

/// A name for the former content that nothing has yet, with the time to the second.
fn unused(dir: &Path, now: Timestamp) -> String {
    let time: String = now.to_string().chars().take(19).filter(|c| !matches!(c, '-' | ':')).collect();
    let name = format!("{ASIDE}{time}Z");
    let others = (2..).map(|number| format!("{name}-{number}"));
    let free = |name: &String| !dir.join(name).exists();
    std::iter::once(name.clone()).chain(others).find(free).unwrap_or(name)
}

/// What belongs to an instance.
fn entries(dir: &Path) -> io::Result<Vec<std::ffi::OsString>> {
    let is_ours = |name: &OsStr| {
        !OTHERS.iter().any(|other| name == *other) && !name.to_string_lossy().starts_with(ASIDE)
    };
    Ok(names(dir)?.into_iter().filter(|name| is_ours(name)).collect())
}

fn names(dir: &Path) -> io::Result<Vec<std::ffi::OsString>> {
    let names = fs::read_dir(dir)?.map(|entry| Ok(entry?.file_name()));
    let mut names = names.collect::<io::Result<Vec<_>>>()?;
    names.sort();
    Ok(names)
}

fn remove(dir: &Path) -> io::Result<()> {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn sync(dir: &Path) -> io::Result<()> {
    File::open(dir)?.sync_all()
}

fn fault(dir: &Path, error: &io::Error) -> Error {
    Error::internal(format!(
        "an interrupted restore into {} cannot be finished: {error}. It goes on once this is mended",
        dir.display()
    ))
}

#[cfg(test)]
mod tests;
