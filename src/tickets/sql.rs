//! All statements on tickets.

use super::{Status, TICKETS_MAX, Ticket};
use crate::connections::{Destination, Kind, RemoteTicket};
use crate::error::{Error, Result};
use crate::ids::{ConnectionId, DeliveryId, IssueId, OrganizationId, ProjectId, TicketId, UserId};
use crate::time::{DAY, MINUTE, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

/// How often the state of an open ticket is fetched, in milliseconds,
const OPEN_EVERY: i64 = 10 * MINUTE;
/// and of a closed one, which may be opened again.
const CLOSED_EVERY: i64 = DAY;

/// A ticket as the server works with it.
#[derive(Debug, Clone)]
pub struct StoredTicket {
    pub id: TicketId,
    pub issue: IssueId,
    pub organization: OrganizationId,
    pub project: ProjectId,
    pub connection: Option<ConnectionId>,
    pub kind: Kind,
    pub mark: String,
    pub destination: Destination,
    pub external_id: Option<String>,
    pub title: String,
    pub is_closed: bool,
    pub created_by: Option<UserId>,
    pub created_at: Timestamp,
}

const STORED: &str =
    "t.id, t.issue_id, p.organization_id, p.id, t.connection_id, t.kind, t.mark, t.destination,
    t.destination_name, t.external_id, t.title, t.is_closed, t.created_by, t.created_at";
const FROM: &str = "from tickets t join issues i on i.id = t.issue_id join projects p on p.id = i.project_id";

fn stored(row: &Row<'_>) -> rusqlite::Result<StoredTicket> {
    Ok(StoredTicket {
        id: TicketId(row.get(0)?),
        issue: IssueId(row.get(1)?),
        organization: OrganizationId(row.get(2)?),
        project: ProjectId(row.get(3)?),
        connection: row.get(4)?,
        kind: kind(row, 5)?,
        mark: row.get(6)?,
        destination: Destination { id: row.get(7)?, name: row.get(8)? },
        external_id: row.get(9)?,
        title: row.get(10)?,
        is_closed: row.get(11)?,
        created_by: row.get::<_, Option<i64>>(12)?.map(UserId),
        created_at: Timestamp::from_millis(row.get(13)?),
    })
}

fn kind(row: &Row<'_>, at: usize) -> rusqlite::Result<Kind> {
    // Only those are written.
    Ok(Kind::parse(row.get_ref(at)?.as_str()?).unwrap_or(Kind::Jira))
}

/// The tickets of an issue, oldest first; `None` if the project has no such issue.
pub fn list(c: &Connection, project: ProjectId, issue: IssueId) -> Result<Option<Vec<Ticket>>> {
    let mut known = c.prepare_cached("select 1 from issues where project_id = ?1 and id = ?2")?;
    if !known.exists([project.0, issue.0])? {
        return Ok(None);
    }
    let mut statement = c.prepare_cached(
        "select t.id, t.kind, t.connection_id, t.destination_name, t.external_id, t.is_closed, t.is_gone, d.status,
             d.last_answer, t.key, t.title, t.url, t.state, t.created_at, t.checked_at
         from tickets t left join deliveries d on d.id = t.delivery_id
         where t.issue_id = ?1 order by t.id",
    )?;
    let rows = statement.query_map([issue.0], shown)?;
    Ok(Some(rows.collect::<rusqlite::Result<_>>()?))
}

fn shown(row: &Row<'_>) -> rusqlite::Result<Ticket> {
    let is_made = row.get::<_, Option<String>>(4)?.is_some();
    let (is_closed, is_gone): (bool, bool) = (row.get(5)?, row.get(6)?);
    let delivery: Option<String> = row.get(7)?;
    let reason: Option<String> = if is_made { None } else { row.get(8)? };
    let status = match (is_made, is_gone, is_closed) {
        (true, true, _) => Status::Gone,
        (true, false, true) => Status::Closed,
        (true, false, false) => Status::Open,
        (false, ..) if delivery.as_deref() == Some("pending") => Status::Pending,
        (false, ..) => Status::Failed,
    };
    let reason = reason.or_else(|| {
        (status == Status::Failed).then(|| "it was disconnected before the ticket was made".to_owned())
    });
    Ok(Ticket {
        id: TicketId(row.get(0)?),
        kind: kind(row, 1)?,
        connection_id: row.get(2)?,
        destination: row.get(3)?,
        status,
        reason,
        key: row.get(9)?,
        title: row.get(10)?,
        url: row.get::<_, Option<String>>(11)?.filter(|url| !url.is_empty()),
        state: row.get(12)?,
        created_at: Timestamp::from_millis(row.get(13)?),
        checked_at: row.get::<_, Option<i64>>(14)?.map(Timestamp::from_millis),
    })
}

/// A ticket to make.
pub struct New<'a> {
    pub project: ProjectId,
    pub issue: IssueId,
    pub connection: (ConnectionId, Kind),
    pub mark: &'a str,
    pub destination: &'a Destination,
    pub title: &'a str,
    pub by: UserId,
}

/// # Errors
/// Not found if the project has no such issue; conflict if the issue has the maximum number.
pub fn add(tx: &Transaction<'_>, new: &New<'_>, now: Timestamp) -> Result<TicketId> {
    let Some(known) = list(tx, new.project, new.issue)? else {
        return Err(Error::not_found("This project has no such issue."));
    };
    if i64::try_from(known.len()).unwrap_or(i64::MAX) >= TICKETS_MAX {
        return Err(Error::conflict(format!("An issue has at most {TICKETS_MAX} tickets: remove one first")));
    }
    tx.execute(
        "insert into tickets (issue_id, connection_id, kind, mark, destination, destination_name, title, created_by,
             created_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        params![
            new.issue.0,
            new.connection.0,
            new.connection.1.as_str(),
            new.mark,
            new.destination.id,
            new.destination.name,
            new.title,
            new.by.0,
            now.millis()
        ],
    )?;
    Ok(TicketId(tx.last_insert_rowid()))
}

/// Whether an issue has a ticket of a tracker.
pub fn has(c: &Connection, issue: IssueId, connection: ConnectionId, external_id: &str) -> Result<bool> {
    let mut statement = c.prepare_cached(
        "select 1 from tickets where issue_id = ?1 and connection_id = ?2 and external_id = ?3",
    )?;
    Ok(statement.exists(params![issue.0, connection, external_id])?)
}

/// Names the delivery that makes a ticket.
pub fn made_by(tx: &Transaction<'_>, id: TicketId, delivery: DeliveryId) -> Result<()> {
    tx.execute("update tickets set delivery_id = ?2 where id = ?1", [id.0, delivery.0])?;
    Ok(())
}

/// Removes a ticket from an issue; the tracker keeps it. `false`: the issue has no such ticket.
pub fn delete(tx: &Transaction<'_>, project: ProjectId, issue: IssueId, id: TicketId) -> Result<bool> {
    let gone = tx.execute(
        "delete from tickets where id = ?3 and issue_id = ?2
             and exists (select 1 from issues where project_id = ?1 and id = ?2)",
        [project.0, issue.0, id.0],
    )?;
    Ok(gone > 0)
}

pub fn get(c: &Connection, id: TicketId) -> Result<Option<StoredTicket>> {
    let mut statement = c.prepare_cached(&format!("select {STORED} {FROM} where t.id = ?1"))?;
    Ok(statement.query_row([id.0], stored).optional()?)
}

/// The created tickets of an issue whose tracker accepts comments.
pub fn open_of(c: &Connection, issue: IssueId) -> Result<Vec<StoredTicket>> {
    let mut statement = c.prepare_cached(&format!(
        "select {STORED} {FROM} where t.issue_id = ?1 and t.external_id is not null and t.connection_id is not null
             and not t.is_closed and not t.is_gone order by t.id"
    ))?;
    let rows = statement.query_map([issue.0], stored)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The tickets to fetch now, the one that has waited longest first.
pub fn due(c: &Connection, now: Timestamp, most: i64) -> Result<Vec<StoredTicket>> {
    let mut statement = c.prepare_cached(&format!(
        "select {STORED} {FROM} where t.next_check_at <= ?1 and t.connection_id is not null
             and p.deleted_at is null
         order by t.next_check_at limit ?2"
    ))?;
    let rows = statement.query_map([now.millis(), most], stored)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Stores the tracker's state of a ticket. Returns the ticket as it was before; `None` if it was deleted.
pub fn seen(
    tx: &Transaction<'_>,
    id: TicketId,
    remote: &RemoteTicket,
    now: Timestamp,
) -> Result<Option<StoredTicket>> {
    let Some(before) = get(tx, id)? else { return Ok(None) };
    let next = now.plus(if remote.is_closed { CLOSED_EVERY } else { OPEN_EVERY });
    tx.execute(
        "update tickets set external_id = ?2, key = ?3, title = ?4, url = ?5, state = ?6, is_closed = ?7, is_gone = 0,
             checked_at = ?8, next_check_at = ?9, destination_name = ?10
         where id = ?1",
        params![
            id.0,
            remote.id,
            remote.key,
            remote.title,
            remote.url,
            remote.state,
            remote.is_closed,
            now.millis(),
            next.millis(),
            remote.destination.name
        ],
    )?;
    Ok(Some(before))
}

/// Records that the tracker no longer has a ticket.
pub fn gone(tx: &Transaction<'_>, id: TicketId, now: Timestamp) -> Result<()> {
    tx.execute(
        "update tickets set is_gone = 1, checked_at = ?2, next_check_at = null where id = ?1",
        [id.0, now.millis()],
    )?;
    Ok(())
}

/// Whether the stored state of a ticket is newer than a time.
pub fn is_checked_after(c: &Connection, id: TicketId, asked: Timestamp) -> Result<bool> {
    let mut statement =
        c.prepare_cached("select exists (select 1 from tickets where id = ?1 and checked_at > ?2)")?;
    Ok(statement.query_row([id.0, asked.millis()], |row| row.get(0))?)
}

/// Postpones all tickets of a connection, because its service does not answer now.
pub fn put_off_all(tx: &Transaction<'_>, connection: ConnectionId, until: Timestamp) -> Result<()> {
    tx.execute(
        "update tickets set next_check_at = ?2 where connection_id = ?1 and next_check_at < ?2",
        params![connection, until.millis()],
    )?;
    Ok(())
}

/// Postpones a ticket that could not be fetched.
pub fn put_off(tx: &Transaction<'_>, id: TicketId, until: Timestamp) -> Result<()> {
    tx.execute("update tickets set next_check_at = ?2 where id = ?1", [id.0, until.millis()])?;
    Ok(())
}
