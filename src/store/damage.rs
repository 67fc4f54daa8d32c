//! Detects damage of `main.db`, at the start and while the server runs.
//!
//! A damaged page must not be served, written over or answered with "internal error" forever: the process
//! ends with a line that names the file and says what to do.
//!
//! SQLite's `quick_check` reads every page in use and checks that they are consistent (about 1 GiB per second
//! from the page cache). It is skipped if the last stop was clean and the file has not changed since,
//! according to a file beside it (`main.db.clean`: size and modification time). It cannot see a damaged value
//! within an intact page.

use super::{Fatal, Readers};
use crate::error::{Error, Result};
use crate::sabotage;
use rusqlite::{Connection, ErrorCode, Transaction};
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The largest database, in bytes, that is checked before the server listens; a larger one is checked in the
/// background.
const CHECKED_FIRST_MAX: u64 = 512 << 20;

/// Ends the process when a statement finds damage.
#[derive(Clone)]
pub(super) struct Damage {
    path: PathBuf,
    fatal: Fatal,
    noticed: Arc<AtomicBool>,
}

impl Damage {
    pub(super) fn new(path: &Path, fatal: &Fatal) -> Self {
        Self { path: path.to_owned(), fatal: fatal.clone(), noticed: Arc::default() }
    }

    /// Passes a result on. A result that reports damage becomes a 503, because nothing is known to be wrong
    /// with the request, and stops the process.
    pub(super) fn judge<T>(&self, result: Result<T>) -> Result<T> {
        let Err(Error::Internal(cause)) = result else { return result };
        match cause.downcast::<rusqlite::Error>() {
            Ok(error) if is_damage(&error) => {
                if !self.noticed.swap(true, Ordering::Relaxed) {
                    self.fatal.raise(message(&self.path, &error));
                }
                Err(Error::storage(error))
            }
            Ok(error) => Err(Error::Internal(error)),
            Err(cause) => Err(Error::Internal(cause)),
        }
    }

    /// Wraps a write so that its result is judged at once: SQLite may roll back the whole group, and then the
    /// caller only gets the group's error.
    pub(super) fn judging<T>(
        &self,
        write: impl FnOnce(&Transaction<'_>) -> Result<T> + Send + 'static,
    ) -> impl FnOnce(&Transaction<'_>) -> Result<T> + Send + 'static {
        let damage = self.clone();
        move |transaction| damage.judge(write(transaction))
    }
}

fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

fn message(path: &Path, what: &dyn std::fmt::Display) -> String {
    let folder = path.parent().unwrap_or(path).display();
    let name = path.display();
    format!(
        "{name} is damaged ({what}). Check the disk of {folder}, then restore the data directory from a backup with \
         `mayday restore`"
    )
}

/// Names the file when opening it failed because of damage.
pub(super) fn named(path: &Path, error: Error) -> Error {
    match error {
        Error::Internal(cause) => match cause.downcast::<rusqlite::Error>() {
            Ok(error) if is_damage(&error) => Error::internal(message(path, &error)),
            Ok(error) => Error::Internal(error),
            Err(cause) => Error::Internal(cause),
        },
        error => error,
    }
}

/// Checks a database that was just opened, unless it is as the last stop left it. A large one is checked by a
/// separate thread, which raises `fatal`.
///
/// # Errors
/// If it is damaged.
pub(super) fn check(path: &Path, connection: &Connection, clean: bool) -> Result<()> {
    let small = fs::metadata(path).is_ok_and(|file| file.len() <= CHECKED_FIRST_MAX);
    if clean || !small || sabotage::on("open_damaged") {
        return Ok(());
    }
    quick_check(connection).map_err(|what| Error::internal(message(path, &what)))
}

/// The same in the background, for a database that is too large to wait for.
pub(super) fn check_beside(path: &Path, readers: &Readers, clean: bool, fatal: &Fatal) -> Result<()> {
    let small = fs::metadata(path).is_ok_and(|file| file.len() <= CHECKED_FIRST_MAX);
    if clean || small {
        return Ok(());
    }
    let (path, connection, fatal) = (path.to_owned(), readers.dedicated()?, fatal.clone());
    let check = move || {
        if let Err(what) = quick_check(&connection) {
            fatal.raise(message(&path, &what));
        }
    };
    std::thread::Builder::new().name("check".into()).spawn(check).map(drop).map_err(Error::internal)
}

/// The first thing that is wrong.
pub(super) fn quick_check(connection: &Connection) -> std::result::Result<(), String> {
    let said = connection.query_row("pragma quick_check(1)", (), |row| row.get::<_, String>(0));
    match said {
        Ok(said) if said == "ok" => Ok(()),
        Ok(said) => Err(said.split_whitespace().collect::<Vec<_>>().join(" ")),
        Err(error) => Err(error.to_string()),
    }
}

/// Records that the database was left in a good state; called once nothing writes to it any more. Without
/// this, the next start checks all of it.
pub(super) fn mark_clean(path: &Path) {
    let Some(state) = state(path) else { return };
    if let Err(error) = fs::write(marker(path), state) {
        tracing::debug!(%error, "the next start will check the database");
    }
}

/// Whether the database is as a clean stop left it; removes the record.
pub(super) fn take_clean(path: &Path) -> bool {
    let marker = marker(path);
    let Ok(said) = fs::read_to_string(&marker) else { return false };
    // A record that cannot be removed would be trusted again.
    fs::remove_file(marker).is_ok() && state(path).is_some_and(|state| state == said)
}

/// Size and modification time; `None` while there is something in the WAL.
fn state(path: &Path) -> Option<String> {
    let beside = |suffix: &str| PathBuf::from(joined(path, suffix));
    if fs::metadata(beside("-wal")).is_ok_and(|wal| wal.len() > 0) {
        return None;
    }
    let file = fs::metadata(path).ok()?;
    Some(format!("{} {}.{:09}\n", file.len(), file.mtime(), file.mtime_nsec()))
}

fn marker(path: &Path) -> PathBuf {
    joined(path, ".clean").into()
}

fn joined(path: &Path, suffix: &str) -> OsString {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name
}

#[cfg(test)]
mod tests;
