//! Bringing both databases of a stopped instance to the current schemas, without starting it.

use super::schema::{self, Schema};
use super::{LOGS, MAIN, examine};
use crate::error::{Error, Result};
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
/// If a database is missing, damaged, of a newer Mayday, or a step fails. If that happens after `main.db` was migrated,
/// the error names the copies that lead back.
pub fn upgrade(data_dir: &Path) -> Result<[Upgrade; 2]> {
    upgrade_to(data_dir, &MAIN, &LOGS)
}

fn upgrade_to(data_dir: &Path, main: &Schema, logs: &Schema) -> Result<[Upgrade; 2]> {
    // Before the first is changed.
    let found = [("main.db", main), ("logs.db", logs)].map(|(name, schema)| look(data_dir, name, schema));
    let [main_from, logs_from] = found;
    let (main_from, logs_from) = (main_from?, logs_from?);
    let first = bring(data_dir, "main.db", main_from, main)?;
    let second = bring(data_dir, "logs.db", logs_from, logs)
        .map_err(|error| half(&error, &first, data_dir, logs_from))?;
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

/// `main.db` is new and `logs.db` is not: the previous Mayday refuses that, and this one goes on where it failed.
fn half(error: &Error, first: &Upgrade, data_dir: &Path, logs_from: i64) -> Error {
    let cause = match error {
        Error::Internal(cause) => cause.to_string(),
        error => error.to_string(),
    };
    let Some(kept) = &first.kept else { return Error::internal(cause) };
    Error::internal(format!(
        "{cause}. main.db was migrated before that, from schema version {} to {}. To go back to the previous Mayday, copy \
         {} over main.db and remove main.db-wal and main.db-shm beside it; logs.db is unchanged, and {} is a copy of it",
        first.from,
        first.to,
        kept.display(),
        data_dir.join(format!("logs.v{logs_from}.db")).display()
    ))
}

#[cfg(test)]
mod tests;
