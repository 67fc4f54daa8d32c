//! The process between the runner and an agent. Nothing that the agent started outlives it.
//!
//! As a subreaper it becomes the parent of orphans, so daemons that the agent starts remain its descendants. It ends
//! when the runner does, even if that is killed, and ends all descendants first.

use super::container;
use super::descendants;
use super::groups;
use clap::Args;
use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitOptions, getpid, getppid, kill_process, set_child_subreaper,
    set_parent_process_death_signal,
};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};
use tokio::signal::unix::{SignalKind, signal};

/// How long remaining processes may take to end by themselves.
const LEFT: Duration = Duration::from_secs(2);
/// How often to check processes that have to end.
const LOOK: Duration = Duration::from_millis(50);

/// The exit code if the agent could not be started.
pub(super) const NOT_STARTED: u8 = 127;

#[derive(Debug, Args)]
pub(in crate::cli) struct Supervised {
    /// The runner's process
    #[arg(long)]
    parent: i32,
    /// Seconds that the agent has between SIGTERM and SIGKILL
    #[arg(long)]
    grace: u64,
    /// The agent's user and group
    #[arg(long, value_name = "UID:GID")]
    owner: Option<String>,
    /// The agent is in a room: what is outside of that is not asked to end
    #[arg(long)]
    room: bool,
    /// The agent is in this container, whose processes may not be among ours: it is removed at the end
    #[arg(long, num_args = 2, value_names = ["ENGINE", "NAME"])]
    container: Vec<String>,
    /// The agent is in this control group; the supervisor is in the other one
    #[arg(long, num_args = 2, value_names = ["FOLDER", "HOME"])]
    group: Vec<PathBuf>,
    /// The agent's command
    #[arg(last = true, required = true)]
    command: Vec<String>,
}

/// Runs a command until it and everything it started have ended; SIGTERM ends them, SIGUSR1 stops them and SIGUSR2
/// continues them.
pub(in crate::cli) fn run(arguments: &Supervised) -> ExitCode {
    match supervise(arguments) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            super::super::fail(&format!("{}: {error}", arguments.command[0]));
            ExitCode::from(NOT_STARTED)
        }
    }
}

fn supervise(arguments: &Supervised) -> std::io::Result<u8> {
    set_child_subreaper(Some(getpid()))?;
    set_parent_process_death_signal(Some(Signal::TERM))?;
    // The runner may have ended before this was set.
    if getppid().map(Pid::as_raw_nonzero).map(i32::from) != Some(arguments.parent) {
        return Err(std::io::Error::other("the runner has ended"));
    }
    stand_back();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(watch(arguments))
}

/// Lowers the priority of what the agent starts: other programs on the machine get the processor first, and keep
/// their memory longer.
fn stand_back() {
    // If this is not allowed, the agent runs at the normal priority.
    let _ = rustix::process::nice(10);
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
}

async fn watch(arguments: &Supervised) -> std::io::Result<u8> {
    let mut end = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut pause = signal(SignalKind::user_defined1())?;
    let mut resume = signal(SignalKind::user_defined2())?;
    let mut children = signal(SignalKind::child())?;
    let agent = start(arguments)?;
    let mut deadline: Option<Instant> = None;
    loop {
        if let Some(code) = reap(agent)? {
            if deadline.is_none() {
                ask_all();
            }
            // The shell that started an agent ends at once; the agent still gets its grace period.
            end_all(deadline.unwrap_or_else(|| Instant::now() + LEFT)).await;
            if let [engine, name] = &arguments.container[..] {
                container::remove(engine, name);
            }
            return Ok(code);
        }
        if deadline.is_some_and(|at| Instant::now() >= at) {
            descendants::kill(getpid());
            deadline = Some(Instant::now() + LOOK);
        }
        let wait =
            deadline.map_or(Duration::from_secs(60), |at| at.saturating_duration_since(Instant::now()));
        tokio::select! {
            // Nothing tells which of several signals was sent first. A pause must not undo what the others do; one
            // that lasts is repeated.
            biased;
            _ = pause.recv() => if deadline.is_none() { descendants::stop(getpid()); },
            _ = resume.recv() => descendants::tell(getpid(), Signal::CONT),
            _ = end.recv() => { deadline = Some(begin_end(arguments, agent)); }
            _ = interrupt.recv() => { deadline = Some(begin_end(arguments, agent)); }
            _ = children.recv() => {}
            () = tokio::time::sleep(wait) => {}
        }
    }
}

fn begin_end(arguments: &Supervised, agent: Pid) -> Instant {
    for pid in descendants::of(getpid()).into_iter().filter(|pid| !arguments.room || *pid != agent) {
        // Fails if it has just ended.
        let _ = kill_process(pid, Signal::TERM);
    }
    // A stopped process receives SIGTERM only when it continues.
    descendants::tell(getpid(), Signal::CONT);
    Instant::now() + Duration::from_secs(arguments.grace)
}

fn start(arguments: &Supervised) -> std::io::Result<Pid> {
    let (program, rest) = arguments.command.split_first().ok_or(std::io::ErrorKind::InvalidInput)?;
    let mut command = Command::new(program);
    command.args(rest).process_group(0);
    if let Some((uid, gid)) = arguments.owner.as_deref().and_then(|owner| owner.split_once(':')) {
        let number = |text: &str| text.parse::<u32>().map_err(std::io::Error::other);
        command.uid(number(uid)?).gid(number(gid)?);
    }
    // A new process is in the groups of the one that starts it.
    let groups = arguments.group.as_chunks::<2>().0;
    groups.iter().try_for_each(|[group, _]| groups::enter(group)).map_err(std::io::Error::other)?;
    let spawned = command.spawn();
    groups.iter().try_for_each(|[_, home]| groups::enter(home)).map_err(std::io::Error::other)?;
    Ok(Pid::from_child(&spawned?))
}

/// Reaps ended children; returns the agent's exit code if it was among them, or 128 plus the signal that ended it.
fn reap(agent: Pid) -> std::io::Result<Option<u8>> {
    let mut code = None;
    loop {
        match rustix::process::wait(WaitOptions::NOHANG) {
            Ok(Some((pid, status))) if pid == agent => {
                let number = status.exit_status().or(status.terminating_signal().map(|signal| 128 + signal));
                code = Some(number.and_then(|number| u8::try_from(number).ok()).unwrap_or(u8::MAX));
            }
            Ok(Some(_)) | Err(Errno::INTR) => {}
            Ok(None) | Err(Errno::CHILD) => return Ok(code),
            Err(error) => return Err(error.into()),
        }
    }
}

fn ask_all() {
    descendants::tell(getpid(), Signal::TERM);
    // A stopped process receives SIGTERM only when it continues.
    descendants::tell(getpid(), Signal::CONT);
}

/// Waits until all remaining processes have ended, and kills them at the deadline.
async fn end_all(deadline: Instant) {
    while !descendants::of(getpid()).is_empty() {
        if Instant::now() >= deadline {
            descendants::kill(getpid());
        }
        tokio::time::sleep(LOOK).await;
        drop(reap(getpid()));
    }
}
