//! Triggers. Their secrets are sealed, bound to the trigger's id.

use super::kind_of;
use crate::automations::{Integration, Provider, TRIGGERS_MAX, Trigger, TriggerType};
use crate::crypto::seal::{Seal, SealContext};
use crate::error::{Error, Result};
use crate::ids::{AutomationId, ConnectionId, OrganizationId, ProjectId, TriggerId, ViewId};
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use serde_json::Value;

const TRIGGER: &str =
    "t.id, t.provider, t.trigger_type, t.name, t.enabled, t.config, t.webhook_path, t.connection_id,
    t.next_run_at, t.created_at, t.updated_at, t.automation_id, n.display_name, n.status";
/// Triggers with their connections; the connection may have been deleted.
const TABLES: &str = "triggers t left join connections n on n.id = t.connection_id";

/// A trigger to create.
pub struct NewTrigger {
    pub id: TriggerId,
    pub automation: AutomationId,
    pub provider: Provider,
    pub trigger_type: TriggerType,
    pub name: String,
    pub enabled: bool,
    pub config: Value,
    /// The inbound address and the sealed secret, if it has one.
    pub inbound: Option<(String, Vec<u8>)>,
    pub connection: Option<ConnectionId>,
    pub next_run_at: Option<Timestamp>,
}

/// What the secret of a trigger is sealed for.
pub fn context(id: &str) -> SealContext<'_> {
    SealContext { table: "triggers", column: "secret", row: id }
}

/// A trigger as it is stored, without the complete inbound address.
fn trigger(row: &Row<'_>) -> rusqlite::Result<Trigger> {
    let (provider, trigger_type) = kind_of(row, 1, 2)?;
    let connection: Option<ConnectionId> = row.get(7)?;
    let integration = match (connection, row.get(12)?, row.get(13)?) {
        (Some(id), Some(display_name), Some(status)) => Some(Integration { id, display_name, status }),
        _ => None,
    };
    Ok(Trigger {
        id: row.get(0)?,
        provider,
        trigger_type,
        name: row.get(3)?,
        enabled: row.get(4)?,
        config: serde_json::from_str(row.get_ref(5)?.as_str()?).unwrap_or(Value::Null),
        webhook_url_path: row.get(6)?,
        webhook_secret: None,
        integration_id: connection,
        integration,
        webhook_url: None,
        next_run_at: row.get::<_, Option<i64>>(8)?.map(Timestamp::from_millis),
        created_at: Timestamp::from_millis(row.get(9)?),
        updated_at: Timestamp::from_millis(row.get(10)?),
    })
}

/// # Errors
/// Conflict if the automation has the maximum number.
pub fn create(tx: &Transaction<'_>, new: &NewTrigger, now: Timestamp) -> Result<Trigger> {
    let count: i64 =
        tx.query_row("select count(*) from triggers where automation_id = ?1", [new.automation], |row| {
            row.get(0)
        })?;
    if count >= TRIGGERS_MAX {
        return Err(Error::conflict(format!(
            "An automation has at most {TRIGGERS_MAX} triggers: delete one first"
        )));
    }
    let (path, secret) = new.inbound.clone().unzip();
    tx.execute(
        "insert into triggers (id, automation_id, provider, trigger_type, name, enabled, config, webhook_path, secret,
             connection_id, next_run_at, created_at, updated_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?12)",
        params![
            new.id,
            new.automation,
            new.provider.as_str(),
            new.trigger_type.as_str(),
            new.name,
            new.enabled,
            new.config.to_string(),
            path,
            secret,
            new.connection,
            new.next_run_at.map(Timestamp::millis),
            now.millis()
        ],
    )?;
    let mut statement = tx.prepare_cached(&format!("select {TRIGGER} from {TABLES} where t.id = ?1"))?;
    Ok(statement.query_row([new.id], trigger)?)
}

/// Stores the editable fields of a trigger.
pub fn update(tx: &Transaction<'_>, changed: &Trigger, now: Timestamp) -> Result<()> {
    tx.execute(
        "update triggers set name = ?2, enabled = ?3, config = ?4, connection_id = ?5, next_run_at = ?6, updated_at = ?7
         where id = ?1",
        params![
            changed.id,
            changed.name,
            changed.enabled,
            changed.config.to_string(),
            changed.integration_id,
            changed.next_run_at.map(Timestamp::millis),
            now.millis()
        ],
    )?;
    Ok(())
}

pub fn delete(tx: &Transaction<'_>, id: TriggerId) -> Result<()> {
    tx.execute("delete from triggers where id = ?1", [id])?;
    Ok(())
}

/// An automation's triggers, oldest first.
pub fn list(c: &Connection, automation: AutomationId) -> Result<Vec<Trigger>> {
    let mut statement = c.prepare_cached(&format!(
        "select {TRIGGER} from {TABLES} where t.automation_id = ?1 order by t.created_at, t.id"
    ))?;
    let rows = statement.query_map([automation], trigger)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub fn get(
    c: &Connection,
    organization: OrganizationId,
    (automation, id): (AutomationId, TriggerId),
) -> Result<Option<Trigger>> {
    let mut statement = c.prepare_cached(&format!(
        "select {TRIGGER} from {TABLES} join automations a on a.id = t.automation_id
         where t.id = ?3 and a.id = ?2 and a.organization_id = ?1"
    ))?;
    Ok(statement.query_row(params![organization.0, automation, id], trigger).optional()?)
}

/// A trigger to call, with its automation.
#[derive(Debug, Clone)]
pub struct AutomationTrigger {
    pub automation: AutomationId,
    pub trigger: Trigger,
}

fn called(row: &Row<'_>) -> rusqlite::Result<AutomationTrigger> {
    Ok(AutomationTrigger { automation: row.get(11)?, trigger: trigger(row)? })
}

/// The enabled trigger with an inbound address, and its sealed secret.
pub fn by_path(c: &Connection, path: &str) -> Result<Option<(AutomationTrigger, Vec<u8>)>> {
    let mut statement = c.prepare_cached(&format!(
        "select {TRIGGER}, t.secret from {TABLES} where t.webhook_path = ?1 and t.enabled and t.secret is not null"
    ))?;
    Ok(statement.query_row([path], |row| Ok((called(row)?, row.get(14)?))).optional()?)
}

/// The same trigger, if it still exists and is enabled.
pub fn by_id(c: &Connection, id: TriggerId) -> Result<Option<AutomationTrigger>> {
    let mut statement =
        c.prepare_cached(&format!("select {TRIGGER} from {TABLES} where t.id = ?1 and t.enabled"))?;
    Ok(statement.query_row([id], called).optional()?)
}

/// # Errors
/// Internal if it was sealed with another `CLOUD_SECRET_KEY`.
pub fn open(seal: &Seal, id: TriggerId, sealed: &[u8]) -> Result<String> {
    let opened = seal.open(&context(&id.to_string()), sealed)?;
    String::from_utf8(opened).map_err(Error::internal)
}

/// An organization's enabled triggers of a provider.
pub fn of_provider(
    c: &Connection,
    organization: OrganizationId,
    provider: Provider,
) -> Result<Vec<AutomationTrigger>> {
    let mut statement = c.prepare_cached(&format!(
        "select {TRIGGER} from {TABLES} join automations a on a.id = t.automation_id
         where t.provider = ?2 and t.enabled and a.organization_id = ?1 order by t.created_at, t.id"
    ))?;
    let rows = statement.query_map(params![organization.0, provider.as_str()], called)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The names of the automations with a trigger that is limited to a view of a project.
pub fn automations_with_view(c: &Connection, project: ProjectId, view: ViewId) -> Result<Vec<String>> {
    let mut statement = c.prepare_cached(
        // With the `+`, SQLite does not look at all triggers of the provider for each automation.
        "select a.name from automations a
         where a.organization_id = (select organization_id from projects where id = ?1)
             and exists (select 1 from triggers t
                 where t.automation_id = a.id and +t.provider = 'errors' and t.config ->> 'viewId' = ?2)
         order by a.created_at, a.id",
    )?;
    let rows = statement.query_map([project.0, view.0], |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Some schedules whose time has come.
pub fn due(c: &Connection, now: Timestamp) -> Result<Vec<AutomationTrigger>> {
    let mut statement = c.prepare_cached(&format!(
        "select {TRIGGER} from {TABLES} where t.next_run_at <= ?1 order by t.next_run_at limit 100"
    ))?;
    let rows = statement.query_map([now.millis()], called)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Sets when a schedule calls next (`None`: never). `false` if it was changed in the meantime.
pub fn set_next(tx: &Transaction<'_>, trigger: &Trigger, next: Option<Timestamp>) -> Result<bool> {
    let changed = tx
        .prepare_cached(
            "update triggers set next_run_at = ?3 where id = ?1 and next_run_at = ?2 and enabled",
        )?
        .execute(params![
            trigger.id,
            trigger.next_run_at.map(Timestamp::millis),
            next.map(Timestamp::millis)
        ])?;
    Ok(changed > 0)
}
