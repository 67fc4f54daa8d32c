//! Faults in a running server's calls of the kernel, injected by strace.

use crate::report::{patience, within};
use crate::support::Server;
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Calls that wait for the disk.
pub(crate) const SYNCS: &str = "fsync,fdatasync";

/// The time limit for strace to detach from all threads.
const LETS_GO: Duration = Duration::from_secs(2);

/// An strace that is attached to a server; dropping it lets the server go.
pub(crate) struct Strace(Child);

/// Why strace cannot be used here.
pub(crate) fn missing() -> Option<&'static str> {
    let can = Command::new("strace").args(["-f", "-o", "/dev/null", "true"]).stderr(Stdio::null()).status();
    match can {
        Ok(status) if status.success() => None,
        Ok(_) => Some("strace may not trace here"),
        Err(_) => Some("strace is not installed (apt-get install strace)"),
    }
}

impl Strace {
    /// Attaches to all threads: from now on `fault` (`error=EIO`, `signal=KILL:when=3`) happens in
    /// `calls`. Counts of `when` are those of each thread.
    pub(crate) fn attach(server: &Server, calls: &str, fault: &str) -> Result<Self, String> {
        Self::start(&["-f"], &[server.pid().as_raw_nonzero().to_string()], calls, fault)
    }

    /// The same for the threads whose names begin like this. `when` counts the calls of each.
    pub(crate) fn attach_to(
        server: &Server,
        names: &[&str],
        calls: &str,
        fault: &str,
    ) -> Result<Self, String> {
        Self::start(&[], &threads(server, names)?, calls, fault)
    }

    fn start(options: &[&str], ids: &[String], calls: &str, fault: &str) -> Result<Self, String> {
        let mut child = Command::new("strace")
            .args(options)
            .args(["-o", "/dev/null", "-e", &format!("trace={calls}"), "-e"])
            .arg(format!("inject={calls}:{fault}"))
            .args(ids.iter().flat_map(|id| ["-p", id]))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("strace: {error}"))?;
        let said = Arc::new(Mutex::new(String::new()));
        let (lines, writer) = (BufReader::new(child.stderr.take().unwrap()).lines(), said.clone());
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                writer.lock().unwrap_or_else(PoisonError::into_inner).push_str(&line);
            }
        });
        let strace = Self(child);
        within(patience(Duration::from_secs(10)), "strace to attach", || {
            said.lock().unwrap_or_else(PoisonError::into_inner).contains(" attached").then_some(())
        })
        .map_err(|error| format!("{error}: {}", said.lock().unwrap_or_else(PoisonError::into_inner)))?;
        Ok(strace)
    }
}

/// The ids of a server's threads whose names begin like this; a server that has just started creates some of them
/// slightly later.
fn threads(server: &Server, names: &[&str]) -> Result<Vec<String>, String> {
    within(patience(Duration::from_secs(10)), &format!("a thread with a name such as {names:?}"), || {
        Some(threads_now(server, names)).filter(|ids| !ids.is_empty())
    })
}

fn threads_now(server: &Server, names: &[&str]) -> Vec<String> {
    let tasks = std::fs::read_dir(format!("/proc/{}/task", server.pid().as_raw_nonzero())).unwrap();
    let is_meant = |task: &std::fs::DirEntry| {
        let name = std::fs::read_to_string(task.path().join("comm")).unwrap_or_default();
        names.iter().any(|start| name.starts_with(start))
    };
    let meant = tasks.flatten().filter(is_meant);
    meant.map(|task| task.file_name().to_string_lossy().into_owned()).collect()
}

impl Drop for Strace {
    fn drop(&mut self) {
        let _ = kill_process(Pid::from_child(&self.0), Signal::INT);
        let ended = within(LETS_GO, "strace to let go", || self.0.try_wait().ok().flatten());
        if ended.is_err() {
            // It waits for ever for a thread that was killed while it was held; the kernel lets the others go.
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }
}
