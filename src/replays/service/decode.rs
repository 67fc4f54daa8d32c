//! The fields of a request with a part of a replay.

use crate::error::{Error, Result};
use crate::event::replay::{
    DURATION_MAX, Metadata, PIECES_MAX, Piece, SEGMENTS_MAX, Segment, derived_id, is_believable,
};
use crate::intake::decode::fields::Fields;
use crate::intake::decode::{self, account, label, limits, read_time, user};
use crate::scrubbing::{FILTERED, Scrubber};
use crate::text::shown;
use crate::time::Timestamp;
use crate::wire::json::Json;
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;

/// The latest time that a client may name, in milliseconds since the epoch: the year 2100, as for its events.
const SENT_MAX: i64 = 4_102_444_800_000;
/// Characters of a version of rrweb.
const VERSION_MAX: usize = 64;

/// Which of the two requests it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// `POST /api/v1/replays`.
    Whole,
    /// `POST /api/v1/replays/chunk`.
    Chunk,
}

/// What the key's environment and the request's headers add.
pub(crate) struct Around<'a> {
    pub(crate) environment: Option<&'a str>,
    pub(crate) user_agent: Option<String>,
    pub(crate) now: Timestamp,
}

/// The key of a request.
///
/// # Errors
/// 400 and 422 as for an event.
pub(crate) fn key(head: &str) -> Result<Option<Cow<'_, str>>> {
    decode::find_key(head.as_bytes())
}

/// The segment, without the data from its events.
///
/// # Errors
/// 422 naming the field, what was expected and what was received.
pub(crate) fn segment(head: &str, form: Form, scrubber: &Scrubber, around: Around<'_>) -> Result<Segment> {
    let mut tree = decode::parse(head.as_bytes())?;
    let (mut fields, tree) = (Fields::default(), &mut tree);
    let mut id = |tree: &mut Json<'_>, name| -> Result<Option<String>> {
        Ok(fields.exact(tree, name, limits::ID)?.map(Cow::into_owned))
    };
    let session_id = id(tree, "session_id")?.ok_or_else(|| missing("session_id"))?;
    let window_id = id(tree, "window_id")?.ok_or_else(|| missing("window_id"))?;
    let replay_id = id(tree, "replay_id")?.unwrap_or_else(|| derived_id(&session_id, &window_id));
    let event_id = fields.exact(tree, "event_id", limits::EVENT_ID)?.map(Cow::into_owned);
    let (index, piece, total) = match form {
        Form::Whole => (0, Piece::default(), Some(1)),
        Form::Chunk => place(&mut fields, tree)?,
    };
    let mut scrubbed = 0;
    let metadata = match form {
        Form::Whole => Some(metadata(&mut fields, tree, form, scrubber, &around, &mut scrubbed)?),
        Form::Chunk => match tree.take("metadata") {
            Some(given) => {
                let mut given = fields.expect_object(given, "metadata")?;
                Some(metadata(&mut fields, &mut given, form, scrubber, &around, &mut scrubbed)?)
            }
            None if index == 0 && piece.index == 0 => {
                return Err(Error::invalid("metadata: missing; expected an object with chunk_index 0"));
            }
            None => None,
        },
    };
    let user_agent = around.user_agent.map(|agent| clean(scrubber, agent.into(), &mut scrubbed));
    Ok(Segment {
        replay_id,
        session_id: Some(session_id),
        window_id: Some(window_id),
        index,
        piece,
        total,
        event_id,
        metadata,
        user_agent,
        scrubbed,
        ..Segment::default()
    })
}

/// How far the client's clock was behind ours when it sent a request that arrived at a time, in milliseconds.
///
/// # Errors
/// 422 if what it says is no time.
pub(crate) fn lag(sent: &str, arrived_at: Timestamp) -> Result<i64> {
    let time = sent.parse::<i64>().ok().filter(|time| (0..SENT_MAX).contains(time));
    time.map(|time| arrived_at.millis() - time).ok_or_else(|| {
        Error::invalid(format!(
            "sent: expected milliseconds since 1970, a whole number, got `{}`",
            shown(sent, 64)
        ))
    })
}

fn missing(name: &str) -> Error {
    Error::invalid(format!("{name}: missing; expected 1 to {} characters", limits::ID))
}

/// `chunk_index`, `part` and `total_chunks`.
fn place(fields: &mut Fields, tree: &mut Json<'_>) -> Result<(u32, Piece, Option<u32>)> {
    let index = needed(tree, "", "chunk_index", 0, SEGMENTS_MAX - 1)?;
    let piece = match tree.take("part") {
        Some(given) => piece(&mut fields.expect_object(given, "part")?)?,
        None => Piece::default(),
    };
    let total = whole(tree, "", "total_chunks", 1, SEGMENTS_MAX)?;
    match total {
        Some(total) if index >= total => Err(Error::invalid(format!(
            "chunk_index: expected less than total_chunks ({total}), got {index}"
        ))),
        total => Ok((index, piece, total)),
    }
}

/// What `part` says.
fn piece(given: &mut Json<'_>) -> Result<Piece> {
    let index = needed(given, "part.", "index", 0, PIECES_MAX - 1)?;
    let count = needed(given, "part.", "count", 1, PIECES_MAX)?;
    if index >= count {
        let message = format!("part.index: expected less than part.count ({count}), got {index}");
        return Err(Error::invalid(message));
    }
    Ok(Piece { index, count })
}

fn needed(tree: &mut Json<'_>, within: &str, name: &str, least: u32, most: u32) -> Result<u32> {
    let missing = || Error::invalid(format!("{within}{name}: missing; expected {least} to {most}"));
    whole(tree, within, name, least, most)?.ok_or_else(missing)
}

/// A whole number; null counts as missing.
fn whole(tree: &mut Json<'_>, within: &str, name: &str, least: u32, most: u32) -> Result<Option<u32>> {
    let Some(given) = tree.take(name) else { return Ok(None) };
    let number = match &given {
        Json::Number(number) => number.as_u64().and_then(|number| u32::try_from(number).ok()),
        _ => None,
    };
    number.filter(|number| (least..=most).contains(number)).map(Some).ok_or_else(|| {
        Error::invalid(format!(
            "{within}{name}: expected a whole number from {least} to {most}, got {}",
            given.describe()
        ))
    })
}

fn metadata(
    fields: &mut Fields,
    tree: &mut Json<'_>,
    form: Form,
    scrubber: &Scrubber,
    around: &Around<'_>,
    scrubbed: &mut u32,
) -> Result<Metadata> {
    let (start, end) = span(tree, form, around.now)?;
    let environment = label(fields, tree, "environment", limits::ENVIRONMENT)?;
    let environment = environment.unwrap_or_else(|| decode::environment_of(around.environment));
    let release = label(fields, tree, "release", limits::RELEASE)?;
    let url = fields.text(tree, "", "url", limits::URL)?;
    let rrweb_version = fields.exact(tree, "rrweb_version", VERSION_MAX)?;
    Ok(Metadata {
        start,
        end,
        environment: Some(environment.into_owned()),
        release: release.map(Cow::into_owned),
        url: url.map(|url| clean(scrubber, url, scrubbed)),
        rrweb_version: rrweb_version.map(|version| clean(scrubber, version, scrubbed)),
        user: user(fields, tree)?.map(|user| person(scrubber, &user, scrubbed)).transpose()?,
        account: account(fields, tree)?.map(|account| person(scrubber, &account, scrubbed)).transpose()?,
    })
}

/// The start and end. If the clock is implausible, only the duration counts. A segment whose metadata says that the
/// replay is too long is not refused, because that may be outdated, and the digest enforces the limit.
fn span(tree: &mut Json<'_>, form: Form, now: Timestamp) -> Result<(i64, i64)> {
    let (start, end) = (moment(tree, "start_timestamp")?, moment(tree, "end_timestamp")?);
    let start = if form == Form::Chunk { start.max(end.saturating_sub(DURATION_MAX)) } else { start };
    if end < start {
        return Err(Error::invalid("end_timestamp: expected a time after start_timestamp"));
    }
    if end - start > DURATION_MAX {
        return Err(Error::invalid(format!(
            "end_timestamp: expected at most {} minutes after start_timestamp, got {}",
            DURATION_MAX / 60_000,
            (end - start) / 60_000
        )));
    }
    if [start, end].iter().all(|time| is_believable(*time, now)) {
        return Ok((start, end));
    }
    Ok((now.millis() - (end - start), now.millis()))
}

fn moment(tree: &mut Json<'_>, name: &str) -> Result<i64> {
    let expected = "expected milliseconds since 1970 or an ISO 8601 time";
    let given = tree.take(name).ok_or_else(|| Error::invalid(format!("{name}: missing; {expected}")))?;
    let read = read_time(&given).map(Timestamp::millis);
    read.ok_or_else(|| Error::invalid(format!("{name}: {expected}, got {}", given.describe())))
}

fn clean(scrubber: &Scrubber, text: Cow<'_, str>, scrubbed: &mut u32) -> String {
    let mut text = text;
    *scrubbed += scrubber.clean_text(&mut text);
    text.into_owned()
}

/// A user or account without secrets, and without an address unless the project keeps those.
fn person(scrubber: &Scrubber, given: &impl Serialize, scrubbed: &mut u32) -> Result<Value> {
    let json = serde_json::to_vec(given).map_err(Error::internal)?;
    let mut tree = decode::parse(&json)?;
    *scrubbed += scrubber.clean_value(&mut tree);
    let mut person = serde_json::to_value(&tree).map_err(Error::internal)?;
    if let Some(fields) = person.as_object_mut()
        && fields.get("ip_address").is_some_and(|address| address == FILTERED)
    {
        fields.remove("ip_address");
    }
    Ok(person)
}

#[cfg(test)]
mod tests;
