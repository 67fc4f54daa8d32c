//! Session replays: received in `ingest`, read and deleted here.

pub mod events;
pub mod ingest;

use crate::access::{Access, Administer, Caller, Callers, Read, Reader};
use crate::error::{Error, Result};
use crate::event::replay::window_key;
use crate::events::http::{self as event_http, EventParams};
use crate::events::sql as event_sql;
use crate::http::extract::{Paging, Query, yes_or_no};
use crate::ids::{IssueId, ProjectId};
use crate::issues::within::Period;
use crate::replays::sequence::{Extent, missing};
use crate::replays::service::ReplayService;
use crate::replays::sql::{self, Filter, ReplayHints};
use crate::replays::{MISSING_MAX, PAGE_MAX, Replay, ReplayDetails};
use crate::store::{Connection, Main};
use crate::text::shown;
use crate::time::{HOUR, Timestamp};
use axum::Json as Answer;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

#[derive(Serialize, ToSchema)]
pub struct Replays {
    pub replays: Vec<Replay>,
    pub total: i64,
    pub has_more: bool,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ReplayParams {
    /// A part of an id, e-mail or name of the user or account.
    user: Option<String>,
    /// A part of the address of a page: of the first 20 that it shows.
    url: Option<String>,
    /// Only those with an error (`true`), or without (`false`).
    #[param(value_type = Option<bool>)]
    has_error: Option<String>,
    environment: Option<String>,
    release: Option<String>,
    /// Only those in which an event of the issue with this id happened.
    #[param(value_type = Option<i64>)]
    issue: Option<String>,
    /// Only replays that began within this period: `24h`, `7d`, `2w`, up to `30d`. It is counted in whole hours, up to
    /// and including the current one.
    period: Option<String>,
    /// 1 to 100, default 50.
    #[param(value_type = Option<i64>)]
    limit: Option<String>,
    /// 0 to 1,000,000.
    #[param(value_type = Option<i64>)]
    offset: Option<String>,
}

/// Lists a project's session replays, newest first.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/replays", tag = "replays",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path), ReplayParams), responses((status = 200, body = Replays)))]
pub async fn list_replays(
    State(main): State<Main>,
    access: Access<Read>,
    Query(params): Query<ReplayParams>,
) -> Result<Answer<Replays>> {
    let page = Paging { limit: params.limit, offset: params.offset }.page(50, PAGE_MAX)?;
    let has_error = |text: &str| yes_or_no("has_error", Some(text), false);
    let part = |text: Option<String>| text.filter(|text| !text.is_empty()).map(|text| text.to_lowercase());
    let filter = Filter {
        user: part(params.user),
        url: part(params.url),
        has_error: params.has_error.as_deref().map(has_error).transpose()?,
        environment: params.environment,
        release: params.release,
        issue: params.issue.as_deref().map(issue_id).transpose()?,
        since: params.period.as_deref().filter(|text| !text.is_empty()).map(since).transpose()?,
    };
    let project = access.project.id;
    let (replays, total) = main.read(move |c| sql::list(c, project, &filter, page)).await?;
    Ok(Answer(Replays { has_more: page.has_more(replays.len(), total), replays, total }))
}

#[derive(Serialize, ToSchema)]
pub struct ReplayEnvironments {
    /// Those of the newest replays first, at most 100.
    pub environments: Vec<String>,
}

/// Lists the environments of a project's session replays, including those without events.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/replays/environments", tag = "replays",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path)), responses((status = 200, body = ReplayEnvironments)))]
pub async fn list_replay_environments(
    State(main): State<Main>,
    access: Access<Read>,
) -> Result<Answer<ReplayEnvironments>> {
    let read = main.read(move |c| sql::environments(c, access.project.id));
    Ok(Answer(ReplayEnvironments { environments: read.await? }))
}

fn since(period: &str) -> Result<Timestamp> {
    let first = Period::parse(period)?.first_hour(Timestamp::now());
    Ok(Timestamp::from_millis(first * HOUR))
}

fn issue_id(text: &str) -> Result<IssueId> {
    text.parse().map(IssueId).map_err(|_| {
        Error::invalid(format!(
            "issue: expected the id of an issue, a whole number, got `{}`",
            shown(text, 64)
        ))
    })
}

/// Chooses among projects that have a replay of the same id.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct WhichProject {
    /// Selects the project if several have a replay with this id.
    #[param(value_type = Option<i64>)]
    project_id: Option<String>,
}

/// Shows a replay, and the errors that happened during it.
#[utoipa::path(get, path = "/api/v1/replays/{replay_id}", tag = "replays",
    extensions(("x-access" = json!(Reader::needs()))),
    params(("replay_id" = String, Path), WhichProject),
    responses((status = 200, body = ReplayDetails), (status = 404),
        (status = 409, description = "Several visible projects have this id: give `project_id`")))]
pub async fn get_replay(
    State(replays): State<ReplayService>,
    Reader(caller): Reader,
    Path(replay_id): Path<String>,
    Query(which): Query<WhichProject>,
) -> Result<Answer<ReplayDetails>> {
    let read = replays.main.read(move |c| {
        let project = find_project(c, &caller, &replay_id, which.project_id.as_deref())?;
        let (replay, errors) = sql::get(c, project, &replay_id)?.ok_or_else(not_found)?;
        Ok((replay, errors, sql::parts(c, project, &replay_id, 0)?))
    });
    let (replay, errors, parts) = read.await?;
    let (files, extent) = (replays.files, Extent::from(&replay));
    let look = move || missing(extent, &parts, |file| files.has(file), MISSING_MAX);
    let missing_chunks = tokio::task::spawn_blocking(look).await.map_err(Error::internal)?;
    let is_complete = replay.is_complete && missing_chunks.is_empty();
    let replay = Replay { is_complete, ..replay };
    Ok(Answer(ReplayDetails { replay, errors, missing_chunks }))
}

/// Deletes a replay. What still arrives of it is dropped.
#[utoipa::path(delete, path = "/api/v1/replays/{replay_id}", tag = "replays",
    extensions(("x-access" = json!(Access::<Administer>::needs()))),
    params(("replay_id" = String, Path), WhichProject), responses((status = 204), (status = 404)))]
pub async fn delete_replay(
    State(replays): State<ReplayService>,
    State(callers): State<Arc<Callers>>,
    caller: Caller,
    Path(replay_id): Path<String>,
    Query(which): Query<WhichProject>,
) -> Result<StatusCode> {
    let (asking, wanted) = (caller.clone(), replay_id.clone());
    let read = replays.main.read(move |c| find_project(c, &asking, &wanted, which.project_id.as_deref()));
    let project = read.await?;
    let access = Access::<Administer>::to(&callers, caller, project).await?;
    if replays.delete(access.project.id, replay_id).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(not_found())
    }
}

/// Shows the replay in which an error event happened; `null` if there is none.
#[utoipa::path(get, path = "/api/v1/events/{event_id}/replay", tag = "replays",
    extensions(("x-access" = json!(Reader::needs()))),
    params(("event_id" = String, Path), EventParams),
    responses((status = 200, body = Option<Replay>), (status = 404)))]
pub async fn get_event_replay(
    State(main): State<Main>,
    Reader(caller): Reader,
    Path(event_id): Path<String>,
    Query(params): Query<EventParams>,
) -> Result<Answer<Option<Replay>>> {
    let wanted = params.project()?;
    let read = main.read(move |c| {
        let project = event_http::find_project(c, &caller, &event_id, wanted)?;
        let stored = event_sql::get(c, project, &event_id)?.ok_or_else(event_http::not_found)?;
        let event = stored.accepted()?;
        let window = event.session_id.as_deref().zip(event.window_id.as_deref());
        let wanted = ReplayHints {
            replay_id: event.replay_id.as_deref().map(str::to_owned),
            window_key: window.map(|(session, window)| window_key(session, window)),
            timestamp: event.timestamp,
            event_id,
        };
        sql::of_event(c, project, &wanted)
    });
    Ok(Answer(read.await?))
}

/// The project whose replay is meant, among those that the caller may see.
fn find_project(c: &Connection, caller: &Caller, replay_id: &str, which: Option<&str>) -> Result<ProjectId> {
    let visible = match caller {
        Caller::Key(key) => vec![key.project],
        Caller::OrganizationKey(key) => sql::projects_within(c, replay_id, key.organization)?,
        Caller::Person(person) => sql::projects_of(c, replay_id, person.user.id)?,
    };
    let wanted = which.map(event_http::project_id).transpose()?;
    event_http::choose_project(&visible, wanted, "a replay")?.ok_or_else(not_found)
}

fn not_found() -> Error {
    Error::not_found("There is no such replay. One that was just accepted appears within a second.")
}
