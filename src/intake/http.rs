//! `POST /api/v1/errors` and `/errors/batch`.

use super::directory::{KeyEntry, Scope};
use super::json::Json;
use super::store::Row;
use super::{decode, surrogates};
use crate::app::App;
use crate::error::{Error, Result};
use crate::http::body;
use crate::text;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
pub struct AcceptedEvent {
    /// As sent, or made by the server.
    pub event_id: String,
}

#[derive(Serialize, ToSchema)]
pub struct AcceptedBatch {
    pub accepted: usize,
    /// Unusable events, and those with another key than the first.
    pub dropped: usize,
}

/// Takes one error event; 202 promises that it is on disk.
#[utoipa::path(post, path = "/api/v1/errors", tag = "ingestion", security(()),
    request_body(content = super::document::ErrorEvent, description = "Also gzip, deflate, br or zstd; at most 1 MiB decompressed"),
    responses((status = 202, body = AcceptedEvent), (status = 400, description = "Not JSON"),
        (status = 401, description = "Invalid API key"), (status = 413, description = "Over 1 MiB"),
        (status = 422, description = "A field cannot be used"), (status = 503, description = "Overload: send again")))]
pub async fn post_error(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, Answer<AcceptedEvent>)> {
    require_json(&headers)?;
    let body = surrogates::mend(body::read(&headers, body, decode::EVENT_MAX).await?);
    let mut tree = decode::parse(&body)?;
    let key = find_key(&app, &mut tree)?;
    let row = checked(tree, &key, Timestamp::now())?;
    let event_id = row.event_id().to_owned();
    app.intake.add(vec![row]).await?;
    Ok((StatusCode::ACCEPTED, Answer(AcceptedEvent { event_id })))
}

/// Takes up to 100 error events in a bare array; the usable ones are stored together.
#[utoipa::path(post, path = "/api/v1/errors/batch", tag = "ingestion", security(()),
    request_body(content = Vec<super::document::ErrorEvent>, description = "The first event's key counts; at most 8 MiB decompressed"),
    responses((status = 202, body = AcceptedBatch), (status = 401, description = "Invalid API key"),
        (status = 422, description = "No array, or over 100 events")))]
pub async fn post_errors(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, Answer<AcceptedBatch>)> {
    require_json(&headers)?;
    let body = body::read(&headers, body, decode::BATCH_MAX).await?;
    let work = app.clone();
    // Up to 8 MiB of JSON: tens of milliseconds, not on a thread that serves others.
    let prepare = tokio::task::spawn_blocking(move || prepare_batch(&work, &surrogates::mend(body)));
    let (rows, total) = prepare.await.map_err(Error::internal)??;
    let answer = AcceptedBatch { accepted: rows.len(), dropped: total - rows.len() };
    if !rows.is_empty() {
        app.intake.add(rows).await?;
    }
    Ok((StatusCode::ACCEPTED, Answer(answer)))
}

fn prepare_batch(app: &App, body: &[u8]) -> Result<(Vec<Row>, usize)> {
    let tree = decode::parse(body)?;
    let Json::Array(mut events) = tree else {
        return Err(Error::invalid(format!(
            "The body: expected an array of events, got {}",
            tree.describe()
        )));
    };
    let first = events.first_mut().and_then(decode::take_key);
    let key = valid_key(app, first.as_deref())?;
    if events.len() > decode::BATCH_EVENTS_MAX {
        return Err(Error::invalid(format!(
            "The body: expected at most {} events, got {}; nothing was stored",
            decode::BATCH_EVENTS_MAX,
            events.len()
        )));
    }
    let now = Timestamp::now();
    let total = events.len();
    let same_key = |(index, event): &mut (usize, Json<'_>)| *index == 0 || decode::take_key(event) == first;
    let mut numbered: Vec<_> = events.into_iter().enumerate().collect();
    numbered.retain_mut(same_key);
    Ok((numbered.into_iter().filter_map(|(_, event)| checked(event, &key, now).ok()).collect(), total))
}

fn find_key(app: &App, tree: &mut Json<'_>) -> Result<Arc<KeyEntry>> {
    let key = decode::take_key(tree);
    valid_key(app, key.as_deref())
}

fn valid_key(app: &App, key: Option<&str>) -> Result<Arc<KeyEntry>> {
    let key = key.and_then(|key| app.directory.find(key)).ok_or_else(Error::invalid_key)?;
    key.require(&[Scope::Ingest])?;
    Ok(key)
}

fn checked(tree: Json<'_>, key: &KeyEntry, now: Timestamp) -> Result<Row> {
    let mut event = decode::event(tree, now)?;
    key.scrubber.scrub(&mut event);
    Row::new(key.project, &event)
}

/// JSON, or what a page-unload beacon sends: `text/plain` or nothing.
fn require_json(headers: &HeaderMap) -> Result<()> {
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
