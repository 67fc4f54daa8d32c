//! Source maps and style sheets found by what they contain, and source maps by their debug id.

use super::File;
use crate::error::Result;
use crate::event::DebugId;
use crate::ids::{ProjectId, SourceMapId};
use rusqlite::{Connection, OptionalExtension as _, params};

/// A content that a source map of the project refers to. (Whether another project has it must not be revealed.)
pub fn known_file(c: &Connection, project: ProjectId, sha256: &[u8; 32]) -> Result<Option<File>> {
    const QUERY: &str = "select f.blake3, f.size, f.disk_size from map_files f
        where f.sha256 = ?2 and exists (select 1 from source_maps m join releases r on r.id = m.release_id
            where m.file_id = f.id and r.project_id = ?1)";
    known(c, QUERY, project, sha256)
}

/// The same for style sheets.
pub fn known_style(c: &Connection, project: ProjectId, sha256: &[u8; 32]) -> Result<Option<File>> {
    const QUERY: &str = "select f.blake3, f.size, f.disk_size from map_files f
        where f.sha256 = ?2 and exists (select 1 from style_sheets s join releases r on r.id = s.release_id
            where s.file_id = f.id and r.project_id = ?1)";
    known(c, QUERY, project, sha256)
}

fn known(c: &Connection, query: &str, project: ProjectId, sha256: &[u8; 32]) -> Result<Option<File>> {
    let mut statement = c.prepare_cached(query)?;
    let file = statement.query_row(params![project.0, sha256], |row| {
        Ok(File {
            blake3: row.get(0)?,
            sha256: *sha256,
            size: row.get::<_, i64>(1)?.cast_unsigned(),
            disk_size: row.get::<_, i64>(2)?.cast_unsigned(),
            debug_id: None,
            flaws: None,
        })
    });
    Ok(file.optional()?)
}

/// Those of `contents` that the project has, as source maps or style sheets.
pub fn known_to(c: &Connection, project: ProjectId, contents: &[[u8; 32]]) -> Result<Vec<[u8; 32]>> {
    let mut known = Vec::new();
    for sha256 in contents {
        let is_known =
            known_file(c, project, sha256)?.is_some() || known_style(c, project, sha256)?.is_some();
        known.extend(is_known.then_some(*sha256));
    }
    Ok(known)
}

/// The newest source map of the project with this debug id, and its content.
pub fn of_debug_id(
    c: &Connection,
    project: ProjectId,
    id: DebugId,
) -> Result<Option<(SourceMapId, [u8; 32])>> {
    let mut statement = c.prepare_cached(
        "select m.id, f.blake3 from source_maps m join releases r on r.id = m.release_id
         join map_files f on f.id = m.file_id
         where m.debug_id = ?2 and r.project_id = ?1 order by m.id desc limit 1",
    )?;
    let found =
        statement.query_row(params![project.0, id.0], |row| Ok((SourceMapId(row.get(0)?), row.get(1)?)));
    Ok(found.optional()?)
}
