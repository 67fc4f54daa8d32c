//! `mayday runner`: takes sessions from the server, has an agent work on each in a clone of its repository, and
//! pushes the result.
//!
//! The way of a session: `claim.rs` gets it; `run.rs` brings its repository's mirror up to date (`git.rs`), makes its checkout ready
//! (`run/set_up.rs`, `setups.rs`), writes instructions and context (`workspace.rs`), starts the agent (`agent.rs`, `process.rs`) under a supervisor
//! (`supervise.rs`), sends its output (`output.rs`), hears what people want meanwhile (`control.rs`), commits and pushes,
//! and reports the end. Credentials for the repository stay on this machine.

mod acp;
mod agent;
mod claim;
mod container;
mod control;
mod descendants;
mod dialect;
mod folder;
mod git;
mod groups;
mod mirrors;
mod output;
mod pipe;
mod process;
mod protocol;
mod room;
mod run;
mod server;
mod settings;
mod setups;
mod strays;
mod supervise;
mod trees;
mod work_dir;
mod workspace;

pub(super) use process::SUPERVISE;
pub(super) use room::{DOOR, Door, run_door};
pub(super) use supervise::{Supervised, run as run_supervised};

use agent::Isolation;
use claim::claim;
use clap::Args;
use control::Control;
use protocol::Job;
use server::{Pauses, Refusal, Server};
use settings::{Settings, settings};
use std::collections::HashMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How often to check whether the only session has ended.
const LOOK: Duration = Duration::from_millis(50);
/// How long to wait for sessions to be handed back after their agents have ended.
const HANDING_BACK: Duration = Duration::from_mins(1);
/// How long the server may be silent before the runner logs it.
const SILENCE: Duration = Duration::from_mins(1);

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The server's address [env: MAYDAY_URL]
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// The runner's token, as shown when it was created [env: MAYDAY_RUNNER_TOKEN]
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
    /// File with the token
    #[arg(long, value_name = "FILE", conflicts_with = "token")]
    token_file: Option<PathBuf>,
    /// Directory for mirrors and runs
    #[arg(long, value_name = "DIR", default_value = "./mayday-runner")]
    work_dir: PathBuf,
    /// Sessions at once, 1 to 64
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=64))]
    capacity: u8,
    /// A label that sessions may require; may be repeated
    #[arg(long = "label", value_name = "LABEL")]
    labels: Vec<String>,
    /// A shell command, or acp: and one, for every agent that has none of its own
    #[arg(long, value_name = "COMMAND")]
    command: Option<String>,
    /// An agent of this machine: claude-code, codex, opencode, aider, NAME=COMMAND, or NAME=acp:COMMAND for one that speaks the
    /// Agent Client Protocol; may be repeated [default: the four, if there is no --command]
    #[arg(long = "agent", value_name = "AGENT")]
    agents: Vec<String>,
    /// A variable of this environment that agents get, too; its value is masked in their output; may be repeated
    #[arg(long = "env", value_name = "NAME")]
    passed: Vec<String>,
    /// Agents ask their models as this machine is configured, also if the server has a model gateway
    #[arg(long)]
    own_models: bool,
    /// sandbox, none, user:NAME or container:IMAGE [default: sandbox; without bubblewrap none, and no sessions that an error
    /// has started]
    #[arg(long, value_name = "HOW")]
    isolation: Option<Isolation>,
    /// A folder that agents in a sandbox may read beside the system's programs and the folders of PATH; may be repeated
    #[arg(long = "read", value_name = "DIR")]
    reads: Vec<PathBuf>,
    /// The largest repository, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 4_096, value_parser = clap::value_parser!(u32).range(1..))]
    max_repository_mb: u32,
    /// The most that an agent may write into its folder, in MiB: an agent with more is ended
    #[arg(long, value_name = "MIB", default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(1..))]
    max_work_mb: u32,
    /// The most that set-ups of repositories made that is kept for later sessions, in MiB; 0: nothing is
    #[arg(long, value_name = "MIB", default_value_t = 8_192)]
    max_setups_mb: u32,
    /// The most memory that a session's processes may have together, in MiB: they are killed above it [default: four fifths of
    /// the machine's, divided by --capacity]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(64..))]
    max_memory_mb: Option<u32>,
    /// The most processes that a session may have
    #[arg(long, value_name = "COUNT", default_value_t = 1_024, value_parser = clap::value_parser!(u32).range(16..))]
    max_processes: u32,
    /// The most processors that a session may use, such as 1.5; needs control groups or containers [default: all, with a lower
    /// priority than other programs]
    #[arg(long, value_name = "COUNT", value_parser = groups::cpus)]
    max_cpus: Option<u32>,
    /// Also clones from file:// and http:// addresses
    #[arg(long)]
    allow_file_repositories: bool,
    /// Lets agents in a sandbox reach hosts that their repository allows also at private addresses, such as a registry of one's own
    /// network
    #[arg(long)]
    allow_private_hosts: bool,
    /// Seconds that an agent has to end when it is stopped, before it is killed
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    agent_grace: u64,
    /// Seconds that people have to answer an agent that asks for permission, before it is refused
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    patience: u64,
    /// Seconds that sessions have to finish once the runner is stopped, before they are handed back
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    grace: u64,
    /// Ends after one session; exit code 1 if it did not succeed
    #[arg(long)]
    once: bool,
    /// Leaves the directories of runs for a look
    #[arg(long)]
    keep: bool,
}

/// The runs in progress, by lease.
#[derive(Default)]
struct Pool {
    runs: Mutex<HashMap<String, Arc<Control>>>,
    changed: Condvar,
}

impl Pool {
    fn runs(&self) -> MutexGuard<'_, HashMap<String, Arc<Control>>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits up to `wait` until fewer than `count` are in progress; returns how many are.
    fn below(&self, count: usize, wait: Duration) -> usize {
        let runs = self.runs();
        let held = self.changed.wait_timeout_while(runs, wait, |runs| runs.len() >= count);
        held.unwrap_or_else(PoisonError::into_inner).0.len()
    }
}

pub(super) fn run(arguments: Arguments) -> ExitCode {
    match start(arguments) {
        Ok(code) => code,
        Err((text, code)) => {
            super::fail(&text);
            ExitCode::from(code)
        }
    }
}

/// A line and an exit code.
type Failure = (String, u8);

fn usage(text: impl Into<String>) -> Failure {
    (text.into(), 2)
}

fn failed(error: impl std::fmt::Display) -> Failure {
    (error.to_string(), 1)
}

fn start(arguments: Arguments) -> Result<ExitCode, Failure> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    let url = arguments.url.clone().or_else(|| variable("MAYDAY_URL"));
    let url = url.ok_or_else(|| usage("which server? Give --url or set MAYDAY_URL"))?;
    let file = arguments.token_file.as_ref().map(|path| {
        std::fs::read_to_string(path)
            .map_err(|error| usage(format!("--token-file {}: {error}", path.display())))
    });
    let token = arguments.token.clone().or(file.transpose()?).or_else(|| variable("MAYDAY_RUNNER_TOKEN"));
    let token = token.ok_or_else(|| {
        usage("no token: set MAYDAY_RUNNER_TOKEN to the one that was shown when the runner was created (Runners → New runner)")
    })?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().map_err(failed)?;
    let runtime = Arc::new(runtime);
    let server = Server::new(&url, &token, runtime.clone()).map_err(usage)?;
    let settings = settings(&arguments, &token)?;
    greet(&arguments, &settings, &server);
    mirrors::remove_unwanted(&settings.work_dir, &server);
    let mirrors = settings.work_dir.mirrors();
    settings.setups.keep_of(|repository| mirrors.join(format!("{repository}.git")).exists());
    let (stop, stopping) = watch::channel(0_u32);
    runtime.spawn(count_signals(stop));
    serve(&arguments, &Arc::new(settings), &server, &stopping)
}

fn greet(arguments: &Arguments, settings: &Settings, server: &Server) {
    super::say(&format!("Mayday runner {} for {}", crate::version::version(), server.base));
    super::say(&format!("Agents: {}. Sessions at once: {}.", settings.agents.names(), arguments.capacity));
    let most = settings.limits.most;
    let how = match &settings.groups {
        Ok(groups) => format!("by control groups of version {}", groups.version()),
        Err(how) => how.clone(),
    };
    super::say(&format!(
        "A session has at most {} MiB of memory and {} processes ({how}).",
        most.bytes >> 20,
        most.processes
    ));
    if let Some(why) = &settings.refuses {
        super::note(&format!("Sessions that an error has started go to other runners: {why}."));
    }
    if settings.isolation == Isolation::None {
        super::note(&"Agents run as this user (--isolation none): they can do whatever it can.");
    }
}

/// Counts SIGTERM and SIGINT.
async fn count_signals(stop: watch::Sender<u32>) {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut terminate), Ok(mut interrupt)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        return;
    };
    loop {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        stop.send_modify(|count| *count += 1);
        if *stop.borrow() == 1 {
            super::say(&"Stopping: no more sessions are taken.");
        }
    }
}

/// Claims sessions until the runner is stopped.
fn serve(
    arguments: &Arguments,
    settings: &Arc<Settings>,
    server: &Server,
    stopping: &watch::Receiver<u32>,
) -> Result<ExitCode, Failure> {
    let pool = Arc::new(Pool::default());
    let capacity = usize::from(arguments.capacity);
    let (mut pauses, mut silent_since) = (Pauses::new(), None::<Instant>);
    let mut outcome = ExitCode::SUCCESS;
    while *stopping.borrow() == 0 {
        let running = pool.below(capacity, Duration::from_millis(500));
        if running >= capacity {
            continue;
        }
        match claim(arguments, settings, server, (running, stopping)) {
            None => break,
            Some(Ok(job)) => {
                if silent_since.take().is_some_and(|since| since.elapsed() >= SILENCE) {
                    super::say(&"The server answers again.");
                }
                pauses = Pauses::new();
                let Some(job) = job else { continue };
                let session = begin(settings, server, &pool, job);
                if arguments.once {
                    while !session.is_finished() && *stopping.borrow() == 0 {
                        std::thread::sleep(LOOK);
                    }
                    if !session.is_finished() || !session.join().unwrap_or(false) {
                        outcome = ExitCode::FAILURE;
                    }
                    break;
                }
            }
            Some(Err(Refusal::Token(why))) => {
                return Err(failed(format!("the server refuses this runner: {why}")));
            }
            Some(Err(refusal)) => {
                if silent_since.is_none() {
                    super::note(&format!("{}; trying again", refusal.text()));
                    silent_since = Some(Instant::now());
                }
                pause(stopping, pauses.next(&refusal));
            }
        }
    }
    drain(arguments, &pool, stopping);
    Ok(outcome)
}

fn begin(
    settings: &Arc<Settings>,
    server: &Server,
    pool: &Arc<Pool>,
    job: Job,
) -> std::thread::JoinHandle<bool> {
    let (settings, server, pool) = (settings.clone(), server.clone(), pool.clone());
    let control = Arc::new(Control::default());
    // By lease, because the server may give a session to the same runner again before it notices that it lost the
    // first lease.
    pool.runs().insert(job.lease.clone(), control.clone());
    super::say(&format!("{}: {}", job.session_id, crate::text::line(&job.title, 100)));
    std::thread::spawn(move || {
        let started = Instant::now();
        let succeeded = run::run(&settings, &server, &job, &control);
        let ended = if succeeded { "completed" } else { "not completed" };
        super::say(&format!("{}: {ended} after {} s", job.session_id, started.elapsed().as_secs()));
        pool.runs().remove(&job.lease);
        pool.changed.notify_all();
        succeeded
    })
}

/// Lets runs finish for a while, and hands back the rest. A second signal hands them back at once.
fn drain(arguments: &Arguments, pool: &Pool, stopping: &watch::Receiver<u32>) {
    let count = pool.runs().len();
    if count == 0 {
        return;
    }
    let (started, grace) = (Instant::now(), Duration::from_secs(arguments.grace));
    let patience = Duration::from_secs(arguments.agent_grace) + HANDING_BACK;
    let mut since = None;
    super::say(&format!("{count} under way have {} s, then they are handed back.", grace.as_secs()));
    while pool.below(1, Duration::from_millis(200)) > 0 {
        if started.elapsed() >= grace || *stopping.borrow() > 1 {
            pool.runs().values().for_each(|control| control.hand_back.store(true, Ordering::Relaxed));
            if since.get_or_insert_with(Instant::now).elapsed() >= patience {
                let left = pool.runs().len();
                return super::note(&format!("{left} did not end; the server gives them to others"));
            }
        }
    }
}

/// Waits, but returns at once when the runner is stopping.
fn pause(stopping: &watch::Receiver<u32>, wait: Duration) {
    let until = Instant::now() + wait;
    while Instant::now() < until && *stopping.borrow() == 0 {
        std::thread::sleep(Duration::from_millis(50));
    }
}
