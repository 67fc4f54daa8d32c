//! Reads directories that an agent can write to: opens them one by one, and never through a link.

use rustix::fd::OwnedFd;
use rustix::fs::{Dir, Mode, OFlags, openat};
use rustix::io::Errno;
use std::fs::File;

/// The flags to open a directory.
pub(super) const FOLDER: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

pub(super) fn open_folder(dir: &OwnedFd, name: &[u8]) -> Option<OwnedFd> {
    openat(dir, is_name(name).then_some(name)?, FOLDER, Mode::empty()).ok()
}

/// Opens a regular file, neither through a link nor a pipe that would block.
pub(super) fn open_file(dir: &OwnedFd, name: &[u8]) -> Option<File> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(openat(dir, is_name(name).then_some(name)?, flags, Mode::empty()).ok()?);
    file.metadata().is_ok_and(|found| found.is_file()).then_some(file)
}

/// The names in a directory, at most `most`.
pub(super) fn names(folder: &OwnedFd, most: usize) -> Vec<Vec<u8>> {
    let entries = Dir::read_from(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_bytes().to_vec());
    names.filter(|name| !matches!(name.as_slice(), b"." | b"..")).take(most).collect()
}

/// The same of a folder of which nothing may be missing.
///
/// # Errors
/// If it cannot be read to its end.
pub(super) fn all_names(folder: &OwnedFd, most: usize) -> Result<Vec<Vec<u8>>, Errno> {
    let mut names = Vec::new();
    for entry in Dir::read_from(folder)? {
        let name = entry?.file_name().to_bytes().to_vec();
        if matches!(name.as_slice(), b"." | b"..") {
            continue;
        }
        if names.len() == most {
            break;
        }
        names.push(name);
    }
    Ok(names)
}

/// Whether it is the name of something within a directory.
fn is_name(name: &[u8]) -> bool {
    !matches!(name, b"" | b"." | b"..") && !name.contains(&b'/')
}
