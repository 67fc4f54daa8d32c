//! Turns a snapshot into a complete backup: adds secrets and manifest, makes a directory or an archive, and gives it
//! its name.

use super::destination::{Destination, Remote};
use super::manifest::{FORMAT, FileRecord, MANIFEST, Manifest};
use super::output::Target;
use super::secrets::{self, Treatment};
use super::tree::{self, Hashing, Stoppable, transfer};
use super::{Tell, archive, fault};
use crate::error::{Error, Result};
use crate::store::{Stop, examine, snapshot};
use crate::time::Timestamp;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// What a backup contains besides the snapshot.
pub struct Contents {
    /// The journal position that the snapshot includes.
    pub last_position: i64,
    /// The text of `secrets.env` in the data directory, if there is one.
    pub kept: Option<Vec<u8>>,
    pub treatment: Treatment,
    pub created_at: Timestamp,
    /// Ends the work early.
    pub stop: Stop,
}

/// A backup that is complete and synced to disk.
pub struct CompletedBackup {
    /// The name of the place, for messages.
    pub name: String,
    /// Its size there.
    pub bytes: u64,
    pub manifest: Manifest,
}

/// Completes a backup of the snapshot in `copied`, which it consumes.
///
/// # Errors
/// If something cannot be read or written. The target's workplace removes what is left.
pub fn complete(
    destination: &Destination,
    copied: &Path,
    contents: &Contents,
    tell: Tell<'_>,
) -> Result<CompletedBackup> {
    let name = destination.name();
    let (manifest, bytes) = match destination {
        Destination::Local(target) if target.is_archive => archived(target, copied, contents, tell)?,
        Destination::Local(target) => {
            let root = fetched(copied, target.workplace.path(), tell)?;
            let manifest = filled(&root, contents, tell)?;
            listed(&root, &manifest)?;
            target.publish(&root)?;
            let bytes = manifest.size();
            (manifest, bytes)
        }
        Destination::Remote(remote) => uploaded(remote, copied, contents, tell)?,
    };
    Ok(CompletedBackup { name, bytes, manifest })
}

/// Adds the secrets to a snapshot, and describes all files in a manifest.
fn filled(root: &Path, contents: &Contents, tell: Tell<'_>) -> Result<Manifest> {
    let main = examine::facts(&root.join("main.db"))?;
    let logs = examine::facts(&root.join("logs.db"))?;
    let kept = contents.kept.as_deref();
    let (file, kind) = secrets::treated(&contents.treatment, kept, &root.join("main.db"), &main.instance)?;
    if let Some((name, text)) = &file {
        tree::write(root, name, text).map_err(|error| fault(&root.join(name), &error))?;
    }
    Ok(Manifest {
        format: FORMAT,
        mayday: crate::version::version().to_owned(),
        created_at: contents.created_at,
        instance: main.instance,
        schema_main: main.schema,
        schema_logs: logs.schema,
        last_position: contents.last_position,
        secrets: kind,
        files: records(root, &contents.stop, tell).map_err(|error| fault(root, &error))?,
    })
}

/// Moves a snapshot to the workplace: renames it, or copies it from another file system.
fn fetched(copied: &Path, work: &Path, tell: Tell<'_>) -> Result<PathBuf> {
    let root = work.join("backup");
    match fs::rename(copied, &root) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            copy_all(copied, &root, tell).map_err(|error| fault(&root, &error))?;
        }
        renamed => renamed.map_err(|error| fault(&root, &error))?,
    }
    Ok(root)
}

fn copy_all(from: &Path, to: &Path, tell: Tell<'_>) -> io::Result<()> {
    let names = tree::files(from, usize::MAX)?;
    let sizes = names.iter().map(|name| Ok(fs::metadata(from.join(name))?.len()));
    let all = sizes.sum::<io::Result<u64>>()?;
    let mut done = 0;
    for name in names {
        let mut file = tree::create(to, &name)?;
        let mut telling = |bytes| {
            done += bytes;
            tell("copying", done, all);
        };
        transfer(&mut File::open(from.join(&name))?, &mut file, &mut telling)?;
        file.sync_all()?;
    }
    Ok(())
}

/// The records of all files below a directory. The secrets come first, so that a reader of an archive soon knows
/// whether a passphrase is right.
fn records(root: &Path, stop: &Stop, tell: Tell<'_>) -> io::Result<Vec<FileRecord>> {
    let mut names = tree::files(root, usize::MAX)?;
    names.sort_by_key(|name| (!name.starts_with("secrets."), name.clone()));
    let sizes = names.iter().map(|name| Ok(fs::metadata(root.join(name))?.len()));
    let all = sizes.sum::<io::Result<u64>>()?;
    let mut done = 0;
    let record = |path: String| {
        let mut file = Hashing::new(Stoppable::new(File::open(root.join(&path))?, stop));
        let mut telling = |bytes| {
            done += bytes;
            tell("computing hashes", done, all);
        };
        transfer(&mut file, &mut io::sink(), &mut telling)?;
        Ok(FileRecord { path, size: file.bytes, sha256: file.hash() })
    };
    names.into_iter().map(record).collect()
}

/// Writes an archive in the workplace, and renames it to its final name.
fn archived(target: &Target, root: &Path, contents: &Contents, tell: Tell<'_>) -> Result<(Manifest, u64)> {
    let work = target.workplace.path();
    let manifest = filled(root, contents, tell)?;
    snapshot::check_room(&target.data_dir, work, manifest.size(), target.floor)?;
    let path = work.join("archive");
    let write = || {
        let file = tree::create(work, "archive")?;
        let mut progress = progress("writing the archive", &manifest, tell);
        let file = archive::write(file, root, &manifest, &contents.stop, &mut progress)?;
        file.sync_all()?;
        Ok(file.metadata()?.len())
    };
    let bytes = write().map_err(|error: io::Error| fault(&path, &error))?;
    target.publish(&path)?;
    Ok((manifest, bytes))
}

/// Uploads an archive while it is made.
fn uploaded(remote: &Remote, root: &Path, contents: &Contents, tell: Tell<'_>) -> Result<(Manifest, u64)> {
    let manifest = filled(root, contents, tell)?;
    let upload = remote.begin(archive::most(&manifest), &contents.stop)?;
    let mut progress = progress("uploading", &manifest, tell);
    let written = archive::write(upload, root, &manifest, &contents.stop, &mut progress);
    let upload = written.map_err(|error| Error::internal(format!("{}: {error}", remote.address)))?;
    let bytes = upload.complete()?;
    Ok((manifest, bytes))
}

/// Sums up the bytes for the progress.
fn progress<'a>(what: &'static str, manifest: &Manifest, tell: Tell<'a>) -> impl FnMut(u64) + use<'a> {
    let (mut done, all) = (0, manifest.size());
    move |bytes| {
        done += bytes;
        tell(what, done, all);
    }
}

fn listed(root: &Path, manifest: &Manifest) -> Result<()> {
    let write = || {
        tree::write(root, MANIFEST, &manifest.text())?;
        tree::sync_folders(root)
    };
    write().map_err(|error| fault(root, &error))
}
