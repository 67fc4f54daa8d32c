//! Statements on the style sheets of releases.

use crate::error::Result;
use crate::ids::ReleaseId;
use crate::releases::sql::{self, File};
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

/// The SHA-256 of what a release has for a url.
pub fn hash_of(c: &Connection, release: ReleaseId, url: &str) -> Result<Option<[u8; 32]>> {
    let mut statement = c.prepare_cached(
        "select f.sha256 from style_sheets s join map_files f on f.id = s.file_id
         where s.release_id = ?1 and s.url = ?2",
    )?;
    Ok(statement.query_row(params![release.0, url], |row| row.get(0)).optional()?)
}

/// Stores that `url` of `release` has this content, and returns the contents that nothing refers to any more because one
/// was replaced.
pub fn put(
    tx: &Transaction<'_>,
    release: ReleaseId,
    url: &str,
    file: &File,
    now: Timestamp,
) -> Result<Vec<[u8; 32]>> {
    sql::put_file(tx, file, now)?;
    let replaced: Option<i64> = tx
        .prepare_cached("select file_id from style_sheets where release_id = ?1 and url = ?2")?
        .query_row(params![release.0, url], |row| row.get(0))
        .optional()?;
    tx.prepare_cached(
        "insert into style_sheets (release_id, url, file_id, created_at)
         values (?1, ?2, (select id from map_files where blake3 = ?3), ?4)
         on conflict (release_id, url) do update set file_id = excluded.file_id, created_at = excluded.created_at",
    )?
    .execute(params![release.0, url, file.blake3, now.millis()])?;
    sql::forget_unused_files(tx, replaced.as_slice())
}

/// How many style sheets a release has, and the bytes of all of them as uploaded.
pub fn total(c: &Connection, release: ReleaseId) -> Result<(u64, u64)> {
    let mut statement = c.prepare_cached(
        "select count(*), coalesce(sum(f.size), 0) from style_sheets s join map_files f on f.id = s.file_id
         where s.release_id = ?1",
    )?;
    let (count, bytes): (i64, i64) =
        statement.query_row([release.0], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok((count.cast_unsigned(), bytes.cast_unsigned()))
}
