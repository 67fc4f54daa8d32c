//! `/api/v1/events/{event_id}`.

use super::{Event, explain, sql};
use crate::app::App;
use crate::digest::resolve::Resolver;
use crate::error::{Error, Result};
use crate::http::callers::Caller;
use crate::http::extract::Query;
use crate::ids::ProjectId;
use crate::projects::Scope;
use crate::store::Connection;
use crate::text::shown;
use axum::Json as Answer;
use axum::extract::{Path, State};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::IntoParams;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct EventParams {
    /// Decides when several projects hold the id.
    #[param(value_type = Option<i64>)]
    project_id: Option<String>,
}

/// Shows an event with raw and resolved frames.
#[utoipa::path(get, path = "/api/v1/events/{event_id}", tag = "events",
    params(("event_id" = String, Path), EventParams),
    responses((status = 200, body = Event), (status = 404),
        (status = 409, description = "Several visible projects hold this id: say `project_id`")))]
pub async fn get_event(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(event_id): Path<String>,
    Query(params): Query<EventParams>,
) -> Result<Answer<Event>> {
    let wanted = params.project_id.as_deref().map(project_id).transpose()?;
    if let Caller::Key(key) = &caller {
        key.require(&[Scope::Read])?;
    }
    let maps = app.maps.clone();
    let read = app.main.read(move |c| {
        let project = find_project(c, &caller, &event_id, wanted)?;
        let stored = sql::get(c, project, &event_id)?.ok_or_else(not_found)?;
        let frames = explain::frames(c, &mut Resolver::new(maps), &stored)?;
        stored.view(frames)
    });
    Ok(Answer(read.await?))
}

/// The one project whose event is meant, among those that the caller may see.
fn find_project(
    c: &Connection,
    caller: &Caller,
    event_id: &str,
    wanted: Option<ProjectId>,
) -> Result<ProjectId> {
    let visible = match caller {
        Caller::Key(key) => vec![key.project],
        Caller::Person(person) => sql::projects_of(c, event_id, person.user.id)?,
    };
    match (wanted, visible.as_slice()) {
        (Some(wanted), visible) if visible.contains(&wanted) => Ok(wanted),
        (None, [only]) => Ok(*only),
        (None, [_, ..]) => {
            let ids: Vec<String> = visible.iter().map(ToString::to_string).collect();
            Err(Error::conflict(format!(
                "The projects {} hold an event of this id: say which with ?project_id=",
                ids.join(", ")
            )))
        }
        _ => Err(not_found()),
    }
}

fn project_id(text: &str) -> Result<ProjectId> {
    text.parse().map(ProjectId).map_err(|_| {
        Error::invalid(format!("project_id: expected a whole number, got `{}`", shown(text, 64)))
    })
}

fn not_found() -> Error {
    Error::not_found("There is no such event. One that was just accepted appears within a second.")
}
