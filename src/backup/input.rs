//! Reads a backup of either form and checks every file against the manifest.

use super::manifest::{FileRecord, MANIFEST, MANIFEST_MAX, Manifest};
use super::tree::{self, Hashing, transfer};
use super::{S3, Tell, UNREACHED, archive};
use crate::config::S3Address;
use crate::error::{Error, Result};
use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Receives each file: its record, and a reader of its content. What it does not read is skipped.
pub(super) type FileSink<'a> = &'a mut dyn FnMut(&FileRecord, &mut dyn Read) -> Result<()>;

/// Where a backup is read from.
enum Origin {
    Directory(PathBuf),
    Archive(PathBuf),
    Object(S3, S3Address),
}

/// A backup that exists.
pub struct Input {
    origin: Origin,
    pub manifest: Manifest,
}

impl Input {
    /// Opens a backup and reads its manifest.
    ///
    /// # Errors
    /// If there is none at `path`, or its manifest cannot be read.
    pub fn open(path: &Path) -> Result<Self> {
        let about = fs::metadata(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => absent(&path.display()),
            _ => super::fault(path, &error),
        })?;
        let path = path.to_owned();
        Self::of(if about.is_dir() { Origin::Directory(path) } else { Origin::Archive(path) })
    }

    /// Opens a backup in S3-compatible storage. Blocks.
    ///
    /// # Errors
    /// If there is none, the storage refuses, or its manifest cannot be read.
    pub fn open_remote(s3: S3, address: S3Address) -> Result<Self> {
        if s3.size(&address.key)?.is_none() {
            return Err(absent(&address));
        }
        Self::of(Origin::Object(s3, address))
    }

    fn of(origin: Origin) -> Result<Self> {
        let unread = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => Error::internal(format!(
                "{origin} is not a backup: it has no {MANIFEST}. Name the directory or archive that `mayday backup` made"
            )),
            _ => unreadable(&origin, &error),
        };
        origin.manifest(Manifest::check_format).map_err(unread)?.map_err(|error| named(&origin, error))?;
        let manifest =
            origin.manifest(Manifest::read).map_err(unread)?.map_err(|error| named(&origin, error))?;
        Ok(Self { origin, manifest })
    }

    /// The name for messages.
    pub fn name(&self) -> String {
        self.origin.to_string()
    }

    /// The directory, if the backup is one: its files can be read in place.
    pub(super) fn directory(&self) -> Option<&Path> {
        match &self.origin {
            Origin::Directory(path) => Some(path),
            _ => None,
        }
    }

    /// Reads and checks a file near the beginning of an archive.
    ///
    /// # Errors
    /// If it is not as the manifest says.
    pub(super) fn small(&self, name: &str) -> Result<Vec<u8>> {
        const MAX: u64 = 1 << 20;
        let mut content = Vec::new();
        let mut take = |record: &FileRecord, from: &mut dyn Read| {
            if record.path == name && record.size <= MAX {
                from.read_to_end(&mut content).map_err(Error::internal)?;
            }
            Ok(())
        };
        let record = self.manifest.file(name).ok_or_else(|| self.fault(&format!("{name} is missing")))?;
        if let Some(directory) = self.directory() {
            let opened = tree::open(&directory.join(name));
            let mut file = opened.map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => self.fault(&format!("{name} is missing")),
                _ => self.fault(&format!("{name}: {error}")),
            })?;
            self.check(record, &mut file, &mut take)?;
            return Ok(content);
        }
        let mut archive = self.origin.open().map_err(|error| unreadable(&self.origin, &error))?;
        let unread = |error: io::Error| unreadable(&self.origin, &error);
        let mut files = archive::Files::of(&mut archive).map_err(unread)?;
        while let Some((found, mut entry)) = files.next().map_err(unread)? {
            if found == name {
                self.check(record, &mut entry, &mut take)?;
                return Ok(content);
            }
        }
        Err(self.fault(&format!("{name} is missing")))
    }

    /// Reads every file. Fails unless exactly the files in the manifest are there, as it describes them.
    ///
    /// # Errors
    /// The first fault, or an error of `take`.
    pub(super) fn read(&self, tell: Tell<'_>, take: FileSink<'_>) -> Result<()> {
        let (mut done, all) = (0, self.manifest.size());
        let mut told = |record: &FileRecord, from: &mut dyn Read| {
            let taken = take(record, from);
            done += record.size;
            tell("checking the backup", done, all);
            taken
        };
        match self.directory() {
            Some(directory) => self.read_directory(directory, &mut told),
            None => self.read_archive(&mut told),
        }
    }

    fn read_directory(&self, directory: &Path, take: FileSink<'_>) -> Result<()> {
        // One more than the manifest lists, to notice that there are more.
        let most = self.manifest.files.len() + 2;
        let found = tree::files(directory, most).map_err(|error| unreadable(&self.origin, &error))?;
        let found: BTreeSet<&str> =
            found.iter().map(String::as_str).filter(|name| *name != MANIFEST).collect();
        self.check_names(&found)?;
        for record in &self.manifest.files {
            let path = directory.join(&record.path);
            let mut file = tree::open(&path).map_err(|error| super::fault(&path, &error))?;
            self.check(record, &mut file, take)?;
        }
        Ok(())
    }

    fn read_archive(&self, take: FileSink<'_>) -> Result<()> {
        let mut archive = self.origin.open().map_err(|error| unreadable(&self.origin, &error))?;
        let mut found = BTreeSet::new();
        let records: std::collections::BTreeMap<&str, &FileRecord> =
            self.manifest.files.iter().map(|record| (record.path.as_str(), record)).collect();
        let unread = |error: io::Error| unreadable(&self.origin, &error);
        let mut files = archive::Files::of(&mut archive).map_err(unread)?;
        // The manifest has been read.
        files.next().map_err(unread)?;
        while let Some((name, mut entry)) = files.next().map_err(unread)? {
            let record = records.get(name.as_str()).filter(|_| !found.contains(name.as_str()));
            let record = record.ok_or_else(|| self.extra(&name))?;
            self.check(record, &mut entry, take)?;
            found.insert(record.path.as_str());
        }
        archive::check_end(archive).map_err(unread)?;
        self.check_names(&found)
    }

    /// Compares the names of the files found with the manifest.
    fn check_names(&self, found: &BTreeSet<&str>) -> Result<()> {
        let listed: BTreeSet<&str> = self.manifest.files.iter().map(|record| record.path.as_str()).collect();
        if let Some(missing) = listed.difference(found).next() {
            return Err(self.fault(&format!("{missing} is missing")));
        }
        found.difference(&listed).next().map_or(Ok(()), |extra| Err(self.extra(extra)))
    }

    /// Passes a file on, and compares it with its record in the manifest.
    fn check(&self, record: &FileRecord, from: &mut dyn Read, take: FileSink<'_>) -> Result<()> {
        // One byte more than the record says, to notice that there is more.
        let mut from = Hashing::new(from.take(record.size.saturating_add(1)));
        let taken = take(record, &mut from);
        if from.fault.is_none() {
            taken?;
            drop(transfer(&mut from, &mut io::sink(), &mut |_| {}));
        }
        let name = &record.path;
        if let Some(fault) = from.fault {
            let fault = io::Error::new(fault.kind(), format!("{name} cannot be read to its end ({fault})"));
            return Err(unreadable(&self.origin, &fault));
        }
        match from.bytes.cmp(&record.size) {
            std::cmp::Ordering::Less => {
                let (bytes, size) = (from.bytes, record.size);
                Err(self.fault(&format!("{name} is cut off: it has {bytes} bytes instead of {size}")))
            }
            std::cmp::Ordering::Greater => {
                Err(self.fault(&format!("{name} is longer than the {} bytes of the manifest", record.size)))
            }
            std::cmp::Ordering::Equal if from.hash() != record.sha256 => {
                Err(self.fault(&format!("{name} was changed: its SHA-256 is not that of the manifest")))
            }
            std::cmp::Ordering::Equal => Ok(()),
        }
    }

    fn extra(&self, name: &str) -> Error {
        self.fault(&format!("{} is not in its manifest", crate::text::shown(name, 100)))
    }

    /// The error for a damaged backup.
    pub(super) fn fault(&self, what: &str) -> Error {
        damaged(&self.origin, &what)
    }
}

impl Origin {
    /// The archive, from its beginning.
    fn open(&self) -> io::Result<archive::Reading> {
        match self {
            Self::Directory(path) | Self::Archive(path) => archive::open(tree::open(path)?),
            Self::Object(s3, address) => archive::open(s3.read(&address.key)?),
        }
    }

    /// Passes the manifest to `read`.
    fn manifest<T>(&self, read: impl FnOnce(&mut dyn Read) -> io::Result<T>) -> io::Result<T> {
        match self {
            Self::Directory(path) => read(&mut tree::open(&path.join(MANIFEST))?.take(MANIFEST_MAX)),
            archive => archive::manifest(archive.open()?, read),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory(path) | Self::Archive(path) => path.display().fmt(f),
            Self::Object(_, address) => address.fmt(f),
        }
    }
}

fn absent(origin: &dyn fmt::Display) -> Error {
    Error::internal(format!("there is no backup at {origin}"))
}

fn damaged(origin: &Origin, what: &dyn fmt::Display) -> Error {
    Error::internal(format!("the backup {origin} is damaged: {what}. Use another one"))
}

/// The error for a backup that cannot be read, whether or not it is damaged.
fn unreadable(origin: &Origin, error: &io::Error) -> Error {
    match error.kind() {
        UNREACHED => Error::internal(format!("the backup {origin} could not be read: {error}. Try again")),
        _ => damaged(origin, error),
    }
}

/// Prefixes an error with the backup's name.
fn named(origin: &Origin, error: Error) -> Error {
    match error {
        Error::Internal(cause) => Error::internal(format!("the backup {origin}: {cause}")),
        error => error,
    }
}
