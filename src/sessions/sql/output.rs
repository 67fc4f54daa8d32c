//! Output of agents, within the limits of a transcript.
//!
//! The first [`ROWS_MAX`] entries and [`BYTES_MAX`] bytes are kept permanently. Of later output, the last
//! [`TAIL_MAX`] bytes are kept as the *tail*, so that the end of a long run can always be read. A line between the
//! two says that something is missing.

use super::messages::{BYTES_MAX, ROWS_MAX};
use crate::error::Result;
use crate::ids::SessionId;
use crate::sessions::{EntryKind, Figures, MessageRole, OutputStream};
use crate::time::Timestamp;
use rusqlite::{Transaction, params};
use serde_json::json;

/// Bytes of the tail.
pub const TAIL_MAX: i64 = 256 << 10;

/// An entry to add.
#[derive(Debug, Clone)]
pub struct NewEntry {
    pub role: MessageRole,
    pub stream: Option<OutputStream>,
    pub kind: Option<EntryKind>,
    pub figures: Option<Figures>,
    pub content: String,
}

impl NewEntry {
    /// A line by Mayday about the state of the session.
    fn note(text: &str) -> Self {
        let content = text.to_owned();
        Self { role: MessageRole::System, stream: None, kind: Some(EntryKind::State), figures: None, content }
    }
}

/// The transcript's size.
struct Size {
    rows: i64,
    bytes: i64,
    tail: i64,
}

/// Adds entries, and counts them as those of the present claim.
pub fn add(tx: &Transaction<'_>, id: SessionId, entries: &[NewEntry], now: Timestamp) -> Result<()> {
    let mut size = tx
        .prepare_cached("select transcript_rows, transcript_bytes, tail_bytes from sessions where id = ?1")?
        .query_row([id], |row| Ok(Size { rows: row.get(0)?, bytes: row.get(1)?, tail: row.get(2)? }))?;
    let mut left_out = 0;
    // Of many that are above the limit only the last are written at all.
    let first_kept = first_of_tail(entries);
    for (place, entry) in entries.iter().enumerate() {
        let bytes = length(&entry.content);
        let is_tail = size.tail > 0 || size.rows >= ROWS_MAX || size.bytes + bytes > BYTES_MAX;
        if !is_tail {
            insert(tx, id, entry, false, now)?;
            (size.rows, size.bytes) = (size.rows + 1, size.bytes + bytes);
            continue;
        }
        if size.tail == 0 {
            say_so(tx, id, now)?;
            size.rows += 1;
        }
        if place < first_kept {
            (left_out, size.tail) = (left_out + 1, size.tail.max(1));
            continue;
        }
        insert(tx, id, entry, true, now)?;
        // Never 0 from the first on, however short it is.
        (size.rows, size.tail) = (size.rows + 1, (size.tail + bytes).max(1));
        left_out += trim(tx, id, &mut size)?;
    }
    let count = i64::try_from(entries.len()).unwrap_or(i64::MAX);
    tx.prepare_cached(
        "update sessions set transcript_rows = ?2, transcript_bytes = ?3, tail_bytes = ?4, left_out = left_out + ?5,
             output_next = output_next + ?6, last_activity_at = ?7
         where id = ?1",
    )?
    .execute(params![id, size.rows, size.bytes, size.tail, left_out, count, now.millis()])?;
    Ok(())
}

/// Adds a line by Mayday, whatever the size of the transcript.
pub fn note(tx: &Transaction<'_>, id: SessionId, text: &str, now: Timestamp) -> Result<()> {
    insert(tx, id, &NewEntry::note(text), false, now)?;
    super::messages::count(tx, id, text, now)
}

fn say_so(tx: &Transaction<'_>, id: SessionId, now: Timestamp) -> Result<()> {
    let text = "The transcript is full. Of what follows only the end is kept.";
    insert(tx, id, &NewEntry::note(text), false, now)
}

/// The first entry from which on all fit into the tail; the last one always does.
fn first_of_tail(entries: &[NewEntry]) -> usize {
    let mut bytes = 0;
    let fits = entries.iter().rev().take_while(|entry| {
        bytes += length(&entry.content);
        bytes <= TAIL_MAX
    });
    entries.len() - fits.count().max(1).min(entries.len())
}

/// Deletes the beginning of the tail while it is too long; returns how many entries.
fn trim(tx: &Transaction<'_>, id: SessionId, size: &mut Size) -> Result<i64> {
    let mut dropped = 0;
    while size.tail > TAIL_MAX {
        let deleted = tx
            .prepare_cached(
                "delete from session_messages where id = (
                     select id from session_messages where session_id = ?1 and is_tail order by id limit 1)
                 returning length(cast(content as blob))",
            )?
            .query_row([id], |row| row.get::<_, i64>(0));
        match deleted {
            Ok(bytes) => (size.tail, size.rows, dropped) = (size.tail - bytes, size.rows - 1, dropped + 1),
            Err(rusqlite::Error::QueryReturnedNoRows) => break,
            Err(error) => return Err(error.into()),
        }
    }
    Ok(dropped)
}

fn insert(
    tx: &Transaction<'_>,
    id: SessionId,
    entry: &NewEntry,
    is_tail: bool,
    now: Timestamp,
) -> Result<()> {
    tx.prepare_cached(
        "insert into session_messages (session_id, role, stream, content, is_tail, created_at, kind, figures)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?
    .execute(params![
        id,
        entry.role.as_str(),
        entry.stream.map(OutputStream::as_str),
        entry.content,
        is_tail,
        now.millis(),
        entry.kind.map(EntryKind::as_str),
        entry.figures.map(|figures| json!(figures).to_string())
    ])?;
    Ok(())
}

fn length(text: &str) -> i64 {
    i64::try_from(text.len()).unwrap_or(i64::MAX)
}
