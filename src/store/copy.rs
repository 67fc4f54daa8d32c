//! Copying a database.

use crate::error::{Error, Result};
use rusqlite::Connection;
use std::fs::File;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

/// Copies a database, as it is at this moment, to a new file that is on disk when this returns.
///
/// # Errors
/// If `to` exists, or something cannot be read or written.
pub(super) fn copy_database(connection: &Connection, to: &Path) -> Result<()> {
    // Created here, because SQLite would make it readable for others. It accepts an empty file as a new one.
    let file = File::options().write(true).create_new(true).mode(0o600).open(to).map_err(Error::storage)?;
    connection.execute("vacuum into ?1", [to.to_string_lossy()])?;
    // SQLite does not sync the output.
    file.sync_all().map_err(Error::storage)
}
