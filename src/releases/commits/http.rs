//! `/api/v1/projects/{project_id}/issues/{issue_id}/suspect-commits`.

use super::SuspectCommits;
use super::service::Commits;
use crate::access::{Access, Read};
use crate::error::{Error, Result};
use crate::ids::IssueId;
use axum::Json as Answer;
use axum::extract::{Path, State};

/// Shows which commits came with the release that an issue is blamed on. The code host is asked, which takes a moment the first
/// time; one that cannot be asked is part of the answer.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/issues/{issue_id}/suspect-commits", tag = "issues",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path), ("issue_id" = i64, Path)),
    responses((status = 200, body = SuspectCommits), (status = 404)))]
pub async fn list_suspect_commits(
    State(commits): State<Commits>,
    access: Access<Read>,
    Path((_, id)): Path<(String, String)>,
) -> Result<Answer<SuspectCommits>> {
    let none = || Error::not_found("This project has no such issue.");
    let issue = id.parse().map(IssueId).map_err(|_| none())?;
    let project = &access.project;
    let found = commits.of_issue((project.organization, project.id, issue)).await?;
    found.map(Answer).ok_or_else(none)
}
