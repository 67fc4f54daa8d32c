//! All statements on automations, their triggers and events.

pub mod events;
pub mod gates;
pub mod summary;
pub mod triggers;

use super::{
    AUTOMATIONS_MAX, Automation, Creator, Gates, ListedAutomation, Provider, TriggerCount, TriggerType,
};
use crate::error::{Error, Result};
use crate::ids::{AutomationId, OrganizationId, PrebuildId, UserId};
use crate::repositories::DefaultPrebuild;
use crate::sessions::caps::Caps;
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use serde_json::json;

const AUTOMATION: &str = "a.id, a.organization_id, a.name, a.description, a.enabled, a.agent_instructions,
    a.default_prebuild_id, a.allow_agentic_repo_selection, a.created_by, a.created_at, a.updated_at, a.agent_type,
    a.model_id, a.gates, a.runner_labels, a.time_limit_minutes, p.name, p.snapshot_id, u.name,
    a.may_open_pull_requests, a.caps";
const FROM: &str = "automations a left join prebuilds p on p.id = a.default_prebuild_id
    left join users u on u.id = a.created_by";

/// The settings of an automation.
#[derive(Debug, Clone, PartialEq)]
pub struct AutomationSettings {
    pub name: String,
    pub description: String,
    pub enabled: bool,
    pub agent_instructions: String,
    pub default_prebuild: Option<PrebuildId>,
    pub allow_agentic_repo_selection: bool,
    pub may_open_pull_requests: bool,
    pub agent_type: String,
    pub model_id: Option<String>,
    pub gates: Gates,
    pub runner_labels: Vec<String>,
    pub time_limit_minutes: i64,
    pub caps: Caps,
}

impl From<Automation> for AutomationSettings {
    fn from(automation: Automation) -> Self {
        Self {
            name: automation.name,
            description: automation.description,
            enabled: automation.enabled,
            agent_instructions: automation.agent_instructions,
            default_prebuild: automation.default_prebuild_id,
            allow_agentic_repo_selection: automation.allow_agentic_repo_selection,
            may_open_pull_requests: automation.may_open_pull_requests,
            agent_type: automation.agent_type,
            model_id: automation.model_id,
            gates: automation.gates,
            runner_labels: automation.runner_labels,
            time_limit_minutes: automation.time_limit_minutes,
            caps: automation.caps,
        }
    }
}

/// # Errors
/// Conflict if the organization has the maximum number; 422 for a prebuild that it does not have.
pub fn create(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    new: &AutomationSettings,
    created_by: Option<UserId>,
    now: Timestamp,
) -> Result<Automation> {
    let count: i64 = tx.query_row(
        "select count(*) from automations where organization_id = ?1",
        [organization.0],
        |row| row.get(0),
    )?;
    if count >= AUTOMATIONS_MAX {
        return Err(Error::conflict(format!(
            "An organization has at most {AUTOMATIONS_MAX} automations: delete one first"
        )));
    }
    check_prebuild(tx, organization, new.default_prebuild)?;
    let id = AutomationId::new();
    tx.execute(
        "insert into automations (id, organization_id, name, description, enabled, agent_instructions,
             default_prebuild_id, allow_agentic_repo_selection, agent_type, model_id, gates, runner_labels,
             time_limit_minutes, created_by, created_at, updated_at, may_open_pull_requests, caps)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?15, ?16, ?17)",
        params![
            id,
            organization.0,
            new.name,
            new.description,
            new.enabled,
            new.agent_instructions,
            new.default_prebuild,
            new.allow_agentic_repo_selection,
            new.agent_type,
            new.model_id,
            json!(new.gates).to_string(),
            json!(new.runner_labels).to_string(),
            new.time_limit_minutes,
            created_by.map(|id| id.0),
            now.millis(),
            new.may_open_pull_requests,
            json!(new.caps).to_string()
        ],
    )?;
    get(tx, organization, id)?.ok_or_else(|| Error::internal("an automation that was just created is gone"))
}

/// Replaces the settings of an automation; `None` if the organization has none with that id.
///
/// # Errors
/// 422 for a prebuild that the organization does not have.
pub fn update(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    id: AutomationId,
    new: &AutomationSettings,
    now: Timestamp,
) -> Result<Option<Automation>> {
    check_prebuild(tx, organization, new.default_prebuild)?;
    tx.execute(
        "update automations set name = ?3, description = ?4, enabled = ?5, agent_instructions = ?6,
             default_prebuild_id = ?7, allow_agentic_repo_selection = ?8, agent_type = ?9, model_id = ?10, gates = ?11,
             runner_labels = ?12, time_limit_minutes = ?13, updated_at = ?14, may_open_pull_requests = ?15,
             caps = ?16
         where organization_id = ?1 and id = ?2",
        params![
            organization.0,
            id,
            new.name,
            new.description,
            new.enabled,
            new.agent_instructions,
            new.default_prebuild,
            new.allow_agentic_repo_selection,
            new.agent_type,
            new.model_id,
            json!(new.gates).to_string(),
            json!(new.runner_labels).to_string(),
            new.time_limit_minutes,
            now.millis(),
            new.may_open_pull_requests,
            json!(new.caps).to_string()
        ],
    )?;
    get(tx, organization, id)
}

fn check_prebuild(c: &Connection, organization: OrganizationId, id: Option<PrebuildId>) -> Result<()> {
    let Some(id) = id else { return Ok(()) };
    if crate::repositories::sql::get_prebuild(c, organization, id)?.is_some() {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "defaultPrebuildId: this organization has no prebuild {id}, see GET /api/prebuilds"
    )))
}

/// The organization's automations, newest first.
pub fn list(c: &Connection, organization: OrganizationId) -> Result<Vec<ListedAutomation>> {
    let mut statement = c.prepare_cached(&format!(
        "select {AUTOMATION} from {FROM} where a.organization_id = ?1 order by a.created_at desc, a.id"
    ))?;
    let rows = statement.query_map([organization.0], automation)?;
    let found = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    found.into_iter().map(|automation| listed(c, automation)).collect()
}

/// An automation with its trigger counts.
pub fn listed(c: &Connection, automation: Automation) -> Result<ListedAutomation> {
    let mut statement = c.prepare_cached(
        "select provider, enabled from triggers where automation_id = ?1 order by provider",
    )?;
    let rows = statement.query_map([automation.id], |row| {
        let provider = Provider::parse(row.get_ref(0)?.as_str()?);
        Ok((provider, row.get::<_, bool>(1)?))
    })?;
    let (mut count, mut active_providers) = (TriggerCount { triggers: 0, schedules: 0 }, Vec::new());
    for row in rows {
        let (provider, enabled) = row?;
        match provider {
            Some(Provider::Schedule) => count.schedules += 1,
            _ => count.triggers += 1,
        }
        active_providers.extend(provider.filter(|_| enabled));
    }
    active_providers.dedup();
    Ok(ListedAutomation { automation, count, active_providers })
}

pub fn get(c: &Connection, organization: OrganizationId, id: AutomationId) -> Result<Option<Automation>> {
    let mut statement = c.prepare_cached(&format!(
        "select {AUTOMATION} from {FROM} where a.organization_id = ?1 and a.id = ?2"
    ))?;
    Ok(statement.query_row(params![organization.0, id], automation).optional()?)
}

/// An automation of any organization, with that organization.
pub fn find(c: &Connection, id: AutomationId) -> Result<Option<(OrganizationId, Automation)>> {
    let mut statement = c.prepare_cached(&format!("select {AUTOMATION} from {FROM} where a.id = ?1"))?;
    let row = |row: &Row<'_>| Ok((OrganizationId(row.get(1)?), automation(row)?));
    Ok(statement.query_row([id], row).optional()?)
}

/// Deletes an automation and returns its name.
pub fn delete(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    id: AutomationId,
) -> Result<Option<String>> {
    let name = tx.query_row(
        "delete from automations where organization_id = ?1 and id = ?2 returning name",
        params![organization.0, id],
        |row| row.get(0),
    );
    Ok(name.optional()?)
}

fn automation(row: &Row<'_>) -> rusqlite::Result<Automation> {
    let created_by = row.get::<_, Option<i64>>(8)?.map(|id| id.to_string());
    let default_prebuild_id: Option<PrebuildId> = row.get(6)?;
    let prebuild =
        |id| Ok::<_, rusqlite::Error>(DefaultPrebuild { id, name: row.get(16)?, snapshot_id: row.get(17)? });
    let creator = |id| Ok::<_, rusqlite::Error>(Creator { id, name: row.get(18)?, image: None });
    Ok(Automation {
        id: row.get(0)?,
        organization_id: row.get::<_, i64>(1)?.to_string(),
        name: row.get(2)?,
        description: row.get(3)?,
        enabled: row.get(4)?,
        agent_instructions: row.get(5)?,
        default_prebuild: default_prebuild_id.map(prebuild).transpose()?,
        default_prebuild_id,
        allow_agentic_repo_selection: row.get(7)?,
        may_open_pull_requests: row.get(19)?,
        creator: created_by.clone().map(creator).transpose()?,
        created_by,
        created_at: Timestamp::from_millis(row.get(9)?),
        updated_at: Timestamp::from_millis(row.get(10)?),
        agent_type: row.get(11)?,
        model_id: row.get(12)?,
        gates: serde_json::from_str(row.get_ref(13)?.as_str()?).unwrap_or_default(),
        runner_labels: serde_json::from_str(row.get_ref(14)?.as_str()?).unwrap_or_default(),
        time_limit_minutes: row.get(15)?,
        caps: serde_json::from_str(row.get_ref(20)?.as_str()?).unwrap_or_default(),
    })
}

/// The provider and type of a row; no others are ever stored.
fn kind_of(row: &Row<'_>, provider: usize, kind: usize) -> rusqlite::Result<(Provider, TriggerType)> {
    let provider = Provider::parse(row.get_ref(provider)?.as_str()?).unwrap_or(Provider::Custom);
    let kind = TriggerType::parse(row.get_ref(kind)?.as_str()?).unwrap_or(TriggerType::Webhook);
    Ok((provider, kind))
}
