//! `GET /metrics`, and the layer that counts requests. Both are there with `SERVICE_METRICS_TOKEN` only.

use super::Room;
use crate::app::App;
use crate::config::Secret;
use crate::error::{Error, Result};
use crate::http::callers::Credential;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, Response, header};
use axum::middleware::Next;
use axum::response::IntoResponse;
use std::sync::Arc;
use std::time::Instant;

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Shows every figure to who has the token.
pub async fn scrape(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<impl IntoResponse> {
    check(app.config.metrics_token.as_ref(), &headers)?;
    let work = move || {
        let waiting = app.logs.recent.newest() - app.logs.index.position();
        let room = Room { free: app.disk.free(), over_share: app.directory.over_share() };
        app.metrics.text(&app.config.data_dir, &room, app.intake.standing(), waiting.max(0))
    };
    let text = tokio::task::spawn_blocking(work).await.map_err(Error::internal)??;
    Ok(([(header::CONTENT_TYPE, OPEN_METRICS), (header::CACHE_CONTROL, "no-store")], text))
}

fn check(token: Option<&Secret>, headers: &HeaderMap) -> Result<()> {
    let given = match Credential::of(headers, true) {
        Ok(Credential::Bearer(given)) => given,
        _ => "",
    };
    // Hashes are compared in constant time.
    let right = token.is_some_and(|token| blake3::hash(token.bytes()) == blake3::hash(given.as_bytes()));
    let refused = "Metrics need `Authorization: Bearer <token>` with the value of SERVICE_METRICS_TOKEN.";
    if right { Ok(()) } else { Err(Error::Unauthenticated(refused.into())) }
}

/// Counts what each route answers.
pub async fn count(State(app): State<Arc<App>>, request: Request, next: Next) -> Response<axum::body::Body> {
    let Some(route) = request.extensions().get::<MatchedPath>().cloned() else {
        return next.run(request).await;
    };
    let (method, start) = (request.method().clone(), Instant::now());
    let response = next.run(request).await;
    let status = response.status().as_u16();
    app.metrics.requests.answered(method.as_str(), route.as_str(), status, start.elapsed());
    response
}
