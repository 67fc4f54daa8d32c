//! A running agent, with its supervisor (`supervise.rs`) between it and us.

use super::agent::Launch;
use super::pipe::Pipe;
use rustix::process::{Pid, Signal, getpid, kill_process};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The subcommand that supervises.
pub(in crate::cli) const SUPERVISE: &str = "runner-supervise";

pub(super) struct Process {
    child: Child,
    /// When it had ended.
    ended: Arc<OnceLock<Instant>>,
}

/// How an agent ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// With all that it had started. 128 and more: a signal ended it.
    Code(i32),
    /// Its supervisor was killed: something of it may be left.
    Unsupervised,
}

impl Process {
    /// Starts an agent. The thread that starts it has to wait for it: the supervisor ends with that thread.
    ///
    /// # Errors
    /// If the supervisor cannot be started.
    pub(super) fn start(launch: &Launch, dir: &Path, grace: Duration) -> Result<Self, String> {
        let mut command = Command::new(own_program());
        command.arg(SUPERVISE).arg("--parent").arg(getpid().as_raw_nonzero().to_string());
        command.arg("--grace").arg(grace.as_secs().to_string());
        if let Some((uid, gid)) = launch.owner {
            command.arg("--owner").arg(format!("{uid}:{gid}"));
        }
        if launch.in_room {
            command.arg("--room");
        }
        if let Some((engine, name)) = &launch.container {
            command.arg("--container").arg(engine).arg(name);
        }
        command.arg("--").args(&launch.command);
        command.env_clear().envs(&launch.environment).current_dir(dir);
        command.stdin(if launch.has_input { Stdio::piped() } else { Stdio::null() });
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().map_err(|error| format!("the agent cannot be started: {error}"))?;
        Ok(Self { child, ended: Arc::default() })
    }

    pub(super) fn output(&mut self) -> (Option<Pipe<ChildStdout>>, Option<Pipe<ChildStderr>>) {
        let (out, err) = (self.child.stdout.take(), self.child.stderr.take());
        (out.map(|pipe| Pipe::new(pipe, &self.ended)), err.map(|pipe| Pipe::new(pipe, &self.ended)))
    }

    /// The ends of the pipes to an agent that is talked to and from it, as they are.
    pub(super) fn streams(&mut self) -> Option<(OwnedFd, OwnedFd)> {
        Some((self.child.stdin.take()?.into(), self.child.stdout.take()?.into()))
    }

    /// How the agent ended, once its supervisor has.
    pub(super) fn ended(&mut self) -> Option<End> {
        let status = match self.child.try_wait() {
            Ok(None) => return None,
            Ok(Some(status)) => status.code(),
            Err(_) => None,
        };
        self.ended.get_or_init(Instant::now);
        Some(status.map_or(End::Unsupervised, End::Code))
    }

    /// Ends the agent: it is asked, and killed after the grace that it has.
    pub(super) fn end(&self) {
        self.tell(Signal::TERM);
    }

    /// The process from which all of the agent's descend.
    pub(super) fn root(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    pub(super) fn pause(&self) {
        self.tell(Signal::USR1);
    }

    pub(super) fn resume(&self) {
        self.tell(Signal::USR2);
    }

    fn tell(&self, what: Signal) {
        // It may have just ended.
        let _ = kill_process(Pid::from_child(&self.child), what);
    }
}

impl Drop for Process {
    /// Whatever happens to the run, its agent ends.
    fn drop(&mut self) {
        if self.ended().is_none() {
            self.end();
            drop(self.child.wait());
        }
    }
}

/// This program, also after its file was replaced by an update.
fn own_program() -> &'static str {
    "/proc/self/exe"
}
