//! Finds similar issues.

use crate::error::Result;
use crate::ids::{IssueId, ProjectId};
use crate::issues::{SimilarIssue, Status};
use crate::projects::issue_short_id;
use crate::time::Timestamp;
use rusqlite::{Connection, Row, params};

/// The most recently seen issues of the project that are compared.
const LOOKED_AT: i64 = 2_000;

/// Other issues of the project with the same type or culprit: those with the same culprit first, then by when they
/// were last seen. Only the project's newest issues are compared.
pub fn similar(c: &Connection, project: ProjectId, id: IssueId, most: usize) -> Result<Vec<SimilarIssue>> {
    let mut statement = c.prepare_cached(
        "select i.id, p.slug, i.number, i.title, i.culprit, i.status, i.resolved_in_release, i.event_count,
             i.last_seen, i.culprit <> '' and i.culprit = o.culprit
         from issues o join projects p on p.id = o.project_id
             join (select id from issues where project_id = ?1 order by last_seen desc limit ?4) n
             join issues i on i.id = n.id
         where o.project_id = ?1 and o.id = ?2 and i.id <> o.id
             and (i.type = o.type and o.type <> '' or i.culprit <> '' and i.culprit = o.culprit)
         order by 10 desc, i.last_seen desc limit ?3",
    )?;
    let limit = i64::try_from(most).unwrap_or(i64::MAX);
    let rows = statement.query_map(params![project.0, id.0, limit, LOOKED_AT], issue)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn issue(row: &Row<'_>) -> rusqlite::Result<SimilarIssue> {
    let number: i64 = row.get(2)?;
    Ok(SimilarIssue {
        id: IssueId(row.get(0)?),
        short_id: issue_short_id(row.get_ref(1)?.as_str()?, number),
        title: row.get(3)?,
        culprit: row.get(4)?,
        // No other value is ever stored.
        status: Status::parse(row.get_ref(5)?.as_str()?).unwrap_or(Status::Unresolved),
        resolved_in_release: row.get(6)?,
        event_count: row.get(7)?,
        last_seen: Timestamp::from_millis(row.get(8)?),
        has_same_culprit: row.get(9)?,
    })
}
