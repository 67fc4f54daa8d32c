//! Sessions of agents: from a runner's claim to the first line that its agent writes, as the server stored it, while 20
//! runners work through 200 sessions that wait; beside 20 loops of a shell that clone and start the same by git alone.

use crate::api::Api;
use crate::report::{Report, median, table};
use crate::server::{Server, binary};
use crate::{Plan, Result};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const RUNNERS: usize = 20;
/// Files of the repository, and bytes of each.
const FILES: usize = 200;
const BYTES: usize = 4_000;
/// What the agent does: nothing but to say that it is there.
const AGENT: &str = "echo here";
const FIRST: &str = "here";
const ENDED_MAX: Duration = Duration::from_mins(5);
const LOOK_EVERY: Duration = Duration::from_millis(250);
const DAY: f64 = 86_400.0;

/// Runners that end when this does.
pub(crate) struct Runners(pub(crate) Vec<Child>);

impl Drop for Runners {
    fn drop(&mut self) {
        for child in &mut self.0 {
            drop(child.kill());
            drop(child.wait());
        }
    }
}

pub(crate) async fn measure(folder: &Path, plan: &Plan, report: &mut Report) -> Result<()> {
    let (server, mut api, repository) = begin(folder, FILES).await?;
    for _ in 0..plan.sessions {
        api.post("/api/sessions", &json!({"prompt": "Say that you are there", "repoId": repository})).await?;
    }
    let begun = Instant::now();
    let runners = start(&mut api, &server, folder).await?;
    ended(&mut api, plan.sessions).await?;
    let took = begun.elapsed().as_secs_f64();
    drop(runners);
    let ours = first_outputs(&mut api, plan.sessions, FIRST).await?;
    server.stop()?;
    let bare = by_git(folder, plan.sessions)?;
    print((ours, bare), (plan.sessions, took), report);
    Ok(())
}

/// A server that knows a repository of so many files, beside what is in the folder `first` already; the repository's id.
pub(crate) async fn begin(folder: &Path, files: usize) -> Result<(Server, Api, Value)> {
    fs::create_dir_all(folder)?;
    let host = repository(folder, files)?;
    let environment = [
        ("SERVICE_REPOSITORIES_ALLOW_LOCAL", "true"),
        ("SERVICE_RATE_LIMIT_PLATFORM_PER_MINUTE", "0"),
        ("SERVICE_RATE_LIMIT_SESSIONS_PER_MINUTE", "0"),
    ];
    let (mut server, _) = Server::mayday_with(&folder.join("data"), &environment).await?;
    let mut api = Api::claim(&mut server).await?;
    let body = json!({"hostRepoId": "1", "hostRepoName": "bench/shop", "hostUrl": host});
    let id = api.post("/api/repos", &body).await?["repo"]["id"].clone();
    Ok((server, api, id))
}

pub(crate) fn git(folder: &Path, arguments: &[&str]) -> Result<()> {
    let who = ["-c", "user.name=Bench", "-c", "user.email=bench@example.com"];
    let status = Command::new("git").arg("-C").arg(folder).args(who).args(arguments).status()?;
    if status.success() { Ok(()) } else { Err(format!("git {arguments:?}: {status}").into()) }
}

/// A repository on this disk; its address.
fn repository(folder: &Path, files: usize) -> Result<String> {
    let first = folder.join("first");
    fs::create_dir_all(&first)?;
    for number in 0..files {
        fs::write(first.join(format!("{number}.txt")), format!("{number:0BYTES$}\n"))?;
    }
    for arguments in [
        &["init", "--quiet", "--initial-branch=main"][..],
        &["add", "--all"],
        &["commit", "--quiet", "--message", "All"],
    ] {
        git(&first, arguments)?;
    }
    git(folder, &["clone", "--quiet", "--bare", "first", "host.git"])?;
    Ok(format!("file://{}", folder.join("host.git").display()))
}

async fn start(api: &mut Api, server: &Server, folder: &Path) -> Result<Runners> {
    let mut runners = Runners(Vec::new());
    for number in 0..RUNNERS {
        let work = folder.join(format!("runner-{number}"));
        let words = ["--isolation", "none", "--command", AGENT];
        runners.0.push(runner(api, server, (&work, &words), Stdio::null()).await?);
    }
    Ok(runners)
}

/// Starts a runner in a folder of its own, with further words; its notes go to `notes`.
pub(crate) async fn runner(
    api: &mut Api,
    server: &Server,
    (work, words): (&Path, &[&str]),
    notes: Stdio,
) -> Result<Child> {
    let name = work.file_name().unwrap_or_default().to_string_lossy();
    let made = api.post("/api/runners", &json!({ "name": name })).await?;
    let token = made["token"].as_str().ok_or("no token of a runner")?;
    let child = Command::new(binary())
        .args(["runner", "--allow-file-repositories", "--work-dir"])
        .arg(work)
        .args(words)
        .env("MAYDAY_URL", format!("http://{}", server.address))
        .env("MAYDAY_RUNNER_TOKEN", token)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(notes)
        .spawn()?;
    Ok(child)
}

/// Waits until all sessions have ended.
pub(crate) async fn ended(api: &mut Api, sessions: usize) -> Result<()> {
    let started = Instant::now();
    loop {
        let done = api.get("/api/sessions?status=stopped&limit=1").await?["total"].as_u64();
        let failed = api.get("/api/sessions?status=failed&limit=1").await?;
        if failed["total"] != 0 {
            return Err(format!("a session failed: {}", failed["sessions"][0]["reason"]).into());
        }
        if done == Some(sessions as u64) {
            return Ok(());
        }
        if started.elapsed() > ENDED_MAX {
            return Err(format!("{done:?} of {sessions} sessions have ended").into());
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// Milliseconds of each session from its claim to its agent's first line, which has to begin with `line`; the newest
/// session comes first.
pub(crate) async fn first_outputs(api: &mut Api, sessions: usize, line: &str) -> Result<Vec<f64>> {
    let mut all = Vec::new();
    while all.len() < sessions {
        let path = format!("/api/sessions?limit=100&offset={}", all.len());
        let page = api.get(&path).await?;
        let page = page["sessions"].as_array().filter(|list| !list.is_empty()).ok_or("no sessions")?.clone();
        for session in page {
            let id = session["id"].as_str().ok_or("no id")?;
            let messages = api.get(&format!("/api/sessions/{id}/messages?limit=100")).await?;
            let list = messages["messages"].as_array().ok_or("no messages")?;
            let first =
                list.iter().find(|message| message["role"] == "agent").ok_or("an agent said nothing")?;
            if first["content"].as_str().is_none_or(|text| !text.starts_with(line)) {
                return Err(format!("an agent said {}, not {line}", first["content"]).into());
            }
            let (from, to) = (of_day(&session["started_at"])?, of_day(&first["created_at"])?);
            all.push((to - from).rem_euclid(DAY) * 1e3);
        }
    }
    Ok(all)
}

/// The seconds of a day in a time such as `2026-11-27T10:22:59.123Z`.
fn of_day(time: &Value) -> Result<f64> {
    let clock = time.as_str().and_then(|text| text.get(11..23)).ok_or("no time")?;
    let parts = clock.split(':').map(str::parse::<f64>).collect::<std::result::Result<Vec<_>, _>>()?;
    Ok(parts.iter().fold(0.0, |sum, part| sum * 60.0 + part))
}

/// The same by git: clones that share one mirror's objects, and the agent's command in each. Milliseconds of each.
fn by_git(folder: &Path, sessions: usize) -> Result<Vec<f64>> {
    git(folder, &["clone", "--quiet", "--mirror", "host.git", "mirror.git"])?;
    let one = |name: String| -> Result<f64> {
        let started = Instant::now();
        git(folder, &["clone", "--quiet", "--shared", "mirror.git", &name])?;
        let shell = Command::new("sh").args(["-c", AGENT]).current_dir(folder.join(&name)).output()?;
        if shell.stdout.is_empty() {
            Err("a shell said nothing".into())
        } else {
            Ok(started.elapsed().as_secs_f64() * 1e3)
        }
    };
    let turn = |number: usize| -> std::result::Result<Vec<f64>, String> {
        let places = (0..sessions / RUNNERS).map(|place| one(format!("bare-{number}-{place}")));
        places.collect::<Result<_>>().map_err(|error| error.to_string())
    };
    let turn = &turn;
    let turns = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..RUNNERS).map(|number| scope.spawn(move || turn(number))).collect();
        threads.into_iter().map(|thread| thread.join().map_err(|_| "a thread ended".to_owned())?).collect()
    });
    let turns: std::result::Result<Vec<Vec<f64>>, String> = turns;
    Ok(turns?.concat())
}

fn print((ours, bare): (Vec<f64>, Vec<f64>), (sessions, took): (usize, f64), report: &mut Report) {
    let most = |mut all: Vec<f64>| {
        all.sort_by(f64::total_cmp);
        all.get((all.len() * 99).div_ceil(100).saturating_sub(1)).copied().unwrap_or_default()
    };
    let rows = [("mayday runner", &ours), ("git and sh", &bare)].map(|(name, all)| {
        [name.to_owned(), format!("{:.0}", median(all.clone())), format!("{:.0}", most(all.clone()))]
    });
    let title = format!("Claim to the agent's first output, {sessions} sessions wait, {RUNNERS} runners");
    table(&title, &["", "p50 ms", "p99 ms"], &rows);
    println!("  all sessions in {took:.1} s, {:.1} a second", sessions as f64 / took);
    let ratio = median(ours.clone()) / median(bare);
    report.keep("agents.first_output_p50_ms".to_owned(), median(ours));
    report.keep("agents.sessions_per_second".to_owned(), sessions as f64 / took);
    report.keep("agents.first_output_ratio".to_owned(), ratio);
    println!("  p50 ÷ that of git and sh: {ratio:.2}");
}
