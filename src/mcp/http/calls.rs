//! The calls of tools. Each does the same as the corresponding route of the Web app.

mod changes;
mod events;
mod issues;
mod projects;
mod releases;

use super::McpState;
use crate::access::{Access, Caller, Need};
use crate::error::{Error, Result};
use crate::ids::ProjectId;
use crate::mcp::answer::ToolResult;
use crate::mcp::arguments::CheckedArguments;
use serde::Serialize;
use serde_json::Value;

/// A call with its checked arguments.
pub(super) struct Calls<'a> {
    pub(super) state: &'a McpState,
    pub(super) caller: &'a Caller,
    pub(super) given: &'a CheckedArguments,
}

impl Calls<'_> {
    /// # Errors
    /// Those of the routes.
    pub(super) async fn run(&self, tool: &str) -> Result<ToolResult> {
        match tool {
            "list_projects" => self.list_projects().await,
            "list_issues" => self.list_issues().await,
            "get_issue" => self.get_issue().await,
            "similar_issues" => self.similar_issues().await,
            "list_events" => self.list_events().await,
            "get_event" => self.get_event().await,
            "search_logs" => self.search_logs().await,
            "list_releases" => self.list_releases().await,
            "explain_frames" => self.explain_frames().await,
            "resolve_issue" => self.resolve_issue().await,
            "assign_issue" => self.assign_issue().await,
            "comment_issue" => self.comment_issue().await,
            _ => Err(Error::not_found("There is no such tool")),
        }
    }

    /// The caller's access to the project in the arguments, as a route gets it from its path.
    async fn access<N: Need>(&self) -> Result<Access<N>> {
        let project = ProjectId(self.given.id("project_id")?);
        Access::to(&self.state.callers, self.caller.clone(), project).await
    }

    /// The path parameters of a route: the project, which is not used, and an issue.
    fn issue_path(&self) -> Result<(String, String)> {
        Ok((String::new(), self.given.text("issue_id")?.to_owned()))
    }

    /// `limit` and `offset` of a list; the offset also as a number.
    fn page(&self, default: usize) -> Result<(Vec<(&'static str, String)>, usize)> {
        let offset = self.given.cursor()?;
        let limit = self.given.get("limit").map_or(default.to_string(), str::to_owned);
        Ok((vec![("limit", limit), ("offset", offset.to_string())], offset))
    }
}

/// The JSON in which the Web app's routes answer, as the source of a result's fields.
fn source(of: &impl Serialize) -> Value {
    serde_json::to_value(of).unwrap_or_default()
}

/// The cursor after `shown` of `found` rows, from `offset` on.
fn after(offset: usize, shown: usize, found: usize, has_more: bool) -> Option<String> {
    (has_more || shown < found).then(|| (offset + shown).to_string())
}
