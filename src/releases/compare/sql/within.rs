//! The issues of a comparison in an environment: what each release had there is counted in rows of its own.

use super::{Sides, gathered};
use crate::error::Result;
use crate::ids::ProjectId;
use crate::releases::compare::ComparedIssues;
use crate::releases::sql::environments::id_of;
use rusqlite::{Connection, ToSql};

/// Issues first seen in a release, and those that regressed in it, with events of it in the environment; and those that
/// only the other has there. Of each, the newest 1,000 are looked at. Parameters: the project, the release's version,
/// and the ids of the environment in the release and in the other.
const NEW: &str =
    "select i.id as id from issues i where i.project_id = ?1 and i.first_release = ?2 and exists (
        select 1 from release_environment_issues p where p.environment_id = ?3 and p.issue_id = i.id)";
const REGRESSED: &str = "select distinct a.issue_id as id from activity a join issues i on i.id = a.issue_id
    where a.kind = 'regressed' and a.release = ?2 and i.project_id = ?1 and exists (
        select 1 from release_environment_issues p where p.environment_id = ?3 and p.issue_id = a.issue_id)";
const GONE: &str = "select o.issue_id as id from release_environment_issues o
    where o.environment_id = ?4 and not exists (
        select 1 from release_environment_issues p where p.environment_id = ?3 and p.issue_id = o.issue_id)";

/// How many events an issue has in what a parameter names.
const EVENTS: &str = "coalesce((select p.count from release_environment_issues p
    where p.environment_id = $ and p.issue_id = i.id), 0)";

/// New issues, regressions and issues that are gone.
pub(super) fn lists(
    c: &Connection,
    project: ProjectId,
    environment: &str,
    (version, base): Sides<'_>,
) -> Result<[ComparedIssues; 3]> {
    let own = id_of(c, (project, version), environment)?;
    let other = base.map(|base| id_of(c, (project, base), environment)).transpose()?.flatten();
    let given: [&dyn ToSql; 4] = [&project.0, &version, &own, &other];
    let events = ["?3", "?4"].map(|side| EVENTS.replace('$', side));
    let list = |found: &str| -> Result<_> {
        let mut statement = c.prepare_cached(&format!("select count(*) from ({found})"))?;
        let of_count = &given[..statement.parameter_count()];
        let total = statement.query_row(of_count, |row| row.get(0))?;
        let newest = format!("{found} order by 1 desc limit 1000");
        Ok(ComparedIssues { issues: gathered(c, &newest, &events, &given)?, total })
    };
    Ok([list(NEW)?, list(REGRESSED)?, list(GONE)?])
}
