//! A claimed Mayday with projects, keys and a source map, and what can be read of it.

use crate::Result;
use crate::client::{Connection, Request};
use crate::events::{Pool, RELEASE, Random, SCRIPT, probe};
use crate::mapgen::Bundle;
use crate::process::cpu_seconds;
use crate::server::Server;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

const PROJECTS: usize = 4;
/// How long the digest may take to come after.
const READABLE_MAX: Duration = Duration::from_secs(60);
const LOOK_EVERY: Duration = Duration::from_millis(10);

pub(crate) struct Instance {
    pub(crate) server: Server,
    api: Connection,
    token: String,
    projects: Vec<i64>,
    /// A project of its own for events whose becoming visible is timed.
    pub(crate) probes: Probes,
    /// Every event that was acknowledged, probes not counted.
    pub(crate) accepted: u64,
    /// Requests for the projects.
    pub(crate) pool: Rc<RefCell<Pool>>,
    /// The CPU time of the server at the last [`Instance::cpu`].
    cpu: f64,
}

impl Instance {
    /// Claims the instance and fills it.
    pub(crate) async fn new(mut server: Server, bundle: &Bundle) -> Result<Self> {
        let setup_token = server.setup_token()?;
        let mut api = Connection::open(server.address).await?;
        let claim = json!({"setup_token": setup_token, "email": "bench@example.com",
            "password": "correct horse battery", "organization_name": "Bench"});
        let claimed = post(&mut api, "", "/auth/setup", &claim).await?;
        let token = claimed["access_token"].as_str().ok_or("no token")?.to_owned();
        let organization = claimed["organization_id"].as_i64().ok_or("no organization")?;
        let (mut projects, mut keys, mut now) = (Vec::new(), Vec::new(), String::new());
        for index in 0..=PROJECTS {
            let path = format!("/api/v1/organizations/{organization}/projects");
            let project = post(&mut api, &token, &path, &json!({"name": format!("Shop {index}")})).await?;
            let id = project["id"].as_i64().ok_or("no project")?;
            // The server's own time, for the events.
            project["created_at"].as_str().ok_or("no time")?.clone_into(&mut now);
            let path = format!("/api/v1/projects/{id}/api-keys");
            let key = post(&mut api, &token, &path, &json!({"name": "bench"})).await?;
            keys.push(key["key"].as_str().ok_or("no key")?.to_owned());
            projects.push(id);
        }
        let probes = Probes::new(projects.pop().unwrap_or_default(), keys.pop().unwrap_or_default());
        let form = upload(bundle);
        for key in &keys {
            api.json(&form.request(key)).await?;
        }
        let pool = Rc::new(RefCell::new(Pool::new(&keys, bundle, &now, 1)));
        Ok(Self { server, api, token, projects, probes, accepted: 0, pool, cpu: 0.0 })
    }

    /// The server's CPU time since the last call, in seconds.
    pub(crate) fn cpu(&mut self) -> Result<f64> {
        let now = cpu_seconds(self.server.pid())?;
        Ok(now - std::mem::replace(&mut self.cpu, now))
    }

    /// Waits until everything that was acknowledged so far can be read; when that was.
    ///
    /// Events are digested in the order of their acceptance, so one that is sent now is the last.
    pub(crate) async fn readable(&mut self) -> Result<Instant> {
        let status = self.api.send(&self.probes.request()).await?;
        if status != 202 {
            return Err(format!("a probe was answered {status}").into());
        }
        let started = Instant::now();
        loop {
            if self.visible_probes().await? >= self.probes.sent {
                return Ok(Instant::now());
            }
            if started.elapsed() > READABLE_MAX {
                return Err("the digest does not come after".into());
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// How many probes the issue list shows.
    pub(crate) async fn visible_probes(&mut self) -> Result<u64> {
        let path = format!("/api/v1/projects/{}/issues?limit=1", self.probes.project);
        let list = get(&mut self.api, &self.token, &path).await?;
        Ok(list["issues"][0]["event_count"].as_u64().unwrap_or(0))
    }

    /// Events that the issue lists of all projects show together, and their issues.
    pub(crate) async fn visible(&mut self) -> Result<(u64, u64)> {
        let (mut events, mut issues) = (0, 0);
        for project in &self.projects {
            for offset in (0..).step_by(100) {
                let path = format!("/api/v1/projects/{project}/issues?limit=100&offset={offset}");
                let list = get(&mut self.api, &self.token, &path).await?;
                let page = list["issues"].as_array().ok_or("no issues")?;
                events += page.iter().filter_map(|issue| issue["event_count"].as_u64()).sum::<u64>();
                issues += page.len() as u64;
                if list["has_more"] != true {
                    break;
                }
            }
        }
        Ok((events, issues))
    }

    /// How many frames of a newest event were resolved.
    pub(crate) async fn resolved_frames(&mut self) -> Result<usize> {
        let project = self.projects[0];
        let list =
            get(&mut self.api, &self.token, &format!("/api/v1/projects/{project}/issues?limit=1")).await?;
        let issue = &list["issues"][0]["id"];
        let path = format!("/api/v1/projects/{project}/issues/{issue}/events?limit=1");
        let events = get(&mut self.api, &self.token, &path).await?;
        let id = events["events"][0]["event_id"].as_str().ok_or("no event")?;
        let path = format!("/api/v1/events/{id}?project_id={project}");
        let event = get(&mut self.api, &self.token, &path).await?;
        let frames = event["exception"]["frames"].as_array().ok_or("no frames")?;
        Ok(frames.iter().filter(|frame| !frame["resolved"].is_null()).count())
    }
}

/// Events that are timed until they are visible.
pub(crate) struct Probes {
    project: i64,
    key: String,
    random: Random,
    pub(crate) sent: u64,
}

impl Probes {
    fn new(project: i64, key: String) -> Self {
        Self { project, key, random: Random::new(7), sent: 0 }
    }

    /// The next one.
    pub(crate) fn request(&mut self) -> Vec<u8> {
        self.sent += 1;
        probe(&self.key, &mut self.random)
    }
}

async fn post(api: &mut Connection, token: &str, path: &str, body: &Value) -> Result<Value> {
    let (bearer, body) = ((!token.is_empty()).then_some(token), body.to_string());
    let content_type = "application/json";
    api.json(&Request { method: "POST", path, bearer, content_type, body: body.as_bytes() }).await
}

async fn get(api: &mut Connection, token: &str, path: &str) -> Result<Value> {
    api.json(&Request { method: "GET", path, bearer: Some(token), content_type: "text/plain", body: b"" })
        .await
}

struct Form(Vec<u8>);

impl Form {
    fn request<'a>(&'a self, key: &'a str) -> Request<'a> {
        let content_type = "multipart/form-data; boundary=bench";
        Request { method: "POST", path: "/api/v1/sourcemaps", bearer: Some(key), content_type, body: &self.0 }
    }
}

fn upload(bundle: &Bundle) -> Form {
    let part = |name: &str, value: &str| {
        format!("--bench\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    };
    let file =
        "--bench\r\ncontent-disposition: form-data; name=\"sourcemap\"; filename=\"main.js.map\"\r\n\r\n";
    let form = part("release", RELEASE) + &part("url", SCRIPT) + file + &bundle.map + "\r\n--bench--\r\n";
    Form(form.into_bytes())
}

/// Bytes of a database with its journal.
pub(crate) fn database_bytes(data: &Path, name: &str) -> u64 {
    let length =
        |suffix: &str| std::fs::metadata(data.join(format!("{name}{suffix}"))).map_or(0, |file| file.len());
    length("") + length("-wal")
}
