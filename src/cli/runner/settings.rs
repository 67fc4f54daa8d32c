//! What a runner is told at its start, judged.

use super::agent::{Agents, Isolation};
use super::descendants::Burden;
use super::git::Policy;
use super::room::Rooms;
use super::work_dir::WorkDir;
use super::{Arguments, Failure, failed, usage};
use crate::outbound;
use std::process::Command;
use std::time::Duration;

/// What every run needs to know.
#[derive(Debug)]
pub(super) struct Settings {
    pub(super) work_dir: WorkDir,
    pub(super) token: String,
    pub(super) agents: Agents,
    pub(super) passed: Vec<String>,
    pub(super) isolation: Isolation,
    /// For agents in a sandbox.
    pub(super) rooms: Option<Rooms>,
    /// Why sessions that an error has started are refused.
    pub(super) refuses: Option<String>,
    pub(super) policy: Policy,
    /// Which addresses the hosts that a repository allows may have.
    pub(super) hosts: outbound::Policy,
    /// Bytes that an agent may write.
    pub(super) work_max: u64,
    /// What the processes of a session may take.
    pub(super) load_max: Burden,
    pub(super) agent_grace: Duration,
    /// How long people have to answer an agent.
    pub(super) patience: Duration,
    pub(super) keep: bool,
}

/// Bytes of memory that a session may have.
fn memory(arguments: &Arguments) -> u64 {
    let share = || machine_memory() / 5 * 4 / u64::from(arguments.capacity.max(1));
    arguments.max_memory_mb.map_or_else(share, |most| u64::from(most) << 20)
}

/// Bytes of the machine, or of the container that the runner is in.
fn machine_memory() -> u64 {
    let number = |path: &str| std::fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let total = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total = total
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:")?.split_whitespace().next()?.parse::<u64>().ok());
    let limits = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    limits.into_iter().filter_map(number).chain(total.map(|total| total << 10)).min().unwrap_or(u64::MAX)
}

pub(super) fn settings(arguments: &Arguments, token: &str) -> Result<Settings, Failure> {
    let version = Command::new("git").arg("--version").output();
    version.map_err(|_| failed("git is not installed on this machine, and the runner needs it"))?;
    let (isolation, rooms, refuses) = shut_in(arguments)?;
    if let Isolation::User { name, .. } = &isolation
        && !rustix::process::geteuid().is_root()
    {
        return Err(usage(format!("--isolation user:{name} needs a runner that is started as root")));
    }
    let is_shared = matches!(isolation, Isolation::User { .. });
    let mut agents = Agents::new(&arguments.agents, arguments.command.as_deref()).map_err(usage)?;
    // What an image has is not known here.
    if !matches!(isolation, Isolation::Container { .. }) {
        let missing = agents.keep_present().map_err(failed)?;
        if !missing.is_empty() {
            crate::cli::note(&format!("Not found on this machine: {}.", missing.join(", ")));
        }
        if let Some(rooms) = &rooms {
            let hidden = agents.keep_those(|program| rooms.have(program));
            if !hidden.is_empty() {
                let names = hidden.join(", ");
                crate::cli::note(&format!(
                    "Not where agents in a sandbox can read: {names}. Name its folder: --read."
                ));
            }
            if agents.are_none() {
                return Err(failed(
                    "no agent is where agents in a sandbox can read: name its folder with --read",
                ));
            }
        }
    }
    Ok(Settings {
        work_dir: WorkDir::open(&arguments.work_dir, arguments.keep, is_shared).map_err(failed)?,
        token: token.trim().to_owned(),
        agents,
        passed: arguments.passed.clone(),
        isolation,
        rooms,
        refuses,
        policy: Policy {
            local: arguments.allow_file_repositories,
            bytes_max: u64::from(arguments.max_repository_mb) << 20,
        },
        hosts: match arguments.allow_private_hosts {
            true => outbound::Policy::Open,
            false => outbound::Policy::Guarded,
        },
        work_max: u64::from(arguments.max_work_mb) << 20,
        load_max: Burden { processes: arguments.max_processes as usize, bytes: memory(arguments) },
        agent_grace: Duration::from_secs(arguments.agent_grace),
        patience: Duration::from_secs(arguments.patience),
        keep: arguments.keep,
    })
}

/// How agents are shut in, with what that needs; and why sessions that an error has started are refused, if they are.
fn shut_in(arguments: &Arguments) -> Result<(Isolation, Option<Rooms>, Option<String>), Failure> {
    let rooms = || Rooms::find(&arguments.work_dir, &arguments.reads);
    match &arguments.isolation {
        Some(Isolation::Sandbox) => match rooms() {
            Ok(rooms) => Ok((Isolation::Sandbox, Some(rooms), None)),
            Err(why) => Err(failed(format!("--isolation sandbox: {why}"))),
        },
        Some(other) => Ok((other.clone(), None, None)),
        None => match rooms() {
            Ok(rooms) => Ok((Isolation::Sandbox, Some(rooms), None)),
            Err(why) => Ok((Isolation::None, None, Some(why))),
        },
    }
}
