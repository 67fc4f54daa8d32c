//! Whether the index is as a clean stop left it.

use super::FOLDER;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// Written beside the index by a clean stop: the state of its files at that time.
const CLEAN: &str = "index.clean";

/// How the last process left the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IndexState {
    /// As recorded by a clean stop, as far as can be told without reading the segments.
    Clean,
    /// The stop was not clean, or somebody has touched the files since.
    Unclean,
    /// The file lists have different bytes, although they seem unchanged.
    Damaged,
}

/// How the last process left the index. This can be determined only once.
pub(super) fn take(folder: &Path) -> IndexState {
    let before = fs::read_to_string(folder.join(CLEAN));
    // If the record stayed, it would be trusted after a crash.
    let taken = fs::remove_file(folder.join(CLEAN));
    let now = said(&folder.join(FOLDER));
    match (before, taken) {
        (Ok(before), Ok(())) if before == now => IndexState::Clean,
        (Ok(before), Ok(())) if before.lines().skip(1).eq(now.lines().skip(1)) => IndexState::Damaged,
        _ => IndexState::Unclean,
    }
}

/// Records the state of the index in `folder`, for the next start.
pub(super) fn mark(folder: &Path) {
    drop(fs::write(folder.join(CLEAN), said(&folder.join(FOLDER))));
}

/// What a clean stop records about an index: the checksum of its file lists, which have none of their own,
/// then a line for each file with its length and modification time.
fn said(index: &Path) -> String {
    let lists = ["meta.json", ".managed.json"].map(|name| fs::read(index.join(name)).unwrap_or_default());
    let entries = fs::read_dir(index).into_iter().flatten().flatten();
    let line = |entry: fs::DirEntry| {
        let file = entry.metadata().ok()?;
        let (time, nanos) = (file.mtime(), file.mtime_nsec());
        Some(format!("{} {} {time}.{nanos:09}\n", entry.file_name().to_string_lossy(), file.len()))
    };
    let mut lines: Vec<String> = entries.filter_map(line).collect();
    lines.sort_unstable();
    format!("{:016x}\n{}", xxh3_64(&lists.concat()), lines.concat())
}
