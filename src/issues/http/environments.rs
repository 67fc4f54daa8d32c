//! `GET /api/v1/projects/{project_id}/environments`.

use crate::access::{Access, Read};
use crate::error::Result;
use crate::issues::service::IssueService;
use crate::issues::sql::within;
use crate::issues::within::Environment;
use axum::Json as Answer;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
pub struct Environments {
    /// Those used last first, at most 100.
    pub environments: Vec<Environment>,
}

/// Lists the environments of a project's events.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/environments", tag = "issues",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path)), responses((status = 200, body = Environments)))]
pub async fn list_environments(
    State(issues): State<IssueService>,
    access: Access<Read>,
) -> Result<Answer<Environments>> {
    let read = issues.main.read(move |c| within::environments(c, access.project.id));
    Ok(Answer(Environments { environments: read.await? }))
}
