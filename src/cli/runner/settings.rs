//! Checks a runner's options.

use super::agent::{Agents, Isolation};
use super::container;
use super::descendants::Burden;
use super::git::Policy;
use super::groups::{Groups, Limits};
use super::room::Rooms;
use super::setups::Setups;
use super::work_dir::WorkDir;
use super::{Arguments, Failure, failed, usage};
use crate::outbound;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The shortest time limit that processor time is computed of, in seconds: set-ups and tests have as much.
const CPU_TIME_MIN: u64 = 15 * 60;

/// What every run needs.
#[derive(Debug)]
pub(super) struct Settings {
    pub(super) work_dir: WorkDir,
    pub(super) setups: Setups,
    pub(super) token: String,
    pub(super) agents: Agents,
    pub(super) passed: Vec<String>,
    pub(super) isolation: Isolation,
    /// For agents in a sandbox.
    pub(super) rooms: Option<Rooms>,
    /// Why sessions that an error started are refused, if so.
    pub(super) refuses: Option<String>,
    pub(super) policy: Policy,
    /// Which addresses the hosts that a repository allows may have.
    pub(super) hosts: outbound::Policy,
    /// Bytes that an agent may write.
    pub(super) work_max: u64,
    /// The resources that a session's processes may use,
    pub(super) limits: Limits,
    /// and where the kernel enforces them.
    pub(super) groups: Result<Groups, String>,
    /// Those of the machine that the runner may use.
    pub(super) processors: u64,
    pub(super) agent_grace: Duration,
    /// How long people have to answer an agent.
    pub(super) patience: Duration,
    pub(super) keep: bool,
}

impl Settings {
    /// How many seconds of processor time each process of a session in a room may use: as many as all processors have
    /// within its time limit. `None`: its control group bounds the processor, or it is in no room.
    pub(super) fn cpu_seconds(&self, time_limit: u64) -> Option<u64> {
        let is_bounded_here = self.rooms.is_some() && self.groups.is_err();
        is_bounded_here.then(|| cpu_seconds(time_limit, self.processors))
    }
}

fn cpu_seconds(time_limit: u64, processors: u64) -> u64 {
    time_limit.max(CPU_TIME_MIN).saturating_mul(processors)
}

/// All of them, whatever the capacity: a build may have as many threads.
fn processors() -> u64 {
    std::thread::available_parallelism().map_or(1, |count| count.get() as u64)
}

/// The memory limit of a session, in bytes.
fn memory(arguments: &Arguments) -> u64 {
    let share = || machine_memory() / 5 * 4 / u64::from(arguments.capacity.max(1));
    arguments.max_memory_mb.map_or_else(share, |most| u64::from(most) << 20)
}

/// The memory of the machine, or the limit of the runner's container or service, in bytes.
fn machine_memory() -> u64 {
    let total = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let of_line = |line: &str| line.strip_prefix("MemTotal:")?.split_whitespace().next()?.parse::<u64>().ok();
    let total = total.lines().find_map(of_line).map(|kibibytes| kibibytes << 10);
    let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    group_limits(Path::new("/sys/fs/cgroup"), &groups).into_iter().chain(total).min().unwrap_or(u64::MAX)
}

/// The memory limits of a process's control groups and their ancestors, as `/proc/self/cgroup` names them.
fn group_limits(top: &Path, groups: &str) -> Vec<u64> {
    let number = |path: &Path| std::fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let mut found = Vec::new();
    for line in groups.lines() {
        let Some((top, path, file)) = (match line.splitn(3, ':').collect::<Vec<_>>()[..] {
            ["0", "", path] => Some((top.to_owned(), path, "memory.max")),
            [_, "memory", path] => Some((top.join("memory"), path, "memory.limit_in_bytes")),
            _ => None,
        }) else {
            continue;
        };
        let own = top.join(path.trim_start_matches('/'));
        let all = own.ancestors().take_while(|folder| folder.starts_with(&top));
        found.extend(all.filter_map(|folder| number(&folder.join(file))));
    }
    found
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
    // The programs in the image are not known here.
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
    let end = |runs: &[String]| isolation.end_left(runs);
    let work_dir = WorkDir::open(&arguments.work_dir, arguments.keep, is_shared, end).map_err(failed)?;
    let groups = groups(arguments, &isolation)?;
    Ok(Settings {
        setups: Setups::open(work_dir.setups(), u64::from(arguments.max_setups_mb) << 20),
        work_dir,
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
        limits: limits(arguments),
        groups,
        processors: processors(),
        agent_grace: Duration::from_secs(arguments.agent_grace),
        patience: Duration::from_secs(arguments.patience),
        keep: arguments.keep,
    })
}

/// The resource limits of a session.
fn limits(arguments: &Arguments) -> Limits {
    let most = Burden { processes: arguments.max_processes as usize, bytes: memory(arguments) };
    Limits { most, cpus: arguments.max_cpus }
}

/// Control groups for sessions, or what bounds them instead.
fn groups(arguments: &Arguments, isolation: &Isolation) -> Result<Result<Groups, String>, Failure> {
    if let Isolation::Container { engine, .. } = isolation {
        return Ok(Err(format!("by {engine}")));
    }
    match Groups::find(limits(arguments)) {
        Err(why) if arguments.max_cpus.is_some() => {
            Err(failed(format!("--max-cpus needs control groups, and this runner may make none: {why}")))
        }
        found => Ok(found.map_err(|why| format!("without control groups: {why}"))),
    }
}

/// The isolation of agents with what it needs, and why sessions that an error started are refused, if so.
fn shut_in(arguments: &Arguments) -> Result<(Isolation, Option<Rooms>, Option<String>), Failure> {
    let rooms = || Rooms::find(&arguments.work_dir, &arguments.reads, limits(arguments).most);
    match &arguments.isolation {
        Some(Isolation::Sandbox) => match rooms() {
            Ok(rooms) => Ok((Isolation::Sandbox, Some(rooms), None)),
            Err(why) => Err(failed(format!("--isolation sandbox: {why}"))),
        },
        Some(other) => {
            if let Isolation::Container { engine, image } = other {
                container::check(engine, image, limits(arguments))
                    .map_err(|why| failed(format!("--isolation: {why}")))?;
            }
            Ok((other.clone(), None, None))
        }
        None => match rooms() {
            Ok(rooms) => Ok((Isolation::Sandbox, Some(rooms), None)),
            Err(why) => Ok((Isolation::None, None, Some(why))),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::{cpu_seconds, group_limits};
    use std::fs;

    #[test]
    fn a_process_has_the_time_limit_on_each_processor() {
        assert_eq!(cpu_seconds(3_600, 1), 3_600);
        assert_eq!(cpu_seconds(3_600, 4), 14_400);
        assert_eq!(cpu_seconds(60, 2), 1_800, "tests may take fifteen minutes");
        assert_eq!(cpu_seconds(u64::MAX, 4), u64::MAX);
    }

    #[test]
    fn limits_of_parent_groups_apply_as_well() {
        let dir = tempfile::tempdir().unwrap();
        let add = |folder: &str, file: &str, value: &str| {
            fs::create_dir_all(dir.path().join(folder)).unwrap();
            fs::write(dir.path().join(folder).join(file), value).unwrap();
        };
        add("system.slice/runner.service", "memory.max", "2000\n");
        add("system.slice", "memory.max", "max\n");
        add("memory/docker/x", "memory.limit_in_bytes", "3000\n");
        add("memory", "memory.limit_in_bytes", "9000\n");
        let limits = |groups: &str| group_limits(dir.path(), groups);
        assert_eq!(limits("0::/system.slice/runner.service\n"), [2000]);
        assert_eq!(limits("5:cpu:/x\n4:memory:/docker/x\n0::/\n"), [3000, 9000]);
        // In a container the path is the host's, of which only the root exists.
        assert_eq!(limits("4:memory:/elsewhere\n"), [9000]);
    }
}
