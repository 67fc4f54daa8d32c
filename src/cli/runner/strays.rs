//! Ends processes left by an agent that killed its supervisor, or by a runner that was killed. They are found by the
//! environment with which they started. A process that changed its environment is not found, but rooms and separate
//! users keep agents from killing the supervisor.

use rustix::process::{Pid, Signal, getpid, kill_process};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

/// For how long, and how often, to look for them.
const PATIENCE: Duration = Duration::from_secs(5);
const LOOK: Duration = Duration::from_millis(20);

/// Kills every process that started with the environment of the run in this directory.
pub(super) fn end(run: &Path) {
    let mark = [b"MAYDAY_INSTRUCTIONS=", run.as_os_str().as_bytes(), b"/"].concat();
    let started = Instant::now();
    loop {
        let found = found(&mark);
        if found.is_empty() || started.elapsed() >= PATIENCE {
            return;
        }
        for pid in found {
            // Fails if it has just ended.
            let _ = kill_process(pid, Signal::KILL);
        }
        std::thread::sleep(LOOK);
    }
}

fn found(mark: &[u8]) -> Vec<Pid> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let marked = processes.filter_map(|entry| {
        let pid = Pid::from_raw(entry.file_name().to_str()?.parse().ok()?)?;
        let environment = std::fs::read(entry.path().join("environ")).ok()?;
        let is_marked = environment.split(|byte| *byte == 0).any(|variable| variable.starts_with(mark));
        (is_marked && pid != getpid()).then_some(pid)
    });
    marked.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn only_processes_with_the_environment_of_the_run_are_ended() {
        let dir = tempfile::tempdir().unwrap();
        let (run, other) = (dir.path().join("a"), dir.path().join("ab"));
        let start = |run: &Path| {
            let file = run.join("given/instructions.md");
            let mut command = Command::new("sleep");
            command.arg("60").env_clear().env("PATH", "/usr/bin:/bin").env("MAYDAY_INSTRUCTIONS", file);
            command.spawn().unwrap()
        };
        let (mut ours, mut theirs) = (start(&run), start(&other));
        end(&run);
        let killed = ours.try_wait().unwrap();
        let is_left = theirs.try_wait().unwrap().is_none();
        theirs.kill().unwrap();
        theirs.wait().unwrap();
        if killed.is_none() {
            ours.kill().unwrap();
            ours.wait().unwrap();
        }
        assert!(killed.is_some() && is_left);
    }
}
