//! The room that a snapshot takes.

use crate::error::{Error, Result};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Bytes that a snapshot of `data_dir` takes at most, made in the directory `beside`. Source maps count only if they
/// cannot be linked because `beside` is on another file system.
///
/// # Errors
/// If a file cannot be read.
pub fn expected(data_dir: &Path, beside: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    for name in ["main.db", "main.db-wal", "logs.db", "logs.db-wal"] {
        bytes += fs::metadata(data_dir.join(name)).map_or(0, |file| file.len());
    }
    bytes += used(&data_dir.join("intake"))?;
    if fs::metadata(data_dir)?.dev() != fs::metadata(beside)?.dev() {
        bytes += used(&data_dir.join("sourcemaps"))?;
        bytes += used(&data_dir.join("replays"))?;
    }
    Ok(bytes)
}

/// Bytes that are on disk of a snapshot that is being made, without the source maps; 0 if there is nothing yet.
pub fn copied(into: &Path) -> u64 {
    let size = |name: &str| fs::metadata(into.join(name)).map_or(0, |file| file.blocks() * 512);
    size("main.db") + size("logs.db") + used(&into.join("intake")).unwrap_or_default()
}

/// Refuses a copy that would not fit, or that would leave the data directory less than `floor` bytes.
///
/// # Errors
/// If there is not enough room.
pub fn check_room(data_dir: &Path, into: &Path, expected: u64, floor: u64) -> Result<()> {
    let is_shared = fs::metadata(data_dir).map_err(Error::internal)?.dev()
        == fs::metadata(into).map_err(Error::internal)?.dev();
    let kept = if is_shared { floor } else { 0 };
    let found = rustix::fs::statvfs(into).map_err(Error::internal)?;
    let free = found.f_bavail.saturating_mul(found.f_frsize);
    if free >= expected.saturating_add(kept) {
        return Ok(());
    }
    let reserve = match kept {
        0 => String::new(),
        kept => format!(" beside the {} that SERVICE_DISK_FLOOR_MB keeps free", crate::text::bytes(kept)),
    };
    Err(Error::internal(format!(
        "there is not enough room in {}: the copy needs up to {}{reserve}, and {} are free",
        into.display(),
        crate::text::bytes(expected),
        crate::text::bytes(free)
    )))
}

/// Bytes on disk of every file below a directory.
fn used(folder: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        entries => entries?,
    };
    for entry in entries {
        let path = entry?.path();
        bytes += match fs::symlink_metadata(&path) {
            Ok(found) if found.is_dir() => used(&path)?,
            Ok(found) => found.blocks() * 512,
            // Removed meanwhile.
            Err(_) => 0,
        };
    }
    Ok(bytes)
}
