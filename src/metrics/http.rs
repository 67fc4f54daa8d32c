//! `GET /metrics`, and the layer that counts requests. Both exist only with `SERVICE_METRICS_TOKEN`.

use super::Room;
use crate::crypto::secret::Secret;
use crate::error::{Error, Result};
use crate::http::credential::Credential;
use crate::intake::directory::Directory;
use crate::intake::store::Store;
use crate::logs::store::LogStore;
use crate::metrics::Metrics;
use crate::store::Disk;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, Response, header};
use axum::middleware::Next;
use axum::response::IntoResponse;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The sources of the figures, and who may read them.
#[derive(Clone)]
pub struct Figures {
    pub token: Option<Secret>,
    pub data_dir: PathBuf,
    pub metrics: Arc<Metrics>,
    pub logs: LogStore,
    pub disk: Arc<Disk>,
    pub directory: Arc<Directory>,
    pub intake: Store,
}

/// Shows every figure to callers with the token.
pub async fn scrape(State(figures): State<Figures>, headers: HeaderMap) -> Result<impl IntoResponse> {
    check(figures.token.as_ref(), &headers)?;
    let work = move || {
        let waiting = figures.logs.recent.newest() - figures.logs.index.position();
        let room = Room { free: figures.disk.free(), over_share: figures.directory.over_share() };
        figures.metrics.text(&figures.data_dir, &room, figures.intake.standing(), waiting.max(0))
    };
    let text = tokio::task::spawn_blocking(work).await.map_err(Error::internal)??;
    Ok(([(header::CONTENT_TYPE, OPEN_METRICS), (header::CACHE_CONTROL, "no-store")], text))
}

fn check(token: Option<&Secret>, headers: &HeaderMap) -> Result<()> {
    let given = match Credential::of(headers, true) {
        Ok(Credential::Bearer(given)) => given,
        _ => "",
    };
    // Comparing hashes takes constant time.
    let right = token.is_some_and(|token| blake3::hash(token.bytes()) == blake3::hash(given.as_bytes()));
    let refused = "Metrics need `Authorization: Bearer <token>` with the value of SERVICE_METRICS_TOKEN.";
    if right { Ok(()) } else { Err(Error::Unauthenticated(refused.into())) }
}

/// Counts the answers of each route.
pub async fn count(
    State(figures): State<Figures>,
    request: Request,
    next: Next,
) -> Response<axum::body::Body> {
    let Some(route) = request.extensions().get::<MatchedPath>().cloned() else {
        return next.run(request).await;
    };
    let (method, start) = (request.method().clone(), Instant::now());
    let response = next.run(request).await;
    let status = response.status().as_u16();
    figures.metrics.requests.answered(method.as_str(), route.as_str(), status, start.elapsed());
    response
}
