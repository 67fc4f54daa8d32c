//! All statements on the audit log.

use super::{Act, Entry, KEPT, KEPT_MAX};
use crate::error::Result;
use crate::ids::{OrganizationId, UserId};
use crate::store::Page;
use crate::time::Timestamp;
use rusqlite::{Connection, Row, Transaction, params, params_from_iter, types::Value};

/// Characters of an actor and of a target.
const NAME_MAX: usize = 320;

pub fn add(tx: &Transaction<'_>, act: &Act, now: Timestamp) -> Result<()> {
    let cut = |text: &str| text.chars().filter(|c| !c.is_control()).take(NAME_MAX).collect::<String>();
    let mut statement = tx.prepare_cached(
        "insert into audit_log (organization_id, actor_id, actor, action, target, detail, address, created_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?;
    statement.execute(params![
        act.organization.map(|id| id.0),
        act.actor.id.map(|id| id.0),
        cut(&act.actor.name),
        act.action,
        cut(&act.target),
        act.detail.to_string(),
        act.actor.address.map(|address| address.to_string()),
        now.millis(),
    ])?;
    Ok(())
}

/// The filters of a list.
#[derive(Debug, Default)]
pub struct Filter {
    /// `None`: the whole instance.
    pub organization: Option<OrganizationId>,
    /// What the action starts with.
    pub action: Option<String>,
    pub actor: Option<UserId>,
}

/// Entries, newest first, and how many there are in total.
pub fn list(c: &Connection, filter: &Filter, page: Page) -> Result<(Vec<Entry>, i64)> {
    let mut conditions = vec!["1"];
    let mut values: Vec<Value> = Vec::new();
    if let Some(organization) = filter.organization {
        conditions.push("organization_id = ?");
        values.push(organization.0.into());
    }
    if let Some(action) = &filter.action {
        conditions.push("substr(action, 1, length(?)) = ?");
        values.extend([action.clone().into(), action.clone().into()]);
    }
    if let Some(actor) = filter.actor {
        conditions.push("actor_id = ?");
        values.push(actor.0.into());
    }
    let conditions = conditions.join(" and ");
    let total = c.query_row(
        &format!("select count(*) from audit_log where {conditions}"),
        params_from_iter(&values),
        |row| row.get(0),
    )?;
    values.extend([page.limit.into(), page.offset.into()]);
    let mut statement = c.prepare_cached(&format!(
        "select id, actor, actor_id, action, target, detail, address, created_at
         from audit_log where {conditions} order by id desc limit ? offset ?"
    ))?;
    let rows = statement.query_map(params_from_iter(&values), entry)?;
    Ok((rows.collect::<rusqlite::Result<_>>()?, total))
}

fn entry(row: &Row<'_>) -> rusqlite::Result<Entry> {
    Ok(Entry {
        id: row.get(0)?,
        actor: row.get(1)?,
        actor_id: row.get::<_, Option<i64>>(2)?.map(UserId),
        action: row.get(3)?,
        target: row.get(4)?,
        detail: serde_json::from_str(row.get_ref(5)?.as_str()?).unwrap_or_default(),
        address: row.get(6)?,
        created_at: Timestamp::from_millis(row.get(7)?),
    })
}

/// Deletes entries that are too old, and the oldest if there are too many.
pub fn sweep(tx: &Transaction<'_>, now: Timestamp) -> Result<()> {
    tx.execute("delete from audit_log where created_at < ?1", [now.plus(-KEPT).millis()])?;
    tx.execute("delete from audit_log where id <= (select max(id) from audit_log) - ?1", [KEPT_MAX])?;
    Ok(())
}
