//! `/api/v1/projects/{project_id}/issues/{issue_id}/activity` and `…/comments`.

use super::{Activity, Author, Comment, check_comment, may_delete, sql};
use crate::access::{Access, DeleteComment, Read, Work};
use crate::error::{Error, Result};
use crate::http::extract::{Json, Paging, Query};
use crate::ids::{ActivityId, UserId};
use crate::issues::PAGE_MAX;
use crate::issues::http::{issue_id, not_found};
use crate::issues::service::IssueService;
use crate::live::Changes;
use crate::organizations;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What happened to an issue.
#[derive(Serialize, ToSchema)]
pub struct Activities {
    pub activity: Vec<Activity>,
    pub total: i64,
    pub has_more: bool,
}

/// Lists what happened to an issue, newest first. `limit` 1 to 100, default 50.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/issues/{issue_id}/activity", tag = "issues",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path), ("issue_id" = i64, Path), Paging),
    responses((status = 200, body = Activities), (status = 404)))]
pub async fn list_issue_activity(
    State(issues): State<IssueService>,
    access: Access<Read>,
    Path((_, id)): Path<(String, String)>,
    Query(paging): Query<Paging>,
) -> Result<Answer<Activities>> {
    let id = issue_id(&id)?;
    let page = paging.page(50, PAGE_MAX)?;
    let found = issues.main.read(move |c| sql::list(c, access.project.id, id, page)).await?;
    let (activity, total) = found.ok_or_else(not_found)?;
    Ok(Answer(Activities { has_more: page.has_more(activity.len(), total), activity, total }))
}

/// What people said about an issue.
#[derive(Serialize, ToSchema)]
pub struct Comments {
    pub comments: Vec<Comment>,
    pub total: i64,
    pub has_more: bool,
}

/// Lists an issue's comments, newest first. `limit` 1 to 100, default 50.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/issues/{issue_id}/comments", tag = "issues",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path), ("issue_id" = i64, Path), Paging),
    responses((status = 200, body = Comments), (status = 404)))]
pub async fn list_comments(
    State(issues): State<IssueService>,
    access: Access<Read>,
    Path((_, id)): Path<(String, String)>,
    Query(paging): Query<Paging>,
) -> Result<Answer<Comments>> {
    let id = issue_id(&id)?;
    let page = paging.page(50, PAGE_MAX)?;
    let found = issues.main.read(move |c| sql::comments(c, access.project.id, id, page)).await?;
    let (comments, total) = found.ok_or_else(not_found)?;
    Ok(Answer(Comments { has_more: page.has_more(comments.len(), total), comments, total }))
}

/// A comment to create.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewComment {
    /// 1 to 10,000 characters, not counting surrounding white space.
    pub text: String,
}

/// Comments on an issue.
#[utoipa::path(post, path = "/api/v1/projects/{project_id}/issues/{issue_id}/comments", tag = "issues",
    extensions(("x-access" = json!(Access::<Work>::needs()))),
    params(("project_id" = i64, Path), ("issue_id" = i64, Path)), request_body = NewComment,
    responses((status = 201, body = Comment), (status = 404),
        (status = 409, description = "The issue has the maximum number of comments")))]
pub async fn create_comment(
    State(issues): State<IssueService>,
    access: Access<Work>,
    Path((_, id)): Path<(String, String)>,
    Json(new): Json<NewComment>,
) -> Result<(StatusCode, Answer<Comment>)> {
    let (id, user) = (issue_id(&id)?, person(&access)?);
    let author = Author { user, by_token: access.is_by_token() };
    let text = check_comment(&new.text)?;
    let project = access.project.id;
    let write = issues.write_and_tell(project, move |tx| {
        let made = sql::comment(tx, project, id, author, &text, Timestamp::now())?;
        let changes = Changes::of_issues(made.is_some().then_some(id));
        Ok((made, changes))
    });
    Ok((StatusCode::CREATED, Answer(write.await?.ok_or_else(not_found)?)))
}

/// Deletes a comment; its author or an administrator may do so.
#[utoipa::path(delete, path = "/api/v1/projects/{project_id}/issues/{issue_id}/comments/{comment_id}",
    extensions(("x-access" = json!(Access::<DeleteComment>::needs()))),
    tag = "issues",
    params(("project_id" = i64, Path), ("issue_id" = i64, Path), ("comment_id" = i64, Path)),
    responses((status = 204), (status = 404)))]
pub async fn delete_comment(
    State(issues): State<IssueService>,
    access: Access<DeleteComment>,
    Path((_, id, comment)): Path<(String, String, String)>,
) -> Result<StatusCode> {
    let (id, user) = (issue_id(&id)?, person(&access)?);
    let comment = comment.parse().map(ActivityId).map_err(|_| no_such_comment())?;
    let project = access.project.id;
    let write = issues.write_and_tell(project, move |tx| {
        let author = sql::author(tx, project, id, comment)?.ok_or_else(no_such_comment)?;
        let role = organizations::sql::role_in_project(tx, user, project)?.map(|(_, role)| role);
        if !may_delete(author, user, role) {
            return Err(Error::forbidden("Only its author or an administrator can delete a comment."));
        }
        sql::delete(tx, comment)?;
        Ok(((), Changes::of_issues([id])))
    });
    write.await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Keys are not admitted here.
fn person<N>(access: &Access<N>) -> Result<UserId> {
    access.user().map(|user| user.id).ok_or_else(Error::signed_out)
}

fn no_such_comment() -> Error {
    Error::not_found("This issue has no such comment")
}
