//! GitHub's answers about a repository.

use super::shapes::{commits_of_file, compared, github_issue, pull_request};
use super::{BASE, HEAD, Outside};
use crate::support::{Value, json};

/// A pull request.
#[derive(Clone, Debug)]
pub(crate) struct Pull {
    pub(crate) title: Value,
    pub(crate) body: Value,
    pub(crate) head: Value,
    pub(crate) base: Value,
    /// `open`, `merged` or `closed`.
    pub(crate) state: &'static str,
}

impl Outside {
    pub(super) fn github(&self, method: &str, parts: &[&str], query: &str, body: &Value) -> (u16, Value) {
        let found = |number: &str| self.made().into_iter().find(|one| one.number.to_string() == number);
        let gone = (410, json!({"message": "This issue was deleted"}));
        match (method, parts) {
            ("GET", ["acme", "shop", "compare", range]) if *range == format!("{BASE}...{HEAD}") => {
                (200, compared(query))
            }
            ("GET", ["acme", "shop", "pulls"]) => (200, self.open_pulls(query)),
            ("POST", ["acme", "shop", "pulls"]) => self.pull(body),
            ("GET", ["acme", "shop", "commits"]) => (200, commits_of_file(query)),
            ("GET", ["acme", "shop", "issues"]) => (200, self.made().iter().map(github_issue).collect()),
            ("POST", ["acme", "shop", "issues"]) => {
                (201, github_issue(&self.make(None, &body["title"], &body["body"], &Value::Null)))
            }
            ("GET", ["acme", "shop", "issues", number]) => {
                found(number).map_or(gone, |one| (200, github_issue(&one)))
            }
            ("PATCH", ["acme", "shop", "issues", number]) => {
                assert_eq!(body, &json!({"state": "closed", "state_reason": "completed"}));
                self.close(number.parse().unwrap(), true);
                (200, github_issue(&found(number).unwrap()))
            }
            ("GET", ["acme", "shop", "issues", number, "comments"]) => {
                let comments = found(number).unwrap().comments;
                (200, comments.iter().map(|(_, text)| json!({"body": text})).collect())
            }
            ("POST", ["acme", "shop", "issues", number, "comments"]) => {
                self.comment(number.parse().unwrap(), "", &body["body"]);
                (201, json!({"id": 1}))
            }
            _ => (404, json!({"message": "Not Found"})),
        }
    }

    fn open_pulls(&self, query: &str) -> Value {
        let pulls = self.pulls();
        let is_asked = |one: &Pull| {
            let head =
                format!("head=acme%3A{}", one.head.as_str().unwrap().replace('/', "%2F").replace('-', "%2D"));
            query.split('&').any(|part| part == head) && query.contains("state=open")
        };
        let numbered = pulls.iter().enumerate().filter(|(_, one)| is_asked(one));
        numbered.map(|(index, _)| pull_request(index + 1)).collect()
    }

    /// Like the real one, it accepts one open pull request for a branch.
    fn pull(&self, body: &Value) -> (u16, Value) {
        let mut state = self.state();
        let [title, text, head, base] = ["title", "body", "head", "base"].map(|name| body[name].clone());
        if state.pulls.iter().any(|one| one.head == head) {
            let message = format!("A pull request already exists for acme:{}.", head.as_str().unwrap());
            return (422, json!({"message": "Validation Failed", "errors": [{"message": message}]}));
        }
        state.pulls.push(Pull { title, body: text, head, base, state: "open" });
        match std::mem::take(&mut state.loses_answer) {
            true => (502, json!({"message": "Server Error"})),
            false => (201, pull_request(state.pulls.len())),
        }
    }
}
