//! What people write on pull requests.

use super::{Gitea, PAGE_MAX, repository_path};
use crate::connections::AskError;
use crate::connections::pulls::PullRequestComment;
use serde_json::Value;

impl Gitea {
    /// What somebody who may write to the repository wrote last on a pull request.
    ///
    /// # Errors
    /// *Missing* if we cannot see it.
    pub async fn last_comment(
        &self,
        repository: &str,
        number: u64,
    ) -> Result<Option<PullRequestComment>, AskError> {
        let path = repository_path(repository);
        // All of them come at once.
        let comments: Vec<Value> =
            self.0.get_large(&format!("{path}/issues/{number}/comments"), PAGE_MAX).await?;
        let mut comments: Vec<PullRequestComment> = comments.iter().filter_map(written).collect();
        if comments.is_empty() {
            return Ok(None);
        }
        comments.sort_by_key(|comment| comment.at);
        let people: Vec<Value> = self.0.get_large(&format!("{path}/assignees"), PAGE_MAX).await?;
        let may_write = |by: &str| people.iter().any(|person| person["login"] == by);
        Ok(comments.into_iter().rfind(|comment| may_write(&comment.by)))
    }
}

fn written(comment: &Value) -> Option<PullRequestComment> {
    PullRequestComment::read(&comment["user"]["login"], &comment["body"], &comment["created_at"])
}
