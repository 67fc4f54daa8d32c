//! What files take up on the disk.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Bytes on disk of a file or directory; 0 if it does not exist.
pub fn used(path: &Path) -> u64 {
    let Ok(found) = fs::symlink_metadata(path) else { return 0 };
    if !found.is_dir() {
        return found.blocks() * 512;
    }
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    found.blocks() * 512 + entries.map(|entry| used(&entry.path())).sum::<u64>()
}

/// The same for all files of a directory whose names start with `start`: a database has a WAL beside it.
pub fn named(dir: &Path, start: &str) -> u64 {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let ours = entries.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(start.as_bytes()));
    ours.map(|entry| used(&entry.path())).sum()
}
