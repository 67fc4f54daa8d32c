//! `/api/v1/events/{event_id}/logs` and `/api/v1/projects/{project_id}/traces/{trace_id}/errors`.

use super::search::{Logs, PageParams, page_of};
use crate::access::{Access, Read, Reader};
use crate::error::{Error, Result};
use crate::events::{self, EventSummary};
use crate::http::extract::Query;
use crate::logs::correlation::window;
use crate::logs::search::fact;
use crate::logs::store::LogStore;
use crate::search::facts::asked_value;
use crate::search::{Order, Scope};
use crate::store::Main;
use axum::Json as Answer;
use axum::extract::{Path, State};
use serde::Serialize;
use utoipa::ToSchema;

/// The most errors shown for a trace.
const ERRORS_MAX: i64 = 100;

/// Lists the log entries of an event's trace from five minutes before it to five minutes after, in
/// chronological order.
#[utoipa::path(get, path = "/api/v1/events/{event_id}/logs", tag = "logs",
    extensions(("x-access" = json!(Reader::needs()))),
    params(("event_id" = String, Path), events::http::EventParams, PageParams),
    responses((status = 200, body = Logs, description = "Empty for an event without a trace"), (status = 404),
        (status = 409, description = "Several visible projects have this id: give `project_id`")))]
pub async fn list_event_logs(
    State(main): State<Main>,
    State(logs): State<LogStore>,
    Reader(caller): Reader,
    Path(event_id): Path<String>,
    Query(params): Query<events::http::EventParams>,
    Query(page): Query<PageParams>,
) -> Result<Answer<Logs>> {
    let (limit, offset) = page.page()?;
    let wanted = params.project()?;
    let found = main.read(move |c| {
        let project = events::http::find_project(c, &caller, &event_id, wanted)?;
        Ok((project, events::sql::moment(c, project, &event_id)?.ok_or_else(events::http::not_found)?))
    });
    let (project, (time, trace)) = found.await?;
    let Some(trace) = trace.filter(|trace| !trace.is_empty()) else {
        return Ok(Answer(Logs {
            logs: Vec::new(),
            total: 0,
            has_more: false,
            rebuilding: false,
            hints: Vec::new(),
        }));
    };
    let (start, end) = window(time);
    let scope = Scope { project, start, end, query: Some(fact("trace", &asked_value("trace", &trace))) };
    page_of(&logs, scope, Order::Oldest, offset, limit).await.map(Answer)
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TraceErrors {
    /// Newest first, at most 100.
    pub errors: Vec<EventSummary>,
    pub has_more: bool,
}

/// Lists the errors of a trace.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/traces/{trace_id}/errors", tag = "logs",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path), ("trace_id" = String, Path)),
    responses((status = 200, body = TraceErrors), (status = 422, description = "Not a trace id")))]
pub async fn list_trace_errors(
    State(main): State<Main>,
    access: Access<Read>,
    Path((_, trace)): Path<(String, String)>,
) -> Result<Answer<TraceErrors>> {
    if trace.chars().count() > crate::intake::decode::limits::ID {
        return Err(Error::invalid("trace_id: no event has one of that length"));
    }
    let project = access.project.id;
    let mut errors = main.read(move |c| events::sql::of_trace(c, project, &trace, ERRORS_MAX + 1)).await?;
    let has_more = errors.len() > ERRORS_MAX as usize;
    errors.truncate(ERRORS_MAX as usize);
    Ok(Answer(TraceErrors { errors, has_more }))
}
