//! A running agent, with its supervisor (`supervise.rs`) between it and us.

use super::agent::Launch;
use super::descendants;
use super::groups::Group;
use super::pipe::Pipe;
use rustix::process::{Pid, Signal, getpid, kill_process};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The supervisor's subcommand.
pub(in crate::cli) const SUPERVISE: &str = "runner-supervise";

pub(super) struct Process {
    child: Child,
    /// When the process ended.
    ended: Arc<OnceLock<Instant>>,
    /// Ends after it, with all that is left in it.
    group: Option<Group>,
}

/// How an agent ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// Everything that it had started ended with it. 128 and above: by a signal.
    Code(i32),
    /// The supervisor was killed, so processes of the agent may remain.
    Unsupervised,
}

impl Process {
    /// Starts an agent. The supervisor ends with the thread that started it, so this thread must wait for the agent.
    ///
    /// # Errors
    /// If the supervisor cannot be started.
    pub(super) fn start(
        launch: &Launch,
        dir: &Path,
        grace: Duration,
        group: Option<Group>,
    ) -> Result<Self, String> {
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
        for (folder, home) in group.iter().flat_map(Group::places) {
            command.arg("--group").arg(folder).arg(home);
        }
        command.arg("--").args(&launch.command);
        command.env_clear().envs(&launch.environment).current_dir(dir);
        command.stdin(if launch.has_input { Stdio::piped() } else { Stdio::null() });
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().map_err(|error| format!("the agent cannot be started: {error}"))?;
        Ok(Self { child, ended: Arc::default(), group })
    }

    pub(super) fn output(&mut self) -> (Option<Pipe<ChildStdout>>, Option<Pipe<ChildStderr>>) {
        let (out, err) = (self.child.stdout.take(), self.child.stderr.take());
        (out.map(|pipe| Pipe::new(pipe, &self.ended)), err.map(|pipe| Pipe::new(pipe, &self.ended)))
    }

    /// Takes the pipes to and from an agent that speaks a protocol.
    pub(super) fn streams(&mut self) -> Option<(OwnedFd, OwnedFd)> {
        Some((self.child.stdin.take()?.into(), self.child.stdout.take()?.into()))
    }

    /// How the agent ended, if its supervisor has ended.
    pub(super) fn ended(&mut self) -> Option<End> {
        let status = match self.child.try_wait() {
            Ok(None) => return None,
            Ok(Some(status)) => status.code(),
            Err(_) => None,
        };
        self.ended.get_or_init(Instant::now);
        Some(status.map_or(End::Unsupervised, End::Code))
    }

    /// Ends the agent: asks it, and kills it after its grace period.
    pub(super) fn end(&self) {
        self.tell(Signal::TERM);
    }

    /// The ancestor of all of the agent's processes.
    pub(super) fn root(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// The control groups that it is in.
    pub(super) fn group(&self) -> Option<&Group> {
        self.group.as_ref()
    }

    /// Stops everything that the agent has started, if its supervisor has started the agent; whether it has. Before
    /// that, the signal would end the supervisor.
    pub(super) fn pause(&self) -> bool {
        let has_started = !descendants::of(self.root()).is_empty();
        if has_started {
            self.tell(Signal::USR1);
        }
        has_started
    }

    /// Continues after a pause of which the supervisor was told.
    pub(super) fn resume(&self) {
        self.tell(Signal::USR2);
    }

    fn tell(&self, what: Signal) {
        // Fails if it has just ended.
        let _ = kill_process(Pid::from_child(&self.child), what);
    }
}

impl Drop for Process {
    /// Ends the agent when its run ends in any way.
    fn drop(&mut self) {
        if self.ended().is_none() {
            self.end();
            drop(self.child.wait());
        }
    }
}

/// This program, even if an update has replaced its file.
fn own_program() -> &'static str {
    "/proc/self/exe"
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    fn process(shell: &str) -> Process {
        let child = Command::new("sh").args(["-c", shell]).stdin(Stdio::piped()).spawn().unwrap();
        Process { child, ended: Arc::default(), group: None }
    }

    #[test]
    fn a_supervisor_is_told_of_a_pause_once_it_has_started_something() {
        let mut process = process("read line; trap 'kill $!; exit 7' USR1; sleep 60 & wait");
        assert!(!process.pause());
        assert_eq!(process.ended(), None, "the signal would have ended it");
        drop(process.child.stdin.take());
        let started = Instant::now();
        while process.ended().is_none() {
            process.pause();
            assert!(started.elapsed() < Duration::from_secs(30), "it is not told");
            thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(process.ended(), Some(End::Code(7)));
    }
}
