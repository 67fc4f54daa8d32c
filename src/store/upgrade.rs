//! Bringing both databases of a stopped instance to the current schemas, without starting it.

use super::schema::{self, Schema};
use super::{examine, logs_schema, main_schema};
use crate::error::{Error, Result};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// What became of a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upgrade {
    pub name: &'static str,
    /// The version of its schema before,
    pub from: i64,
    /// and now.
    pub to: i64,
    /// The copy of the former file, if there were steps to run.
    pub kept: Option<PathBuf>,
}

/// Runs the steps that the databases of a data directory lack, which the caller holds.
///
/// # Errors
/// If a database is missing, damaged, of a newer Mayday, or a step fails. Both databases are then as they were: a `main.db`
/// that was migrated already is replaced by its copy. Should that fail, the error says how to do it by hand.
pub fn upgrade(data_dir: &Path) -> Result<[Upgrade; 2]> {
    upgrade_to(data_dir, main_schema(), logs_schema())
}

fn upgrade_to(data_dir: &Path, main: &Schema, logs: &Schema) -> Result<[Upgrade; 2]> {
    // Before the first is changed.
    let found = [("main.db", main), ("logs.db", logs)].map(|(name, schema)| look(data_dir, name, schema));
    let [main_from, logs_from] = found;
    let (main_from, logs_from) = (main_from?, logs_from?);
    let first = bring(data_dir, "main.db", main_from, main)?;
    let second =
        bring(data_dir, "logs.db", logs_from, logs).map_err(|error| undo(&error, &first, data_dir))?;
    Ok([first, second])
}

/// The version of a database's schema.
fn look(data_dir: &Path, name: &'static str, schema: &Schema) -> Result<i64> {
    let path = data_dir.join(name);
    if !path.exists() {
        return Err(Error::internal(format!(
            "{} is missing: start the server once, it says what to do",
            path.display()
        )));
    }
    let from = examine::schema(&path)?;
    schema::check_version(&path, from, schema)?;
    Ok(from)
}

fn bring(data_dir: &Path, name: &'static str, from: i64, schema: &Schema) -> Result<Upgrade> {
    let path = data_dir.join(name);
    drop(schema::open(&path, false, schema, None)?);
    let kept = (from < schema.version).then(|| path.with_extension(format!("v{from}.db")));
    Ok(Upgrade { name, from, to: schema.version, kept })
}

/// Puts the copy of `main.db` back, so that both databases are those of the previous Mayday again.
fn undo(error: &Error, first: &Upgrade, data_dir: &Path) -> Error {
    let cause = match error {
        Error::Internal(cause) => cause.to_string(),
        error => error.to_string(),
    };
    let Some(kept) = &first.kept else { return Error::internal(cause) };
    match put_back(kept, &data_dir.join("main.db")) {
        Ok(()) => Error::internal(format!(
            "{cause}. main.db was migrated before that, and is again as it was: both databases have the schemas of the \
             previous Mayday"
        )),
        Err(failed) => Error::internal(format!(
            "{cause}. main.db was migrated before that, from schema version {} to {}, and its copy could not be put back \
             ({failed}). To go back to the previous Mayday, copy {} over main.db and remove main.db-wal and main.db-shm \
             beside it; logs.db is unchanged",
            first.from,
            first.to,
            kept.display()
        )),
    }
}

/// Renames, which needs no space on the disk and cannot be seen half done. Nobody has the database open.
fn put_back(kept: &Path, path: &Path) -> io::Result<()> {
    for suffix in ["-wal", "-shm"] {
        let mut beside = path.as_os_str().to_owned();
        beside.push(suffix);
        match fs::remove_file(beside) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    fs::rename(kept, path)?;
    File::open(path.parent().unwrap_or(path))?.sync_all()
}

#[cfg(test)]
mod tests;
