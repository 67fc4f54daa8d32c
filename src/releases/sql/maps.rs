//! Lists of a release's source maps, and how often they were used.

use super::source_map;
use crate::error::{Error, Result};
use crate::ids::{ReleaseId, SourceMapId};
use crate::releases::SourceMap;
use crate::store::Page;
use crate::text::shown;
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

const MAP: &str =
    "m.id, m.release_id, m.url, f.sha256, f.size, m.created_at, m.use_count, m.last_used_at, f.flaws";

/// The order of a list of source maps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MapSort {
    Url,
    /// Largest first.
    Size,
    Uses,
}

impl MapSort {
    /// # Errors
    /// 422 naming the three orders.
    pub fn parse(text: Option<&str>) -> Result<Self> {
        match text {
            None | Some("url") => Ok(Self::Url),
            Some("size") => Ok(Self::Size),
            Some("uses") => Ok(Self::Uses),
            Some(other) => {
                Err(Error::invalid(format!("sort: expected url, size or uses, got `{}`", shown(other, 64))))
            }
        }
    }

    /// The url breaks ties.
    fn order(self) -> &'static str {
        match self {
            Self::Url => "m.url",
            Self::Size => "f.size desc, m.url",
            Self::Uses => "m.use_count desc, m.url",
        }
    }
}

/// The source maps of a release whose url contains `part` (ASCII letters in either case).
pub fn list_maps(
    c: &Connection,
    release: ReleaseId,
    part: &str,
    sort: MapSort,
    page: Page,
) -> Result<(Vec<SourceMap>, i64)> {
    const FITS: &str = "m.release_id = ?1 and instr(lower(m.url), lower(?2)) > 0";
    let query = format!(
        "select {MAP} from source_maps m join map_files f on f.id = m.file_id
         where {FITS} order by {} limit ?3 offset ?4",
        sort.order()
    );
    let mut statement = c.prepare_cached(&query)?;
    let rows = statement.query_map(params![release.0, part, page.limit, page.offset], source_map)?;
    let maps = rows.collect::<rusqlite::Result<_>>()?;
    let total = c
        .prepare_cached(&format!("select count(*) from source_maps m where {FITS}"))?
        .query_row(params![release.0, part], |row| row.get(0))?;
    Ok((maps, total))
}

/// The source map for a url in a release.
pub fn map(c: &Connection, release: ReleaseId, url: &str) -> Result<Option<SourceMap>> {
    let query = format!(
        "select {MAP} from source_maps m join map_files f on f.id = m.file_id
         where m.release_id = ?1 and m.url = ?2"
    );
    Ok(c.prepare_cached(&query)?.query_row(params![release.0, url], source_map).optional()?)
}

/// How a batch used a source map.
#[derive(Debug, Clone, Copy)]
pub struct Used {
    /// Events.
    pub count: i64,
    /// The time of the latest of them, in milliseconds since the epoch.
    pub last: i64,
}

/// Counts the use of a source map; one that has been deleted in the meantime is skipped.
pub fn use_map(tx: &Transaction<'_>, id: SourceMapId, used: Used) -> Result<()> {
    tx.prepare_cached(
        "update source_maps set use_count = use_count + ?2, last_used_at = max(coalesce(last_used_at, 0), ?3)
         where id = ?1",
    )?
    .execute(params![id.0, used.count, used.last])?;
    Ok(())
}
