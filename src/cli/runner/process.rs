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
use std::thread;
use std::time::{Duration, Instant};

/// How long a supervisor may take beyond the agent's grace period: to kill what is left, and to remove a container.
const SLOW: Duration = Duration::from_secs(10);
const SLOW_WITH_CONTAINER: Duration = Duration::from_mins(3);
/// How often to look whether it has ended.
const LOOK: Duration = Duration::from_millis(20);

/// The supervisor's subcommand.
pub(in crate::cli) const SUPERVISE: &str = "runner-supervise";

pub(super) struct Process {
    child: Child,
    /// When the process ended.
    ended: Arc<OnceLock<Instant>>,
    /// How long it may take once it has to end,
    patience: Duration,
    /// and when it is killed with its supervisor, if it has to end.
    last: Option<Instant>,
    /// Whether that was necessary.
    was_killed: bool,
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
        let slow = if launch.container.is_some() { SLOW_WITH_CONTAINER } else { SLOW };
        Ok(Self {
            child,
            ended: Arc::default(),
            patience: grace + slow,
            last: None,
            was_killed: false,
            group,
        })
    }

    pub(super) fn output(&mut self) -> (Option<Pipe<ChildStdout>>, Option<Pipe<ChildStderr>>) {
        let (out, err) = (self.child.stdout.take(), self.child.stderr.take());
        (out.map(|pipe| Pipe::new(pipe, &self.ended)), err.map(|pipe| Pipe::new(pipe, &self.ended)))
    }

    /// Takes the pipes to and from an agent that speaks a protocol.
    pub(super) fn streams(&mut self) -> Option<(OwnedFd, OwnedFd)> {
        Some((self.child.stdin.take()?.into(), self.child.stdout.take()?.into()))
    }

    /// How the agent ended, if its supervisor has ended. One that has to end and does not is killed.
    pub(super) fn ended(&mut self) -> Option<End> {
        let status = match self.child.try_wait() {
            Ok(None) => {
                self.kill_if_late();
                return None;
            }
            Ok(Some(status)) => status.code(),
            Err(_) => None,
        };
        self.ended.get_or_init(Instant::now);
        Some(status.map_or(End::Unsupervised, End::Code))
    }

    /// Ends the agent: its supervisor asks it, and kills it after its grace period. Whoever calls this looks at
    /// [`Self::ended`] until it has.
    pub(super) fn end(&mut self) {
        self.tell(Signal::TERM);
        self.last.get_or_insert(Instant::now() + self.patience);
    }

    /// Whether it did not end in time, so that it was killed.
    pub(super) fn was_killed(&self) -> bool {
        self.was_killed
    }

    /// An agent that has the runner's own user can keep its supervisor from ending it.
    fn kill_if_late(&mut self) {
        if self.last.is_some_and(|last| Instant::now() >= last) {
            descendants::kill(self.root());
            self.tell(Signal::KILL);
            self.was_killed = true;
            self.last = Some(Instant::now() + SLOW);
        }
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

    /// Sends the supervisor a signal, also if the agent has stopped it.
    fn tell(&self, what: Signal) {
        for signal in [what, Signal::CONT] {
            // Fails if it has just ended.
            let _ = kill_process(self.root(), signal);
        }
    }
}

impl Drop for Process {
    /// Ends the agent when its run ends in any way.
    fn drop(&mut self) {
        if self.ended().is_none() {
            self.end();
            while self.ended().is_none() {
                thread::sleep(LOOK);
            }
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

    fn process(shell: &str) -> Process {
        let child = Command::new("sh").args(["-c", shell]).stdin(Stdio::piped()).spawn().unwrap();
        let patience = Duration::from_secs(30);
        Process { child, ended: Arc::default(), patience, last: None, was_killed: false, group: None }
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

    /// How a process ended; fails if it does not.
    #[track_caller]
    fn end_of(process: &mut Process) -> End {
        let started = Instant::now();
        loop {
            if let Some(end) = process.ended() {
                return end;
            }
            assert!(started.elapsed() < Duration::from_secs(60), "it does not end");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// The state of a process, such as `T` for one that is stopped; `None` if it has ended.
    fn state(pid: Pid) -> Option<char> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
        stat.rsplit_once(") ")?.1.chars().next().filter(|state| *state != 'Z')
    }

    /// Waits until a condition holds.
    #[track_caller]
    fn until(is_so: impl Fn() -> bool) {
        let started = Instant::now();
        while !is_so() {
            assert!(started.elapsed() < Duration::from_secs(30), "it does not happen");
            thread::sleep(Duration::from_millis(10));
        }
    }

    #[test]
    fn a_supervisor_that_was_stopped_is_continued_to_end_the_agent() {
        let mut process = process("trap 'exit 7' TERM; kill -STOP $$; while :; do sleep 0.05; done");
        until(|| state(process.root()) == Some('T'));
        process.end();
        assert_eq!((end_of(&mut process), process.was_killed()), (End::Code(7), false));
    }

    #[test]
    fn a_supervisor_that_does_not_end_is_killed_with_the_agent() {
        let mut process = process("trap '' TERM; sleep 600 & while :; do kill -STOP $$; done");
        let root = process.root();
        until(|| state(root) == Some('T') && descendants::of(root).len() == 1);
        let agent = descendants::of(root)[0];
        process.patience = Duration::from_millis(200);
        process.end();
        assert_eq!((end_of(&mut process), process.was_killed()), (End::Unsupervised, true));
        until(|| state(agent).is_none());
    }
}
