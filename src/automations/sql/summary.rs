//! Sums over the sessions of automations.

use crate::automations::{AutomationSummary, Summary};
use crate::error::Result;
use crate::ids::OrganizationId;
use crate::sessions::sql::USD;
use crate::time::{MINUTE, Timestamp};
use rusqlite::{Connection, Row, params};

/// The sums over the sessions since a time, for each automation that still exists.
pub fn summary(
    c: &Connection,
    organization: OrganizationId,
    (since, now): (Timestamp, Timestamp),
) -> Result<Summary> {
    let mut statement = c.prepare_cached(
        "select a.id, a.name, a.enabled, count(s.number), coalesce(sum(s.outcome = 'completed'), 0),
             coalesce(sum(s.ended_at is not null and s.outcome <> 'completed'), 0),
             coalesce(sum(s.pull_request_url is not null), 0), coalesce(sum(s.merged_at is not null), 0),
             coalesce(sum(s.active_ms + coalesce(max(0, ?3 - s.active_since), 0)), 0),
             coalesce(sum(s.cost_usd_micros), 0), max(s.created_at),
             (select count(*) from automation_events e
                 where e.automation_id = a.id and e.status = 'skipped' and e.created_at >= ?2),
             coalesce(sum(s.closed_at is not null), 0),
             coalesce(sum(s.active_ms + coalesce(max(0, ?3 - s.active_since), 0)) filter (where s.merged_at is not null), 0)
         from automations a left join sessions s on s.automation_id = a.id and s.created_at >= ?2
         where a.organization_id = ?1 group by a.id order by count(s.number) desc, a.name",
    )?;
    let rows = statement.query_map(params![organization.0, since.millis(), now.millis()], line)?;
    let automations = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    let sum = |of: fn(&AutomationSummary) -> i64| automations.iter().map(of).sum();
    Ok(Summary {
        since,
        runs: sum(|one| one.runs),
        completed: sum(|one| one.completed),
        failed: sum(|one| one.failed),
        pull_requests: sum(|one| one.pull_requests),
        merged: sum(|one| one.merged),
        closed: sum(|one| one.closed),
        minutes: sum(|one| one.minutes),
        saved_minutes: sum(|one| one.saved_minutes),
        cost_usd: automations.iter().map(|one| one.cost_usd).sum(),
        skipped: sum(|one| one.skipped),
        automations,
    })
}

fn line(row: &Row<'_>) -> rusqlite::Result<AutomationSummary> {
    Ok(AutomationSummary {
        automation_id: row.get(0)?,
        name: row.get(1)?,
        enabled: row.get(2)?,
        runs: row.get(3)?,
        completed: row.get(4)?,
        failed: row.get(5)?,
        pull_requests: row.get(6)?,
        merged: row.get(7)?,
        minutes: row.get::<_, i64>(8)? / MINUTE,
        cost_usd: row.get::<_, i64>(9)? as f64 / USD,
        last_run_at: row.get::<_, Option<i64>>(10)?.map(Timestamp::from_millis),
        skipped: row.get(11)?,
        closed: row.get(12)?,
        saved_minutes: row.get::<_, i64>(13)? / MINUTE,
    })
}

#[cfg(test)]
mod tests;
