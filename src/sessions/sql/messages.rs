//! Transcripts.

use crate::error::Result;
use crate::ids::{SessionId, UserId};
use crate::runners::protocol::PersonsMessage;
use crate::sessions::{EntryKind, Message, MessageRole, OutputStream};
use crate::time::Timestamp;
use rusqlite::{Connection, Row, Transaction, params};

const MESSAGE: &str = "id, role, stream, content, created_by, created_at, delivered_at, kind, figures";

/// Messages that are sent to a runner at once.
const SENT_AT_ONCE: i64 = 100;
/// Bytes of what an agent that goes on is told that people have said before.
const HAD_MAX: usize = 256 << 10;
/// The most entries of a transcript, and bytes of their text. Beyond that, only the newest are kept.
pub const ROWS_MAX: i64 = 20_000;
pub const BYTES_MAX: i64 = 8 << 20;
/// Bytes for people's messages in a transcript that an agent has filled.
pub const SAID_MAX: i64 = 2 << 20;

/// Adds a session's prompt, which its runner gets with the session.
pub fn add_prompt(
    tx: &Transaction<'_>,
    session: SessionId,
    content: &str,
    by: Option<UserId>,
    now: Timestamp,
) -> Result<()> {
    tx.prepare_cached(
        "insert into session_messages (session_id, role, content, created_by, created_at, delivered_at)
         values (?1, 'user', ?2, ?3, ?4, ?4)",
    )?
    .execute(params![session, content, by.map(|id| id.0), now.millis()])?;
    count(tx, session, content, now)
}

/// The author of a message to an agent.
#[derive(Debug, Clone, Copy)]
pub struct Author {
    pub id: Option<UserId>,
    /// A person by their session, rather than a key or a token, which an agent may have.
    pub is_signed_in: bool,
}

/// Adds a message of a person.
pub fn add(
    tx: &Transaction<'_>,
    session: SessionId,
    content: &str,
    by: Author,
    now: Timestamp,
) -> Result<Message> {
    tx.prepare_cached(
        "insert into session_messages (session_id, role, content, created_by, created_at, may_allow)
         values (?1, 'user', ?2, ?3, ?4, ?5)",
    )?
    .execute(params![session, content, by.id.map(|id| id.0), now.millis(), by.is_signed_in])?;
    let id = tx.last_insert_rowid();
    count(tx, session, content, now)?;
    let mut statement =
        tx.prepare_cached(&format!("select {MESSAGE} from session_messages where id = ?1"))?;
    Ok(statement.query_row([id], message)?)
}

/// Bytes of a session's transcript, without those of its tail.
pub fn bytes(c: &Connection, session: SessionId) -> Result<i64> {
    let mut statement = c.prepare_cached("select transcript_bytes from sessions where id = ?1")?;
    Ok(statement.query_row([session], |row| row.get(0))?)
}

/// Counts an entry of the transcript.
pub(super) fn count(tx: &Transaction<'_>, session: SessionId, content: &str, now: Timestamp) -> Result<()> {
    let bytes = i64::try_from(content.len()).unwrap_or(i64::MAX);
    tx.prepare_cached(
        "update sessions set transcript_rows = transcript_rows + 1, transcript_bytes = transcript_bytes + ?2,
             last_activity_at = max(last_activity_at, ?3)
         where id = ?1",
    )?
    .execute(params![session, bytes, now.millis()])?;
    Ok(())
}

/// A session's transcript after a message, oldest first.
pub fn list(c: &Connection, session: SessionId, after: i64, limit: i64) -> Result<Vec<Message>> {
    let mut statement = c.prepare_cached(&format!(
        "select {MESSAGE} from session_messages where session_id = ?1 and id > ?2 order by id limit ?3"
    ))?;
    let rows = statement.query_map(params![session, after, limit], message)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The test results reported by a session's runner, oldest first: of its last attempts.
pub fn tests(c: &Connection, session: SessionId) -> Result<Vec<String>> {
    const MOST: i64 = 8;
    let mut statement = c.prepare_cached(
        "select content from (
             select id, content from session_messages where session_id = ?1 and kind = 'test' order by id desc limit ?2)
         order by id",
    )?;
    let rows = statement.query_map(params![session, MOST], |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The messages that no runner got yet, oldest first.
pub fn undelivered(c: &Connection, session: SessionId) -> Result<Vec<PersonsMessage>> {
    let mut statement = c.prepare_cached(
        "select id, content, may_allow from session_messages
         where session_id = ?1 and role = 'user' and delivered_at is null order by id limit ?2",
    )?;
    let rows = statement.query_map(params![session, SENT_AT_ONCE], said)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The first messages besides the prompt, oldest first: for a runner that starts. See [`deliver_again`].
pub fn said_before(c: &Connection, session: SessionId, prompt: &str) -> Result<Vec<PersonsMessage>> {
    let mut statement = c.prepare_cached(
        "select id, content, may_allow from session_messages where session_id = ?1 and role = 'user' order by id limit ?2",
    )?;
    let rows = statement.query_map(params![session, SENT_AT_ONCE], said)?;
    let mut found = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    if found.first().is_some_and(|first| first.content == prompt) {
        found.remove(0);
    }
    Ok(found)
}

/// What agents have been told besides the prompt, oldest first; and whether the oldest is left out, because all of it
/// has more than [`HAD_MAX`] bytes.
pub fn had(c: &Connection, session: SessionId, prompt: &str) -> Result<(Vec<String>, bool)> {
    let mut statement = c.prepare_cached(
        "select content from session_messages
         where session_id = ?1 and role = 'user' and delivered_at is not null and (content <> ?2
             or id > (select min(id) from session_messages where session_id = ?1 and role = 'user'))
         order by id desc",
    )?;
    let mut rows = statement.query(params![session, prompt])?;
    let (mut found, mut bytes) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        let content: String = row.get(0)?;
        bytes += content.len();
        if bytes > HAD_MAX {
            break;
        }
        found.push(content);
    }
    found.reverse();
    Ok((found, bytes > HAD_MAX))
}

/// Lets renewals bring the messages after one again: a runner that starts has none of what another one had.
pub fn deliver_again(tx: &Transaction<'_>, session: SessionId, after: i64) -> Result<()> {
    tx.prepare_cached(
        "update session_messages set delivered_at = null where session_id = ?1 and role = 'user' and id > ?2",
    )?
    .execute(params![session, after])?;
    Ok(())
}

/// Records that a runner has the messages up to one; returns how many those are.
pub fn deliver(tx: &Transaction<'_>, session: SessionId, until: i64, now: Timestamp) -> Result<usize> {
    let mut statement = tx.prepare_cached(
        "update session_messages set delivered_at = ?3
         where session_id = ?1 and id <= ?2 and role = 'user' and delivered_at is null",
    )?;
    Ok(statement.execute(params![session, until, now.millis()])?)
}

fn said(row: &Row<'_>) -> rusqlite::Result<PersonsMessage> {
    Ok(PersonsMessage { id: row.get(0)?, content: row.get(1)?, may_allow: row.get(2)? })
}

fn message(row: &Row<'_>) -> rusqlite::Result<Message> {
    let stream: Option<String> = row.get(2)?;
    Ok(Message {
        id: row.get(0)?,
        // The schema allows no others.
        role: MessageRole::parse(row.get_ref(1)?.as_str()?).unwrap_or(MessageRole::System),
        stream: stream.and_then(|stream| OutputStream::parse(&stream)),
        kind: row.get::<_, Option<String>>(7)?.and_then(|kind| EntryKind::parse(&kind)),
        figures: row.get::<_, Option<String>>(8)?.and_then(|text| serde_json::from_str(&text).ok()),
        content: row.get(3)?,
        created_by: row.get::<_, Option<i64>>(4)?.map(|id| id.to_string()),
        created_at: Timestamp::from_millis(row.get(5)?),
        delivered_at: row.get::<_, Option<i64>>(6)?.map(Timestamp::from_millis),
    })
}
