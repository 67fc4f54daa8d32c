//! `/api/runners`.

pub mod protocol;

use super::sql::{self, NewRunner};
use super::{Runner, check_labels, new_token};
use crate::access::{BoundAgents, Platform, ReadPlatform};
use crate::accounts::check_name;
use crate::audit;
use crate::crypto::token;
use crate::error::{Error, Result};
use crate::http::extract::Json;
use crate::ids::RunnerId;
use crate::repositories;
use crate::repositories::http::Deleted;
use crate::sessions::service::release::abandon;
use crate::sessions::service::{SessionService, lose};
use crate::sessions::sql::leases::held_by;
use crate::store::Main;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
pub struct Runners {
    pub runners: Vec<Runner>,
}

#[derive(Serialize, ToSchema)]
pub struct OneRunner {
    pub runner: Runner,
}

#[derive(Deserialize, ToSchema)]
pub struct CreateRunner {
    /// 1 to 128 characters.
    pub name: String,
    /// What sessions may require: at most 20 of 1 to 64 characters. A runner that is started with labels replaces them.
    #[serde(default)]
    pub labels: Vec<String>,
}

#[derive(Serialize, ToSchema)]
pub struct CreatedRunner {
    pub runner: Runner,
    /// For `mayday runner --token`; shown only this once.
    pub token: String,
}

/// Lists the organization's runners, oldest first.
#[utoipa::path(get, path = "/api/runners", tag = "automation",
    extensions(("x-access" = json!(Platform::<ReadPlatform>::needs()))),
    responses((status = 200, body = Runners)))]
pub async fn list_runners(
    State(main): State<Main>,
    access: Platform<ReadPlatform>,
) -> Result<Answer<Runners>> {
    let runners = main.read(move |c| sql::list(c, access.organization)).await?;
    Ok(Answer(Runners { runners }))
}

/// Creates a runner and shows its token, only this once. Only a person who is signed in may: a runner is given what sessions know.
#[utoipa::path(post, path = "/api/runners", tag = "automation",
    extensions(("x-access" = json!(Platform::<BoundAgents>::needs()))),
    request_body = CreateRunner,
    responses((status = 201, body = CreatedRunner), (status = 409, description = "Too many runners")))]
pub async fn create_runner(
    State(main): State<Main>,
    access: Platform<BoundAgents>,
    Json(body): Json<CreateRunner>,
) -> Result<(StatusCode, Answer<CreatedRunner>)> {
    let given = new_token();
    let new = NewRunner {
        organization: access.organization,
        name: check_name("name", &body.name)?,
        labels: check_labels("labels", body.labels)?,
        token_hash: token::key_hash(&given),
        created_by: access.creator(),
    };
    let (standing, actor) = (access.standing(), access.actor());
    let write = main.write(move |tx| {
        standing.check(tx)?;
        let now = Timestamp::now();
        let runner = sql::create(tx, &new, now)?;
        audit::sql::add(tx, &actor.did("runner.created", &runner.name).within(new.organization), now)?;
        Ok(runner)
    });
    let runner = write.await?;
    Ok((StatusCode::CREATED, Answer(CreatedRunner { runner, token: given })))
}

/// Shows a runner.
#[utoipa::path(get, path = "/api/runners/{runner_id}", tag = "automation",
    extensions(("x-access" = json!(Platform::<ReadPlatform>::needs()))),
    params(("runner_id" = String, Path)), responses((status = 200, body = OneRunner)))]
pub async fn get_runner(
    State(main): State<Main>,
    access: Platform<ReadPlatform>,
    Path(id): Path<String>,
) -> Result<Answer<OneRunner>> {
    let id = RunnerId::parse(&id).ok_or_else(unknown)?;
    let runner = main.read(move |c| sql::get(c, access.organization, id)).await?;
    Ok(Answer(OneRunner { runner: runner.ok_or_else(unknown)? }))
}

/// Deletes a runner: its token is no longer valid, and what it was running is given to others.
#[utoipa::path(delete, path = "/api/runners/{runner_id}", tag = "automation",
    extensions(("x-access" = json!(Platform::<BoundAgents>::needs()))),
    params(("runner_id" = String, Path)), responses((status = 200, body = Deleted)))]
pub async fn delete_runner(
    State(sessions): State<SessionService>,
    access: Platform<BoundAgents>,
    Path(id): Path<String>,
) -> Result<Answer<Deleted>> {
    let id = RunnerId::parse(&id).ok_or_else(unknown)?;
    let (standing, actor, organization) = (access.standing(), access.actor(), access.organization);
    let write = sessions.main.write(move |tx| {
        standing.check(tx)?;
        let now = Timestamp::now();
        sql::get(tx, organization, id)?.ok_or_else(unknown)?;
        let held = held_by(tx, id)?;
        let lost = held.iter().map(|lost| Ok((lost.id, lose(tx, lost, now)?)));
        let mut told = lost.collect::<Result<Vec<_>>>()?;
        told.extend(abandon(tx, organization, id, now)?);
        repositories::sql::forget_runner(tx, id, now)?;
        let name = sql::delete(tx, organization, id)?.ok_or_else(unknown)?;
        audit::sql::add(tx, &actor.did("runner.deleted", name).within(organization), now)?;
        Ok(told)
    });
    for (id, issue) in write.await? {
        sessions.changed(id);
        sessions.issue_changed(issue);
    }
    Ok(Answer(Deleted { deleted: true }))
}

fn unknown() -> Error {
    Error::not_found("This organization has no such runner")
}
