//! Which error events and replays belong together: those that name each other, and those of the same window and time.

use super::{REPLAY, ReplayRow, found, read};
use crate::error::Result;
use crate::event::key;
use crate::ids::{IssueId, ProjectId};
use crate::replays::{ERRORS_MAX, Replay, ReplayError, SLACK};
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, params};

/// Each way in which an event `e` belongs to a replay `r`: the further tables, and the condition. SQLite evaluates a
/// cross join in the written order.
fn links() -> [(&'static str, String); 3] {
    let named_by_event = "e.project_id = r.project_id and e.replay_key = r.replay_key";
    let named_by_replay = "n.replay = r.id and e.project_id = r.project_id and e.event_key = n.event_key";
    let of_window = format!(
        "e.project_id = r.project_id and e.window_key = r.window_key
         and e.timestamp between r.started_at - {SLACK} and r.ended_at + {SLACK}"
    );
    [
        ("events e", named_by_event.to_owned()),
        ("replay_errors n cross join events e", named_by_replay.to_owned()),
        ("events e", of_window),
    ]
}

/// The condition that a replay `r` has an event `e` of which `also` holds.
pub(super) fn exists(also: &str) -> String {
    let each = |(tables, belongs)| format!("exists (select 1 from {tables} where {belongs} {also})");
    format!("({})", links().map(each).join(" or "))
}

/// Columns of the events of the replay in row `?1`, each event once; at most [`ERRORS_MAX`] by each way.
fn events(columns: &str) -> String {
    let each = |(tables, belongs)| {
        format!(
            "select * from (select {columns} from replays r cross join {tables} on {belongs}
             where r.id = ?1 order by e.timestamp, e.id limit {ERRORS_MAX})"
        )
    };
    links().map(each).join(" union ")
}

/// How many there are, up to [`ERRORS_MAX`].
pub(super) fn count(c: &Connection, row: i64) -> Result<i64> {
    let query = format!("select min(count(*), {ERRORS_MAX}) from ({})", events("e.id"));
    Ok(c.prepare_cached(&query)?.query_row([row], |row| row.get(0))?)
}

/// The first of them, in the order in which they happened.
pub(super) fn errors(c: &Connection, row: i64) -> Result<Vec<ReplayError>> {
    let query = format!(
        "select linked.event_key, linked.issue_id, i.title, linked.timestamp, linked.received_at
         from ({}) linked cross join issues i on i.id = linked.issue_id
         order by linked.timestamp, linked.id limit {ERRORS_MAX}",
        events("e.id, e.event_key, e.issue_id, e.timestamp, e.received_at")
    );
    let mut statement = c.prepare_cached(&query)?;
    let rows = statement.query_map([row], |row| {
        Ok(ReplayError {
            event_id: key::decode(row.get_ref(0)?.as_blob()?),
            issue_id: IssueId(row.get(1)?),
            title: row.get(2)?,
            timestamp: row.get(3)?,
            received_at: Timestamp::from_millis(row.get(4)?),
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// What an event says about its replay.
pub struct ReplayHints {
    pub event_id: String,
    pub replay_id: Option<String>,
    pub window_key: Option<[u8; 16]>,
    pub timestamp: i64,
}

/// The replay of an event: the one it names, one that names it, or that of its window and time.
pub fn of_event(c: &Connection, project: ProjectId, wanted: &ReplayHints) -> Result<Option<Replay>> {
    let named = wanted.replay_id.as_deref().map(|id| found(c, project, id)).transpose()?.flatten();
    let found = match named {
        Some(found) => Some(found),
        None => match naming(c, project, &wanted.event_id)? {
            Some(found) => Some(found),
            None => of_window(c, project, wanted)?,
        },
    };
    found.filter(|found| found.replay.event_count > 0).map(|found| found.filled(c)).transpose()
}

/// The latest replay that names the event.
fn naming(c: &Connection, project: ProjectId, event_id: &str) -> Result<Option<ReplayRow>> {
    let query = format!(
        "select {REPLAY} from replay_errors n cross join replays r on r.id = n.replay
         where n.event_key = ?2 and r.project_id = ?1 and r.deleted_at is null
         order by r.started_at desc limit 1"
    );
    let row = params![project.0, key::encode(event_id)];
    Ok(c.prepare_cached(&query)?.query_row(row, read).optional()?)
}

/// The latest replay of the event's window at that time.
fn of_window(c: &Connection, project: ProjectId, wanted: &ReplayHints) -> Result<Option<ReplayRow>> {
    let Some(window) = wanted.window_key else { return Ok(None) };
    let query = format!(
        "select {REPLAY} from replays r where r.project_id = ?1 and r.window_key = ?2 and r.deleted_at is null
         and r.started_at <= ?3 + {SLACK} and r.ended_at >= ?3 - {SLACK} order by r.started_at desc limit 1"
    );
    let row = params![project.0, window, wanted.timestamp];
    Ok(c.prepare_cached(&query)?.query_row(row, read).optional()?)
}
