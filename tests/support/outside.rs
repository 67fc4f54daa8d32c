//! A fake of the services that connections lead to: GitHub's, GitLab's, Gitea's, Linear's, Jira's and Slack's APIs,
//! as far as Mayday uses them, with one list of tickets. tests/outside compares the messages with the services'
//! documentation; what the real ones refuse beyond that is unknown to it.

mod github;
mod hosts;
mod shapes;

use github::Pull;
pub(crate) use shapes::{BASE, HEAD};

use super::{Value, exchanges, json};
use shapes::{basic, is_of_app, jira_issue, linear_issue, repositories, slack};
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The token that every request must have; the app's own is signed instead.
pub(crate) const TOKEN: &str = "canary-of-a-tracker";
/// The token of an installation.
pub(crate) const INSTALLATION_TOKEN: &str = "ghs_canary";

/// A request that it received.
#[derive(Clone, Debug)]
pub(crate) struct ReceivedRequest {
    pub(crate) method: String,
    /// With the query.
    pub(crate) path: String,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Value,
}

/// A ticket of any service.
#[derive(Clone, Debug)]
pub(crate) struct Ticket {
    pub(crate) id: String,
    pub(crate) number: usize,
    pub(crate) title: String,
    pub(crate) text: String,
    pub(crate) labels: Value,
    pub(crate) is_closed: bool,
    pub(crate) comments: Vec<(String, String)>,
}

#[derive(Default)]
struct State {
    asked: Vec<ReceivedRequest>,
    made: Vec<Ticket>,
    pulls: Vec<Pull>,
    /// Whether the answer to the next new pull request gets lost.
    loses_answer: bool,
    /// The answer to every request: a head such as `429 X\r\nretry-after: 1`, and a body.
    fault: Option<(String, String)>,
    /// Whether requests that create a ticket have to wait.
    is_held: bool,
    is_suspended: bool,
    installed_at: String,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    freed: Condvar,
}

/// Runs until the process of the tests ends.
#[derive(Clone)]
pub(crate) struct Outside {
    pub(crate) url: String,
    shared: Arc<Shared>,
}

impl Outside {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let outside = Self { url, shared: Arc::default() };
        outside.state().installed_at = "2020-01-01T00:00:00Z".to_owned();
        let one = outside.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let one = one.clone();
                std::thread::spawn(move || one.talk(&stream));
            }
        });
        outside
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn asked(&self) -> Vec<ReceivedRequest> {
        self.state().asked.clone()
    }

    pub(crate) fn made(&self) -> Vec<Ticket> {
        self.state().made.clone()
    }

    pub(crate) fn pulls(&self) -> Vec<Pull> {
        self.state().pulls.clone()
    }

    /// Somebody merges or closes a pull request there, or opens it again.
    pub(crate) fn turn(&self, number: usize, state: &'static str) {
        self.state().pulls[number - 1].state = state;
    }

    /// The next pull request is opened, but nobody hears of it.
    pub(crate) fn lose_answer(&self) {
        self.state().loses_answer = true;
    }

    /// From now on every request gets this answer; `None`: as usual.
    pub(crate) fn fault(&self, fault: Option<(&str, &str)>) {
        self.state().fault = fault.map(|(head, body)| (head.to_owned(), body.to_owned()));
    }

    /// Closes a ticket there, or reopens it.
    pub(crate) fn close(&self, number: usize, is_closed: bool) {
        self.state().made[number - 1].is_closed = is_closed;
    }

    pub(crate) fn remove(&self, number: usize) {
        self.state().made.remove(number - 1);
    }

    pub(crate) fn hold(&self, is_held: bool) {
        self.state().is_held = is_held;
        self.shared.freed.notify_all();
    }

    pub(crate) fn suspend(&self, is_suspended: bool) {
        self.state().is_suspended = is_suspended;
    }

    pub(crate) fn install_at(&self, time: &str) {
        time.clone_into(&mut self.state().installed_at);
    }

    /// The variables of a server whose app is registered at this host.
    pub(crate) fn variables(&self) -> Vec<(&'static str, String)> {
        let key = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/keys/host-app.pem");
        vec![
            ("SERVICE_CONNECTIONS_ALLOW_PRIVATE_URLS", "true".to_owned()),
            ("SERVICE_HOST_APP_ID", "12345".to_owned()),
            ("SERVICE_HOST_APP_PRIVATE_KEY_FILE", key.to_owned()),
            ("SERVICE_HOST_OAUTH_API_URL", self.url.clone()),
        ]
    }

    fn talk(&self, stream: &TcpStream) -> Option<()> {
        let asked = read(stream)?;
        let fault = {
            let mut state = self.state();
            state.asked.push(asked.clone());
            state.fault.clone()
        };
        let answer = match fault {
            Some((head, body)) => (head, body),
            None => {
                let (status, body) = self.answer(&asked);
                exchanges::keep(&json!({"method": asked.method, "path": asked.path, "body": asked.body,
                    "status": status, "answer": body}));
                (format!("{status} X"), body.to_string())
            }
        };
        send(stream, &answer.0, &answer.1).ok()
    }

    fn answer(&self, asked: &ReceivedRequest) -> (u16, Value) {
        let (path, query) = asked.path.split_once('?').unwrap_or((&asked.path, ""));
        let proof = asked.headers.get("authorization").map_or("", String::as_str);
        let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
        let unknown = || (404, json!({"message": "Not Found"}));
        if path == "/app" || path.starts_with("/app/") {
            if !is_of_app(proof) {
                return (401, json!({"message": "A JSON web token could not be decoded"}));
            }
            return self.app(&parts[1..]);
        }
        let is_host = matches!(parts[0], "installation" | "repos");
        let expected = if is_host { INSTALLATION_TOKEN } else { TOKEN };
        let plain = [expected.to_owned(), format!("Bearer {expected}"), format!("Basic {}", basic(expected))];
        if !plain.iter().any(|one| one == proof) {
            return (
                401,
                json!({"message": format!("Bad credentials {proof}"), "ok": false, "error": "invalid_auth"}),
            );
        }
        match parts[0] {
            "installation" => (200, repositories()),
            "repos" => self.github(&asked.method, &parts[1..], query, &asked.body),
            "graphql" => (200, self.linear(&asked.body)),
            "rest" => self.jira(&asked.method, &parts[3..], query, &asked.body).unwrap_or_else(unknown),
            "api" if parts[1] == "v4" => self.gitlab(&asked.method, &parts[2..], query, &asked.body),
            "api" if parts[1] == "v1" => self.gitea(&asked.method, &parts[2..], query, &asked.body),
            "api" => (200, slack(parts[1], &asked.body)),
            _ => unknown(),
        }
    }

    fn app(&self, parts: &[&str]) -> (u16, Value) {
        let state = self.state();
        match parts {
            [] => (200, json!({"html_url": format!("{}/apps/mayday", self.url)})),
            ["installations", "4711", "access_tokens"] => {
                (201, json!({"token": INSTALLATION_TOKEN, "expires_at": "2099-01-01T00:00:00Z"}))
            }
            ["installations", "4711" | "4712"] => {
                let suspended = state.is_suspended.then_some("2026-01-01T00:00:00Z");
                let account = json!({"login": "acme"});
                (
                    200,
                    json!({"id": 4711, "account": account, "suspended_at": suspended, "updated_at": state.installed_at}),
                )
            }
            _ => (404, json!({"message": "Not Found"})),
        }
    }

    /// Stores a ticket, and waits while creations are held.
    fn make(&self, id: Option<&str>, title: &Value, text: &Value, labels: &Value) -> Ticket {
        let mut state = self.state();
        let number = state.made.len() + 1;
        let id = id.map_or_else(|| (10_000 + number).to_string(), str::to_owned);
        let [title, text] = [title, text].map(|value| value.as_str().unwrap().to_owned());
        let made = Ticket {
            id,
            number,
            title,
            text,
            labels: labels.clone(),
            is_closed: false,
            comments: Vec::new(),
        };
        state.made.push(made.clone());
        while state.is_held {
            state = self.shared.freed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        made
    }

    fn comment(&self, number: usize, id: &str, text: &Value) {
        self.state().made[number - 1].comments.push((id.to_owned(), text.as_str().unwrap().to_owned()));
    }

    fn linear(&self, body: &Value) -> Value {
        let (query, variables) = (body["query"].as_str().unwrap(), &body["variables"]);
        let (id, input) = (variables["id"].as_str().unwrap_or_default(), &variables["input"]);
        let missing = || json!({"errors": [{"message": "Entity not found: Issue", "extensions": {"code": "INPUT_ERROR"}}]});
        let is_named = |one: &Ticket| one.id == id || format!("SHP-{}", one.number) == id;
        let found = self.made().into_iter().find(is_named);
        let has = |name: &str| query.contains(name);
        match () {
            () if has("viewer") => {
                json!({"data": {"viewer": {"id": "user-1", "name": "Ada"}, "organization": {"id": "acme", "name": "Acme"}}})
            }
            () if has("teams(") => {
                let nodes = json!([{"id": "team-1", "name": "Shop", "key": "SHP"}]);
                json!({"data": {"teams": {"nodes": nodes, "pageInfo": {"hasNextPage": false, "endCursor": null}}}})
            }
            () if has("issueCreate") => {
                assert_eq!(input["teamId"], "team-1");
                let made =
                    self.make(input["id"].as_str(), &input["title"], &input["description"], &Value::Null);
                json!({"data": {"issueCreate": {"success": true, "issue": linear_issue(&made)}}})
            }
            () if has("commentCreate") => {
                let number =
                    self.made().iter().find(|one| input["issueId"] == one.id.as_str()).unwrap().number;
                self.comment(number, input["id"].as_str().unwrap(), &input["body"]);
                json!({"data": {"commentCreate": {"success": true, "comment": {"id": input["id"]}}}})
            }
            () if has("comment(") => {
                let comments = self.made().into_iter().flat_map(|one| one.comments);
                match comments.map(|(known, _)| known).find(|known| known == id) {
                    Some(id) => json!({"data": {"comment": {"id": id}}}),
                    None => missing(),
                }
            }
            () if has("states(") => {
                let nodes = json!([{"id": "later", "position": 9.0}, {"id": "done", "position": 3.0}]);
                json!({"data": {"issue": {"team": {"states": {"nodes": nodes}}}}})
            }
            () if has("issueUpdate") => {
                assert_eq!(input["stateId"], "done");
                let number = found.unwrap().number;
                self.close(number, true);
                json!({"data": {"issueUpdate": {"success": true, "issue": linear_issue(&self.made()[number - 1])}}})
            }
            () => found.map_or_else(missing, |one| json!({"data": {"issue": linear_issue(&one)}})),
        }
    }

    fn jira(&self, method: &str, parts: &[&str], query: &str, body: &Value) -> Option<(u16, Value)> {
        let is_named = |one: &Ticket, id: &str| one.id == id || format!("SHOP-{}", one.number) == id;
        let one = |id: &str| self.made().into_iter().find(|one| is_named(one, id));
        let project = json!({"id": "10", "name": "Shop", "key": "SHOP"});
        Some(match (method, parts) {
            ("GET", ["myself"]) => (200, json!({"displayName": "Ada"})),
            ("GET", ["project", "search"]) => (200, json!({"values": [project], "isLast": true})),
            ("GET", ["project"]) => (200, json!([project])),
            ("GET", ["search", ..]) => {
                let has = |one: &Ticket| one.labels[0].as_str().is_some_and(|label| query.contains(label));
                (
                    200,
                    json!({"issues": self.made().iter().filter(|one| has(one)).map(jira_issue).collect::<Value>()}),
                )
            }
            ("GET", ["issue", "createmeta", "10", "issuetypes"]) => (
                200,
                json!({"issueTypes": [{"id": "1", "name": "Sub", "subtask": true}, {"id": "2", "name": "Task"}, {"id": "3", "name": "Bug"}]}),
            ),
            ("POST", ["issue"]) => {
                let fields = &body["fields"];
                assert_eq!(
                    (&fields["project"]["id"], &fields["issuetype"]["id"]),
                    (&json!("10"), &json!("3"))
                );
                let made = self.make(None, &fields["summary"], &fields["description"], &fields["labels"]);
                (201, json!({"id": made.id, "key": format!("SHOP-{}", made.number)}))
            }
            ("GET", ["issue", id]) => (200, jira_issue(&one(id)?)),
            ("GET", ["issue", id, "comment"]) => {
                let comments: Value =
                    one(id)?.comments.iter().map(|(_, text)| json!({"body": text})).collect();
                (200, json!({"comments": comments}))
            }
            ("POST", ["issue", id, "comment"]) => {
                self.comment(one(id)?.number, "", &body["body"]);
                (201, json!({"id": "1"}))
            }
            ("GET", ["issue", _, "transitions"]) => {
                let to = |key: &str| json!({"statusCategory": {"key": key}});
                (
                    200,
                    json!({"transitions": [{"id": "11", "to": to("indeterminate")}, {"id": "31", "to": to("done")}]}),
                )
            }
            ("POST", ["issue", id, "transitions"]) => {
                assert_eq!(body["transition"]["id"], "31");
                self.close(one(id)?.number, true);
                (204, Value::Null)
            }
            _ => return None,
        })
    }
}

pub(super) fn send(mut stream: &TcpStream, head: &str, body: &str) -> std::io::Result<()> {
    if let Some(length) = body.strip_prefix("bytes: ") {
        let length: u64 = length.parse().unwrap();
        write!(stream, "HTTP/1.1 {head}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n")?;
        return std::io::copy(&mut std::io::repeat(b'x').take(length), &mut stream).map(drop);
    }
    let body = if head.starts_with("204") { "" } else { body };
    let length = body.len();
    let kind = "content-type: application/json";
    write!(stream, "HTTP/1.1 {head}\r\n{kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
}

pub(super) fn read(stream: &TcpStream) -> Option<ReceivedRequest> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let mut words = line.split(' ');
    let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.insert(name.to_ascii_lowercase(), value.to_owned());
    }
    let mut body = vec![0; headers.get("content-length").and_then(|text| text.parse().ok()).unwrap_or(0)];
    reader.read_exact(&mut body).ok()?;
    Some(ReceivedRequest { method, path, headers, body: serde_json::from_slice(&body).unwrap_or_default() })
}
