//! All statements on events except those of the digest's hot path (`digest/apply.rs`).

pub mod oldest;

use super::{EventRow, EventSummary, FacetFilter, Walk};
use crate::error::{Error, Result};
use crate::event::{facets, key, trace};
use crate::ids::{EventRowId, IssueId, OrganizationId, ProjectId, UserId};
use crate::store::{Page, decompress, unpack};
use crate::time::Timestamp;
use crate::usage::Days;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

/// The most bytes to decompress for a row: far above what is ever written, as protection against damage.
const PAYLOAD_MAX: usize = 16 << 20;

/// The sums of a project's stored events.
pub const DAYS: Days = Days("event_days");

const EVENT: &str = "e.id, e.project_id, e.issue_id, i.title, e.payload";

/// A page of an issue's events, newest first, without their frames.
pub struct EventPage {
    pub events: Vec<EventSummary>,
    /// The last event that was examined, if there are more before it.
    pub next: Option<String>,
}

/// Lists events before a position, or from the newest on.
pub fn list(c: &Connection, issue: IssueId, before: Option<&EventPosition>, page: Page) -> Result<EventPage> {
    let query = format!(
        "select {EVENT} from events e join issues i on i.id = e.issue_id
         where e.issue_id = ?1 and (e.timestamp, e.id) < (?2, ?3)
         order by e.timestamp desc, e.id desc limit ?4 offset ?5"
    );
    let (timestamp, id) = before.map_or(NEWEST, EventPosition::order);
    let mut statement = c.prepare_cached(&query)?;
    let mut rows = statement.query(params![issue.0, timestamp, id, page.limit + 1, page.offset])?;
    let (mut events, mut next) = (Vec::new(), None);
    while let Some(row) = rows.next()? {
        let event = Compressed::read(row)?.open(None)?.summary()?;
        if events.len() == at_most(page.limit) {
            next = events.last().map(|last: &EventSummary| last.event_id.clone());
            break;
        }
        events.push(event);
    }
    Ok(EventPage { events, next })
}

/// The most events that are examined for one page of events with a facet value: well under a second of work.
pub const EXAMINED_MAX: i64 = 5_000;

/// Lists the events with a facet value. What an event contains is only in its payload, so the events between the
/// first and the last with the value are examined one by one, at most `examined_max` of them. So a page may be short
/// or empty although there are more.
pub fn list_with_facet(
    c: &Connection,
    issue: IssueId,
    wanted: &FacetFilter,
    before: Option<&EventPosition>,
    limit: i64,
    examined_max: i64,
) -> Result<EventPage> {
    let query = format!(
        "select {EVENT} from events e join issues i on i.id = e.issue_id
         where e.issue_id = ?1 and (e.timestamp, e.id) < (?2, ?3) and e.timestamp >= ?4
         order by e.timestamp desc, e.id desc limit ?5"
    );
    let (timestamp, id) = before.map_or(NEWEST, EventPosition::order).min((wanted.last.millis(), i64::MAX));
    let mut statement = c.prepare_cached(&query)?;
    let mut rows =
        statement.query(params![issue.0, timestamp, id, wanted.first.millis(), examined_max + 1])?;
    let (mut events, mut last, mut examined) = (Vec::new(), None, 0);
    while let Some(row) = rows.next()? {
        if events.len() == at_most(limit) || examined == examined_max {
            return Ok(EventPage { events, next: last });
        }
        let stored = Compressed::read(row)?.open(None)?;
        let event = stored.accepted()?;
        if facets::value(&event, &wanted.facet).is_some_and(|value| wanted.values.iter().any(|w| w == value))
        {
            events.push(stored.summary()?);
        }
        last = Some(event.event_id.into_owned());
        examined += 1;
    }
    Ok(EventPage { events, next: None })
}

fn at_most(limit: i64) -> usize {
    usize::try_from(limit).unwrap_or(usize::MAX)
}

/// Passes an issue's events up to a time to `take`, newest first and with their frames, until it has enough. Reads
/// one at a time, because an event may be large.
pub fn each_until(
    c: &Connection,
    issue: IssueId,
    last: Timestamp,
    limit: i64,
    mut take: impl FnMut(EventRow) -> Result<bool>,
) -> Result<()> {
    let query = format!(
        "select {EVENT}, s.frames from events e join issues i on i.id = e.issue_id
         left join stacks s on s.id = e.stack_id
         where e.issue_id = ?1 and e.timestamp <= ?2 order by e.timestamp desc, e.id desc limit ?3"
    );
    let mut statement = c.prepare_cached(&query)?;
    let mut rows = statement.query(params![issue.0, last.millis(), limit])?;
    while let Some(row) = rows.next()? {
        let frames: Option<Vec<u8>> = row.get(5)?;
        if !take(Compressed::read(row)?.open(frames.as_deref())?)? {
            break;
        }
    }
    Ok(())
}

/// The time of an issue's newest event, in milliseconds since the epoch.
pub fn last_seen(c: &Connection, issue: IssueId) -> Result<Option<i64>> {
    let mut statement = c.prepare_cached("select max(timestamp) from events where issue_id = ?1")?;
    Ok(statement.query_row([issue.0], |row| row.get(0))?)
}

/// The issue of an event.
pub fn issue_of(c: &Connection, project: ProjectId, event_id: &str) -> Result<Option<IssueId>> {
    let query = "select issue_id from events where project_id = ?1 and event_key = ?2";
    let mut statement = c.prepare_cached(query)?;
    let row = params![project.0, key::encode(event_id)];
    Ok(statement.query_row(row, |row| row.get(0).map(IssueId)).optional()?)
}

/// The projects that have an event with this id, among those that a person may see.
pub fn projects_of(c: &Connection, event_id: &str, user: UserId) -> Result<Vec<ProjectId>> {
    let mut statement = c.prepare_cached(
        "select e.project_id from events e
         join projects p on p.id = e.project_id
         join memberships m on m.organization_id = p.organization_id
         where e.event_key = ?1 and p.deleted_at is null and m.user_id = ?2 and m.removed_at is null
         order by e.project_id",
    )?;
    let rows =
        statement.query_map(params![key::encode(event_id), user.0], |row| row.get(0).map(ProjectId))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The projects of an organization that have an event with this id.
pub fn projects_within(
    c: &Connection,
    event_id: &str,
    organization: OrganizationId,
) -> Result<Vec<ProjectId>> {
    let mut statement = c.prepare_cached(
        "select e.project_id from events e join projects p on p.id = e.project_id
         where e.event_key = ?1 and p.deleted_at is null and p.organization_id = ?2 order by e.project_id",
    )?;
    let rows = statement
        .query_map(params![key::encode(event_id), organization.0], |row| row.get(0).map(ProjectId))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// An event with its frames.
pub fn get(c: &Connection, project: ProjectId, event_id: &str) -> Result<Option<EventRow>> {
    let query = format!(
        "select {EVENT}, s.frames from events e join issues i on i.id = e.issue_id
         left join stacks s on s.id = e.stack_id where e.event_key = ?1 and e.project_id = ?2"
    );
    let mut statement = c.prepare_cached(&query)?;
    let found = statement
        .query_row(params![key::encode(event_id), project.0], |row| {
            Ok((Compressed::read(row)?, row.get::<_, Option<Vec<u8>>>(5)?))
        })
        .optional()?;
    found.map(|(row, frames)| row.open(frames.as_deref())).transpose()
}

/// The time and the trace of an event.
pub fn moment(
    c: &Connection,
    project: ProjectId,
    event_id: &str,
) -> Result<Option<(Timestamp, Option<String>)>> {
    let mut statement =
        c.prepare_cached("select timestamp, trace_id from events where event_key = ?1 and project_id = ?2")?;
    let found = statement.query_row(params![key::encode(event_id), project.0], |row| {
        let trace: Option<Vec<u8>> = row.get(1)?;
        Ok((Timestamp::from_millis(row.get(0)?), trace.map(|trace| key::decode(&trace))))
    });
    Ok(found.optional()?)
}

/// The events of a trace, newest first, without their frames.
pub fn of_trace(c: &Connection, project: ProjectId, trace: &str, most: i64) -> Result<Vec<EventSummary>> {
    let query = format!(
        "select {EVENT} from events e join issues i on i.id = e.issue_id
         where e.project_id = ?1 and e.trace_id = ?2 order by e.timestamp desc, e.id desc limit ?3"
    );
    let mut statement = c.prepare_cached(&query)?;
    let rows = statement
        .query_map(params![project.0, key::encode(&trace::comparable(trace)), most], Compressed::read)?;
    rows.map(|row| row?.open(None)?.summary()).collect()
}

/// An event's position among those of its issue: ordered by its time, then by when it was stored.
pub struct EventPosition {
    pub event_id: String,
    timestamp: i64,
    id: i64,
}

/// After every event, by [`EventPosition::order`].
const NEWEST: (i64, i64) = (i64::MAX, i64::MAX);

const PLACE: &str = "select event_key, timestamp, id from events where issue_id = ?1";

impl EventPosition {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            event_id: key::decode(row.get_ref(0)?.as_blob()?),
            timestamp: row.get(1)?,
            id: row.get(2)?,
        })
    }

    fn order(&self) -> (i64, i64) {
        (self.timestamp, self.id)
    }
}

/// The position of an event, or of the newest one; `None` if the issue is not the project's, or has no such
/// event.
pub fn place(
    c: &Connection,
    project: ProjectId,
    issue: IssueId,
    event_id: Option<&str>,
) -> Result<Option<EventPosition>> {
    let which = match event_id {
        Some(_) => "and event_key = ?3",
        None => "and ?3 is null order by timestamp desc, id desc limit 1",
    };
    let mut statement = c.prepare_cached(&format!("{PLACE} and project_id = ?2 {which}"))?;
    Ok(statement
        .query_row(params![issue.0, project.0, event_id.map(key::encode)], EventPosition::read)
        .optional()?)
}

/// Whether an issue is the project's.
pub fn has_issue(c: &Connection, project: ProjectId, issue: IssueId) -> Result<bool> {
    let query = "select exists (select 1 from issues where project_id = ?1 and id = ?2)";
    Ok(c.prepare_cached(query)?.query_row([project.0, issue.0], |row| row.get(0))?)
}

/// The events around a position.
pub fn walk(c: &Connection, issue: IssueId, from: &EventPosition) -> Result<Walk> {
    let (later, earlier) = ("order by timestamp, id limit 1", "order by timestamp desc, id desc limit 1");
    let end = |order: &str| {
        let mut statement = c.prepare_cached(&format!("{PLACE} {order}"))?;
        Ok::<_, Error>(statement.query_row([issue.0], EventPosition::read)?.event_id)
    };
    let next = |order: &str, than: &str| {
        let query = format!("{PLACE} and (timestamp, id) {than} (?2, ?3) {order}");
        let row = (issue.0, from.timestamp, from.id);
        let found = c.prepare_cached(&query)?.query_row(row, EventPosition::read).optional()?;
        Ok::<_, Error>(found.map(|place| place.event_id))
    };
    Ok(Walk { first: end(later)?, older: next(earlier, "<")?, newer: next(later, ">")?, last: end(earlier)? })
}

struct Compressed {
    id: EventRowId,
    project_id: ProjectId,
    issue_id: IssueId,
    title: String,
    payload: Vec<u8>,
}

impl Compressed {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: EventRowId(row.get(0)?),
            project_id: ProjectId(row.get(1)?),
            issue_id: IssueId(row.get(2)?),
            title: row.get(3)?,
            payload: row.get(4)?,
        })
    }

    fn open(self, frames: Option<&[u8]>) -> Result<EventRow> {
        let frames = match frames {
            Some(frames) => {
                serde_json::from_slice(&decompress(frames, PAYLOAD_MAX)?).map_err(Error::internal)?
            }
            None => Vec::new(),
        };
        Ok(EventRow {
            id: self.id,
            project_id: self.project_id,
            issue_id: self.issue_id,
            title: self.title,
            payload: unpack(&self.payload, PAYLOAD_MAX)?,
            frames,
        })
    }
}
