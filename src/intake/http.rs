//! `POST /api/v1/errors` and `/errors/batch`.

use crate::access::Needs;
use crate::error::{Error, Result};
use crate::http::body;
use crate::intake::directory::Directory;
use crate::intake::store::Store;
use crate::intake::{decode, prepare};
use crate::metrics::Metrics;
use crate::store::Disk;
use crate::text;
use crate::wire::surrogates;
use axum::Json as Answer;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use bytes::Bytes;
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// What an event passes on its way to disk.
#[derive(Clone)]
pub struct Intake {
    pub store: Store,
    pub directory: Arc<Directory>,
    pub disk: Arc<Disk>,
    pub metrics: Arc<Metrics>,
}

#[derive(Serialize, ToSchema)]
pub struct AcceptedEvent {
    /// As sent, or made by the server.
    pub event_id: String,
}

#[derive(Serialize, ToSchema)]
pub struct AcceptedBatch {
    pub accepted: usize,
    /// Unusable events, those over 1 MiB, and those with another key than the first.
    pub dropped: usize,
}

/// Takes one error event; 202 promises that it is on disk.
#[utoipa::path(post, path = "/api/v1/errors", tag = "ingestion", security(()),
    extensions(("x-access" = json!(Needs::key_in_body()))),
    request_body(content = super::document::ErrorEvent, description = "Also gzip, deflate, br or zstd; at most 1 MiB decompressed"),
    responses((status = 202, body = AcceptedEvent), (status = 400, description = "Not JSON"),
        (status = 401, description = "Invalid API key"), (status = 413, description = "Over 1 MiB"),
        (status = 422, description = "A field cannot be used"),
        (status = 429, description = "The project sends too many: nothing was stored"), (status = 503, description = "Overload: send again")))]
pub async fn post_error(
    State(intake): State<Arc<Intake>>,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, Answer<AcceptedEvent>)> {
    let taken = take_one(&intake, &headers, body).await;
    let event_id = taken.inspect_err(|error| intake.metrics.intake.refused(error))?;
    intake.metrics.intake.accepted.inc();
    Ok((StatusCode::ACCEPTED, Answer(AcceptedEvent { event_id })))
}

async fn take_one(intake: &Intake, headers: &HeaderMap, body: Body) -> Result<String> {
    require_json(headers)?;
    let body = receive(&intake.directory, &intake.disk, headers, body, decode::EVENT_MAX).await?;
    let (directory, packer) = (intake.directory.clone(), intake.store.packer.clone());
    let large = (body.len() > prepare::SMALL_MAX).then(|| intake.directory.share(&body));
    let work = move || prepare::one(&directory, &packer, &surrogates::mend(body));
    let row = match large {
        Some(share) => prepare::in_place(&share, work).await?,
        None => work()?,
    };
    let event_id = row.event_id().to_owned();
    intake.store.add(vec![row]).await?;
    Ok(event_id)
}

/// Takes up to 100 error events in a bare array; the usable ones are stored together.
#[utoipa::path(post, path = "/api/v1/errors/batch", tag = "ingestion", security(()),
    extensions(("x-access" = json!(Needs::key_in_body()))),
    request_body(content = Vec<super::document::ErrorEvent>, description = "The first event's key counts; at most 8 MiB decompressed"),
    responses((status = 202, body = AcceptedBatch), (status = 401, description = "Invalid API key"),
        (status = 422, description = "No array, or over 100 events"),
        (status = 429, description = "The project sends too many: nothing was stored"), (status = 503, description = "Overload: send again")))]
pub async fn post_errors(
    State(intake): State<Arc<Intake>>,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, Answer<AcceptedBatch>)> {
    let taken = take_batch(&intake, &headers, body).await;
    let answer = taken.inspect_err(|error| intake.metrics.intake.refused(error))?;
    intake.metrics.intake.accepted.inc_by(answer.accepted as u64);
    intake.metrics.intake.dropped.inc_by(answer.dropped as u64);
    Ok((StatusCode::ACCEPTED, Answer(answer)))
}

async fn take_batch(intake: &Intake, headers: &HeaderMap, body: Body) -> Result<AcceptedBatch> {
    require_json(headers)?;
    let body = receive(&intake.directory, &intake.disk, headers, body, decode::BATCH_MAX).await?;
    let (directory, packer) = (intake.directory.clone(), intake.store.packer.clone());
    let share = intake.directory.share(&body);
    let work = move || prepare::batch(&directory, &packer, &surrogates::mend(body));
    let (rows, total) = prepare::in_place(&share, work).await?;
    let answer = AcceptedBatch { accepted: rows.len(), dropped: total - rows.len() };
    if !rows.is_empty() {
        intake.store.add(rows).await?;
    }
    Ok(answer)
}

/// Reads a body of at most `limit` bytes, while the disk has room.
///
/// # Errors
/// Those of [`body::read`]; 503 when the disk is nearly full, whoever sends.
pub(crate) async fn receive(
    directory: &Directory,
    disk: &Disk,
    headers: &HeaderMap,
    body: Body,
    limit: usize,
) -> Result<Bytes> {
    let whose = |beginning: &[u8]| directory.share(beginning);
    let body = body::read(headers, body, limit, whose).await?;
    disk.accepting()?;
    Ok(body)
}

/// JSON, or what a page-unload beacon sends: `text/plain` or nothing.
pub(crate) fn require_json(headers: &HeaderMap) -> Result<()> {
    let Some(kind) = headers.get(header::CONTENT_TYPE) else { return Ok(()) };
    let kind =
        kind.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match kind.as_str() {
        "" | "application/json" | "text/plain" => Ok(()),
        _ => Err(Error::unsupported(format!(
            "Content-Type: expected application/json or text/plain, got `{}`",
            text::shown(&kind, 64)
        ))),
    }
}
