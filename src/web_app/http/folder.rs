//! The Web app from `WEB_DIST_DIR`: each file is in memory once, however many clients receive it.

use crate::cache::{self, Cache, Size};
use bytes::Bytes;
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

/// Bytes, and number, of files kept in memory; a Web app has a few megabytes.
const KEPT_MAX: u64 = 32 << 20;
const FILES_MAX: u64 = 8_192;

/// The files of a directory, as last read.
pub struct Folder {
    kept: Cache<PathBuf, CachedFile>,
}

impl Default for Folder {
    fn default() -> Self {
        Self { kept: cache::bounded(KEPT_MAX, FILES_MAX) }
    }
}

#[derive(PartialEq, Eq, Clone, Copy)]
struct Version {
    modified: Option<SystemTime>,
    length: u64,
}

#[derive(Clone)]
struct CachedFile {
    version: Version,
    bytes: Bytes,
}

impl Size for CachedFile {
    fn bytes(&self) -> u64 {
        self.bytes.len() as u64
    }
}

impl Folder {
    /// A file within `root`, if there is one. Names that begin with a dot, and links that lead elsewhere, are
    /// not served.
    pub(super) fn read(&self, root: &Path, path: &str) -> Option<Bytes> {
        let is_plain = |part: Component<'_>| matches!(part, Component::Normal(name) if !name.as_encoded_bytes().starts_with(b"."));
        if !Path::new(path).components().all(is_plain) {
            return None;
        }
        let root = root.canonicalize().ok()?;
        let file = root.join(path).canonicalize().ok().filter(|file| file.starts_with(&root))?;
        let found = file.metadata().ok().filter(std::fs::Metadata::is_file)?;
        let version = Version { modified: found.modified().ok(), length: found.len() };
        if let Some(known) = self.kept.get(&file).filter(|known| known.version == version) {
            return Some(known.bytes);
        }
        let bytes = Bytes::from(std::fs::read(&file).ok()?);
        self.kept.insert(file, CachedFile { version, bytes: bytes.clone() });
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_again_when_it_has_changed_and_only_then() {
        let (folder, root) = (Folder::default(), tempfile::tempdir().unwrap());
        let file = root.path().join("app.js");
        std::fs::write(&file, "one").unwrap();
        let first = folder.read(root.path(), "app.js").unwrap();
        let again = folder.read(root.path(), "app.js").unwrap();
        assert_eq!((&first[..], first.as_ptr()), (&b"one"[..], again.as_ptr()), "the same memory");
        std::fs::write(&file, "three").unwrap();
        assert_eq!(folder.read(root.path(), "app.js").unwrap(), "three");
    }

    #[test]
    fn dot_files_and_files_outside_are_not_served() {
        let (folder, root, elsewhere) =
            (Folder::default(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::create_dir_all(root.path().join(".git")).unwrap();
        std::fs::write(root.path().join(".git/config"), "secret").unwrap();
        std::fs::write(root.path().join(".env"), "secret").unwrap();
        std::fs::write(elsewhere.path().join("passwd"), "secret").unwrap();
        std::fs::write(root.path().join("real.js"), "real").unwrap();
        std::os::unix::fs::symlink(elsewhere.path().join("passwd"), root.path().join("link.js")).unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), root.path().join("folder")).unwrap();
        std::os::unix::fs::symlink(root.path().join("real.js"), root.path().join("inside.js")).unwrap();
        for path in
            [".env", ".git/config", "link.js", "folder/passwd", "../passwd", "/etc/passwd", "", "none.js"]
        {
            assert_eq!(folder.read(root.path(), path), None, "{path}");
        }
        assert_eq!(folder.read(root.path(), "inside.js").unwrap(), "real");
    }
}
