//! Answers of GitLab and Gitea about repositories, their issues, and merge requests.

use super::github::Pull;
use super::shapes::{gitea_issue, gitlab_issue};
use super::{Outside, Ticket};
use crate::support::{Value, json};

impl Outside {
    pub(super) fn gitlab(&self, method: &str, parts: &[&str], query: &str, body: &Value) -> (u16, Value) {
        match (method, parts) {
            ("GET", ["user"]) => (200, json!({"id": 7, "username": "mayday-bot", "state": "active"})),
            ("GET", ["projects"]) if query.contains("min_access_level=") => (200, self.projects(query)),
            (_, ["projects", "1" | "acme%2Fshop", "issues", rest @ ..]) => {
                self.gitlab_issues(method, rest, body)
            }
            ("GET", ["projects", "acme%2Fshop", "merge_requests"]) => {
                let is_asked = |one: &Pull| query.contains(&format!("source_branch={}", encoded(&one.head)));
                let pulls = self.pulls();
                let open = pulls
                    .iter()
                    .enumerate()
                    .filter(|(_, one)| query.contains("state=opened") && is_asked(one));
                (200, open.map(|(index, one)| merge_request(index + 1, one.state)).collect())
            }
            ("GET", ["projects", "acme%2Fshop", "merge_requests", number]) => match self.pull_state(number) {
                Some((number, state)) => (200, merge_request(number, state)),
                None => (404, json!({"message": "404 Not found"})),
            },
            ("POST", ["projects", "acme%2Fshop", "merge_requests"]) => {
                assert_eq!(body["remove_source_branch"], true);
                let fields =
                    ["title", "description", "source_branch", "target_branch"].map(|name| body[name].clone());
                match self.add_pull(fields) {
                    Some(number) => (201, merge_request(number, "open")),
                    None => (
                        409,
                        json!({"message": ["Another open merge request already exists for this source branch"]}),
                    ),
                }
            }
            _ => (404, json!({"message": "404 Project Not Found"})),
        }
    }

    pub(super) fn gitea(&self, method: &str, parts: &[&str], query: &str, body: &Value) -> (u16, Value) {
        match (method, parts) {
            ("GET", ["user"]) => (200, json!({"id": 7, "login": "mayday-bot"})),
            ("GET", ["user", "repos"]) => {
                let is_first = query.split('&').any(|part| part == "page=1");
                (200, if is_first { gitea_repositories() } else { json!([]) })
            }
            (_, ["repos", "acme", "shop", "issues", rest @ ..]) => self.gitea_issues(method, rest, body),
            ("GET", ["repos", "acme", "shop", "pulls", base, head]) => {
                let is_asked = |one: &Pull| encoded(&one.base) == **base && encoded(&one.head) == **head;
                let found = self.pulls().iter().position(is_asked);
                let missing = || (404, json!({"message": "pull request does not exist"}));
                found.map_or_else(missing, |index| (200, gitea_pull(index + 1, self.pulls()[index].state)))
            }
            ("GET", ["repos", "acme", "shop", "pulls", number]) => match self.pull_state(number) {
                Some((number, state)) => (200, gitea_pull(number, state)),
                None => (404, json!({"message": "The target couldn't be found."})),
            },
            ("POST", ["repos", "acme", "shop", "pulls"]) => {
                let fields = ["title", "body", "head", "base"].map(|name| body[name].clone());
                match self.add_pull(fields) {
                    Some(number) => (201, gitea_pull(number, "open")),
                    None => (409, json!({"message": "pull request already exists for these targets"})),
                }
            }
            _ => (404, json!({"message": "The target couldn't be found."})),
        }
    }

    fn gitlab_issues(&self, method: &str, parts: &[&str], body: &Value) -> (u16, Value) {
        match (method, parts) {
            ("GET", []) => (200, self.made().iter().map(gitlab_issue).collect()),
            ("POST", []) => {
                let made = self.make(None, &body["title"], &body["description"], &Value::Null);
                (201, gitlab_issue(&made))
            }
            (_, [number, rest @ ..]) => {
                let Some(one) = self.numbered(number) else {
                    return (404, json!({"message": "404 Not found"}));
                };
                match (method, rest) {
                    ("PUT", []) => {
                        assert_eq!(body, &json!({"state_event": "close"}));
                        self.close(one.number, true);
                        (200, gitlab_issue(&self.made()[one.number - 1]))
                    }
                    ("GET", ["notes"]) => {
                        (200, one.comments.iter().map(|(_, text)| json!({"id": 1, "body": text})).collect())
                    }
                    ("POST", ["notes"]) => {
                        self.comment(one.number, "", &body["body"]);
                        (201, json!({"id": 1}))
                    }
                    _ => (200, gitlab_issue(&one)),
                }
            }
            _ => (405, json!({"error": "405 Not Allowed"})),
        }
    }

    fn gitea_issues(&self, method: &str, parts: &[&str], body: &Value) -> (u16, Value) {
        match (method, parts) {
            ("GET", []) => (200, self.made().iter().map(gitea_issue).collect()),
            ("POST", []) => {
                let made = self.make(None, &body["title"], &body["body"], &Value::Null);
                (201, gitea_issue(&made))
            }
            (_, [number, rest @ ..]) => {
                let Some(one) = self.numbered(number) else {
                    return (404, json!({"message": "issue does not exist"}));
                };
                match (method, rest) {
                    ("PATCH", []) => {
                        assert_eq!(body, &json!({"state": "closed"}));
                        self.close(one.number, true);
                        (201, gitea_issue(&self.made()[one.number - 1]))
                    }
                    ("GET", ["comments"]) => {
                        (200, one.comments.iter().map(|(_, text)| json!({"id": 1, "body": text})).collect())
                    }
                    ("POST", ["comments"]) => {
                        self.comment(one.number, "", &body["body"]);
                        (201, json!({"id": 1}))
                    }
                    _ => (200, gitea_issue(&one)),
                }
            }
            _ => (405, json!({"message": "Method Not Allowed"})),
        }
    }

    fn numbered(&self, number: &str) -> Option<Ticket> {
        self.made().into_iter().find(|one| one.number.to_string() == number)
    }

    /// Pages of 100.
    fn projects(&self, query: &str) -> Value {
        let page: usize = query.rsplit_once("page=").unwrap().1.parse().unwrap();
        let project = |id: usize, name: &str| {
            json!({"id": id, "path_with_namespace": name, "http_url_to_repo": format!("https://gitlab.example/{name}.git"),
                "default_branch": "trunk", "visibility": "private"})
        };
        match page {
            1 => std::iter::once(project(1, "acme/shop"))
                .chain((2..101).map(|id| project(id, "acme/other")))
                .collect(),
            2 => json!([project(101, "acme/last")]),
            _ => json!([]),
        }
    }

    fn pull_state(&self, number: &str) -> Option<(usize, &'static str)> {
        let number: usize = number.parse().ok()?;
        Some((number, self.pulls().get(number.checked_sub(1)?)?.state))
    }

    /// As the real ones, they take one open request for a branch.
    fn add_pull(&self, [title, body, head, base]: [Value; 4]) -> Option<usize> {
        let mut state = self.state();
        if state.pulls.iter().any(|one| one.head == head) {
            return None;
        }
        state.pulls.push(Pull { title, body, head, base, state: "open" });
        Some(state.pulls.len())
    }
}

fn encoded(text: &Value) -> String {
    text.as_str().unwrap().replace('/', "%2F").replace('-', "%2D")
}

fn merge_request(number: usize, state: &str) -> Value {
    let shown = if state == "open" { "opened" } else { state };
    json!({"iid": number, "state": shown, "source_project_id": 1, "target_project_id": 1,
        "web_url": format!("https://gitlab.example/acme/shop/-/merge_requests/{number}")})
}

fn gitea_pull(number: usize, state: &str) -> Value {
    let shown = if state == "open" { "open" } else { "closed" };
    json!({"number": number, "state": shown, "merged": state == "merged",
        "html_url": format!("http://127.0.0.1:3000/acme/shop/pulls/{number}")})
}

fn gitea_repositories() -> Value {
    let repository = |id: usize, name: &str, may_push: bool, is_archived: bool| {
        json!({"id": id, "full_name": name, "clone_url": format!("https://gitea.example/{name}.git"), "default_branch": "trunk", "has_issues": true,
            "private": true, "archived": is_archived, "permissions": {"admin": false, "push": may_push, "pull": true}})
    };
    json!([
        repository(1, "acme/shop", true, false),
        repository(2, "acme/read", false, false),
        repository(3, "acme/old", true, true)
    ])
}
