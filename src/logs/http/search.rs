//! `/api/v1/projects/{project_id}/logs`: the newest entries that match, and the entries around one of them.

use crate::access::{Access, Read};
use crate::error::{Error, Result};
use crate::event::log_entry::Entry;
use crate::http::extract::{Query, bounded};
use crate::ids::ProjectId;
use crate::logs::search::hints::{SearchHint, hints};
use crate::logs::search::{Filters, LogEntry, OFFSET_MAX, PAGE_MAX};
use crate::logs::store::LogStore;
use crate::logs::store::Shared;
use crate::sabotage;
use crate::search::query::Node;
use crate::search::view::View;
use crate::search::{EntryId, Order, Scope, place};
use crate::text::shown;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use utoipa::{IntoParams, ToSchema};

/// The most entries on each side of one.
const AROUND_MAX: u64 = 500;
/// Bytes of entries in an answer; the last part may exceed it.
const PAGE_BYTES: usize = 8 << 20;
/// Entries read at once.
const PART: usize = 100;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageParams {
    /// 1 to 1,000, default 100. A page of long entries ends earlier, after about 8 MiB, with `has_more` set.
    #[param(value_type = Option<i64>)]
    limit: Option<String>,
    /// 0 to 100,000; to go further back, use `end_time`.
    #[param(value_type = Option<i64>)]
    offset: Option<String>,
}

impl PageParams {
    /// # Errors
    /// 422 naming the bounds.
    pub fn page(&self) -> Result<(usize, usize)> {
        let limit = bounded("limit", self.limit.as_deref(), 100, 1, PAGE_MAX)?;
        let offset = bounded("offset", self.offset.as_deref(), 0, 0, OFFSET_MAX)?;
        Ok((limit as usize, offset as usize))
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Logs {
    pub logs: Vec<LogEntry>,
    /// The exact number of all matches.
    pub total: u64,
    pub has_more: bool,
    /// The index is being rebuilt: older entries appear gradually.
    pub rebuilding: bool,
    /// If nothing was found: the words and values of the search that no entry of the time range has.
    pub hints: Vec<SearchHint>,
}

/// Searches a project's log entries, newest first.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/logs", tag = "logs",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path), Filters, PageParams), responses((status = 200, body = Logs),
        (status = 422, description = "A filter is not valid"), (status = 503, description = "Over 5 s, or the index is being opened")))]
pub async fn list_logs(
    State(logs): State<LogStore>,
    access: Access<Read>,
    Query(filters): Query<Filters>,
    Query(page): Query<PageParams>,
) -> Result<Answer<Logs>> {
    let (limit, offset) = page.page()?;
    let scope = filters.scope(access.project.id)?;
    page_of(&logs, scope, Order::Newest, offset, limit).await.map(Answer)
}

/// A page of the entries in a scope.
pub async fn page_of(
    store: &LogStore,
    scope: Scope,
    order: Order,
    offset: usize,
    limit: usize,
) -> Result<Logs> {
    let (project, query) = (scope.project, scope.query.clone());
    let search = move |view: &View| {
        if sabotage::on("slow_searches") {
            std::thread::sleep(Duration::from_secs(4));
        }
        let (ids, total) = view.page(&scope, order, offset, limit)?;
        let hints = if total == 0 { hints(view, &scope) } else { Vec::new() };
        Ok((ids, total, hints))
    };
    let (ids, total, hints) = store.index.search(search).await?;
    let logs = shown_page(store, project, ids, query).await?;
    let has_more = ((offset + logs.len()) as u64) < total;
    Ok(Logs { logs, total, has_more, rebuilding: store.index.is_rebuilding(), hints })
}

/// Entries in their displayed form; only the first ones if all are too large for an answer.
pub async fn shown_page(
    logs: &LogStore,
    project: ProjectId,
    ids: Vec<EntryId>,
    query: Option<Node>,
) -> Result<Vec<LogEntry>> {
    let (mut shown, mut size) = (Vec::new(), 0);
    for part in ids.chunks(PART) {
        if size > PAGE_BYTES {
            break;
        }
        let part = shown_entries(logs, project, part.to_vec(), query.clone()).await?;
        size += part.iter().map(LogEntry::size).sum::<usize>();
        shown.extend(part);
    }
    Ok(shown)
}

/// Entries that a search found, in their displayed form.
pub async fn shown_entries(
    logs: &LogStore,
    project: ProjectId,
    ids: Vec<EntryId>,
    query: Option<Node>,
) -> Result<Vec<LogEntry>> {
    let show =
        move |id, entry: Entry<'_>, shared: Shared<'_>| LogEntry::new(id, entry, shared, query.as_ref());
    logs.found(project, ids, show).await
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ContextParams {
    /// The entry's `id`.
    #[param(value_type = i64)]
    id: Option<String>,
    /// Entries before it, 0 to 500, default 20.
    #[param(value_type = Option<i64>)]
    before: Option<String>,
    /// Entries after it, 0 to 500, default 20.
    #[param(value_type = Option<i64>)]
    after: Option<String>,
    /// Filters the entries around it, as in a search: `logger:db`, `trace:…`.
    search: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct LogContext {
    /// In chronological order.
    pub before: Vec<LogEntry>,
    pub entry: LogEntry,
    pub after: Vec<LogEntry>,
}

/// Shows the entries before and after a log entry.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/logs/context", tag = "logs",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path), ContextParams),
    responses((status = 200, body = LogContext), (status = 404), (status = 422)))]
pub async fn get_log_context(
    State(logs): State<LogStore>,
    access: Access<Read>,
    Query(params): Query<ContextParams>,
) -> Result<Answer<LogContext>> {
    let project = access.project.id;
    let id = entry_id(params.id.as_deref())?;
    let before = bounded("before", params.before.as_deref(), 20, 0, AROUND_MAX)? as usize;
    let after = bounded("after", params.after.as_deref(), 20, 0, AROUND_MAX)? as usize;
    let filters = Filters { search: params.search, ..Filters::default() };
    let scope = filters.scope(project)?;
    let missing = || Error::not_found("This project has no such log entry");
    let show = |id, entry: Entry<'_>, shared: Shared<'_>| LogEntry::new(id, entry, shared, None);
    let entry = logs.entries(project, vec![id], show).await?.pop().ok_or_else(missing)?;
    let at = (place(project, entry.timestamp), id);
    let [before, after] = logs.index.search(move |view| view.around(&scope, at, before, after)).await?;
    // Nearest first, in case not all fit.
    let nearest = before.into_iter().rev().collect();
    let (mut before, after) =
        tokio::try_join!(shown_page(&logs, project, nearest, None), shown_page(&logs, project, after, None))?;
    before.reverse();
    Ok(Answer(LogContext { before, entry, after }))
}

fn entry_id(given: Option<&str>) -> Result<EntryId> {
    let given = given.ok_or_else(|| Error::invalid("id: missing; expected the id of a log entry"))?;
    given.parse().ok().filter(|id| *id >= 0).map(EntryId).ok_or_else(|| {
        Error::invalid(format!("id: expected the id of a log entry, got `{}`", shown(given, 64)))
    })
}

/// The `Content-Disposition` of an export.
pub fn file_name(project: ProjectId, now: Timestamp) -> String {
    format!("attachment; filename=\"logs-{project}-{}.ndjson\"", now.millis() / 1000)
}
