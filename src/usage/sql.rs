//! Statements on the daily figures, and on data that is not counted elsewhere.

pub mod days;

use super::{DataAmount, DataKind, KEPT_DAYS, KindUsage};
use crate::error::Result;
use crate::ids::ProjectId;
use rusqlite::{Connection, Transaction, params};
use std::collections::BTreeMap;

/// The id for the whole data directory; no project has it.
const ALL: i64 = 0;

/// Bytes of a database's pages with content; the others are to be reused or given back.
pub fn used(c: &Connection) -> Result<i64> {
    let ask = |name: &str| c.query_row(&format!("pragma {name}"), (), |row| row.get::<_, i64>(0));
    Ok((ask("page_count")? - ask("freelist_count")?) * ask("page_size")?)
}

/// The projects, with their names. One that is being deleted still uses space.
pub fn projects(c: &Connection) -> Result<Vec<(ProjectId, String)>> {
    let mut statement = c.prepare_cached("select id, name from projects order by id")?;
    let rows = statement.query_map((), |row| Ok((ProjectId(row.get(0)?), row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The size of a project's events in quarantine, of which there are at most 1,000.
pub fn set_aside(c: &Connection, project: ProjectId) -> Result<DataAmount> {
    let mut statement = c.prepare_cached(
        "select count(*), coalesce(sum(length(body)), 0) from set_aside where project_id = ?1",
    )?;
    Ok(statement.query_row([project.0], |row| Ok(DataAmount { count: row.get(0)?, bytes: row.get(1)? }))?)
}

/// Writes the figures of a day, those of the data directory with `None` for the project, and deletes those that are
/// older than [`KEPT_DAYS`].
pub fn record(tx: &Transaction<'_>, day: i64, figures: &[(Option<ProjectId>, Vec<KindUsage>)]) -> Result<()> {
    let mut put = tx.prepare_cached(
        "insert into usage_days (project_id, kind, day, count, bytes) values (?1, ?2, ?3, ?4, ?5)
         on conflict do update set count = ?4, bytes = ?5",
    )?;
    let mut forget =
        tx.prepare_cached("delete from usage_days where project_id = ?1 and kind = ?2 and day < ?3")?;
    for (project, kinds) in figures {
        let id = project.map_or(ALL, |project| project.0);
        for part in kinds {
            put.execute(params![id, part.kind.as_str(), day, part.count, part.bytes])?;
            forget.execute(params![id, part.kind.as_str(), day - KEPT_DAYS])?;
        }
    }
    Ok(())
}

/// The figures of each day from `from` on; those of the data directory with `None`.
pub fn history(
    c: &Connection,
    project: Option<ProjectId>,
    from: i64,
) -> Result<BTreeMap<i64, Vec<KindUsage>>> {
    let mut statement = c.prepare_cached(
        "select day, count, bytes from usage_days where project_id = ?1 and kind = ?2 and day >= ?3 order by day",
    )?;
    let mut days: BTreeMap<i64, Vec<KindUsage>> = BTreeMap::new();
    for kind in DataKind::ALL {
        let id = project.map_or(ALL, |project| project.0);
        let mut rows = statement.query(params![id, kind.as_str(), from])?;
        while let Some(row) = rows.next()? {
            let held = DataAmount { count: row.get(1)?, bytes: row.get(2)? };
            days.entry(row.get(0)?).or_default().push(KindUsage::new(kind, held));
        }
    }
    Ok(days)
}
