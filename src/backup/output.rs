//! The target of a backup on this machine.

use super::fault;
use super::workplace::Workplace;
use crate::error::{Error, Result};
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// The extension of an archive.
pub(super) const ARCHIVE: &str = ".tar.zst";

/// A target that was checked before the backup was made.
pub struct Target {
    path: PathBuf,
    folder: PathBuf,
    pub(super) is_archive: bool,
    pub workplace: Workplace,
    pub(super) data_dir: PathBuf,
    /// Bytes to leave free if the data directory is on the same disk.
    pub(super) floor: u64,
}

impl Target {
    /// `output` is an empty or missing directory, or a missing archive. `floor` bytes stay free on the disk of the
    /// data directory.
    ///
    /// # Errors
    /// If it is neither, or in the data directory, or cannot be written to.
    pub fn new(output: &Path, data_dir: &Path, floor: u64) -> Result<Self> {
        let refuse = |what: &str| Error::internal(format!("--output {}: {what}", output.display()));
        let name = output.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| {
            refuse("expected the name of a new directory, or of a file that ends in .tar.zst")
        })?;
        let parent =
            output.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = fs::canonicalize(parent).map_err(|error| {
            Error::internal(format!("--output {}: {}: {error}", output.display(), parent.display()))
        })?;
        let path = folder.join(name);
        let is_archive = name.ends_with(ARCHIVE);
        check_free(&path, &folder, is_archive).map_err(|what| refuse(&what))?;
        let inside = fs::canonicalize(data_dir).is_ok_and(|data_dir| path.starts_with(data_dir));
        if inside {
            return Err(refuse(
                "it is in the data directory, which a backup has to survive: choose another place",
            ));
        }
        Ok(Self {
            workplace: Workplace::create(&folder, name)?,
            path,
            folder,
            is_archive,
            data_dir: data_dir.to_owned(),
            floor,
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Renames a complete and synced backup to its final name.
    pub(super) fn publish(&self, made: &Path) -> Result<()> {
        check_free(&self.path, &self.folder, self.is_archive)
            .map_err(|what| Error::internal(format!("--output {}: {what}", self.path.display())))?;
        let rename = || {
            fs::rename(made, &self.path)?;
            File::open(&self.folder)?.sync_all()
        };
        rename().map_err(|error| fault(&self.path, &error))
    }
}

/// # Errors
/// If nothing can be put there.
fn check_free(path: &Path, folder: &Path, is_archive: bool) -> std::result::Result<(), String> {
    let found = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found.map_err(|error| error.to_string())?,
    };
    if is_archive || !found.is_dir() {
        return Err("it exists already: choose another name".to_owned());
    }
    let device = fs::metadata(folder).map_err(|error| error.to_string())?.dev();
    if found.dev() != device {
        return Err("it is a mount point: name a new directory in it".to_owned());
    }
    match fs::read_dir(path).map_err(|error| error.to_string())?.next() {
        None => Ok(()),
        Some(_) => Err("it exists and is not empty: choose another name".to_owned()),
    }
}
