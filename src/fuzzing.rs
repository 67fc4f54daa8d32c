//! Gives the fuzz targets (`fuzz/`) access to private functions. Not in a released binary.

use crate::error::Result;
use crate::event::replay::Segment;
use crate::events::{self, Event};
use crate::http::body::Encoding;
use crate::ids::ProjectId;
use crate::intake::directory::Directory;
use crate::intake::prepare;
use crate::releases::service::Maps;
use crate::replays::service::decode::{self, Around, Form};
use crate::replays::service::segment;
use crate::scrubbing::Scrubber;
use crate::store::{Connection, Packer};
use crate::time::Timestamp;
use crate::wire::surrogates;
use bytes::Bytes;
use std::sync::Arc;

/// Repairs lone surrogates, as intake does before it parses a body.
pub fn mend(body: Bytes) -> Bytes {
    surrogates::mend(body)
}

/// Prepares a body as `POST /api/v1/errors` does; returns the event's id.
///
/// # Errors
/// The error that the client would get.
pub fn accept(directory: &Directory, packer: &Packer, body: &[u8]) -> Result<String> {
    prepare::one(directory, packer, body).map(|row| row.event_id().to_owned())
}

/// Prepares a body as `POST /api/v1/errors/batch` does; returns how many events are usable, and how many
/// there are.
///
/// # Errors
/// The error that the client would get.
pub fn accept_batch(directory: &Directory, packer: &Packer, body: &[u8]) -> Result<(usize, usize)> {
    prepare::batch(directory, packer, body).map(|(rows, total)| (rows.len(), total))
}

/// Reads an event as its page does.
///
/// # Errors
/// If it does not exist, or what is stored cannot be read.
pub fn read_event(c: &Connection, maps: Arc<Maps>, project: ProjectId, event_id: &str) -> Result<Event> {
    events::http::view(c, maps, project, event_id)
}

/// Prepares a body as `POST /api/v1/replays` does, or `…/chunk`; returns the segment and its events with commas between
/// them.
///
/// # Errors
/// The error that the client would get.
pub fn accept_replay(scrubber: &Scrubber, is_chunk: bool, body: &[u8]) -> Result<(Segment, Vec<u8>)> {
    let head = segment::head(Encoding::Identity, body)?;
    let around = Around { environment: None, user_agent: None, now: Timestamp::now() };
    let form = if is_chunk { Form::Chunk } else { Form::Whole };
    let mut read = decode::segment(&head, form, scrubber, around)?;
    let mut events = Vec::new();
    let (summary, scrubbed) = segment::write_events(Encoding::Identity, body, scrubber, &mut events)?;
    read.summary = summary;
    read.scrubbed += scrubbed;
    Ok((read, events))
}
