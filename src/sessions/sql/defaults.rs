//! The default caps of an organization's sessions.

use crate::error::{Error, Result};
use crate::ids::OrganizationId;
use crate::sessions::caps::Caps;
use rusqlite::{Connection, Transaction, params};
use serde_json::json;

pub fn get(c: &Connection, organization: OrganizationId) -> Result<Caps> {
    let text: String = c
        .prepare_cached("select agent_caps from organizations where id = ?1")?
        .query_row([organization.0], |row| row.get(0))?;
    serde_json::from_str(&text).map_err(Error::internal)
}

pub fn set(tx: &Transaction<'_>, organization: OrganizationId, caps: Caps) -> Result<()> {
    tx.prepare_cached("update organizations set agent_caps = ?2 where id = ?1")?
        .execute(params![organization.0, json!(caps).to_string()])?;
    Ok(())
}
