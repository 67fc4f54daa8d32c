//! All statements on connections.

pub mod installs;

use super::{
    CHECK_AGAIN, CHECK_EVERY, CONNECTIONS_MAX, Connection as Shown, Credentials, FAILURES, Kind, Settings,
    Status,
};
use crate::crypto::seal::{Seal, SealContext};
use crate::error::{Error, Result};
use crate::ids::{ConnectionId, OrganizationId, UserId};
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use std::time::Duration;

const CONNECTION: &str =
    "c.id, c.organization_id, c.kind, c.display_name, c.status, c.reason, c.account, c.external_id,
    c.credentials, c.settings, c.failures, c.created_at, c.updated_at, c.checked_at";

/// A connection with its sealed credentials.
#[derive(Clone)]
pub struct StoredConnection {
    pub connection: Shown,
    pub settings: Settings,
    /// For GitHub: the installation.
    pub external_id: Option<String>,
    credentials: Option<Vec<u8>>,
    failures: i64,
}

impl StoredConnection {
    /// # Errors
    /// Internal if it was sealed with another `CLOUD_SECRET_KEY`, or has no credentials.
    pub fn open(&self, seal: &Seal) -> Result<Credentials> {
        let none = || Error::internal("a connection without credentials");
        let sealed = self.credentials.as_ref().ok_or_else(none)?;
        let opened = seal.open(&context(&self.connection.id.to_string()), sealed)?;
        serde_json::from_slice(&opened).map_err(Error::internal)
    }
}

fn context(row: &str) -> SealContext<'_> {
    SealContext { table: "connections", column: "credentials", row }
}

fn sealed(seal: &Seal, id: ConnectionId, credentials: &Credentials) -> Result<Vec<u8>> {
    let plain = serde_json::to_vec(credentials).map_err(Error::internal)?;
    seal.seal(&context(&id.to_string()), &plain)
}

fn stored(row: &Row<'_>) -> rusqlite::Result<StoredConnection> {
    let settings: Settings = serde_json::from_str(row.get_ref(9)?.as_str()?).unwrap_or_default();
    let time = |index| row.get(index).map(Timestamp::from_millis);
    // The schema allows no other values.
    let connection = Shown {
        id: row.get(0)?,
        organization_id: OrganizationId(row.get(1)?),
        kind: Kind::parse(row.get_ref(2)?.as_str()?).unwrap_or(Kind::Jira),
        display_name: row.get(3)?,
        status: Status::parse(row.get_ref(4)?.as_str()?).unwrap_or(Status::Failing),
        reason: row.get(5)?,
        account: row.get(6)?,
        url: settings.url.clone(),
        email: settings.email.clone(),
        destination: settings.destination.clone(),
        on_resolve: settings.on_resolve,
        issues_follow: settings.issues_follow,
        created_at: time(11)?,
        updated_at: time(12)?,
        checked_at: time(13)?,
    };
    let (external_id, credentials, failures) = (row.get(7)?, row.get(8)?, row.get(10)?);
    Ok(StoredConnection { connection, settings, external_id, credentials, failures })
}

pub fn list(c: &Connection, organization: OrganizationId) -> Result<Vec<Shown>> {
    let mut statement = c.prepare_cached(&format!(
        "select {CONNECTION} from connections c where c.organization_id = ?1 order by c.created_at, c.id"
    ))?;
    let rows = statement.query_map([organization.0], |row| stored(row).map(|found| found.connection))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub fn get(
    c: &Connection,
    organization: OrganizationId,
    id: ConnectionId,
) -> Result<Option<StoredConnection>> {
    let mut statement = c.prepare_cached(&format!(
        "select {CONNECTION} from connections c where c.organization_id = ?1 and c.id = ?2"
    ))?;
    Ok(statement.query_row(params![organization.0, id], stored).optional()?)
}

/// Whether an organization has this connection.
pub fn has(c: &Connection, organization: OrganizationId, id: ConnectionId) -> Result<bool> {
    get(c, organization, id).map(|found| found.is_some())
}

/// The connections to check now, the one that has waited longest first.
pub fn due(c: &Connection, now: Timestamp, most: i64) -> Result<Vec<StoredConnection>> {
    let mut statement = c.prepare_cached(&format!(
        "select {CONNECTION} from connections c where c.next_check_at <= ?1 order by c.next_check_at limit ?2"
    ))?;
    let rows = statement.query_map([now.millis(), most], stored)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// A connection to create, which was just checked.
pub struct New<'a> {
    pub organization: OrganizationId,
    pub kind: Kind,
    pub display_name: &'a str,
    pub account: &'a str,
    pub external_id: Option<&'a str>,
    pub credentials: Option<&'a Credentials>,
    pub settings: &'a Settings,
    pub by: UserId,
}

/// # Errors
/// Conflict if the organization has the maximum number, or the installation belongs to another connection.
pub fn create(tx: &Transaction<'_>, seal: &Seal, new: &New<'_>, now: Timestamp) -> Result<StoredConnection> {
    let count: i64 = tx.query_row(
        "select count(*) from connections where organization_id = ?1",
        [new.organization.0],
        |row| row.get(0),
    )?;
    if count >= CONNECTIONS_MAX {
        return Err(Error::conflict(format!(
            "An organization has at most {CONNECTIONS_MAX} connections: disconnect one first"
        )));
    }
    if installation(tx, new.external_id)?.is_some() {
        return Err(Error::conflict("This installation is connected already."));
    }
    let id = ConnectionId::new();
    let credentials = new.credentials.map(|credentials| sealed(seal, id, credentials)).transpose()?;
    tx.execute(
        "insert into connections (id, organization_id, kind, display_name, status, account, external_id, credentials,
             settings, next_check_at, created_by, created_at, updated_at, checked_at)
         values (?1, ?2, ?3, ?4, 'connected', ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?11, ?11)",
        params![
            id,
            new.organization.0,
            new.kind.as_str(),
            new.display_name,
            new.account,
            new.external_id,
            credentials,
            serde_json::to_string(new.settings).map_err(Error::internal)?,
            now.plus(CHECK_EVERY).millis(),
            new.by.0,
            now.millis()
        ],
    )?;
    get(tx, new.organization, id)?
        .ok_or_else(|| Error::internal("a connection that was just created does not exist"))
}

/// The connection of an installation.
pub fn installation(
    c: &Connection,
    external_id: Option<&str>,
) -> Result<Option<(OrganizationId, ConnectionId)>> {
    let Some(external_id) = external_id else { return Ok(None) };
    let mut statement =
        c.prepare_cached("select organization_id, id from connections where external_id = ?1")?;
    let found = statement.query_row([external_id], |row| Ok((OrganizationId(row.get(0)?), row.get(1)?)));
    Ok(found.optional()?)
}

/// Stores a connection's name and settings, and its credentials if there are new ones.
pub fn update(
    tx: &Transaction<'_>,
    seal: &Seal,
    changed: &StoredConnection,
    credentials: Option<&Credentials>,
    now: Timestamp,
) -> Result<()> {
    let id = changed.connection.id;
    let credentials = credentials.map(|credentials| sealed(seal, id, credentials)).transpose()?;
    tx.execute(
        "update connections set display_name = ?2, settings = ?3, credentials = coalesce(?4, credentials), updated_at = ?5
         where id = ?1",
        params![
            id,
            changed.connection.display_name,
            serde_json::to_string(&changed.settings).map_err(Error::internal)?,
            credentials,
            now.millis()
        ],
    )?;
    Ok(())
}

/// Deletes a connection; its tickets stay as they are. Returns what it was.
pub fn delete(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    id: ConnectionId,
) -> Result<Option<StoredConnection>> {
    let Some(found) = get(tx, organization, id)? else { return Ok(None) };
    // What is queued for its tickets can no longer be sent.
    tx.execute(
        "delete from deliveries where status = 'pending'
             and id in (select delivery_id from tickets where connection_id = ?1 and external_id is null)",
        [id],
    )?;
    tx.execute("delete from connections where id = ?1", [id])?;
    Ok(Some(found))
}

/// The outcome of a check.
pub enum Outcome<'a> {
    Works {
        account: &'a str,
    },
    /// A failure that may be transient.
    Fails {
        reason: &'a str,
        is_certain: bool,
        /// How long the service asked us to pause.
        wait: Option<Duration>,
    },
    Revoked {
        reason: &'a str,
    },
}

/// Records the outcome of a check, unless the connection was changed or deleted in the meantime. Returns the states
/// before and after.
pub fn checked(
    tx: &Transaction<'_>,
    asked: &StoredConnection,
    outcome: &Outcome<'_>,
    now: Timestamp,
) -> Result<Option<(Status, Status)>> {
    let was = &asked.connection;
    let Some(current) = get(tx, was.organization_id, was.id)? else { return Ok(None) };
    if current.connection.updated_at != was.updated_at {
        return Ok(None);
    }
    let before = current.connection.status;
    let failures = current.failures + 1;
    let (status, reason, failures, next) = match outcome {
        Outcome::Works { .. } => (Status::Connected, None, 0, CHECK_EVERY),
        Outcome::Revoked { reason } => (Status::Revoked, Some(*reason), 0, CHECK_EVERY),
        Outcome::Fails { reason, is_certain, wait } => {
            let next = next_check(failures, *wait);
            // A transient failure does not show that credentials refused earlier work again.
            let keeps = before == Status::Revoked && !is_certain;
            let fails = *is_certain || failures >= FAILURES || before == Status::Failing;
            match fails && !keeps {
                true => (Status::Failing, Some(*reason), failures, next),
                false => (before, current.connection.reason.as_deref(), failures, next),
            }
        }
    };
    let account = match outcome {
        Outcome::Works { account } => Some(*account),
        _ => None,
    };
    tx.execute(
        "update connections set status = ?2, reason = ?3, failures = ?4, account = coalesce(?5, account), checked_at = ?6,
             next_check_at = ?7
         where id = ?1",
        params![was.id, status.as_str(), reason, failures, account, now.millis(), now.plus(next).millis()],
    )?;
    Ok(Some((before, status)))
}

/// When to check a failing connection again, in milliseconds; not before the pause that the service asked for.
fn next_check(failures: i64, wait: Option<Duration>) -> i64 {
    let next = if failures > FAILURES { CHECK_EVERY } else { CHECK_AGAIN };
    wait.map_or(next, |wait| i64::try_from(wait.as_millis()).unwrap_or(CHECK_EVERY).max(next))
}
