//! All statements on releases, source maps and their files.

mod commits;
pub mod disk;
pub mod environments;
mod health;
mod known;
pub mod last;
mod maps;
mod suspect;

pub use commits::{commit_of, set_commit, with_commit_before};
pub use health::{
    ReleaseCounts, ReleaseFilter, begin, count, count_within, forget_seen, forget_users, get_health,
    hours_of, issues_seen, list, value_of, with_events, with_more_seen,
};
pub use known::{known_file, known_style, known_to, of_debug_id};
pub use maps::{MapSort, Used, list_maps, map, use_map};
pub use suspect::suspect_of;

use super::{Release, ReleaseMaps, SourceMap};
use crate::error::{Error, Result};
use crate::event::DebugId;
use crate::ids::{ProjectId, ReleaseId, SourceMapId};
use crate::symbolication::map::Flaws;
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use std::sync::OnceLock;

const RELEASE: &str = "r.id, r.project_id, r.version, r.url_prefix, r.created_at, r.finalized_at,
    (select count(*) from source_maps m where m.release_id = r.id), r.commit_sha";

/// Creates a release; returns the stored one and `false` if the version exists.
pub fn create(
    tx: &Transaction<'_>,
    project: ProjectId,
    version: &str,
    url_prefix: &str,
    now: Timestamp,
) -> Result<(Release, bool)> {
    let made = tx.execute(
        "insert into releases (project_id, version, url_prefix, created_at) values (?1, ?2, ?3, ?4)
         on conflict do nothing",
        params![project.0, version, url_prefix, now.millis()],
    )?;
    begin(tx, project, version)?;
    let release = get(tx, project, version)?
        .ok_or_else(|| Error::internal("a release that was just created does not exist"))?;
    Ok((release, made == 1))
}

pub fn get(c: &Connection, project: ProjectId, version: &str) -> Result<Option<Release>> {
    let query = format!("select {RELEASE} from releases r where r.project_id = ?1 and r.version = ?2");
    Ok(c.prepare_cached(&query)?.query_row(params![project.0, version], release).optional()?)
}

/// The release that was created before another one of the project.
pub fn before(c: &Connection, project: ProjectId, id: ReleaseId) -> Result<Option<Release>> {
    let query = format!(
        "select {RELEASE} from releases r where r.project_id = ?1 and r.id < ?2 order by r.id desc limit 1"
    );
    Ok(c.prepare_cached(&query)?.query_row(params![project.0, id.0], release).optional()?)
}

/// Finalizes a release; finalizing twice keeps the first time.
pub fn finalize(
    tx: &Transaction<'_>,
    project: ProjectId,
    version: &str,
    now: Timestamp,
) -> Result<Option<Release>> {
    tx.execute(
        "update releases set finalized_at = coalesce(finalized_at, ?3) where project_id = ?1 and version = ?2",
        params![project.0, version, now.millis()],
    )?;
    get(tx, project, version)
}

/// Deletes a release with its source maps and style sheets, and returns the contents that nothing refers to any more;
/// `None` if there is no such release.
pub fn delete(tx: &Transaction<'_>, project: ProjectId, version: &str) -> Result<Option<Vec<[u8; 32]>>> {
    let files = ids(
        tx,
        "select m.file_id from source_maps m join releases r on r.id = m.release_id
         where r.project_id = ?1 and r.version = ?2
         union select s.file_id from style_sheets s join releases r on r.id = s.release_id
         where r.project_id = ?1 and r.version = ?2",
        params![project.0, version],
    )?;
    let deleted = tx.execute(
        "delete from releases where project_id = ?1 and version = ?2",
        params![project.0, version],
    )?;
    Ok(if deleted == 1 { Some(forget_unused_files(tx, &files)?) } else { None })
}

/// The files that a project's source maps and style sheets refer to.
pub fn files_of_project(c: &Connection, project: ProjectId) -> Result<Vec<i64>> {
    let query = "select m.file_id from source_maps m join releases r on r.id = m.release_id
                 where r.project_id = ?1
                 union select s.file_id from style_sheets s join releases r on r.id = s.release_id
                 where r.project_id = ?1";
    ids(c, query, params![project.0])
}

fn ids(c: &Connection, query: &str, params: impl rusqlite::Params) -> Result<Vec<i64>> {
    let mut statement = c.prepare_cached(query)?;
    let rows = statement.query_map(params, |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// An uploaded content.
#[derive(Debug, Clone)]
pub struct File {
    pub blake3: [u8; 32],
    pub sha256: [u8; 32],
    pub size: u64,
    /// Bytes of its files.
    pub disk_size: u64,
    pub debug_id: Option<DebugId>,
    /// Problems in parts of the map, if it was just converted.
    pub flaws: Option<Flaws>,
}

/// Stores a content, or what its files take up by now.
pub fn put_file(tx: &Transaction<'_>, file: &File, now: Timestamp) -> Result<()> {
    let flaws = file.flaws.as_ref().filter(|flaws| !flaws.is_empty()).map(serde_json::to_string);
    let flaws = flaws.transpose().map_err(Error::internal)?;
    tx.execute(
        "insert into map_files (blake3, sha256, size, disk_size, created_at, flaws) values (?1, ?2, ?3, ?4, ?5, ?6)
         on conflict do update set disk_size = ?4, flaws = coalesce(?6, flaws)",
        params![
            file.blake3,
            file.sha256,
            file.size.cast_signed(),
            file.disk_size.cast_signed(),
            now.millis(),
            flaws
        ],
    )?;
    Ok(())
}

/// Stores that `url` of `release` has this content; also returns the contents that nothing refers to any more because
/// one was replaced.
pub fn put_map(
    tx: &Transaction<'_>,
    release: ReleaseId,
    url: &str,
    file: &File,
    now: Timestamp,
) -> Result<(SourceMap, Vec<[u8; 32]>)> {
    put_file(tx, file, now)?;
    let replaced = ids(
        tx,
        "select file_id from source_maps where release_id = ?1 and url = ?2",
        params![release.0, url],
    )?;
    tx.execute(
        "insert into source_maps (release_id, url, file_id, created_at, debug_id)
         values (?1, ?2, (select id from map_files where blake3 = ?3), ?4, ?5)
         on conflict (release_id, url) do update set file_id = excluded.file_id, created_at = excluded.created_at,
             debug_id = excluded.debug_id",
        params![release.0, url, file.blake3, now.millis(), file.debug_id.map(|id| id.0)],
    )?;
    tx.prepare_cached("update releases set uploads = uploads + 1 where id = ?1")?.execute([release.0])?;
    let stored = map(tx, release, url)?
        .ok_or_else(|| Error::internal("a source map that was just stored does not exist"))?;
    Ok((stored, forget_unused_files(tx, &replaced)?))
}

/// Deletes the rows of those `files` that no source map or style sheet refers to any more, and returns the hashes of
/// their contents.
pub fn forget_unused_files(tx: &Transaction<'_>, files: &[i64]) -> Result<Vec<[u8; 32]>> {
    let mut statement = tx.prepare_cached(
        "delete from map_files where id = ?1 and not exists (select 1 from source_maps where file_id = ?1)
         and not exists (select 1 from style_sheets where file_id = ?1) returning blake3",
    )?;
    let mut unused = Vec::new();
    for file in files {
        unused.extend(statement.query_row([file], |row| row.get::<_, [u8; 32]>(0)).optional()?);
    }
    Ok(unused)
}

/// Whether a content is stored.
pub fn is_known(c: &Connection, blake3: &[u8; 32]) -> Result<bool> {
    let mut statement = c.prepare_cached("select exists (select 1 from map_files where blake3 = ?1)")?;
    Ok(statement.query_row([blake3], |row| row.get(0))?)
}

/// A release with all its maps, for matching.
pub fn release_maps(c: &Connection, project: ProjectId, version: &str) -> Result<Option<ReleaseMaps>> {
    const MAPS: &str = "select m.url, m.id, f.blake3 from source_maps m join map_files f on f.id = m.file_id where m.release_id = ?1";
    by_url(c, project, version, MAPS, |row| Ok((SourceMapId(row.get(1)?), row.get(2)?)))
}

/// The same with the contents of its style sheets.
pub fn release_styles(
    c: &Connection,
    project: ProjectId,
    version: &str,
) -> Result<Option<ReleaseMaps<[u8; 32]>>> {
    const STYLES: &str = "select s.url, f.blake3 from style_sheets s join map_files f on f.id = s.file_id where s.release_id = ?1";
    by_url(c, project, version, STYLES, |row| row.get(1))
}

/// A release with what a query finds for its id, by the url in the first column.
fn by_url<T>(
    c: &Connection,
    project: ProjectId,
    version: &str,
    query: &str,
    read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<ReleaseMaps<T>>> {
    let mut statement = c.prepare_cached(
        "select id, url_prefix, uploads from releases where project_id = ?1 and version = ?2",
    )?;
    let found = statement
        .query_row(params![project.0, version], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    let Some((id, url_prefix, uploads)) = found else { return Ok(None) };
    let mut statement = c.prepare_cached(query)?;
    let rows = statement.query_map([id], |row| Ok((row.get(0)?, read(row)?)))?;
    let maps = rows.collect::<rusqlite::Result<_>>()?;
    Ok(Some(ReleaseMaps { id: ReleaseId(id), url_prefix, uploads, maps, decoded: OnceLock::new() }))
}

/// How many releases are searched for maps that a frame may have meant: the newest, because the table of maps grows
/// with every build.
const NAMED_RELEASES: i64 = 20;
/// The most maps of those.
const NAMED_MAPS: i64 = 40_000;

/// Calls `visit` with the url, release and url prefix of each map of a project's newest releases, the newest first.
pub fn each_map(c: &Connection, project: ProjectId, mut visit: impl FnMut(&str, &str, &str)) -> Result<()> {
    let mut statement = c.prepare_cached(
        "select m.url, r.version, r.url_prefix
         from (select id, version, url_prefix from releases where project_id = ?1 order by id desc limit ?2) r
         join source_maps m on m.release_id = r.id
         order by r.id desc, m.url limit ?3",
    )?;
    let mut rows = statement.query(params![project.0, NAMED_RELEASES, NAMED_MAPS])?;
    while let Some(row) = rows.next()? {
        let (url, version): (String, String) = (row.get(0)?, row.get(1)?);
        let prefix: String = row.get(2)?;
        visit(&url, &version, &prefix);
    }
    Ok(())
}

/// The newest versions of a project.
pub fn newest_versions(c: &Connection, project: ProjectId, limit: i64) -> Result<Vec<String>> {
    let mut statement =
        c.prepare_cached("select version from releases where project_id = ?1 order by id desc limit ?2")?;
    let rows = statement.query_map(params![project.0, limit], |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn release(row: &Row<'_>) -> rusqlite::Result<Release> {
    Ok(Release {
        id: ReleaseId(row.get(0)?),
        project_id: ProjectId(row.get(1)?),
        version: row.get(2)?,
        url_prefix: row.get(3)?,
        created_at: Timestamp::from_millis(row.get(4)?),
        finalized_at: row.get::<_, Option<i64>>(5)?.map(Timestamp::from_millis),
        source_map_count: row.get(6)?,
        commit: row.get(7)?,
    })
}

/// Unreadable ones count as none, because the map resolves regardless.
fn flaws(stored: Option<String>) -> Flaws {
    stored.and_then(|stored| serde_json::from_str(&stored).ok()).unwrap_or_default()
}

fn source_map(row: &Row<'_>) -> rusqlite::Result<SourceMap> {
    let sha256: [u8; 32] = row.get(3)?;
    let hex: String = sha256.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(SourceMap {
        id: SourceMapId(row.get(0)?),
        release_id: ReleaseId(row.get(1)?),
        url: row.get(2)?,
        content_hash: format!("sha256:{hex}"),
        file_size: row.get(4)?,
        created_at: Timestamp::from_millis(row.get(5)?),
        use_count: row.get(6)?,
        last_used_at: row.get::<_, Option<i64>>(7)?.map(Timestamp::from_millis),
        flaws: flaws(row.get(8)?),
    })
}
