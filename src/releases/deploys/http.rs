//! `…/releases/{version}/deploys` and `…/deploys`.

use super::sql;
use super::{Deploy, DeployFilter, NewDeploy};
use crate::access::{Access, ReadReleases, RecordDeploys};
use crate::error::{Error, Result};
use crate::http::extract::{Json, Paging, Query};
use crate::releases::PAGE_MAX;
use crate::releases::dashboard::http::{find, seen};
use crate::store::Main;
use crate::text::shown;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

#[derive(Serialize, ToSchema)]
pub struct Deploys {
    /// The last first.
    pub deploys: Vec<Deploy>,
    pub total: i64,
    pub has_more: bool,
}

/// Records that a release was deployed. The same again is answered with what is stored.
#[utoipa::path(post, path = "/api/v1/projects/{project_id}/releases/{version}/deploys", tag = "releases",
    extensions(("x-access" = json!(Access::<RecordDeploys>::needs()))),
    params(("project_id" = i64, Path), ("version" = String, Path)), request_body = NewDeploy,
    responses((status = 201, body = Deploy), (status = 200, body = Deploy, description = "Recorded already"),
        (status = 404), (status = 409, description = "The release has 1,000 deploys")))]
pub async fn create_deploy(
    State(main): State<Main>,
    access: Access<RecordDeploys>,
    Path((_, version)): Path<(String, String)>,
    Json(new): Json<NewDeploy>,
) -> Result<(StatusCode, Answer<Deploy>)> {
    let project = access.project.id;
    let release = find(&main, project, version).await?;
    let now = Timestamp::now();
    let new = new.check(now)?;
    let write = main.write(move |tx| sql::add(tx, (project, release.id), &new, now));
    let (deploy, is_new) = write.await?;
    Ok((if is_new { StatusCode::CREATED } else { StatusCode::OK }, Answer(deploy)))
}

/// Lists a release's deploys.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/releases/{version}/deploys", tag = "releases",
    extensions(("x-access" = json!(Access::<ReadReleases>::needs()))),
    params(("project_id" = i64, Path), ("version" = String, Path), Paging),
    responses((status = 200, body = Deploys), (status = 404)))]
pub async fn list_deploys_of_release(
    State(main): State<Main>,
    access: Access<ReadReleases>,
    Path((_, version)): Path<(String, String)>,
    Query(paging): Query<Paging>,
) -> Result<Answer<Deploys>> {
    let page = paging.page(50, PAGE_MAX)?;
    let release = seen(&main, access.project.id, version).await?;
    let read = main.read(move |c| match release.id {
        Some(id) => sql::of_release(c, id, page),
        None => Ok((Vec::new(), 0)),
    });
    let (deploys, total) = read.await?;
    Ok(Answer(Deploys { has_more: page.has_more(deploys.len(), total), deploys, total }))
}

/// The filters of a project's deploys.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DeployParams {
    /// Finished at or after.
    #[param(value_type = Option<Timestamp>, inline)]
    start_time: Option<String>,
    environment: Option<String>,
    /// 1 to 100, default 50.
    #[param(value_type = Option<i64>)]
    limit: Option<String>,
    /// 0 to 1,000,000.
    #[param(value_type = Option<i64>)]
    offset: Option<String>,
}

/// Lists a project's deploys, of all its releases.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/deploys", tag = "releases",
    extensions(("x-access" = json!(Access::<ReadReleases>::needs()))),
    params(("project_id" = i64, Path), DeployParams), responses((status = 200, body = Deploys)))]
pub async fn list_deploys(
    State(main): State<Main>,
    access: Access<ReadReleases>,
    Query(params): Query<DeployParams>,
) -> Result<Answer<Deploys>> {
    let page = Paging { limit: params.limit, offset: params.offset }.page(50, PAGE_MAX)?;
    let time = |given: &str| {
        Timestamp::parse(given).ok_or_else(|| {
            let got = shown(given, 64);
            Error::invalid(format!(
                "start_time: expected an ISO 8601 time such as 2026-11-21T10:00:00Z, got `{got}`"
            ))
        })
    };
    let since = params.start_time.as_deref().map(time).transpose()?;
    let filter = DeployFilter { since, environment: params.environment };
    let project = access.project.id;
    let (deploys, total) = main.read(move |c| sql::of_project(c, project, &filter, page)).await?;
    Ok(Answer(Deploys { has_more: page.has_more(deploys.len(), total), deploys, total }))
}
