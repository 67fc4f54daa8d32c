//! The files of a mirror.

use std::path::Path;
use std::time::Duration;

/// Removes what a killed git left: lock files, which would block every later command, and incomplete packs.
pub(super) fn remove_rests(mirror: &Path) {
    let mut open = vec![mirror.to_owned(), mirror.join("objects/pack")];
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(&dir).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                if name == "refs" || path.starts_with(mirror.join("refs")) {
                    open.push(path);
                }
            } else if name.ends_with(".lock") || name.starts_with("tmp_") {
                drop(std::fs::remove_file(path));
            }
        }
    }
}

/// Removes a mirror, even if something that was killed with its git is still writing.
pub(super) fn remove_whole(mirror: &Path) {
    for _ in 0..50 {
        drop(std::fs::remove_dir_all(mirror));
        if !mirror.exists() {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    crate::cli::note(&format!("{}: a mirror that is too large could not be removed", mirror.display()));
}

/// The total size of a directory's files; larger than any limit if one cannot be read.
pub(in crate::cli::runner) fn size_of(dir: &Path) -> u64 {
    let mut bytes = 0;
    let mut open = vec![dir.to_owned()];
    while let Some(dir) = open.pop() {
        let entries = match std::fs::read_dir(&dir) {
            Ok(entries) => entries,
            // Nested so deeply that the path is too long.
            Err(error) if error.kind() == std::io::ErrorKind::InvalidFilename => return u64::MAX,
            // Just removed, or owned by somebody else.
            Err(_) => continue,
        };
        for entry in entries.flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push(entry.path()),
                Ok(_) => bytes += entry.metadata().map_or(0, |found| found.len()),
                Err(_) => {}
            }
        }
    }
    bytes
}
