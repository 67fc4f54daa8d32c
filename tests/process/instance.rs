//! An instance with several projects that are filled while something happens to its process.

use crate::report::{ensure, patience, within};
use crate::support::connection::Connection;
use crate::support::server::command;
use crate::support::{Project, Server, Value, World, json};
use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

const PROJECTS: usize = 3;
/// How long the digest may take for the events of a long run.
const DIGESTED: Duration = Duration::from_mins(5);
const PAGE: usize = 100;
/// The variable that shows `/metrics`, and to whom.
pub(crate) const METRICS: (&str, &str) = ("SERVICE_METRICS_TOKEN", "a token for the metrics of tests");

pub(crate) struct Instance {
    pub(crate) world: World,
    pub(crate) targets: Vec<Target>,
}

/// What a server says that refuses to start in a folder.
///
/// # Errors
/// When it starts.
pub(crate) fn refused(folder: &Path, environment: &[(&str, &str)]) -> Result<String, String> {
    let mut serve = command(["serve", "--listen", "127.0.0.1:0", "--data-dir"]);
    serve.arg(folder).envs(environment.iter().copied());
    let mut child = serve.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut greeting = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut greeting).unwrap();
    if !greeting.is_empty() {
        let _ = child.kill();
    }
    let output = child.wait_with_output().unwrap();
    ensure(greeting.is_empty(), || format!("it starts: {greeting}"))?;
    ensure(output.status.code() == Some(1), || format!("ended with {}", output.status))?;
    let text = String::from_utf8(output.stderr).unwrap();
    let said: Vec<&str> = text.lines().filter(|line| line.starts_with("mayday: ")).collect();
    ensure(said.len() == 1, || format!("not one line: {text}"))?;
    Ok(said[0].to_owned())
}

/// A project and its key.
pub(crate) struct Target {
    pub(crate) id: i64,
    pub(crate) key: String,
}

impl Instance {
    pub(crate) fn start_with(environment: &[(&str, &str)]) -> Self {
        Self::of(Server::start_with(environment))
    }

    pub(crate) fn of(server: Server) -> Self {
        let world = Arc::new(World::new(server));
        let made = |number| {
            let Project { id, key, .. } = Project::in_world(world.clone(), &format!("Project {number}"));
            Target { id, key }
        };
        let targets = (0..PROJECTS).map(made).collect();
        Self { world: Arc::into_inner(world).expect("the projects are dropped"), targets }
    }

    /// After something happened to the process; and how long that took up to its first answer.
    pub(crate) fn after(self, happen: impl FnOnce(World) -> World) -> (Self, Duration) {
        let start = Instant::now();
        let world = happen(self.world);
        world.anonymous().get("/health").send().expect(200);
        (Self { world, ..self }, start.elapsed())
    }

    /// Waits until everything that was accepted before can be read; the id of the event that shows it.
    fn settle(&self, connection: &mut Connection, target: &Target) -> Result<String, String> {
        let probe = json!({"api_key": target.key, "message": "the last one"});
        let anonymous = self.world.anonymous();
        let id = within(patience(Duration::from_secs(20)), "intake to take an event", || {
            let answer = anonymous.post("/api/v1/errors").json(&probe).send_on(connection).ok()?;
            (answer.status() == 202).then(|| answer.value()["event_id"].as_str().unwrap().to_owned())
        })?;
        within(DIGESTED, "what was accepted to be digested", || {
            let path = format!("/api/v1/events/{id}?project_id={}", target.id);
            let answer = self.world.owner.get(&path).send_on(connection).ok()?;
            (answer.status() == 200).then_some(())
        })?;
        Ok(id)
    }

    /// The ids of all events of a project, each once and as many as counted.
    pub(crate) fn found(&self, target: &Target) -> Result<BTreeSet<String>, String> {
        let connection = &mut Connection::new(&self.world.owner);
        let probe = self.settle(connection, target)?;
        let issues = format!("/api/v1/projects/{}/issues", target.id);
        let (mut found, mut counted) = (BTreeSet::new(), 0);
        for issue in self.all(connection, &issues, "issues")? {
            counted += issue["event_count"].as_u64().unwrap();
            let path = format!("{issues}/{}/events", issue["id"]);
            for event in self.all(connection, &path, "events")? {
                let id = event["event_id"].as_str().unwrap().to_owned();
                ensure(!found.contains(&id), || format!("{id} is doubled"))?;
                found.insert(id);
            }
        }
        let there = found.len();
        ensure(counted == there as u64, || {
            format!("doubled: {there} events are there, {counted} were counted")
        })?;
        ensure(found.remove(&probe), || "the last one is lost".to_owned())?;
        Ok(found)
    }

    /// A figure of `/metrics`, where the instance was started with [`METRICS`].
    pub(crate) fn metric(&self, name: &str) -> Result<f64, String> {
        let text = self.world.bearer(METRICS.1).get("/metrics").send().text();
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.and_then(|value| value.parse().ok()).ok_or_else(|| format!("no {name} in {text}"))
    }

    /// The versions of a project's releases.
    pub(crate) fn releases(&self, target: &Target) -> Result<BTreeSet<String>, String> {
        let path = format!("/api/v1/projects/{}/releases", target.id);
        let releases = self.all(&mut Connection::new(&self.world.owner), &path, "releases")?;
        Ok(releases.iter().map(|release| release["version"].as_str().unwrap().to_owned()).collect())
    }

    /// Every row of a list, page after page.
    fn all(&self, connection: &mut Connection, path: &str, rows: &str) -> Result<Vec<Value>, String> {
        let mut all = Vec::new();
        loop {
            let page = format!("{path}?limit={PAGE}&offset={}", all.len());
            let answer =
                self.world.owner.get(&page).send_on(connection).map_err(|error| error.to_string())?;
            ensure(answer.status() == 200, || format!("{page}: {answer:?}"))?;
            let list = answer.value();
            let rows = list[rows].as_array().expect("a list").clone();
            let last = rows.len() < PAGE;
            all.extend(rows);
            if last {
                return Ok(all);
            }
        }
    }
}
