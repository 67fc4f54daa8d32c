//! What people are told, and what it costs: intake with rules and members beside the same without, and how fast what
//! happens is told to a hundred people. Two servers of their own, with the same events in turn.

use crate::client::{Connection, Request};
use crate::drive::{Load, Outcome, Requests, closed, open};
use crate::instance::Instance;
use crate::mapgen::Bundle;
use crate::report::{Report, median, table};
use crate::server::Server;
use crate::{Plan, Result};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Members of the organization beside its owner, and rules of each of its projects.
const MEMBERS: usize = 100;
const RULES: usize = 50;
const CONNECTIONS: usize = 64;
/// Events a second when latency is measured.
const PACE: u32 = 1_000;
const PASSWORD: &str = "correct horse battery";
/// Who changes roles at a time.
const CHANGES_AT_A_TIME: usize = 8;
const TOLD_MAX: Duration = Duration::from_mins(2);
const LOOK_EVERY: Duration = Duration::from_millis(20);

pub(crate) async fn measure(folder: &Path, bundle: &Bundle, plan: &Plan, report: &mut Report) -> Result<()> {
    let environment = [("SERVICE_ALERTS_ALLOW_PRIVATE_URLS", "true")];
    let (alone, _) = Server::mayday_with(&folder.join("told-alone"), &environment).await?;
    let (watched, _) = Server::mayday_with(&folder.join("told-watched"), &environment).await?;
    let mut alone = Instance::new(alone, bundle).await?;
    let mut watched = Instance::new(watched, bundle).await?;
    let members = fill(&mut watched).await?;
    intake(&mut alone, &mut watched, plan, report).await?;
    alone.server.stop()?;
    tell(&mut watched, &members, plan, report).await?;
    watched.server.stop().map(drop)
}

/// The members who are notified, and the token of the one whose inbox is watched.
struct Members {
    ids: Vec<i64>,
    reader: String,
}

async fn fill(instance: &mut Instance) -> Result<Members> {
    let receiver = receive()?;
    for project in instance.projects.iter().map(|project| project.id).collect::<Vec<_>>() {
        let path = format!("/api/v1/projects/{project}");
        let channel = json!({"name": "Hook", "kind": "webhook", "url": receiver});
        let channel = instance.api.post(&format!("{path}/alert-channels"), &channel).await?["id"].clone();
        for number in 0..RULES {
            let rule = json!({"name": format!("Rule {number}"), "condition": condition(number), "channels": [channel]});
            instance.api.post(&format!("{path}/alert-rules"), &rule).await?;
        }
    }
    let (mut ids, mut reader) = (Vec::new(), String::new());
    for number in 0..MEMBERS {
        let joined = join(instance, number).await?;
        match number {
            // An administrator hears of each change of a role, and theirs never changes.
            0 => joined["access_token"].as_str().ok_or("no token")?.clone_into(&mut reader),
            _ => ids.push(joined["user"]["id"].as_i64().ok_or("no member")?),
        }
    }
    Ok(Members { ids, reader })
}

/// Each kind in turn; those that count are never reached.
fn condition(number: usize) -> Value {
    match number % 5 {
        0 => json!({"type": "new"}),
        1 => json!({"type": "regressed"}),
        2 => json!({"type": "escalating"}),
        3 => json!({"type": "events", "count": 10_000, "minutes": 5 + number}),
        _ => json!({"type": "logs", "search": "level:error", "count": 10_000, "minutes": 5 + number}),
    }
}

async fn join(instance: &mut Instance, number: usize) -> Result<Value> {
    let role = if number == 0 { "admin" } else { "member" };
    let email = format!("member-{number}@example.com");
    let path = format!("/api/v1/organizations/{}/invitations", instance.api.organization);
    let invitation = instance.api.post(&path, &json!({"email": email, "role": role})).await?;
    let url = invitation["invite_url"].as_str().ok_or("no invitation")?;
    let (_, token) = url.split_once("token=").ok_or("no token in the invitation")?;
    let body = json!({"email": email, "password": PASSWORD, "invitation_token": token}).to_string();
    let request = Request {
        method: "POST",
        path: "/auth/password/register",
        bearer: None,
        content_type: "application/json",
        body: body.as_bytes(),
    };
    Connection::open(instance.server.address).await?.json(&request).await
}

/// Takes every message; its address. It ends with the process.
fn receive() -> Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let url = format!("http://{}/", listener.local_addr()?);
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(std::result::Result::ok) {
            // The answer is read whatever came of the message by then.
            let mut piece = [0; 64 << 10];
            drop(stream.read(&mut piece));
            drop(stream.write_all(b"HTTP/1.1 204 X\r\nconnection: close\r\n\r\n"));
        }
    });
    Ok(url)
}

#[derive(Default)]
struct Runs {
    rates: Vec<f64>,
    /// At a steady pace, in milliseconds.
    p99: Vec<f64>,
    /// Of the server for an event, from its acceptance until it is readable, in milliseconds.
    cpu: Vec<f64>,
}

/// A B, A B, …
async fn intake(
    alone: &mut Instance,
    watched: &mut Instance,
    plan: &Plan,
    report: &mut Report,
) -> Result<()> {
    let mut runs: [Runs; 2] = Default::default();
    run(alone, plan.run).await?;
    run(watched, plan.run).await?;
    for _ in 0..plan.rounds.max(3) {
        for (instance, runs) in [&mut *alone, &mut *watched].into_iter().zip(&mut runs) {
            let (outcome, cpu) = run(instance, plan.run).await?;
            runs.rates.push(outcome.rate());
            runs.cpu.push(cpu);
            runs.p99.push(steady(instance, plan.steady).await?.percentile(0.99));
        }
    }
    print(runs, report);
    Ok(())
}

async fn run(instance: &mut Instance, time: Duration) -> Result<(Outcome, f64)> {
    instance.cpu()?;
    let load = Load { connections: CONNECTIONS, time, requests: u64::MAX };
    let pool = instance.pool.clone();
    let outcome = closed(instance.server.address, &pool, load).await;
    instance.accepted += outcome.accepted();
    instance.readable().await?;
    let cpu = instance.cpu()? / outcome.accepted().max(1) as f64 * 1e3;
    Ok((outcome, cpu))
}

async fn steady(instance: &mut Instance, time: Duration) -> Result<Outcome> {
    let load = Load { connections: CONNECTIONS, time, requests: u64::MAX };
    let pool = instance.pool.clone();
    let outcome = open(instance.server.address, &pool, load, PACE).await;
    instance.accepted += outcome.accepted();
    instance.readable().await?;
    Ok(outcome)
}

fn print([alone, watched]: [Runs; 2], report: &mut Report) {
    let [alone, watched] = [alone, watched].map(|runs| [runs.rates, runs.p99, runs.cpu].map(median));
    let ratio: [f64; 3] = std::array::from_fn(|at| watched[at] / alone[at]);
    let row = |name: &str, [rate, p99, cpu]: [f64; 3]| {
        [name.to_owned(), format!("{rate:.0}"), format!("{p99:.2}"), format!("{cpu:.3}")]
    };
    let rows = [
        row("alone", alone),
        row("with rules and members", watched),
        ["÷".to_owned(), format!("{:.2}", ratio[0]), format!("{:.2}", ratio[1]), format!("{:.2}", ratio[2])],
    ];
    let title =
        format!("Intake with {RULES} rules of each project and {MEMBERS} members, medians of runs in turn");
    let head = ["", "accepted/s", &format!("p99 ms at {PACE}/s"), "CPU ms an event"];
    table(&title, &head, &rows);
    for (name, value) in [("rate", ratio[0]), ("p99", ratio[1]), ("cpu", ratio[2])] {
        report.keep(format!("told.intake.{name}_ratio"), value);
    }
    report.at_least("accepted/s with 50 rules and 100 members ÷ without", ratio[0], 0.9, 0.97, "");
}

/// Changes of roles, each member's in turn.
struct Changes {
    requests: Vec<[Vec<u8>; 2]>,
    next: usize,
}

impl Requests for Changes {
    fn next(&mut self, into: &mut Vec<u8>) {
        let (turn, member) = (self.next / self.requests.len(), self.next % self.requests.len());
        self.next += 1;
        self.requests[member][turn % 2].clone_into(into);
    }
}

/// From the first change until the last one is told to each administrator.
async fn tell(instance: &mut Instance, members: &Members, plan: &Plan, report: &mut Report) -> Result<()> {
    let (token, organization) = (instance.api.token.clone(), instance.api.organization);
    let request = |id: &i64| {
        ["admin", "member"].map(|role| {
            let (path, body) = (
                format!("/api/v1/organizations/{organization}/members/{id}"),
                json!({"role": role}).to_string(),
            );
            let (bearer, content_type) = (Some(&*token), "application/json");
            Request { method: "PATCH", path: &path, bearer, content_type, body: body.as_bytes() }.bytes()
        })
    };
    let changes = Changes { requests: members.ids.iter().map(request).collect(), next: 0 };
    let mut reader = Reader::new(instance, &members.reader).await?;
    let before = reader.unread().await?;
    let load = Load { connections: CHANGES_AT_A_TIME, time: TOLD_MAX, requests: plan.changes };
    instance.cpu()?;
    let started = Instant::now();
    let outcome = closed(instance.server.address, &Rc::new(RefCell::new(changes)), load).await;
    let answered = started.elapsed();
    while reader.unread().await? < before + outcome.accepted() {
        if started.elapsed() > TOLD_MAX {
            return Err("what happened is not told".into());
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
    let seconds = started.elapsed().as_secs_f64();
    let a_minute = outcome.accepted() as f64 / seconds * 60.0;
    let cpu = instance.cpu()? / outcome.accepted().max(1) as f64 * 1e3;
    let rows = [[
        outcome.accepted().to_string(),
        format!("{:.2}", answered.as_secs_f64()),
        format!("{seconds:.2}"),
        format!("{a_minute:.0}"),
        format!("{cpu:.2}"),
    ]];
    let head = ["changes of roles", "answered after s", "told after s", "a minute", "CPU ms each"];
    table(&format!("What happens, told to up to {MEMBERS} people each"), &head, &rows);
    report.keep("told.signals_a_minute".to_owned(), a_minute);
    report.at_least("signals told, each to up to 100 people", a_minute, 10_000.0, 30_000.0, "/min");
    Ok(())
}

/// Somebody who is told of every change.
struct Reader {
    connection: Connection,
    token: String,
}

impl Reader {
    async fn new(instance: &Instance, token: &str) -> Result<Self> {
        let connection = Connection::open(instance.server.address).await?;
        Ok(Self { connection, token: token.to_owned() })
    }

    async fn unread(&mut self) -> Result<u64> {
        let request = Request {
            method: "GET",
            path: "/api/v1/notifications/unread-count",
            bearer: Some(&self.token),
            content_type: "text/plain",
            body: b"",
        };
        let answer = self.connection.json(&request).await?;
        Ok(answer["count"].as_u64().ok_or("no count")?)
    }
}
