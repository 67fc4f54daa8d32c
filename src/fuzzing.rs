//! Access for the fuzz targets (`fuzz/`) to what no other crate may use. Not in a released binary.

use crate::error::Result;
use crate::events::{self, Event};
use crate::ids::ProjectId;
use crate::intake::directory::Directory;
use crate::intake::prepare;
use crate::releases::service::Maps;
use crate::store::{Connection, Packer};
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
