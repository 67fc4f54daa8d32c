//! `resolve_issue`, `assign_issue` and `comment_issue`. The caller's rights were checked before.

use super::Calls;
use crate::access::Work;
use crate::error::{Error, Result};
use crate::http::extract::Json;
use crate::issues::activity::http::{NewComment, create_comment};
use crate::issues::http::update_issue;
use crate::issues::{Change, ShownIssue, Status};
use crate::mcp::answer::ToolResult;
use crate::mcp::results::{ASSIGNED, COMMENTED, RESOLVED};
use crate::organizations;
use crate::text::shown;
use axum::extract::{Path, State};

impl Calls<'_> {
    pub(super) async fn resolve_issue(&self) -> Result<ToolResult> {
        let resolved_in_release = self.given.get("in_release").map(str::to_owned);
        let change = Change { status: Some(Status::Resolved), resolved_in_release, ..Change::default() };
        let changed = self.change(change).await?;
        let release =
            if changed.issue.resolved_in_release.is_some() { ", in the release that was named" } else { "" };
        let text = format!("{} is {}{release}.\n", changed.issue.short_id, changed.issue.status.as_str());
        Ok(ToolResult { text, value: RESOLVED.of(&changed.issue) })
    }

    pub(super) async fn assign_issue(&self) -> Result<ToolResult> {
        let assignee = self.assignee().await?;
        let changed = self.change(Change { assignee: Some(assignee), ..Change::default() }).await?;
        let assignee = changed.issue.assignee.as_ref();
        let to = assignee.map_or("nobody".to_owned(), |user| format!("user {}", user.id));
        let text = format!("{} is assigned to {to}.\n", changed.issue.short_id);
        Ok(ToolResult { text, value: ASSIGNED.of(&changed.issue) })
    }

    pub(super) async fn comment_issue(&self) -> Result<ToolResult> {
        let access = self.access::<Work>().await?;
        let new = NewComment { text: self.given.text("text")?.to_owned() };
        let (state, path) = (State(self.state.issues.clone()), Path(self.issue_path()?));
        let (_, made) = create_comment(state, access, path, Json(new)).await?;
        let text = format!("The comment is there, with the id {}.\n", made.0.id);
        Ok(ToolResult { text, value: COMMENTED.of(&made.0) })
    }

    async fn change(&self, change: Change) -> Result<ShownIssue> {
        let access = self.access::<Work>().await?;
        let (state, path) = (State(self.state.issues.clone()), Path(self.issue_path()?));
        Ok(update_issue(state, access, path, Json(change)).await?.0)
    }

    /// The assignee. The change itself checks whether it is a member.
    async fn assignee(&self) -> Result<Option<i64>> {
        let access = self.access::<Work>().await?;
        let wanted = self.given.text("assignee")?.trim();
        if wanted == "none" {
            return Ok(None);
        }
        if wanted == "me" {
            return Ok(access.user().map(|user| user.id.0));
        }
        if let Ok(id) = wanted.parse() {
            return Ok(Some(id));
        }
        let organization = access.project.organization;
        let members =
            self.state.issues.main.read(move |c| organizations::sql::members(c, organization)).await?;
        let found = members.iter().find(|member| member.email.eq_ignore_ascii_case(wanted));
        let missing = || {
            let got = shown(wanted, 64);
            Error::invalid(format!(
                "assignee: expected `me`, `none`, or a member's e-mail or user id, got `{got}`"
            ))
        };
        found.map(|member| Some(member.id.0)).ok_or_else(missing)
    }
}
