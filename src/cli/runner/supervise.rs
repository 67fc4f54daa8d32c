//! The process between the runner and an agent: nothing that the agent started survives it.
//!
//! It is the parent that orphans fall to (a subreaper), so whatever the agent forks away stays among its descendants.
//! It ends with the runner, even if that is killed, and ends all descendants before it ends.

use clap::Args;
use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitOptions, getpid, getppid, kill_process, set_child_subreaper,
    set_parent_process_death_signal,
};
use std::collections::HashMap;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};
use tokio::signal::unix::{SignalKind, signal};

/// How long what the agent left running may take to end by itself.
const LEFT: Duration = Duration::from_secs(2);
/// How often processes are looked at while something has to end.
const LOOK: Duration = Duration::from_millis(50);

/// Exit code if the agent could not be started.
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
    /// The agent's command
    #[arg(last = true, required = true)]
    command: Vec<String>,
}

/// Runs a command until it and all that it started have ended; SIGTERM ends them, SIGUSR1 stops and SIGUSR2 continues
/// them.
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
    // It may have ended before that was set.
    if getppid().map(Pid::as_raw_nonzero).map(i32::from) != Some(arguments.parent) {
        return Err(std::io::Error::other("the runner has ended"));
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(watch(arguments))
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
            // The shell around an agent has no use for its grace, the agent does.
            end_all(deadline.unwrap_or_else(|| Instant::now() + LEFT)).await;
            return Ok(code);
        }
        let wait =
            deadline.map_or(Duration::from_secs(60), |at| at.saturating_duration_since(Instant::now()));
        tokio::select! {
            _ = end.recv() => { deadline = Some(begin_end(arguments, agent)); }
            _ = interrupt.recv() => { deadline = Some(begin_end(arguments, agent)); }
            _ = pause.recv() => tell_all(Signal::STOP),
            _ = resume.recv() => tell_all(Signal::CONT),
            _ = children.recv() => {}
            () = tokio::time::sleep(wait) => if deadline.is_some() { kill_all(); deadline = Some(Instant::now() + LOOK); }
        }
    }
}

fn begin_end(arguments: &Supervised, agent: Pid) -> Instant {
    for pid in descendants().into_iter().filter(|pid| !arguments.room || *pid != agent) {
        // One that has just ended need not be told.
        let _ = kill_process(pid, Signal::TERM);
    }
    // A stopped process does not hear of it otherwise.
    tell_all(Signal::CONT);
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
    Ok(Pid::from_child(&command.spawn()?))
}

/// Takes note of ended children; the agent's exit code once it is one of them, 128 and the signal if one ended it.
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
    tell_all(Signal::TERM);
    // A stopped process does not hear of it otherwise.
    tell_all(Signal::CONT);
}

/// Waits for the end of what is left of the agent, and kills it at the deadline.
async fn end_all(deadline: Instant) {
    while !descendants().is_empty() {
        if Instant::now() >= deadline {
            kill_all();
        }
        tokio::time::sleep(LOOK).await;
        drop(reap(getpid()));
    }
}

/// Kills all descendants. They are stopped first, so that none forks while others are killed.
fn kill_all() {
    let mut stopped = 0;
    loop {
        tell_all(Signal::STOP);
        let count = descendants().len();
        if count <= stopped {
            break;
        }
        stopped = count;
    }
    tell_all(Signal::KILL);
}

fn tell_all(what: Signal) {
    for pid in descendants() {
        // One that has just ended need not be told.
        let _ = kill_process(pid, what);
    }
}

/// Every process that this one started, by itself or through others.
fn descendants() -> Vec<Pid> {
    let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else {
            continue;
        };
        if let Some(parent) =
            std::fs::read_to_string(entry.path().join("stat")).ok().and_then(|stat| parent(&stat))
        {
            children.entry(parent).or_default().push(pid);
        }
    }
    let mut found = Vec::new();
    let mut open = vec![i32::from(getpid().as_raw_nonzero())];
    while let Some(pid) = open.pop() {
        let next = children.remove(&pid).unwrap_or_default();
        found.extend(next.iter().filter_map(|pid| Pid::from_raw(*pid)));
        open.extend(next);
    }
    found
}

/// The parent in `/proc/<pid>/stat`, of a process that has not ended. The name before it may contain anything.
fn parent(stat: &str) -> Option<i32> {
    let mut rest = stat.rsplit_once(')')?.1.split_whitespace();
    let state = rest.next()?;
    (state != "Z" && state != "X").then_some(())?;
    rest.next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::parent;

    #[test]
    fn the_parent_stands_behind_a_name_of_any_form() {
        assert_eq!(parent("12 (sh) S 7 12 12 0"), Some(7));
        assert_eq!(parent("12 (a) R 1 (b) S 8 12"), Some(8));
        assert_eq!(parent("12 (sh) Z 7 12 12 0"), None);
        assert_eq!(parent("nonsense"), None);
    }
}
