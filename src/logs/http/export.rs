//! `/api/v1/projects/{project_id}/logs/export`: NDJSON, streamed.

use super::search::{file_name, shown_entries};
use crate::access::Callers;
use crate::access::{Access, Read};
use crate::error::{Error, Result};
use crate::http::extract::{Query, bounded};
use crate::ids::ProjectId;
use crate::logs::search::Filters;
use crate::logs::store::LogStore;
use crate::search::{EntryId, Order};
use crate::time::Timestamp;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::IntoParams;

/// The most entries of an export.
const EXPORT_MAX: u64 = 1_000_000;
/// Entries read at once.
const PART: usize = 200;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ExportParams {
    /// 1 to 1,000,000, default 100,000.
    #[param(value_type = Option<i64>)]
    limit: Option<String>,
}

/// Exports log entries, newest first, one JSON object per line. Default range: the last 24 hours.
///
/// The set of entries is fixed when the export begins. If reading fails half-way, the connection is cut, so a
/// file that ends properly is complete.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/logs/export", tag = "logs",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path), Filters, ExportParams),
    responses((status = 200, body = String, content_type = "application/x-ndjson"), (status = 422)))]
pub async fn export_logs(
    State(logs): State<LogStore>,
    State(callers): State<Arc<Callers>>,
    access: Access<Read>,
    Query(filters): Query<Filters>,
    Query(params): Query<ExportParams>,
) -> Result<Response> {
    let limit = bounded("limit", params.limit.as_deref(), 100_000, 1, EXPORT_MAX)? as usize;
    let (project, now) = (access.project.id, Timestamp::now());
    let scope = filters.recent(project, now)?;
    let (ids, _) = logs.index.search(move |view| view.page(&scope, Order::Newest, 0, limit)).await?;
    let parts: Vec<Vec<EntryId>> = ids.chunks(PART).map(<[EntryId]>::to_vec).collect();
    let export = Export { parts: parts.into_iter(), logs, callers, access };
    let parts = futures_util::stream::unfold(export, Export::next);
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/x-ndjson")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (
            header::CONTENT_DISPOSITION,
            HeaderValue::from_str(&file_name(project, now)).map_err(Error::internal)?,
        ),
    ];
    Ok((headers, Body::from_stream(parts)).into_response())
}

struct Export {
    logs: LogStore,
    callers: Arc<Callers>,
    access: Access<Read>,
    parts: std::vec::IntoIter<Vec<EntryId>>,
}

impl Export {
    /// The next lines; an error, which cuts the connection, if the caller has lost access.
    async fn next(mut self) -> Option<(Result<Bytes>, Self)> {
        let ids = self.parts.next()?;
        let part = self.part(ids).await;
        Some((part, self))
    }

    async fn part(&self, ids: Vec<EntryId>) -> Result<Bytes> {
        self.access.renew(&self.callers).await?;
        lines(&self.logs, self.access.project.id, ids).await
    }
}

async fn lines(logs: &LogStore, project: ProjectId, ids: Vec<EntryId>) -> Result<Bytes> {
    let mut text = Vec::new();
    for entry in shown_entries(logs, project, ids, None).await? {
        serde_json::to_writer(&mut text, &entry).map_err(Error::internal)?;
        text.push(b'\n');
    }
    Ok(text.into())
}
