//! `/api/v1/events/{event_id}`, and stepping through an issue's events.

use crate::access::{Access, Caller, Read, Reader};
use crate::error::{Error, Result};
use crate::events::{Event, Walk, service, sql};
use crate::http::extract::Query;
use crate::ids::{IssueId, ProjectId};
use crate::releases::service::Maps;
use crate::store::Connection;
use crate::store::Main;
use crate::text::shown;
use axum::Json as Answer;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct EventParams {
    /// Selects the project if several have an event with this id.
    #[param(value_type = Option<i64>)]
    project_id: Option<String>,
}

impl EventParams {
    /// # Errors
    /// 422 if it is not a project id.
    pub fn project(&self) -> Result<Option<ProjectId>> {
        self.project_id.as_deref().map(project_id).transpose()
    }
}

/// Shows an event with raw and resolved frames.
#[utoipa::path(get, path = "/api/v1/events/{event_id}", tag = "events",
    extensions(("x-access" = json!(Reader::needs()))),
    params(("event_id" = String, Path), EventParams),
    responses((status = 200, body = Event), (status = 404),
        (status = 409, description = "Several visible projects have this id: give `project_id`")))]
pub async fn get_event(
    State(main): State<Main>,
    State(maps): State<Arc<Maps>>,
    Reader(caller): Reader,
    Path(event_id): Path<String>,
    Query(params): Query<EventParams>,
) -> Result<Answer<Event>> {
    let wanted = params.project()?;
    let read = main.read(move |c| {
        let project = find_project(c, &caller, &event_id, wanted)?;
        view(c, maps, project, &event_id)
    });
    Ok(Answer(read.await?))
}

/// An event as shown on its page.
pub(crate) fn view(c: &Connection, maps: Arc<Maps>, project: ProjectId, event_id: &str) -> Result<Event> {
    service::view(c, maps, project, event_id)?.ok_or_else(not_found)
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct WalkParams {
    /// An `event_id` of the issue. Default: the newest.
    id: Option<String>,
}

/// An event with its neighbours.
#[derive(Serialize, ToSchema)]
pub struct WalkedEvent {
    pub event: Event,
    pub walk: Walk,
}

/// An issue is created by an event.
const NO_EVENTS: &str = "The events of this issue were removed by retention. Its counts remain.";

/// Shows an event of an issue, and which ones come before and after it.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/issues/{issue_id}/event", tag = "events",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path), ("issue_id" = i64, Path), WalkParams),
    responses((status = 200, body = WalkedEvent), (status = 404)))]
pub async fn get_issue_event(
    State(main): State<Main>,
    State(maps): State<Arc<Maps>>,
    access: Access<Read>,
    Path((_, issue)): Path<(String, String)>,
    Query(params): Query<WalkParams>,
) -> Result<Answer<WalkedEvent>> {
    let not_here = || Error::not_found("This issue has no such event");
    let issue = issue.parse().map(IssueId).map_err(|_| not_here())?;
    let (maps, project) = (maps.clone(), access.project.id);
    let read = main.read(move |c| {
        let Some(place) = sql::place(c, project, issue, params.id.as_deref())? else {
            return Err(match params.id {
                None if sql::has_issue(c, project, issue)? => Error::not_found(NO_EVENTS),
                _ => not_here(),
            });
        };
        let walk = sql::walk(c, issue, &place)?;
        Ok(WalkedEvent { event: view(c, maps, project, &place.event_id)?, walk })
    });
    Ok(Answer(read.await?))
}

/// The project of an event, among those that the caller may see.
pub(crate) fn find_project(
    c: &Connection,
    caller: &Caller,
    event_id: &str,
    wanted: Option<ProjectId>,
) -> Result<ProjectId> {
    let visible = match caller {
        Caller::Key(key) => vec![key.project],
        Caller::OrganizationKey(key) => sql::projects_within(c, event_id, key.organization)?,
        Caller::Person(person) => sql::projects_of(c, event_id, person.user.id)?,
    };
    choose_project(&visible, wanted, "an event")?.ok_or_else(not_found)
}

/// The project that is meant by an event id, which several visible projects may have; `None` if none of them has it.
pub(crate) fn choose_project(
    visible: &[ProjectId],
    wanted: Option<ProjectId>,
    what: &str,
) -> Result<Option<ProjectId>> {
    match (wanted, visible) {
        (Some(wanted), visible) => Ok(visible.contains(&wanted).then_some(wanted)),
        (None, []) => Ok(None),
        (None, [only]) => Ok(Some(*only)),
        (None, [_, ..]) => {
            let ids: Vec<String> = visible.iter().map(ToString::to_string).collect();
            Err(Error::conflict(format!(
                "The projects {} each have {what} with this id: choose one with ?project_id=",
                ids.join(", ")
            )))
        }
    }
}

pub(crate) fn project_id(text: &str) -> Result<ProjectId> {
    text.parse().map(ProjectId).map_err(|_| {
        Error::invalid(format!("project_id: expected a whole number, got `{}`", shown(text, 64)))
    })
}

pub(crate) fn not_found() -> Error {
    Error::not_found("There is no such event. One that was just accepted appears within a second.")
}
