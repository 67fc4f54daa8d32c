//! What people write on merge requests.

use super::{DEVELOPER, Gitlab, encoded};
use crate::connections::AskError;
use crate::connections::pulls::PullRequestComment;
use serde_json::Value;
use std::collections::BTreeMap;

/// Notes that are looked through, with those of GitLab itself, and bytes of them.
const NOTES: usize = 100;
const NOTES_MAX: usize = 8 << 20;
/// How many if those are too large: a note may have a million characters.
const LARGE_NOTES: usize = 5;
/// How many authors are looked up, the newest first.
const AUTHORS_MAX: usize = 3;

impl Gitlab {
    /// What somebody who may push there wrote last on a merge request.
    ///
    /// # Errors
    /// *Missing* if we cannot see it.
    pub async fn last_comment(
        &self,
        repository: &str,
        number: u64,
    ) -> Result<Option<PullRequestComment>, AskError> {
        let project = format!("/api/v4/projects/{}", encoded(repository));
        let notes = match self.notes(&project, number, NOTES).await {
            Err(AskError::TooLarge(_)) => self.notes(&project, number, LARGE_NOTES).await?,
            asked => asked?,
        };
        let mut known = BTreeMap::<u64, bool>::new();
        for (author, comment) in notes.iter().filter_map(written) {
            let may_push = match known.get(&author) {
                Some(may_push) => *may_push,
                None if known.len() >= AUTHORS_MAX => return Ok(None),
                None => self.may_push(&project, author).await?,
            };
            if may_push {
                return Ok(Some(comment));
            }
            known.insert(author, may_push);
        }
        Ok(None)
    }

    /// The newest notes of a merge request.
    async fn notes(&self, project: &str, number: u64, most: usize) -> Result<Vec<Value>, AskError> {
        let notes = format!("{project}/merge_requests/{number}/notes");
        let path = format!("{notes}?sort=desc&order_by=created_at&per_page={most}");
        self.0.get_large(&path, NOTES_MAX).await
    }

    /// Whether a user is a developer of a project at least, by themselves or through a group.
    async fn may_push(&self, project: &str, user: u64) -> Result<bool, AskError> {
        match self.0.get(&format!("{project}/members/all/{user}")).await {
            Ok(member) => Ok(member["access_level"].as_u64() >= Some(DEVELOPER.into())),
            Err(AskError::Missing(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// What a person wrote for all who see the merge request, and the person's number.
fn written(note: &Value) -> Option<(u64, PullRequestComment)> {
    let author = &note["author"];
    let is_for_some = note["internal"] == true || note["confidential"] == true;
    if note["system"] != false || is_for_some || is_bot(author["username"].as_str()?) {
        return None;
    }
    let comment = PullRequestComment::read(&author["username"], &note["body"], &note["created_at"])?;
    Some((author["id"].as_u64()?, comment))
}

/// Whether GitLab made a user for a token of a project or a group, such as `project_17_bot_5e1f`.
fn is_bot(username: &str) -> bool {
    let rest = username.strip_prefix("project_").or_else(|| username.strip_prefix("group_"));
    let number = rest.and_then(|rest| rest.split_once("_bot")).map(|(number, _)| number);
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_no_person_wrote_for_all_does_not_count() {
        let note = json!({"id": 1, "body": "No.", "system": false, "internal": false,
            "author": {"id": 7, "username": "ada"}, "created_at": "2026-11-20T10:00:00.123Z"});
        let (author, comment) = written(&note).unwrap();
        assert_eq!((author, comment.by.as_str(), comment.text.as_str()), (7, "ada", "No."));
        assert!(comment.at.is_some());
        for (place, value) in [
            ("/system", json!(true)),
            ("/system", json!(null)),
            ("/internal", json!(true)),
            ("/body", json!(" ")),
            ("/author", json!(null)),
            ("/author/id", json!("7")),
            ("/author/username", json!("project_17_bot_5e1f")),
            ("/author/username", json!("group_17_bot")),
        ] {
            let mut other = note.clone();
            *other.pointer_mut(place).unwrap() = value;
            assert_eq!(written(&other), None, "{other}");
        }
        for person in ["project_bot", "projects_17_bot", "ada_bot", "group_x_bot"] {
            assert!(!is_bot(person), "{person}");
        }
    }
}
