//! Applies a segment, as the digest reads it from the journal.

use super::span::Span;
use crate::error::Result;
use crate::event::key;
use crate::event::replay::{DURATION_MAX, Metadata, SEGMENTS_MAX, Segment, is_believable};
use crate::ids::ProjectId;
use crate::replays::{ERRORS_MAX, URLS_MAX};
use crate::time::Timestamp;
use rusqlite::{OptionalExtension as _, Transaction, params};
use serde_json::Value;

/// Bytes of the text that is searched for people.
const WHO_MAX: usize = 8_192;

/// The state of a replay so far.
struct KnownReplay {
    id: i64,
    is_deleted: bool,
    span: Span,
    /// When the first segment arrived.
    received_at: i64,
    head_place: Option<i64>,
    person_place: Option<i64>,
    /// Whether its time is known from events or metadata.
    is_timed: bool,
    /// The total duration of its segments, in milliseconds.
    recorded: i64,
    /// Of all chunks that are in several pieces.
    pieces: i64,
    urls: Vec<String>,
    who: String,
}

/// Adds a segment to its replay, and creates the replay with its first segment. A repeated or late segment, or one
/// whose replay or project was deleted, changes nothing, and the sweep removes its file.
pub fn apply(
    tx: &Transaction<'_>,
    project: ProjectId,
    segment: &Segment,
    received_at: Timestamp,
) -> Result<()> {
    let is_there = "select exists (select 1 from projects where id = ?1 and deleted_at is null)";
    if !tx.prepare_cached(is_there)?.query_row([project.0], |row| row.get(0))? {
        return Ok(());
    }
    let known = match find(tx, project, &segment.replay_id)? {
        Some(known) if known.is_deleted || known.is_over(segment, received_at) => return Ok(()),
        Some(known) => known,
        None => make(tx, project, segment, received_at)?,
    };
    if !fits(tx, &known, segment)? || !insert(tx, known.id, segment, received_at)? {
        return Ok(());
    }
    name_errors(tx, known.id, segment)?;
    count(tx, &known, segment, received_at)?;
    let Some(metadata) = &segment.metadata else { return Ok(()) };
    let place = i64::from(segment.index);
    if known.head_place.is_none_or(|head| place < head) {
        tell_head(tx, &known, segment, metadata)?;
    }
    let is_told = metadata.user.is_some() || metadata.account.is_some();
    if is_told && known.person_place.is_none_or(|latest| place > latest) {
        tell_person(tx, known.id, place, metadata)?;
    }
    if is_told { add_who(tx, &known, metadata) } else { Ok(()) }
}

impl KnownReplay {
    /// Whether the replay's hour was over before the segment: by the recorded time, or by both the client's clock and
    /// ours, because either may be wrong alone. (A client's clock may jump; what it could not send arrives late.)
    fn is_over(&self, segment: &Segment, received_at: Timestamp) -> bool {
        let is_later = segment.summary.first.is_some_and(|first| first - self.span.start > DURATION_MAX);
        self.recorded + length(segment) > DURATION_MAX
            || (is_later && received_at.millis() - self.received_at > DURATION_MAX)
    }
}

/// Milliseconds from its first event to its last.
fn length(segment: &Segment) -> i64 {
    let times = segment.summary.first.zip(segment.summary.last);
    times.map_or(0, |(first, last)| (last - first).clamp(0, DURATION_MAX))
}

/// Whether a segment may belong to its replay: all pieces of a chunk name the same count, and those of all chunks are at
/// most as many as a replay may have chunks.
fn fits(tx: &Transaction<'_>, known: &KnownReplay, segment: &Segment) -> Result<bool> {
    let count = segment.piece.count;
    if count > 1 && known.pieces >= i64::from(SEGMENTS_MAX) {
        return Ok(false);
    }
    let differs: bool = tx
        .prepare_cached(
            "select exists (select 1 from replay_segments where replay = ?1 and place = ?2 and pieces <> ?3)",
        )?
        .query_row(params![known.id, segment.index, count], |row| row.get(0))?;
    Ok(!differs)
}

/// Adds a segment; `false` if it is there already.
fn insert(tx: &Transaction<'_>, id: i64, segment: &Segment, received_at: Timestamp) -> Result<bool> {
    let added = tx
        .prepare_cached(
            "insert or ignore into replay_segments
                 (replay, place, piece, pieces, file, bytes, first_at, last_at, snapshot_at, received_at, lag)
             values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        )?
        .execute(params![
            id,
            segment.index,
            segment.piece.index,
            segment.piece.count,
            segment.file,
            segment.summary.stored_bytes,
            segment.summary.first,
            segment.summary.last,
            segment.summary.snapshot,
            received_at.millis(),
            segment.lag,
        ])?;
    Ok(added > 0)
}

/// Whether all pieces of a segment's chunk are there.
fn is_whole(tx: &Transaction<'_>, id: i64, segment: &Segment) -> Result<bool> {
    let there = "select count(*) from replay_segments where replay = ?1 and place = ?2";
    let there: u32 = tx.prepare_cached(there)?.query_row(params![id, segment.index], |row| row.get(0))?;
    Ok(there == segment.piece.count)
}

fn find(tx: &Transaction<'_>, project: ProjectId, replay_id: &str) -> Result<Option<KnownReplay>> {
    let mut statement = tx.prepare_cached(
        "select id, deleted_at is not null, started_at, ended_at, received_at, head_place, person_place, recorded, urls,
             who, events, pieces
         from replays where project_id = ?1 and replay_key = ?2",
    )?;
    let known = statement.query_row(params![project.0, key::encode(replay_id)], |row| {
        let urls: String = row.get(8)?;
        Ok(KnownReplay {
            id: row.get(0)?,
            is_deleted: row.get(1)?,
            span: Span { start: row.get(2)?, end: row.get(3)? },
            received_at: row.get(4)?,
            head_place: row.get(5)?,
            is_timed: row.get::<_, Option<i64>>(5)?.is_some() || row.get::<_, i64>(10)? > 0,
            person_place: row.get(6)?,
            recorded: row.get(7)?,
            pieces: row.get(11)?,
            urls: serde_json::from_str(&urls).unwrap_or_default(),
            who: row.get(9)?,
        })
    });
    Ok(known.optional()?)
}

fn make(
    tx: &Transaction<'_>,
    project: ProjectId,
    segment: &Segment,
    received_at: Timestamp,
) -> Result<KnownReplay> {
    let told = segment.metadata.as_ref().map(|told| Span { start: told.start, end: told.end });
    let span = told.filter(|_| segment.summary.first.is_none());
    let span = span.unwrap_or_else(|| believed(segment, received_at));
    let id = tx
        .prepare_cached(
            "insert into replays (project_id, replay_key, session_id, window_id, window_key, event_id, started_at,
                 ended_at, urls, who, user_agent, segments, pieces, recorded, has_snapshot, events, clicks, bytes,
                 scrubbed, received_at, latest_at, latest_place)
             values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, '[]', '', ?9, 0, 0, 0, 0, 0, 0, 0, 0, ?10, ?10, ?11)",
        )?
        .insert(params![
            project.0,
            key::encode(&segment.replay_id),
            segment.session_id,
            segment.window_id,
            segment.window_key(),
            segment.event_id,
            span.start,
            span.end,
            segment.user_agent,
            received_at.millis(),
            segment.index,
        ])?;
    Ok(KnownReplay {
        id,
        is_deleted: false,
        span,
        received_at: received_at.millis(),
        head_place: None,
        is_timed: false,
        person_place: None,
        recorded: 0,
        pieces: 0,
        urls: Vec::new(),
        who: String::new(),
    })
}

/// When a segment starts and ends: according to its events, unless that is implausible.
fn believed(segment: &Segment, received_at: Timestamp) -> Span {
    let (now, length) = (received_at.millis(), length(segment));
    let started_at = segment
        .summary
        .first
        .filter(|first| [*first, first + length].iter().all(|time| is_believable(*time, received_at)));
    let start = started_at.unwrap_or(now - length);
    Span { start, end: start + length }
}

/// Remembers the events that a segment names.
fn name_errors(tx: &Transaction<'_>, id: i64, segment: &Segment) -> Result<()> {
    let mut statement = tx.prepare_cached(
        "insert or ignore into replay_errors (replay, event_key)
         select ?1, ?2 where (select count(*) from replay_errors where replay = ?1) < ?3",
    )?;
    for event_id in segment.event_id.iter().chain(&segment.error_ids).filter(|id| !id.is_empty()) {
        statement.execute(params![id, key::encode(event_id), ERRORS_MAX])?;
    }
    Ok(())
}

/// Adds the figures of a new segment.
fn count(tx: &Transaction<'_>, known: &KnownReplay, segment: &Segment, received_at: Timestamp) -> Result<()> {
    let summary = &segment.summary;
    let mut urls = known.urls.clone();
    for url in &summary.urls {
        if urls.len() < URLS_MAX && !urls.contains(url) {
            urls.push(url.clone());
        }
    }
    let part = believed(segment, received_at);
    let span = match known {
        // Its time is unknown.
        _ if summary.first.is_none() => known.span,
        KnownReplay { is_timed: false, .. } => part,
        // The metadata's start counts, as the events' does without it.
        KnownReplay { head_place: Some(_), span, .. } => span.reaching(part),
        KnownReplay { span, .. } => span.with(part),
    };
    tx.prepare_cached(
        "update replays set segments = segments + ?17, total = coalesce(total, ?2), has_snapshot = has_snapshot or ?3,
             events = events + ?4, clicks = clicks + ?5, bytes = bytes + ?6, scrubbed = scrubbed + ?7, latest_at = ?8,
             started_at = ?9, ended_at = ?10, urls = ?11, url = coalesce(url, ?12), event_id = coalesce(event_id, ?13),
             user_agent = coalesce(user_agent, ?14), recorded = recorded + ?15,
             latest_place = max(latest_place, ?16), pieces = pieces + ?18
         where id = ?1",
    )?
    .execute(params![
        known.id,
        segment.total,
        summary.has_full_snapshot,
        summary.events,
        summary.clicks,
        summary.stored_bytes,
        segment.scrubbed,
        received_at.millis(),
        span.start,
        span.end,
        Value::from(urls.clone()).to_string(),
        urls.first(),
        segment.event_id,
        segment.user_agent,
        length(segment),
        segment.index,
        is_whole(tx, known.id, segment)?,
        segment.piece.count > 1,
    ])?;
    Ok(())
}

/// Stores what the earliest segment so far says about the whole replay.
fn tell_head(
    tx: &Transaction<'_>,
    known: &KnownReplay,
    segment: &Segment,
    metadata: &Metadata,
) -> Result<()> {
    let told = Span { start: metadata.start, end: metadata.end };
    let span = if known.is_timed || segment.summary.first.is_some() {
        told.reaching(
            tx.prepare_cached("select started_at, ended_at from replays where id = ?1")?
                .query_row([known.id], |row| Ok(Span { start: row.get(0)?, end: row.get(1)? }))?,
        )
    } else {
        told
    };
    tx.prepare_cached(
        "update replays set head_place = ?2, started_at = ?3, ended_at = ?4, environment = ?5, release = ?6,
             url = coalesce(?7, url), rrweb_version = ?8
         where id = ?1",
    )?
    .execute(params![
        known.id,
        segment.index,
        span.start,
        span.end,
        metadata.environment,
        metadata.release,
        metadata.url,
        metadata.rrweb_version,
    ])?;
    Ok(())
}

/// Stores the person according to the latest segment so far that names one, because people sign in during a
/// recording.
fn tell_person(tx: &Transaction<'_>, id: i64, place: i64, metadata: &Metadata) -> Result<()> {
    let text = |value: &Option<Value>| value.as_ref().map(Value::to_string);
    tx.prepare_cached("update replays set person_place = ?2, user = ?3, account = ?4 where id = ?1")?
        .execute(params![id, place, text(&metadata.user), text(&metadata.account)])?;
    Ok(())
}

/// Adds to the searched text, so that everybody who was ever signed in is found.
fn add_who(tx: &Transaction<'_>, known: &KnownReplay, metadata: &Metadata) -> Result<()> {
    let people = [&metadata.user, &metadata.account].into_iter().flatten();
    let values = people.filter_map(Value::as_object).flatten().filter_map(|(_, value)| value.as_str());
    let mut who = known.who.clone();
    for value in values.map(str::to_lowercase) {
        let is_known = who.split('\n').any(|line| line == value);
        if !is_known && who.len() + value.len() < WHO_MAX {
            who.push_str(&value);
            who.push('\n');
        }
    }
    tx.prepare_cached("update replays set who = ?2 where id = ?1")?.execute(params![known.id, who])?;
    Ok(())
}
