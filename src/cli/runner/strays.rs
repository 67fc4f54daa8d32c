//! What is left of an agent that killed its supervisor, or whose runner was killed: found by the environment that it began
//! with. One that has changed its own is not found; rooms and users of their own keep agents from the supervisor.

use rustix::process::{Pid, Signal, getpid, kill_process};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long they are looked for, and how often.
const PATIENCE: Duration = Duration::from_secs(5);
const LOOK: Duration = Duration::from_millis(20);

/// Kills every process that began with the environment of the run in this directory.
pub(super) fn end(run: &Path) {
    let mark = [b"MAYDAY_INSTRUCTIONS=", run.as_os_str().as_bytes(), b"/"].concat();
    let started = Instant::now();
    loop {
        let found = found(&mark);
        if found.is_empty() || started.elapsed() >= PATIENCE {
            return;
        }
        for pid in found {
            // One that has just ended need not be killed.
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
    fn who_began_with_the_environment_of_the_run_is_ended_and_nobody_else() {
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
