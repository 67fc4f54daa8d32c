//! All statements on organization keys.

use super::{EACH_MAX, OrganizationKeyRecord, OrganizationScope};
use crate::error::{Error, Result};
use crate::ids::{KeyId, OrganizationId, UserId};
use crate::time::{MINUTE, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

const COLUMNS: &str =
    "id, organization_id, name, prefix, created_by, created_at, last_used_at, revoked_at, scopes";

/// A key to create.
pub struct NewKey {
    pub organization: OrganizationId,
    pub name: String,
    pub prefix: String,
    pub hash: [u8; 32],
    pub scopes: Vec<OrganizationScope>,
    pub created_by: UserId,
}

/// # Errors
/// Conflict if there is the maximum number.
pub fn create(tx: &Transaction<'_>, new: &NewKey, now: Timestamp) -> Result<OrganizationKeyRecord> {
    let valid: i64 = tx.query_row(
        "select count(*) from organization_keys where organization_id = ?1 and revoked_at is null",
        [new.organization.0],
        |row| row.get(0),
    )?;
    if valid >= EACH_MAX {
        return Err(Error::conflict(format!(
            "An organization has at most {EACH_MAX} valid keys: revoke one first"
        )));
    }
    tx.execute(
        "insert into organization_keys (organization_id, name, prefix, key_hash, scopes, created_by, created_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            new.organization.0,
            new.name,
            new.prefix,
            new.hash,
            OrganizationScope::join(&new.scopes),
            new.created_by.0,
            now.millis()
        ],
    )?;
    let query = format!("select {COLUMNS} from organization_keys where id = ?1");
    Ok(tx.query_row(&query, [tx.last_insert_rowid()], record)?)
}

pub fn list(c: &Connection, organization: OrganizationId) -> Result<Vec<OrganizationKeyRecord>> {
    let mut statement = c.prepare_cached(&format!(
        "select {COLUMNS} from organization_keys where organization_id = ?1 order by id desc limit 500"
    ))?;
    let rows = statement.query_map([organization.0], record)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Revokes a key and returns its name; revoking twice keeps the first time.
pub fn revoke(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    id: KeyId,
    now: Timestamp,
) -> Result<Option<String>> {
    let name = tx.query_row(
        "update organization_keys set revoked_at = coalesce(revoked_at, ?3)
         where organization_id = ?1 and id = ?2 returning name",
        params![organization.0, id.0, now.millis()],
        |row| row.get(0),
    );
    Ok(name.optional()?)
}

/// A valid key.
pub struct ValidKey {
    pub id: KeyId,
    pub organization: OrganizationId,
    pub name: String,
    pub scopes: Vec<OrganizationScope>,
    pub created_by: Option<UserId>,
    /// Its recorded last use is over a minute old and should be updated.
    pub stale: bool,
}

pub fn find(c: &Connection, hash: &[u8; 32], now: Timestamp) -> Result<Option<ValidKey>> {
    let mut statement = c.prepare_cached(
        "select id, organization_id, name, last_used_at, scopes, created_by from organization_keys
         where key_hash = ?1 and revoked_at is null",
    )?;
    let row = |row: &Row<'_>| {
        let used: Option<i64> = row.get(3)?;
        Ok(ValidKey {
            id: KeyId(row.get(0)?),
            organization: OrganizationId(row.get(1)?),
            name: row.get(2)?,
            scopes: OrganizationScope::split(row.get_ref(4)?.as_str()?),
            created_by: row.get::<_, Option<i64>>(5)?.map(UserId),
            stale: used.is_none_or(|used| used < now.millis() - MINUTE),
        })
    };
    Ok(statement.query_row(params![hash], row).optional()?)
}

pub fn is_valid(c: &Connection, id: KeyId) -> Result<bool> {
    let found =
        c.query_row("select revoked_at is null from organization_keys where id = ?1", [id.0], |row| {
            row.get(0)
        });
    Ok(found.optional()?.unwrap_or(false))
}

pub fn touch(tx: &Transaction<'_>, id: KeyId, now: Timestamp) -> Result<()> {
    tx.execute(
        "update organization_keys set last_used_at = max(coalesce(last_used_at, 0), ?2) where id = ?1",
        params![id.0, now.millis()],
    )?;
    Ok(())
}

fn record(row: &Row<'_>) -> rusqlite::Result<OrganizationKeyRecord> {
    let time =
        |index| Ok::<_, rusqlite::Error>(row.get::<_, Option<i64>>(index)?.map(Timestamp::from_millis));
    Ok(OrganizationKeyRecord {
        id: KeyId(row.get(0)?),
        organization_id: OrganizationId(row.get(1)?),
        name: row.get(2)?,
        prefix: row.get(3)?,
        scopes: OrganizationScope::split(row.get_ref(8)?.as_str()?),
        created_by: row.get::<_, Option<i64>>(4)?.map(UserId),
        created_at: Timestamp::from_millis(row.get(5)?),
        last_used_at: time(6)?,
        revoked_at: time(7)?,
    })
}
