//! `/api/v1/projects/{project_id}/issues/{issue_id}/events`.

use super::{issue_id, not_found};
use crate::access::{Access, Read};
use crate::error::{Error, Result};
use crate::events::sql::{EXAMINED_MAX, EventPage, EventPosition};
use crate::events::{self, EventSummary};
use crate::http::extract::{Paging, Query};
use crate::ids::{IssueId, ProjectId};
use crate::issues::facet::Facet;
use crate::issues::service::IssueService;
use crate::issues::{PAGE_MAX, sql};
use crate::store::Connection;
use crate::text::shown;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct EventsParams {
    /// Only events with this value: `environment:VALUE`, `release:VALUE`, `user:VALUE`, `account:VALUE`,
    /// `tag.NAME:VALUE`, or of a context, such as `contexts.os.name:VALUE`: name or version of `browser`, `os` or
    /// `runtime`, family or model of `device`, `app_name` or `app_version` of `app`. A user or account is found by
    /// any of its names.
    facet: Option<String>,
    /// Only events before this `event_id` of the issue: the `next` of the page before.
    before: Option<String>,
    /// 1 to 100, default 25.
    #[param(value_type = Option<i64>)]
    limit: Option<String>,
    /// Rows to skip, 0 to 1,000,000; not with `facet` or `before`.
    #[param(value_type = Option<i64>)]
    offset: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct Events {
    pub events: Vec<EventSummary>,
    /// How many there have been, with `facet` how many with the value: retention may have removed some.
    pub total: i64,
    pub has_more: bool,
    /// What to give as `before` for the next page; `null` at the end.
    pub next: Option<String>,
}

/// Lists an issue's events, newest first. With `facet` a page may be short, or empty, and `next` be given all
/// the same: 5,000 events are examined for a page. Only values that the issue's tags count are found.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/issues/{issue_id}/events", tag = "issues",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path), ("issue_id" = i64, Path), EventsParams),
    responses((status = 200, body = Events), (status = 404)))]
pub async fn list_issue_events(
    State(issues): State<IssueService>,
    access: Access<Read>,
    Path((_, id)): Path<(String, String)>,
    Query(params): Query<EventsParams>,
) -> Result<Answer<Events>> {
    let (id, project) = (issue_id(&id)?, access.project.id);
    if params.offset.is_some() && (params.facet.is_some() || params.before.is_some()) {
        return Err(Error::invalid("offset: expected none with `facet` or `before`; page with `before`"));
    }
    let page = Paging { limit: params.limit, offset: params.offset }.page(25, PAGE_MAX)?;
    let facet = params.facet.as_deref().map(Facet::parse).transpose()?;
    let read = issues.main.read(move |c| {
        let issue = sql::get(c, project, id, Timestamp::now())?.ok_or_else(not_found)?;
        let before = params.before.as_deref().map(|event| place(c, project, id, event)).transpose()?;
        let (found, total) = match facet {
            None => (events::sql::list(c, id, before.as_ref(), page)?, issue.event_count),
            Some(facet) => match sql::facet_filter(c, project, id, facet)? {
                None => (EventPage { events: Vec::new(), next: None }, 0),
                Some((wanted, count)) => (
                    events::sql::list_with_facet(c, id, &wanted, before.as_ref(), page.limit, EXAMINED_MAX)?,
                    count,
                ),
            },
        };
        Ok(Events { events: found.events, total, has_more: found.next.is_some(), next: found.next })
    });
    Ok(Answer(read.await?))
}

/// Where a page begins.
fn place(c: &Connection, project: ProjectId, issue: IssueId, event: &str) -> Result<EventPosition> {
    events::sql::place(c, project, issue, Some(event))?.ok_or_else(|| {
        Error::invalid(format!(
            "before: expected the id of an event of this issue, got `{}`",
            shown(event, 64)
        ))
    })
}
