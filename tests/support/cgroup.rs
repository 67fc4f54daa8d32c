//! A control group that limits the memory of a server, as a container does: the kernel kills a process that exceeds
//! it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// A group of its own, removed after its last process has ended.
pub(crate) struct Cgroup {
    path: PathBuf,
    files: &'static Files,
}

/// File names that differ between the two versions.
struct Files {
    limit: &'static str,
    /// Swap, or memory and swap together.
    swap: (&'static str, u64),
    peak: &'static str,
    /// Has a line `oom_kill <number>`.
    kills: &'static str,
}

const FIRST: Files = Files {
    limit: "memory.limit_in_bytes",
    swap: ("memory.memsw.limit_in_bytes", 1),
    peak: "memory.max_usage_in_bytes",
    kills: "memory.oom_control",
};

const SECOND: Files =
    Files { limit: "memory.max", swap: ("memory.swap.max", 0), peak: "memory.peak", kills: "memory.events" };

/// The folder for new groups, if this machine has one: below the own group, or for version 2, in which a group
/// with processes has no groups below it, at the top.
fn parent() -> Result<(PathBuf, &'static Files), String> {
    let own = fs::read_to_string("/proc/self/cgroup").map_err(|error| error.to_string())?;
    let first = own.lines().find_map(|line| line.split_once(":memory:"));
    if let Some((_, path)) = first {
        return Ok((Path::new("/sys/fs/cgroup/memory").join(path.trim_start_matches('/')), &FIRST));
    }
    let top = Path::new("/sys/fs/cgroup");
    let passed_on = fs::read_to_string(top.join("cgroup.subtree_control")).unwrap_or_default();
    if passed_on.split_whitespace().any(|controller| controller == "memory") {
        return Ok((top.to_owned(), &SECOND));
    }
    Err("no control groups for memory".to_owned())
}

impl Cgroup {
    /// # Errors
    /// Why this machine cannot bound the memory of a process.
    pub(crate) fn new(mebibytes: u64) -> Result<Self, String> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let (parent, files) = parent()?;
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = parent.join(format!("mayday-test-{}-{number}", std::process::id()));
        fs::create_dir(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let group = Self { path, files };
        let bytes = mebibytes << 20;
        group.set(files.limit, bytes)?;
        // Absent where swap is not accounted for.
        let (swap, times) = files.swap;
        if group.path.join(swap).exists() {
            group.set(swap, bytes * times)?;
        }
        Ok(group)
    }

    fn set(&self, file: &str, value: u64) -> Result<(), String> {
        fs::write(self.path.join(file), value.to_string()).map_err(|error| format!("{file}: {error}"))
    }

    /// The same command within the group.
    pub(super) fn enclose(&self, command: &Command) -> Command {
        let mut outer = Command::new("sh");
        outer.args(["-c", "echo $$ > \"$0\" && exec \"$@\""]).arg(self.path.join("cgroup.procs"));
        outer.arg(command.get_program()).args(command.get_args()).env_clear();
        outer.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        if let Some(folder) = command.get_current_dir() {
            outer.current_dir(folder);
        }
        outer
    }

    /// The most KiB that it used, the cache of its files included.
    pub(crate) fn peak(&self) -> u64 {
        fs::read_to_string(self.path.join(self.files.peak)).unwrap().trim().parse::<u64>().unwrap() >> 10
    }

    /// Processes that were killed because they needed more.
    pub(crate) fn kills(&self) -> u64 {
        let text = fs::read_to_string(self.path.join(self.files.kills)).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix("oom_kill "));
        line.expect("a count of kills").parse().unwrap()
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir(&self.path) {
            eprintln!("{} is left behind: {error}", self.path.display());
        }
    }
}
