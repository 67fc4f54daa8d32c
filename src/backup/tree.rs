//! Lists the files of a directory, and copies them with their hashes.

use crate::store::Stop;
use rustix::fs::OFlags;
use sha2::{Digest as _, Sha256};
use std::fs::{self, DirBuilder, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;

/// Bytes copied at once.
const CHUNK: usize = 256 << 10;

/// Opens a regular file. Opening a pipe would wait for a writer.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let flags = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or_default();
    let file = File::options().read(true).custom_flags(flags).open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("it is not a file")),
    }
}

/// The relative paths of all files below `root`, sorted.
///
/// # Errors
/// If something is neither a file nor a directory, a name is not UTF-8, or there are more than `most`.
pub(super) fn files(root: &Path, most: usize) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    let mut open = vec![String::new()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let name = entry.file_name().into_string();
            let name = name.map_err(|name| io::Error::other(format!("the name {name:?} is not UTF-8")))?;
            let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            let kind = entry.file_type()?;
            if kind.is_dir() {
                open.push(path);
            } else if found.len() == most {
                return Err(io::Error::other(format!("it has more than {most} files")));
            } else if kind.is_file() {
                found.push(path);
            } else {
                return Err(io::Error::other(format!("{path} is neither a file nor a directory")));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// A reader that counts and hashes what passes through it.
pub(super) struct Hashing<R> {
    inner: R,
    hasher: Sha256,
    pub(super) bytes: u64,
    /// Why reading failed; a copy cannot otherwise tell this from a failed write.
    pub(super) fault: Option<io::Error>,
}

impl<R: Read> Hashing<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { inner, hasher: Sha256::new(), bytes: 0, fault: None }
    }

    /// The hash of what was read.
    pub(super) fn hash(self) -> [u8; 32] {
        self.hasher.finalize().into()
    }
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(into).inspect_err(|error| {
            self.fault = Some(io::Error::new(error.kind(), error.to_string()));
        })?;
        self.hasher.update(&into[..read]);
        self.bytes += read as u64;
        Ok(read)
    }
}

/// A reader that fails once it is asked to stop.
pub(super) struct Stoppable<'a, R> {
    inner: R,
    stop: &'a Stop,
}

impl<'a, R> Stoppable<'a, R> {
    pub(super) fn new(inner: R, stop: &'a Stop) -> Self {
        Self { inner, stop }
    }
}

impl<R: Read> Read for Stoppable<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.stop.is_asked() {
            return Err(io::Error::other("the backup was ended early"));
        }
        self.inner.read(into)
    }
}

/// Copies everything; calls `tell` with the bytes of each piece.
pub(super) fn transfer(from: &mut dyn Read, to: &mut dyn Write, tell: &mut dyn FnMut(u64)) -> io::Result<()> {
    let mut chunk = vec![0; CHUNK];
    loop {
        match from.read(&mut chunk) {
            Ok(0) => return Ok(()),
            Ok(read) => {
                to.write_all(&chunk[..read])?;
                tell(read as u64);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Creates a file (0600) below `root`, with the directories (0700) that lead to it.
pub(super) fn create(root: &Path, path: &str) -> io::Result<File> {
    let path = root.join(path);
    if let Some(folder) = path.parent() {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    File::options().write(true).create_new(true).mode(0o600).open(path)
}

/// Writes and syncs a file, but not its directory.
pub(super) fn write(root: &Path, path: &str, content: &[u8]) -> io::Result<()> {
    let mut file = create(root, path)?;
    file.write_all(content)?;
    file.sync_all()
}

/// Syncs every directory below `root`, and `root`.
pub(super) fn sync_folders(root: &Path) -> io::Result<()> {
    for entry in fs::read_dir(root)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_folders(&entry.path())?;
        }
    }
    File::open(root)?.sync_all()
}
