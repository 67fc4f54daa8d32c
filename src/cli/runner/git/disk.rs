//! The files of a mirror.

use std::path::Path;
use std::time::Duration;

/// Removes what a git that was killed has left: locks, which would stop every later one, and halves of packs.
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

/// Removes a mirror, although something that was killed with its git may not have ended yet.
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

/// The bytes of all files in a directory; of one that cannot be looked into, more than any limit.
pub(in crate::cli::runner) fn size_of(dir: &Path) -> u64 {
    let mut bytes = 0;
    let mut open = vec![dir.to_owned()];
    while let Some(dir) = open.pop() {
        let entries = match std::fs::read_dir(&dir) {
            Ok(entries) => entries,
            // So deep that its path is too long.
            Err(error) if error.kind() == std::io::ErrorKind::InvalidFilename => return u64::MAX,
            // It has just been removed, or is somebody else's.
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
