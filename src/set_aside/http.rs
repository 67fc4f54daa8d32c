//! `/api/v1/projects/{id}/set-aside`.

use super::{Outcome, RetriedEvent, SetAsideDetail, SetAsideEvent, sql};
use crate::access::{Access, Administer};
use crate::accounts::standing::Standing;
use crate::audit::{self, Act, Actor};
use crate::error::{Error, Result};
use crate::http::client::Client;
use crate::http::extract::{Paging, Query};
use crate::ids::{ProjectId, SetAsideId};
use crate::intake::store::Row;
use crate::intake::store::Store;
use crate::store::Disk;
use crate::store::Main;
use crate::text::shown;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use utoipa::{IntoParams, ToSchema};

/// The most rows of a page.
const PAGE_MAX: u64 = 100;
/// How long a retry waits for its outcome, and how long between two checks.
const PATIENCE: Duration = Duration::from_secs(3);
const LOOK: Duration = Duration::from_millis(50);

/// The store of events that were set aside, and the queue they are put back into.
#[derive(Clone)]
pub struct Queue {
    pub main: Main,
    pub intake: Store,
    pub disk: Arc<Disk>,
}

#[derive(Serialize, ToSchema)]
pub struct SetAsideEvents {
    pub events: Vec<SetAsideEvent>,
    /// At most 1,000 are kept.
    pub total: i64,
    pub has_more: bool,
    /// How many older ones have ever been dropped to make room for newer ones.
    pub dropped: i64,
}

/// Lists events that were accepted but could not be digested, newest first. `limit` 1 to 100, default 25.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/set-aside", tag = "projects",
    extensions(("x-access" = json!(Access::<Administer>::needs()))),
    params(("project_id" = i64, Path), Paging), responses((status = 200, body = SetAsideEvents)))]
pub async fn list_set_aside(
    State(queue): State<Queue>,
    access: Access<Administer>,
    Query(paging): Query<Paging>,
) -> Result<Answer<SetAsideEvents>> {
    let page = paging.page(25, PAGE_MAX)?;
    let project = access.project.id;
    let read = queue.main.read(move |c| Ok((sql::list(c, project, page)?, sql::counts(c, project)?)));
    let (events, (total, dropped)) = read.await?;
    Ok(Answer(SetAsideEvents { has_more: page.has_more(events.len(), total), events, total, dropped }))
}

/// Shows an event that was set aside, with what was accepted.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/set-aside/{set_aside_id}", tag = "projects",
    extensions(("x-access" = json!(Access::<Administer>::needs()))),
    params(("project_id" = i64, Path), ("set_aside_id" = i64, Path)),
    responses((status = 200, body = SetAsideDetail), (status = 404)))]
pub async fn get_set_aside(
    State(queue): State<Queue>,
    access: Access<Administer>,
    Path((_, id)): Path<(String, String)>,
) -> Result<Answer<SetAsideDetail>> {
    let (id, project) = (set_aside_id(&id)?, access.project.id);
    let read = queue.main.read(move |c| sql::get(c, project, id));
    let (event, accepted) = read.await?.ok_or_else(not_found)?;
    Ok(Answer(SetAsideDetail::new(event, &accepted)))
}

/// Puts an event back into the digest's queue, and waits up to 3 s for the outcome. Retrying is harmless: an
/// event is counted only once.
#[utoipa::path(post, path = "/api/v1/projects/{project_id}/set-aside/{set_aside_id}/retry", tag = "projects",
    extensions(("x-access" = json!(Access::<Administer>::needs()))),
    params(("project_id" = i64, Path), ("set_aside_id" = i64, Path)),
    responses((status = 200, body = RetriedEvent), (status = 404)))]
pub async fn retry_set_aside(
    State(queue): State<Queue>,
    access: Access<Administer>,
    client: Client,
    Path((_, id)): Path<(String, String)>,
) -> Result<Answer<RetriedEvent>> {
    let (id, project) = (set_aside_id(&id)?, access.project.id);
    let standing = access.standing()?;
    let actor = actor(&access, &client)?;
    let act = move |event: &str| act(&actor, &access, "set_aside.retried", event);
    // Completes even if the caller disconnects: an event that is back in the queue leaves the list.
    let work = async move {
        let event_id = put_back(&queue, project, id, standing, act).await?;
        follow(&queue, project, event_id, id).await
    };
    Ok(Answer(tokio::spawn(work).await.map_err(Error::internal)??))
}

/// The event is queued first and then removed from the list: a crash in between leaves it in both, and the
/// digest counts an event id only once.
async fn put_back(
    queue: &Queue,
    project: ProjectId,
    id: SetAsideId,
    standing: Standing,
    act: impl FnOnce(&str) -> Act + Send + 'static,
) -> Result<String> {
    queue.disk.accepting()?;
    let found = queue.main.write(move |tx| {
        standing.check(tx)?;
        let (event, accepted) = sql::get(tx, project, id)?.ok_or_else(not_found)?;
        audit::sql::add(tx, &act(&event.event_id), Timestamp::now())?;
        Ok((event, accepted))
    });
    let (event, accepted) = found.await?;
    let row = Row::again(project, event.received_at, accepted)?;
    // Its own where a newer Mayday accepted it and runs by now.
    let event_id = row.event_id().to_owned();
    queue.intake.add(vec![row]).await?;
    queue.main.write(move |tx| sql::delete(tx, project, id).map(drop)).await?;
    Ok(event_id)
}

async fn follow(
    queue: &Queue,
    project: ProjectId,
    event_id: String,
    tried: SetAsideId,
) -> Result<RetriedEvent> {
    let event_id: Arc<str> = event_id.into();
    let end = tokio::time::Instant::now() + PATIENCE;
    loop {
        let wanted = event_id.clone();
        let found = queue.main.read(move |c| sql::outcome(c, project, &wanted, tried)).await?;
        if found.outcome != Outcome::Waiting || tokio::time::Instant::now() > end {
            return Ok(found);
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// Deletes an event that was set aside. This cannot be undone.
#[utoipa::path(delete, path = "/api/v1/projects/{project_id}/set-aside/{set_aside_id}", tag = "projects",
    extensions(("x-access" = json!(Access::<Administer>::needs()))),
    params(("project_id" = i64, Path), ("set_aside_id" = i64, Path)),
    responses((status = 204), (status = 404)))]
pub async fn delete_set_aside(
    State(queue): State<Queue>,
    access: Access<Administer>,
    client: Client,
    Path((_, id)): Path<(String, String)>,
) -> Result<StatusCode> {
    let (id, project) = (set_aside_id(&id)?, access.project.id);
    let standing = access.standing()?;
    let actor = actor(&access, &client)?;
    let write = queue.main.write(move |tx| {
        standing.check(tx)?;
        let event_id = sql::delete(tx, project, id)?.ok_or_else(not_found)?;
        audit::sql::add(tx, &act(&actor, &access, "set_aside.deleted", &event_id), Timestamp::now())
    });
    write.await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DeleteParams {
    /// Delete only up to this id, so that events added since the list was read stay. Default: all.
    #[param(value_type = Option<i64>)]
    through: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct DeletedEvents {
    pub deleted: usize,
}

/// Deletes the events that were set aside. This cannot be undone.
#[utoipa::path(delete, path = "/api/v1/projects/{project_id}/set-aside", tag = "projects",
    extensions(("x-access" = json!(Access::<Administer>::needs()))),
    params(("project_id" = i64, Path), DeleteParams), responses((status = 200, body = DeletedEvents)))]
pub async fn delete_all_set_aside(
    State(queue): State<Queue>,
    access: Access<Administer>,
    client: Client,
    Query(params): Query<DeleteParams>,
) -> Result<Answer<DeletedEvents>> {
    let through = params.through.as_deref().map_or(Ok(SetAsideId(i64::MAX)), through)?;
    let standing = access.standing()?;
    let actor = actor(&access, &client)?;
    let write = queue.main.write(move |tx| {
        standing.check(tx)?;
        let deleted = sql::delete_through(tx, access.project.id, through)?;
        if deleted > 0 {
            let act = act(&actor, &access, "set_aside.cleared", &deleted.to_string());
            audit::sql::add(tx, &act, Timestamp::now())?;
        }
        Ok(deleted)
    });
    Ok(Answer(DeletedEvents { deleted: write.await? }))
}

fn act(actor: &Actor, access: &Access<Administer>, action: &'static str, target: &str) -> Act {
    let act = actor.did(action, target).within(access.project.organization);
    act.with(json!({ "project_id": access.project.id }))
}

fn actor(access: &Access<Administer>, client: &Client) -> Result<Actor> {
    let user = access.user().ok_or_else(Error::signed_out)?;
    Ok(Actor::person(user, client.address))
}

fn through(text: &str) -> Result<SetAsideId> {
    text.parse().map(SetAsideId).map_err(|_| {
        Error::invalid(format!("through: expected an id of the list, got `{}`", shown(text, 64)))
    })
}

fn set_aside_id(text: &str) -> Result<SetAsideId> {
    text.parse().map(SetAsideId).map_err(|_| not_found())
}

fn not_found() -> Error {
    Error::not_found("No such event is set aside in this project. It may have been retried or deleted.")
}
