//! What GitLab and Gitea answer about repositories and what agents push to them.

use super::Outside;
use super::github::Pull;
use crate::support::{Value, json};

impl Outside {
    pub(super) fn gitlab(&self, method: &str, parts: &[&str], query: &str, body: &Value) -> (u16, Value) {
        match (method, parts) {
            ("GET", ["user"]) => (200, json!({"id": 7, "username": "mayday-bot", "state": "active"})),
            ("GET", ["projects"]) if query.contains("min_access_level=30") => (200, self.projects(query)),
            ("GET", ["projects", "acme%2Fshop", "merge_requests"]) => {
                let is_asked = |one: &Pull| query.contains(&format!("source_branch={}", encoded(&one.head)));
                let pulls = self.pulls();
                let open = pulls
                    .iter()
                    .enumerate()
                    .filter(|(_, one)| query.contains("state=opened") && is_asked(one));
                (200, open.map(|(index, _)| merge_request(index + 1)).collect())
            }
            ("POST", ["projects", "acme%2Fshop", "merge_requests"]) => {
                assert_eq!(body["remove_source_branch"], true);
                let fields =
                    ["title", "description", "source_branch", "target_branch"].map(|name| body[name].clone());
                match self.add_pull(fields) {
                    Some(number) => (201, merge_request(number)),
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
            ("GET", ["repos", "acme", "shop", "pulls", base, head]) => {
                let is_asked = |one: &Pull| encoded(&one.base) == **base && encoded(&one.head) == **head;
                let found = self.pulls().iter().position(is_asked);
                let missing = || (404, json!({"message": "pull request does not exist"}));
                found.map_or_else(missing, |index| (200, gitea_pull(index + 1)))
            }
            ("POST", ["repos", "acme", "shop", "pulls"]) => {
                let fields = ["title", "body", "head", "base"].map(|name| body[name].clone());
                match self.add_pull(fields) {
                    Some(number) => (201, gitea_pull(number)),
                    None => (409, json!({"message": "pull request already exists for these targets"})),
                }
            }
            _ => (404, json!({"message": "The target couldn't be found."})),
        }
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

    /// As the real ones, they take one open request for a branch.
    fn add_pull(&self, [title, body, head, base]: [Value; 4]) -> Option<usize> {
        let mut state = self.state();
        if state.pulls.iter().any(|one| one.head == head) {
            return None;
        }
        state.pulls.push(Pull { title, body, head, base });
        Some(state.pulls.len())
    }
}

fn encoded(text: &Value) -> String {
    text.as_str().unwrap().replace('/', "%2F").replace('-', "%2D")
}

fn merge_request(number: usize) -> Value {
    json!({"iid": number, "state": "opened", "source_project_id": 1, "target_project_id": 1, "web_url": format!("https://gitlab.example/acme/shop/-/merge_requests/{number}")})
}

fn gitea_pull(number: usize) -> Value {
    json!({"number": number, "state": "open", "html_url": format!("http://127.0.0.1:3000/acme/shop/pulls/{number}")})
}

fn gitea_repositories() -> Value {
    let repository = |id: usize, name: &str, may_push: bool, is_archived: bool| {
        json!({"id": id, "full_name": name, "clone_url": format!("https://gitea.example/{name}.git"), "default_branch": "trunk",
            "private": true, "archived": is_archived, "permissions": {"admin": false, "push": may_push, "pull": true}})
    };
    json!([
        repository(1, "acme/shop", true, false),
        repository(2, "acme/read", false, false),
        repository(3, "acme/old", true, true)
    ])
}
