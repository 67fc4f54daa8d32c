//! Changes that people make to an issue, and the activity they leave.

use crate::error::{Error, Result};
use crate::ids::{IssueId, ProjectId, UserId};
use crate::issues::activity::{self, Kind};
use crate::issues::{Change, Status};
use crate::time::Timestamp;
use rusqlite::{OptionalExtension as _, Row, Transaction, params};
use serde_json::{Map, Value, json};

/// The columns that a change may affect.
#[derive(PartialEq, Eq)]
struct State {
    status: String,
    resolved_in_release: Option<String>,
    ignore_until: Option<i64>,
    ignore_events: Option<i64>,
    ignore_users: Option<i64>,
    assignee: Option<i64>,
    priority: Option<String>,
}

impl State {
    fn find(tx: &Transaction<'_>, project: ProjectId, id: IssueId) -> Result<Option<Self>> {
        let mut statement = tx.prepare_cached(
            "select status, resolved_in_release, ignore_until, ignore_events, ignore_users, assignee, priority
             from issues where project_id = ?1 and id = ?2",
        )?;
        Ok(statement.query_row(params![project.0, id.0], Self::read).optional()?)
    }

    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            status: row.get(0)?,
            resolved_in_release: row.get(1)?,
            ignore_until: row.get(2)?,
            ignore_events: row.get(3)?,
            ignore_users: row.get(4)?,
            assignee: row.get(5)?,
            priority: row.get(6)?,
        })
    }

    fn standing(&self) -> impl PartialEq {
        let State { status, resolved_in_release, ignore_until, ignore_events, ignore_users, .. } = self;
        (status.clone(), resolved_in_release.clone(), *ignore_until, *ignore_events, *ignore_users)
    }
}

/// Changes an issue; `false` if the project has no issue with that id. A field that stays the same leaves no
/// activity.
pub fn change(
    tx: &Transaction<'_>,
    project: ProjectId,
    id: IssueId,
    change: &Change,
    by: Option<UserId>,
    now: Timestamp,
) -> Result<bool> {
    let Some(before) = State::find(tx, project, id)? else { return Ok(false) };
    if let Some(status) = change.status {
        set_status(tx, id, status, change, now)?;
    }
    if let Some(assignee) = change.assignee {
        set_assignee(tx, project, id, assignee)?;
    }
    if let Some(priority) = change.priority {
        tx.execute("update issues set priority = ?2 where id = ?1", params![id.0, priority.as_str()])?;
    }
    tx.execute("update issues set updated_at = ?2 where id = ?1", params![id.0, now.millis()])?;
    let Some(after) = State::find(tx, project, id)? else { return Ok(false) };
    for (kind, data) in differences(&before, &after, change) {
        activity::sql::add(tx, id, &activity::New { by, kind, data, release: None }, now)?;
    }
    Ok(true)
}

fn differences(before: &State, after: &State, change: &Change) -> Vec<(Kind, Value)> {
    let mut found = Vec::new();
    if let Some(status) = change.status.filter(|_| before.standing() != after.standing()) {
        found.push(standing(status, change));
    }
    if before.assignee != after.assignee {
        found.push(match after.assignee {
            Some(assignee) => (Kind::Assigned, json!({ "assignee": assignee })),
            None => (Kind::Unassigned, json!({})),
        });
    }
    if before.priority != after.priority {
        found.push((Kind::Priority, json!({ "priority": after.priority })));
    }
    found
}

/// The activity of a new status, with the conditions given along with it.
fn standing(status: Status, change: &Change) -> (Kind, Value) {
    let mut data = Map::new();
    let mut add = |name: &str, given: Option<Value>| data.extend(given.map(|value| (name.to_owned(), value)));
    let kind = match status {
        Status::Unresolved => Kind::Unresolved,
        Status::Resolved => {
            add("in_release", change.resolved_in_release.as_ref().map(|version| json!(version)));
            Kind::Resolved
        }
        Status::Ignored => {
            add("until", change.ignore_until.map(|time| json!(time)));
            add("events", change.ignore_events.map(|count| json!(count)));
            add("users", change.ignore_users.map(|count| json!(count)));
            Kind::Ignored
        }
    };
    data.extend(change.ticket.as_ref().map(|key| ("ticket".to_owned(), json!(key))));
    (kind, Value::Object(data))
}

fn set_status(
    tx: &Transaction<'_>,
    id: IssueId,
    status: Status,
    change: &Change,
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        "update issues set status = ?2, regressed_at = null,
             escalating_at = case when ?2 = 'unresolved' then escalating_at end,
             resolved_at = case when ?2 = 'resolved' then ?3 end, resolved_in_release = ?4,
             ignore_until = ?5, ignore_events = event_count + ?6, ignore_users = user_count + ?7
         where id = ?1",
        params![
            id.0,
            status.as_str(),
            now.millis(),
            change.resolved_in_release,
            change.ignore_until.map(Timestamp::millis),
            change.ignore_events,
            change.ignore_users
        ],
    )?;
    Ok(())
}

fn set_assignee(tx: &Transaction<'_>, project: ProjectId, id: IssueId, assignee: Option<i64>) -> Result<()> {
    if let Some(user) = assignee {
        let role = crate::organizations::sql::role_in_project(tx, UserId(user), project)?;
        if role.is_none() {
            return Err(Error::invalid(format!(
                "assignee: {user} is not a member of this project's organization"
            )));
        }
    }
    tx.execute("update issues set assignee = ?2 where id = ?1", params![id.0, assignee])?;
    Ok(())
}
