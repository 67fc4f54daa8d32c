//! Which files belong together: an id created with `main.db` is also in everything beside it.
//!
//! `main.db` decides who owns the data: beside another one, or an empty one, the journal, logs and source
//! maps of another instance would be shown to whoever claims it, and files that it does not know would be
//! removed. So mismatched files are refused, and missing files are distinguished from those that were never
//! created.

use super::Main;
use super::journal::ACCEPT_LOSS;
use crate::error::{Error, Result};
use crate::sabotage;
use rusqlite::{Connection, Transaction};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;

/// The file in a directory that contains the id of its instance.
const FILE: &str = "instance";
/// The same, before it is complete.
const NEW: &str = "instance.new";
/// The other files and directories of an instance.
const BESIDE: [&str; 5] = ["logs.db", "intake", "logs", "sourcemaps", "replays"];
/// What a file system or an upload leaves in a directory.
const NOTHING: [&str; 4] = ["lost+found", "tmp", NEW, ACCEPT_LOSS];

/// A new id: 32 hexadecimal digits.
///
/// # Errors
/// If the operating system cannot provide randomness.
pub(super) fn made() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(Error::internal)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The instance that a database belongs to.
pub(super) fn of(c: &Connection) -> Result<String> {
    Ok(c.query_row("select instance from origin where id = 1", (), |row| row.get(0))?)
}

/// Whether everything that belongs to the instance was created; anything missing after that is lost.
fn is_complete(c: &Connection) -> Result<bool> {
    Ok(c.query_row("select complete from origin where id = 1", (), |row| row.get(0))?)
}

fn complete(tx: &Transaction<'_>) -> Result<()> {
    tx.execute("update origin set complete = 1 where id = 1 and not complete", ())?;
    Ok(())
}

/// Refuses to create a `main.db` beside files of another one. Also called before SQLite opens the file,
/// because it would remove the WAL of a missing one.
///
/// # Errors
/// If there are such files.
pub(super) fn check_new(main: &Path) -> Result<()> {
    let folder = main.parent().unwrap_or(main);
    let wal = fs::metadata(folder.join("main.db-wal")).is_ok_and(|wal| wal.len() > 0);
    let is_opened = fs::metadata(main).is_ok_and(|main| main.len() > 0);
    let mut found: Vec<&str> = BESIDE.into_iter().filter(|name| is_there(&folder.join(name))).collect();
    found.extend((wal && !is_opened).then_some("main.db-wal"));
    found.extend(super::replacement::has_former(folder).then_some("before-restore-*"));
    if found.is_empty() || sabotage::on("mixed_files") {
        return Ok(());
    }
    Err(Error::internal(format!(
        "{} is missing or empty, and beside it are files of an instance: {}. Restore the data directory from a backup \
         with `mayday restore`; for a new instance, choose another SERVICE_DATA_DIR, or move {} away",
        main.display(),
        found.join(", "),
        folder.display()
    )))
}

/// The same, if nothing is known about the file yet.
///
/// # Errors
/// As [`check_new`].
pub(super) fn check_before(main: &Path) -> Result<()> {
    if fs::metadata(main).is_ok_and(|main| main.len() > 0) { Ok(()) } else { check_new(main) }
}

/// Whether it is a file, or a directory with something in it.
fn is_there(path: &Path) -> bool {
    match fs::read_dir(path) {
        Ok(entries) => entries.flatten().any(|entry| !NOTHING.iter().any(|name| entry.file_name() == *name)),
        Err(_) => path.exists(),
    }
}

/// Refuses a database of another instance.
///
/// # Errors
/// If it is one.
pub(super) fn check_database(path: &Path, found: &str, instance: &str) -> Result<()> {
    if found == instance || sabotage::on("mixed_files") {
        return Ok(());
    }
    Err(foreign(path))
}

/// Checks the directories beside `main.db` before anything in them is changed, and marks new ones.
///
/// # Errors
/// If one belongs to another instance, or accepted events are lost with it.
pub fn check_folders(data_dir: &Path, main: &Main) -> Result<()> {
    let is_complete = main.readers.read_blocking(is_complete)?;
    if is_complete && !fs::metadata(data_dir.join("logs.db")).is_ok_and(|logs| logs.len() > 0) {
        tracing::error!("the accepted log entries are lost: logs.db is missing or empty");
    }
    if check_folder(&data_dir.join("intake"), &main.instance)? && is_complete {
        lost_intake(&data_dir.join("intake"))?;
    }
    if check_folder(&data_dir.join("sourcemaps"), &main.instance)? && is_complete {
        tracing::error!("the source maps are lost: their directory is missing or empty");
    }
    if check_folder(&data_dir.join("replays"), &main.instance)? && is_complete {
        tracing::error!("the session replays are lost: their directory is missing or empty");
    }
    mark(&data_dir.join("intake"), &main.instance)?;
    mark(&data_dir.join("sourcemaps"), &main.instance)?;
    mark(&data_dir.join("replays"), &main.instance)
}

/// Records that everything was created.
///
/// # Errors
/// Storage trouble.
pub fn all_made(main: &Main) -> Result<()> {
    if !main.readers.read_blocking(is_complete)? {
        main.write_blocking(complete)?;
    }
    Ok(())
}

/// Whether a directory is new; otherwise it is the instance's.
pub(super) fn check_folder(folder: &Path, instance: &str) -> Result<bool> {
    if sabotage::on("mixed_files") {
        return Ok(false);
    }
    match fs::read_to_string(folder.join(FILE)) {
        Ok(found) if found.trim() == instance => Ok(false),
        Ok(_) => Err(foreign(folder)),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::storage(error)),
        Err(_) if !is_there(folder) => Ok(true),
        Err(_) => Err(Error::internal(format!(
            "{} is missing, which names the instance that the files beside it belong to. If that is the one of main.db, \
             write {instance} into it; else move {} away",
            folder.join(FILE).display(),
            folder.display()
        ))),
    }
}

fn foreign(path: &Path) -> Error {
    Error::internal(format!(
        "{} belongs to another instance than main.db beside it. Restore the data directory from a backup with \
         `mayday restore`, or move what does not belong here away",
        path.display()
    ))
}

/// # Errors
/// Unless the operator accepts the loss.
fn lost_intake(folder: &Path) -> Result<()> {
    let accept = folder.join(ACCEPT_LOSS);
    if accept.exists() {
        return Ok(());
    }
    Err(Error::internal(format!(
        "{} is missing or empty: events may have been accepted that main.db does not have yet. Restore the data \
         directory from a backup with `mayday restore`; or, to continue without them, `mkdir -p {} && touch {}` and start again.",
        folder.display(),
        folder.display(),
        accept.display()
    )))
}

/// Writes the id into a directory; it is on disk when this returns.
pub(super) fn mark(folder: &Path, instance: &str) -> Result<()> {
    if folder.join(FILE).exists() {
        return Ok(());
    }
    let write = || {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        let new = folder.join(NEW);
        let mut file = File::create(&new)?;
        writeln!(file, "{instance}")?;
        file.sync_all()?;
        fs::rename(new, folder.join(FILE))?;
        File::open(folder)?.sync_all()
    };
    write().map_err(Error::storage)
}

#[cfg(test)]
mod tests;
