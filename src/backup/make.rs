//! Completing a backup: from a snapshot to a directory or an archive with secrets and manifest, under its name.

use super::manifest::{FORMAT, FileRecord, MANIFEST, Manifest};
use super::output::Target;
use super::secrets::{self, Treatment};
use super::tree::{self, Hashing, transfer};
use super::{Tell, archive, fault};
use crate::error::Result;
use crate::store::examine;
use crate::time::Timestamp;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// What is put into a backup beside the snapshot.
pub struct Contents {
    /// The position that the snapshot reaches in the journal.
    pub last_position: i64,
    /// The text of `secrets.env` in the data directory, if there is one.
    pub kept: Option<Vec<u8>>,
    pub treatment: Treatment,
    pub created_at: Timestamp,
}

/// A backup that is complete and on disk.
pub struct Made {
    pub path: PathBuf,
    pub manifest: Manifest,
}

/// Completes a backup of the snapshot in `copied`, which is used up.
///
/// # Errors
/// If something cannot be read or written; nothing is left but what the target's workplace removes.
pub fn complete(target: &Target, copied: &Path, contents: Contents, tell: Tell<'_>) -> Result<Made> {
    let work = target.workplace.path();
    let root = if target.is_archive { copied.to_owned() } else { fetched(copied, work, tell)? };
    let main = examine::facts(&root.join("main.db"))?;
    let logs = examine::facts(&root.join("logs.db"))?;
    let (file, kind) =
        secrets::treated(&contents.treatment, contents.kept, &root.join("main.db"), &main.instance)?;
    if let Some((name, text)) = &file {
        tree::write(&root, name, text).map_err(|error| fault(&root.join(name), &error))?;
    }
    let manifest = Manifest {
        format: FORMAT,
        mayday: env!("CARGO_PKG_VERSION").to_owned(),
        created_at: contents.created_at,
        instance: main.instance,
        schema_main: main.schema,
        schema_logs: logs.schema,
        last_position: contents.last_position,
        secrets: kind,
        files: records(&root, tell).map_err(|error| fault(&root, &error))?,
    };
    let made =
        if target.is_archive { archived(work, &root, &manifest, tell)? } else { listed(root, &manifest)? };
    target.publish(&made)?;
    Ok(Made { path: target.path().to_owned(), manifest })
}

/// Brings a snapshot to the workplace: by renaming it, or by copying it from another file system.
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
    let names = tree::files(from)?;
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

/// The records of all files below a directory, the secrets first: whoever reads an archive learns early whether a
/// passphrase is right.
fn records(root: &Path, tell: Tell<'_>) -> io::Result<Vec<FileRecord>> {
    let mut names = tree::files(root)?;
    names.sort_by_key(|name| (!name.starts_with("secrets."), name.clone()));
    let sizes = names.iter().map(|name| Ok(fs::metadata(root.join(name))?.len()));
    let all = sizes.sum::<io::Result<u64>>()?;
    let mut done = 0;
    let record = |path: String| {
        let mut file = Hashing::new(File::open(root.join(&path))?);
        let mut telling = |bytes| {
            done += bytes;
            tell("computing hashes", done, all);
        };
        transfer(&mut file, &mut io::sink(), &mut telling)?;
        Ok(FileRecord { path, size: file.bytes, sha256: file.hash() })
    };
    names.into_iter().map(record).collect()
}

fn archived(work: &Path, root: &Path, manifest: &Manifest, tell: Tell<'_>) -> Result<PathBuf> {
    let path = work.join("archive");
    let (mut done, all) = (0, manifest.size());
    let mut telling = |bytes| {
        done += bytes;
        tell("writing the archive", done, all);
    };
    archive::write(&path, root, manifest, &mut telling).map_err(|error| fault(&path, &error))?;
    Ok(path)
}

fn listed(root: PathBuf, manifest: &Manifest) -> Result<PathBuf> {
    let write = || {
        tree::write(&root, MANIFEST, &manifest.text())?;
        tree::sync_folders(&root)
    };
    write().map_err(|error| fault(&root, &error))?;
    Ok(root)
}
