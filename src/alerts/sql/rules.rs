//! Rules.

use crate::alerts::{Condition, NewRule, RULES_MAX, Rule, RuleFilters};
use crate::error::{Error, Result};
use crate::ids::{AlertChannelId, AlertRuleId, ProjectId, ViewId};
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use serde_json::json;

const RULE: &str =
    "id, project_id, name, condition, filters, quiet_minutes, enabled, last_fired_at, suppressed,
    created_at, updated_at,
    (select json_group_array(channel_id) from alert_rule_channels where rule_id = alert_rules.id), problem";

fn rule(row: &Row<'_>) -> rusqlite::Result<Result<Rule>> {
    let (condition, filters, channels): (String, String, String) = (row.get(3)?, row.get(4)?, row.get(11)?);
    let read = || -> serde_json::Result<(Condition, RuleFilters, Vec<AlertChannelId>)> {
        Ok((
            serde_json::from_str(&condition)?,
            serde_json::from_str(&filters)?,
            serde_json::from_str(&channels)?,
        ))
    };
    let (condition, filters, channels) = match read() {
        Ok(read) => read,
        Err(error) => return Ok(Err(Error::internal(error))),
    };
    let rule = NewRule {
        name: row.get(2)?,
        condition,
        filters,
        channels,
        quiet_minutes: row.get(5)?,
        enabled: row.get(6)?,
    };
    Ok(Ok(Rule {
        id: AlertRuleId(row.get(0)?),
        project_id: ProjectId(row.get(1)?),
        rule,
        problem: row.get(12)?,
        last_fired_at: row.get::<_, Option<i64>>(7)?.map(Timestamp::from_millis),
        suppressed: row.get(8)?,
        created_at: Timestamp::from_millis(row.get(9)?),
        updated_at: Timestamp::from_millis(row.get(10)?),
    }))
}

fn read_all(c: &Connection, condition: &str, given: impl rusqlite::Params) -> Result<Vec<Rule>> {
    let mut statement = c.prepare_cached(&format!("select {RULE} from alert_rules where {condition}"))?;
    let mut rules = Vec::new();
    for row in statement.query_map(given, rule)? {
        match row? {
            Ok(rule) => rules.push(rule),
            // A rule that another version wrote does not stop the others.
            Err(error) => tracing::warn!(?error, "an alert rule cannot be read"),
        }
    }
    Ok(rules)
}

pub fn list(c: &Connection, project: ProjectId) -> Result<Vec<Rule>> {
    read_all(c, "project_id = ?1 order by id", [project.0])
}

/// The rules of a project that a signal may fulfil.
pub fn of_kind(c: &Connection, project: ProjectId, kind: &str) -> Result<Vec<Rule>> {
    read_all(c, "project_id = ?1 and kind = ?2 and enabled order by id", params![project.0, kind])
}

/// The rules that need counting.
pub fn counting(c: &Connection) -> Result<Vec<Rule>> {
    read_all(
        c,
        "kind in ('events', 'logs') and enabled
             and exists (select 1 from projects p where p.id = project_id and p.deleted_at is null) order by id",
        (),
    )
}

pub fn get(c: &Connection, project: ProjectId, id: AlertRuleId) -> Result<Option<Rule>> {
    Ok(read_all(c, "project_id = ?1 and id = ?2", [project.0, id.0])?.pop())
}

/// The names of a project's rules that are limited to a view.
pub fn names_with_view(c: &Connection, project: ProjectId, view: ViewId) -> Result<Vec<String>> {
    let mut statement = c.prepare_cached(
        "select name from alert_rules where project_id = ?1 and filters ->> 'view_id' = ?2 order by id",
    )?;
    let rows = statement.query_map([project.0, view.0], |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// # Errors
/// Conflict if the project has the maximum number; 422 for a channel that it does not have.
pub fn create(tx: &Transaction<'_>, project: ProjectId, new: &NewRule, now: Timestamp) -> Result<Rule> {
    let count: i64 =
        tx.query_row("select count(*) from alert_rules where project_id = ?1", [project.0], |row| {
            row.get(0)
        })?;
    if count >= RULES_MAX {
        return Err(Error::conflict(format!("A project has at most {RULES_MAX} rules: delete one first")));
    }
    tx.execute(
        "insert into alert_rules (project_id, name, kind, condition, filters, quiet_minutes, enabled, created_at,
             updated_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8)",
        params![
            project.0,
            new.name,
            new.condition.as_str(),
            text(&new.condition)?,
            text(&new.filters)?,
            new.quiet_minutes,
            new.enabled,
            now.millis()
        ],
    )?;
    let id = AlertRuleId(tx.last_insert_rowid());
    set_channels(tx, project, id, &new.channels)?;
    get(tx, project, id)?.ok_or_else(|| Error::internal("a rule that was just created does not exist"))
}

/// Replaces a rule; `None` if the project has none with that id.
///
/// # Errors
/// 422 for a channel that the project does not have.
pub fn update(
    tx: &Transaction<'_>,
    project: ProjectId,
    id: AlertRuleId,
    new: &NewRule,
    now: Timestamp,
) -> Result<Option<Rule>> {
    let changed = tx.execute(
        "update alert_rules set name = ?3, kind = ?4, condition = ?5, filters = ?6, quiet_minutes = ?7, enabled = ?8,
             problem = null, updated_at = ?9
         where project_id = ?1 and id = ?2",
        params![
            project.0,
            id.0,
            new.name,
            new.condition.as_str(),
            text(&new.condition)?,
            text(&new.filters)?,
            new.quiet_minutes,
            new.enabled,
            now.millis()
        ],
    )?;
    if changed == 0 {
        return Ok(None);
    }
    set_channels(tx, project, id, &new.channels)?;
    get(tx, project, id)
}

fn set_channels(
    tx: &Transaction<'_>,
    project: ProjectId,
    id: AlertRuleId,
    channels: &[AlertChannelId],
) -> Result<()> {
    tx.execute("delete from alert_rule_channels where rule_id = ?1", [id.0])?;
    let set = tx.execute(
        "insert into alert_rule_channels (rule_id, channel_id)
         select ?1, c.id from alert_channels c
         where c.project_id = ?2 and c.id in (select value from json_each(?3))",
        params![id.0, project.0, json!(channels).to_string()],
    )?;
    if set == channels.len() {
        return Ok(());
    }
    Err(Error::invalid("channels: expected channels of this project"))
}

/// Stores what went wrong when a rule last counted, unless the rule has changed since it was read.
pub fn set_problem(tx: &Transaction<'_>, rule: &Rule, problem: Option<&str>) -> Result<()> {
    tx.execute(
        "update alert_rules set problem = ?2 where id = ?1 and updated_at = ?3",
        params![rule.id.0, problem, rule.updated_at.millis()],
    )?;
    Ok(())
}

/// Deletes a rule and returns its name.
pub fn delete(tx: &Transaction<'_>, project: ProjectId, id: AlertRuleId) -> Result<Option<String>> {
    let name = tx.query_row(
        "delete from alert_rules where project_id = ?1 and id = ?2 returning name",
        [project.0, id.0],
        |row| row.get(0),
    );
    Ok(name.optional()?)
}

fn text(value: &impl serde::Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(Error::internal)
}
