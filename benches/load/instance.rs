//! A claimed Mayday with projects, keys and a source map, and what can be read of it.

use crate::Result;
use crate::api::{Api, Project, now};
use crate::events::{Pool, RELEASE, Random, probe};
use crate::mapgen::Bundle;
use crate::process::cpu_seconds;
use crate::server::Server;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

const PROJECTS: usize = 4;
/// How long the digest may take to come after.
const READABLE_MAX: Duration = Duration::from_secs(600);
const LOOK_EVERY: Duration = Duration::from_millis(10);

pub(crate) struct Instance {
    pub(crate) server: Server,
    pub(crate) api: Api,
    pub(crate) projects: Vec<Project>,
    /// For events that are not counted.
    pub(crate) aside: Project,
    /// A project of its own for events whose becoming visible is timed.
    pub(crate) probes: Probes,
    /// Every event that was acknowledged, those of the probes and those aside not counted.
    pub(crate) accepted: u64,
    /// Requests for the projects.
    pub(crate) pool: Rc<RefCell<Pool>>,
    /// The CPU time of the server at the last [`Instance::cpu`].
    cpu: f64,
}

impl Instance {
    /// Claims the instance and fills it.
    pub(crate) async fn new(mut server: Server, bundle: &Bundle) -> Result<Self> {
        let mut api = Api::claim(&mut server).await?;
        let mut projects = Vec::new();
        for index in 0..PROJECTS {
            projects.push(api.project(&format!("Shop {index}")).await?);
        }
        let (aside, probes) = (api.project("Aside").await?, api.project("Probes").await?);
        for project in projects.iter().chain([&aside]) {
            api.upload(&project.key, RELEASE, bundle).await?;
        }
        let keys: Vec<String> = projects.iter().map(|project| project.key.clone()).collect();
        let pool = Pool::new(&keys, bundle, now(), 1);
        Ok(Self::with(server, api, (projects, aside, probes), pool))
    }

    /// One whose events all go where `pool` says.
    pub(crate) fn with(
        server: Server,
        api: Api,
        (projects, aside, probes): (Vec<Project>, Project, Project),
        pool: Pool,
    ) -> Self {
        let (pool, probes) = (Rc::new(RefCell::new(pool)), Probes::new(probes));
        Self { server, api, projects, aside, probes, accepted: 0, pool, cpu: 0.0 }
    }

    /// The server's CPU time since the last call, in seconds.
    pub(crate) fn cpu(&mut self) -> Result<f64> {
        let now = cpu_seconds(self.server.pid())?;
        Ok(now - std::mem::replace(&mut self.cpu, now))
    }

    /// Waits until everything that was acknowledged so far can be read; when that was.
    ///
    /// An event that is sent now is not always the last: projects take turns. So nothing may wait any more, either.
    pub(crate) async fn readable(&mut self) -> Result<Instant> {
        let status = self.api.send(&self.probes.request()).await?;
        if status != 202 {
            return Err(format!("a probe was answered {status}").into());
        }
        let started = Instant::now();
        while self.visible_probes().await? < self.probes.sent || self.waiting().await? > 0.0 {
            if started.elapsed() > READABLE_MAX {
                return Err("the digest does not come after".into());
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
        Ok(Instant::now())
    }

    /// How many accepted events are not digested yet.
    async fn waiting(&mut self) -> Result<f64> {
        self.api.metric("mayday_digest_backlog_events").await
    }

    /// How many probes the issue list shows.
    pub(crate) async fn visible_probes(&mut self) -> Result<u64> {
        let path = format!("/api/v1/projects/{}/issues?limit=1", self.probes.project.id);
        let list = self.api.get(&path).await?;
        Ok(list["issues"][0]["event_count"].as_u64().unwrap_or(0))
    }

    /// Events that the issue lists of all projects show together, and their issues.
    pub(crate) async fn visible(&mut self) -> Result<(u64, u64)> {
        let (mut events, mut issues) = (0, 0);
        for project in &self.projects {
            for offset in (0..).step_by(100) {
                let path = format!("/api/v1/projects/{}/issues?limit=100&offset={offset}", project.id);
                let list = self.api.get(&path).await?;
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

    /// How many frames of a newest event were resolved: of the most frequent issue, which is thrown in
    /// a browser.
    pub(crate) async fn resolved_frames(&mut self) -> Result<usize> {
        let project = self.projects[0].id;
        let list = self.api.get(&format!("/api/v1/projects/{project}/issues?limit=1&sort=events")).await?;
        let issue = &list["issues"][0]["id"];
        let event = self.api.get(&format!("/api/v1/projects/{project}/issues/{issue}/event")).await?;
        let event = if event["event"].is_null() { &event } else { &event["event"] };
        let frames = event["exception"]["frames"].as_array().ok_or("no frames")?;
        Ok(frames.iter().filter(|frame| !frame["resolved"].is_null()).count())
    }
}

/// Events that are timed until they are visible.
pub(crate) struct Probes {
    project: Project,
    random: Random,
    pub(crate) sent: u64,
}

impl Probes {
    fn new(project: Project) -> Self {
        Self { project, random: Random::new(now()), sent: 0 }
    }

    /// The next one.
    pub(crate) fn request(&mut self) -> Vec<u8> {
        self.sent += 1;
        probe(&self.project.key, &mut self.random)
    }
}
