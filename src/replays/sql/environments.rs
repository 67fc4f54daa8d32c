//! The environments of a project's session replays.

use crate::error::Result;
use crate::ids::ProjectId;
use crate::issues::within::ENVIRONMENTS_MAX;
use rusqlite::{Connection, params};

/// The most environments that are looked at, by name: clients name what they like, and each takes a search.
const MET_MAX: i64 = 1_000;

/// The environments of the replays that [`super::list`] lists, those of the newest first, at most
/// [`ENVIRONMENTS_MAX`]. Each name is found from the one before it, however many replays there are.
pub fn environments(c: &Connection, project: ProjectId) -> Result<Vec<String>> {
    let mut statement = c.prepare_cached(
        "with recursive met (name, number) as (
             select (select environment from replays where project_id = ?1 and environment is not null
                 and deleted_at is null and events > 0 order by environment limit 1), 1
             union all
             select (select environment from replays where project_id = ?1 and environment > met.name
                 and deleted_at is null and events > 0 order by environment limit 1), number + 1
             from met where name is not null and number < ?2)
         select name from met where name is not null
         order by (select max(started_at) from replays where project_id = ?1 and environment = met.name
             and deleted_at is null and events > 0) desc, name limit ?3",
    )?;
    let rows = statement.query_map(params![project.0, MET_MAX, ENVIRONMENTS_MAX], |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
