//! `POST /api/v1/logs/batch`.

use crate::access::Needs;
use crate::error::{Error, Result};
use crate::event::log_batch::Plain;
use crate::intake::admit::{Category, Cost, admit};
use crate::intake::directory::Directory;
use crate::intake::http::{receive, require_json};
use crate::intake::prepare::{SMALL_MAX, in_place};
use crate::logs::decode::{self, Decoded};
use crate::logs::document::LogBatch;
use crate::logs::limits::BODY_MAX;
use crate::logs::sql::{BatchOutcome, New, Repeat};
use crate::logs::store::LogStore;
use crate::metrics::Metrics;
use crate::search::PROJECTS_MAX;
use crate::store::Disk;
use crate::store::Packer;
use crate::time::Timestamp;
use crate::wire::surrogates;
use axum::Json as Answer;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// The longest Idempotency-Key, in characters.
const KEY_MAX: usize = 255;

/// What the handler of log batches needs.
#[derive(Clone)]
pub struct Ingest {
    pub logs: LogStore,
    pub directory: Arc<Directory>,
    pub disk: Arc<Disk>,
    pub metrics: Arc<Metrics>,
}

#[derive(Serialize, ToSchema)]
pub struct AcceptedLogs {
    pub accepted: usize,
    /// Unusable entries.
    pub dropped: usize,
}

/// Accepts up to 100 log entries; 202 promises that the accepted ones are on disk.
///
/// They can be searched within two seconds. An entry without a usable `timestamp`, `level` or `message`,
/// nested deeper than 64 levels or larger than 64 KiB is dropped; the others are stored.
#[utoipa::path(post, path = "/api/v1/logs/batch", tag = "ingestion", security(()),
    extensions(("x-access" = json!(Needs::key_in_body()))),
    params(("Idempotency-Key" = Option<String>, Header, description = "1 to 255 characters: a batch sent again with the same key within 24 h is counted once; a different batch is refused")),
    request_body(content = LogBatch, description = "May be compressed with gzip, deflate, br or zstd; at most 8 MiB decompressed"),
    responses((status = 202, body = AcceptedLogs), (status = 400, description = "Not JSON"),
        (status = 401, description = "Invalid API key"), (status = 413, description = "Over 8 MiB"),
        (status = 422, description = "Not an array of entries, over 100 of them, or an Idempotency-Key used before with another body: nothing was stored"),
        (status = 429, description = "The project is over its rate limit: nothing was stored"),
        (status = 503, description = "Log storage temporarily unavailable: try again")))]
pub async fn post_logs(
    State(ingest): State<Arc<Ingest>>,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, Answer<AcceptedLogs>)> {
    let taken = take(&ingest, &headers, body).await.map_err(unavailable);
    let taken = taken.inspect_err(|error| ingest.metrics.intake.refused(error))?;
    ingest.metrics.intake.logs_accepted.inc_by(taken.accepted as u64);
    ingest.metrics.intake.logs_dropped.inc_by(taken.dropped as u64);
    let answer = AcceptedLogs { accepted: taken.accepted, dropped: taken.dropped };
    Ok((StatusCode::ACCEPTED, Answer(answer)))
}

/// The same text for every temporary problem.
const UNAVAILABLE: &str = "Log storage temporarily unavailable";

fn unavailable(error: Error) -> Error {
    match error {
        Error::NoRoom(_) => Error::NoRoom(UNAVAILABLE.into()),
        Error::Unavailable { cause, .. } => Error::Unavailable { text: UNAVAILABLE.into(), cause },
        error => error,
    }
}

async fn take(ingest: &Ingest, headers: &HeaderMap, body: Body) -> Result<BatchOutcome> {
    require_json(headers)?;
    let key = idempotency_key(headers)?;
    let body = receive(&ingest.directory, &ingest.disk, headers, body, BODY_MAX).await?;
    let (directory, packer) = (ingest.directory.clone(), ingest.logs.db.packer.clone());
    let large = (body.len() > SMALL_MAX).then(|| ingest.directory.share(&body));
    let repeat = key.map(|key| Repeat { key, body: hash(&body) });
    let work = move || prepare(&directory, &packer, &surrogates::mend(body), repeat);
    let new = match large {
        Some(share) => in_place(&share, work).await?,
        None => work()?,
    };
    if new.plain.count == 0 && new.repeat.is_none() {
        return Ok(BatchOutcome { accepted: 0, dropped: new.dropped });
    }
    ingest.logs.add(new).await
}

/// Turns a body into what is stored.
fn prepare(directory: &Directory, packer: &Packer, body: &[u8], repeat: Option<Repeat>) -> Result<New> {
    let bytes = body.len();
    let body = decode::open(body)?;
    let cost = body.count().map(|items| Cost { items, bytes });
    let entry = admit(directory, body.key.as_deref(), Category::Logs, cost)?;
    if entry.project.0 >= PROJECTS_MAX {
        return Err(Error::internal("logs have room for a million projects"));
    }
    let Decoded { batch, dropped, .. } = body.decode(&entry.scrubber, entry.environment.as_deref())?;
    let plain = Plain::new(&batch.environment, batch.release.as_deref(), &batch.entries)?;
    let packed = plain.pack(packer)?;
    Ok(New { project: entry.project, received_at: Timestamp::now(), plain, packed, dropped, repeat })
}

fn idempotency_key(headers: &HeaderMap) -> Result<Option<[u8; 16]>> {
    let Some(given) = headers.get("idempotency-key") else { return Ok(None) };
    if given.is_empty() || given.len() > KEY_MAX {
        return Err(Error::invalid(format!(
            "Idempotency-Key: expected 1 to {KEY_MAX} characters, got {}",
            given.len()
        )));
    }
    Ok(Some(hash(given.as_bytes())))
}

fn hash(bytes: &[u8]) -> [u8; 16] {
    let mut short = [0; 16];
    short.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
    short
}
