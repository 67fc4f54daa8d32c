//! What people write on pull requests.

use super::{Gitea, PAGE_MAX, encoded, repository_path};
use crate::connections::AskError;
use crate::connections::pulls::PullRequestComment;
use crate::time::{DAY, Timestamp};
use serde_json::Value;

/// How long before its end a pull request is looked at, if it has too much in comments, in milliseconds.
const BEFORE_ITS_END: i64 = 2 * DAY;

impl Gitea {
    /// What somebody who may write to the repository wrote last on a pull request, which was closed at that time.
    ///
    /// # Errors
    /// *Missing* if we cannot see it.
    pub async fn last_comment(
        &self,
        repository: &str,
        number: u64,
        closed_at: Option<Timestamp>,
    ) -> Result<Option<PullRequestComment>, AskError> {
        let path = repository_path(repository);
        // All of them come at once.
        let all = format!("{path}/issues/{number}/comments");
        let comments: Vec<Value> = match (self.0.get_large(&all, PAGE_MAX).await, closed_at) {
            (Err(AskError::TooLarge(_)), Some(at)) => {
                let since = encoded(&at.plus(-BEFORE_ITS_END).to_string());
                self.0.get_large(&format!("{all}?since={since}"), PAGE_MAX).await?
            }
            (asked, _) => asked?,
        };
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
