//! kill -9 while runners claim sessions and send output: no session is given to two, and no output that was acknowledged
//! is lost or doubled.

use crate::report::{Outcome, Random, Report, broken, ensure, is_soak, kept, sabotage};
use crate::support::world::text;
use crate::support::{Client, Project, Server, Value, World, eventually, json};
use rustix::process::Signal;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const RUNNERS: usize = 4;
/// Entries of output after which a runner ends a session.
const ENOUGH: usize = 12;

/// Each runner's leases and acknowledged lines, by session.
#[derive(Default)]
struct Journal {
    claims: BTreeMap<String, Vec<String>>,
    lines: BTreeMap<String, Vec<String>>,
    /// The highest line that was sent.
    sent: BTreeMap<String, usize>,
}

/// A runner, and the session that it has.
struct Runner {
    token: String,
    job: Option<Value>,
    /// Lines that were acknowledged of it.
    next: usize,
}

impl Runner {
    fn new(owner: &Client, number: usize) -> Self {
        let body = json!({"name": format!("runner {number}")});
        let made = owner.post("/api/runners").json(&body).send().expect(201);
        Self { token: text(&made["token"]), job: None, next: 0 }
    }

    /// Works until the server is killed.
    fn work(&mut self, anonymous: &Client, journal: &Mutex<Journal>) {
        let client = anonymous.bearer(&self.token);
        while self.step(&client, journal).is_some() {}
    }

    /// `None` if the server does not answer.
    fn step(&mut self, client: &Client, journal: &Mutex<Journal>) -> Option<()> {
        let Some(job) = self.job.clone() else { return self.claim(client, journal) };
        let session = text(&job["session_id"]);
        let path = |what: &str| format!("/api/runners/self/sessions/{session}/{what}");
        if self.next >= ENOUGH {
            let report = json!({"lease": job["lease"], "outcome": "completed"});
            let answer = client.post(&path("finish")).json(&report).try_send().ok()?;
            assert!(matches!(answer.status(), 200 | 409), "{answer:?}");
            (self.job, self.next) = (None, 0);
            return Some(());
        }
        let lines: Vec<String> = (self.next..self.next + 3).map(|line| format!("line {line}")).collect();
        let entries: Vec<Value> = lines.iter().map(|line| json!({"content": line})).collect();
        let body = json!({"lease": job["lease"], "sequence": self.next, "entries": entries});
        journal.lock().unwrap().sent.insert(session.clone(), self.next + lines.len());
        let answer = client.post(&path("output")).json(&body).try_send().ok()?;
        if answer.status() == 409 {
            (self.job, self.next) = (None, 0);
            return Some(());
        }
        // Lines that were stored before a kill are not acknowledged twice: the server returns where to continue.
        if answer.status() == 200 {
            self.next += lines.len();
            journal.lock().unwrap().lines.entry(session).or_default().extend(lines);
        }
        Some(())
    }

    fn claim(&mut self, client: &Client, journal: &Mutex<Journal>) -> Option<()> {
        let answer = client.post("/api/runners/self/claim").json(&json!({})).try_send().ok()?;
        if answer.status() != 200 {
            std::thread::sleep(Duration::from_millis(5));
            return Some(());
        }
        let job = answer.value()["job"].clone();
        let mut journal = journal.lock().unwrap();
        journal.claims.entry(text(&job["session_id"])).or_default().push(text(&job["lease"]));
        (self.job, self.next) = (Some(job), 0);
        Some(())
    }
}

fn check(project: &Project, journal: &Journal) -> Result<usize, String> {
    for (session, leases) in &journal.claims {
        // No runner hands one back, and no lease ends here.
        ensure(leases.len() == 1, || format!("{session} was given {} times", leases.len()))?;
    }
    let mut found = 0;
    for (session, lines) in &journal.lines {
        let path = format!("/api/sessions/{session}/messages?limit=1000");
        let list = project.owner.get(&path).send().expect(200);
        let stored: Vec<String> = list["messages"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|message| message["role"] == "agent")
            .map(|message| text(&message["content"]))
            .collect();
        let lost: Vec<&String> = lines.iter().filter(|line| !stored.contains(line)).collect();
        ensure(lost.is_empty(), || format!("{lost:?} of {session} are lost"))?;
        let expected: Vec<String> = (0..stored.len()).map(|line| format!("line {line}")).collect();
        ensure(stored == expected, || format!("{session}: not in order, or twice: {stored:?}"))?;
        ensure(stored.len() <= journal.sent[session], || format!("{session}: more than was sent"))?;
        found += lines.len();
    }
    Ok(found)
}

fn kills(count: usize, environment: &[(&str, &str)]) -> Outcome {
    let mut random = Random::seeded();
    let mut project = Project::in_world(Arc::new(World::new(Server::start_with(environment))), "Agents");
    let mut runners: Vec<Runner> = (0..RUNNERS).map(|number| Runner::new(&project.owner, number)).collect();
    let journal = Mutex::new(Journal::default());
    for _ in 0..count {
        for _ in 0..2 * RUNNERS {
            project.owner.post("/api/sessions").json(&json!({"prompt": "x"})).send().expect(201);
        }
        let acknowledged = || journal.lock().unwrap().lines.values().map(Vec::len).sum::<usize>();
        let before = acknowledged();
        let anonymous = project.world.anonymous();
        std::thread::scope(|scope| {
            for runner in &mut runners {
                let (anonymous, journal) = (&anonymous, &journal);
                scope.spawn(move || runner.work(anonymous, journal));
            }
            eventually("the first acknowledgements", || (acknowledged() > before + 2 * ENOUGH).then_some(()));
            std::thread::sleep(Duration::from_millis(random.below(60) as u64));
            project.world.server.signal(Signal::KILL);
        });
        project = crate::kill::again(project, World::kill_and_restart);
    }
    let journal = journal.into_inner().unwrap();
    let found = check(&project, &journal)?;
    Ok(Report::default().with("kills", count).with("sessions", journal.claims.len()).with("lines", found))
}

#[test]
fn claims_and_output_hold_through_kills() {
    kept(kills(if is_soak() { 50 } else { 4 }, &[]));
}

#[test]
fn a_claim_that_is_forgotten_is_noticed() {
    broken(kills(1, &sabotage("claims_are_forgotten")), "was given");
}

#[test]
fn output_that_is_acknowledged_before_it_is_stored_is_noticed() {
    broken(kills(1, &sabotage("output_before_commit")), "are lost");
}
