//! All statements on runners.

use super::protocol::ClaimRequest;
use super::{RUNNERS_MAX, Runner, RunnerStatus};
use crate::error::{Error, Result};
use crate::ids::{OrganizationId, RunnerId, UserId};
use crate::time::{SECOND, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use serde_json::json;

/// How often it is written at most that a runner called, in milliseconds.
const SEEN: i64 = 5 * SECOND;
/// Characters kept of what a runner reports about itself.
const SAID_MAX: usize = 64;

const RUNNER: &str =
    "id, organization_id, name, labels, capacity, running, version, platform, last_seen_at, created_by,
    created_at, agents, refuses_public, uncounted";

/// A runner to create.
pub struct NewRunner {
    pub organization: OrganizationId,
    pub name: String,
    pub labels: Vec<String>,
    pub token_hash: [u8; 32],
    pub created_by: Option<UserId>,
}

/// # Errors
/// Conflict if the organization has the maximum number.
pub fn create(tx: &Transaction<'_>, new: &NewRunner, now: Timestamp) -> Result<Runner> {
    let count: i64 = tx.query_row(
        "select count(*) from runners where organization_id = ?1",
        [new.organization.0],
        |row| row.get(0),
    )?;
    if count >= RUNNERS_MAX {
        return Err(Error::conflict(format!(
            "An organization has at most {RUNNERS_MAX} runners: delete one first"
        )));
    }
    let id = RunnerId::new();
    tx.execute(
        "insert into runners (id, organization_id, name, labels, token_hash, created_by, created_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            id,
            new.organization.0,
            new.name,
            json!(new.labels).to_string(),
            new.token_hash,
            new.created_by.map(|id| id.0),
            now.millis()
        ],
    )?;
    get(tx, new.organization, id)?.ok_or_else(|| Error::internal("a runner that was just created is gone"))
}

pub fn list(c: &Connection, organization: OrganizationId) -> Result<Vec<Runner>> {
    let mut statement = c.prepare_cached(&format!(
        "select {RUNNER} from runners where organization_id = ?1 order by created_at, id"
    ))?;
    let rows = statement.query_map([organization.0], runner)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub fn get(c: &Connection, organization: OrganizationId, id: RunnerId) -> Result<Option<Runner>> {
    let mut statement =
        c.prepare_cached(&format!("select {RUNNER} from runners where organization_id = ?1 and id = ?2"))?;
    Ok(statement.query_row(params![organization.0, id], runner).optional()?)
}

/// The runner with this token.
pub fn find(c: &Connection, token_hash: &[u8; 32]) -> Result<Option<(OrganizationId, Runner)>> {
    let mut statement = c.prepare_cached(&format!("select {RUNNER} from runners where token_hash = ?1"))?;
    let row = |row: &Row<'_>| Ok((OrganizationId(row.get(1)?), runner(row)?));
    Ok(statement.query_row([token_hash], row).optional()?)
}

/// Deletes a runner and returns its name.
pub fn delete(tx: &Transaction<'_>, organization: OrganizationId, id: RunnerId) -> Result<Option<String>> {
    let name = tx.query_row(
        "delete from runners where organization_id = ?1 and id = ?2 returning name",
        params![organization.0, id],
        |row| row.get(0),
    );
    Ok(name.optional()?)
}

/// What a runner reports about itself.
#[derive(Debug, Clone)]
pub struct RunnerReport {
    pub version: String,
    pub platform: String,
    pub labels: Vec<String>,
    pub agents: Vec<String>,
    pub refuses_public: bool,
    pub uncounted: Vec<String>,
    pub capacity: i64,
    pub running: i64,
}

impl RunnerReport {
    pub fn of(request: &ClaimRequest) -> Self {
        Self {
            version: request.version.clone(),
            platform: request.platform.clone(),
            labels: request.labels.clone(),
            agents: request.agents.clone(),
            refuses_public: request.refuses_public,
            uncounted: request.uncounted.clone(),
            capacity: request.capacity.unwrap_or(1),
            running: request.running,
        }
    }
}

/// Stores what a runner reports about itself when it claims work. Without labels, those from its creation stay.
pub fn hear(tx: &Transaction<'_>, id: RunnerId, said: &RunnerReport, now: Timestamp) -> Result<()> {
    let cut = |text: &str| crate::text::line(text, SAID_MAX);
    tx.prepare_cached(
        "update runners set version = ?2, platform = ?3, labels = case ?4 when '[]' then labels else ?4 end, capacity = ?5,
             running = ?6, last_seen_at = ?7, agents = ?8, refuses_public = ?9, uncounted = ?10
         where id = ?1",
    )?
    .execute(params![
        id,
        cut(&said.version),
        cut(&said.platform),
        json!(said.labels).to_string(),
        said.capacity,
        said.running,
        now.millis(),
        json!(said.agents).to_string(),
        said.refuses_public,
        json!(said.uncounted).to_string()
    ])?;
    Ok(())
}

/// Notes that a runner called, now and then.
pub fn touch(tx: &Transaction<'_>, id: RunnerId, now: Timestamp) -> Result<()> {
    tx.prepare_cached(
        "update runners set last_seen_at = ?2 where id = ?1 and coalesce(last_seen_at, 0) not between ?2 - ?3 and ?2",
    )?
    .execute(params![id, now.millis(), SEEN])?;
    Ok(())
}

fn runner(row: &Row<'_>) -> rusqlite::Result<Runner> {
    let last_seen_at = row.get::<_, Option<i64>>(8)?.map(Timestamp::from_millis);
    Ok(Runner {
        id: row.get(0)?,
        organization_id: row.get::<_, i64>(1)?.to_string(),
        name: row.get(2)?,
        labels: serde_json::from_str(row.get_ref(3)?.as_str()?).unwrap_or_default(),
        agents: serde_json::from_str(row.get_ref(11)?.as_str()?).unwrap_or_default(),
        refuses_public: row.get(12)?,
        uncounted: serde_json::from_str(row.get_ref(13)?.as_str()?).unwrap_or_default(),
        status: RunnerStatus::of(last_seen_at, Timestamp::now()),
        capacity: row.get(4)?,
        running: row.get(5)?,
        version: row.get(6)?,
        platform: row.get(7)?,
        last_seen_at,
        created_by: row.get::<_, Option<i64>>(9)?.map(|id| id.to_string()),
        created_at: Timestamp::from_millis(row.get(10)?),
    })
}
