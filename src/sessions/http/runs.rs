//! `/api/v1/projects/{project_id}/issues/{issue_id}/runs`: the agent sessions about an issue.

use crate::access::{Access, Read};
use crate::error::{Error, Result};
use crate::http::extract::{Paging, Query};
use crate::ids::IssueId;
use crate::issues;
use crate::sessions::Session;
use crate::sessions::sql::{self, SessionFilter};
use crate::store::Main;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::{Path, State};
use serde::Serialize;
use utoipa::ToSchema;

/// A session about an issue.
#[derive(Serialize, ToSchema)]
pub struct IssueRun {
    #[serde(flatten)]
    pub session: Session,
    /// When the issue regressed after the session's pull request was merged.
    pub regressed_at: Option<Timestamp>,
}

#[derive(Serialize, ToSchema)]
pub struct IssueRuns {
    pub runs: Vec<IssueRun>,
    pub total: i64,
}

/// Lists the sessions about an issue, newest first. `limit` 1 to 100, default 20.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/issues/{issue_id}/runs", tag = "issues",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path), ("issue_id" = i64, Path), Paging),
    responses((status = 200, body = IssueRuns), (status = 404)))]
pub async fn list_issue_runs(
    State(main): State<Main>,
    access: Access<Read>,
    Path((_, id)): Path<(String, String)>,
    Query(paging): Query<Paging>,
) -> Result<Answer<IssueRuns>> {
    let unknown = || Error::not_found("This project has no such issue");
    let id = IssueId(id.parse().map_err(|_| unknown())?);
    let (page, project) = (paging.page(20, 100)?, access.project);
    let read = main.read(move |c| {
        if !issues::sql::exists(c, project.id, id)? {
            return Err(unknown());
        }
        let filter = SessionFilter { issue: Some(id), ..SessionFilter::default() };
        let (sessions, total) = sql::list(c, project.organization, &filter, page)?;
        let run = |session: Session| -> Result<IssueRun> {
            let regressed_at = match session.merged_at {
                Some(at) => sql::regressed_after(c, id, at)?,
                None => None,
            };
            Ok(IssueRun { session, regressed_at })
        };
        Ok(IssueRuns { runs: sessions.into_iter().map(run).collect::<Result<_>>()?, total })
    });
    read.await.map(Answer)
}
