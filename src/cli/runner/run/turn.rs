//! One run of the agent's program.

use super::ending::shown_code;
use super::load::Load;
use super::watch::{MEASURE, Scale, Watch};
use super::{Ending, Run};
use crate::cli::runner::acp::{self, Broken, Partner, Signs};
use crate::cli::runner::agent::{self, AgentCommand, InRoom, Isolation, Launch};
use crate::cli::runner::container;
use crate::cli::runner::control::Halt;
use crate::cli::runner::dialect::TurnOutput;
use crate::cli::runner::git::Check;
use crate::cli::runner::groups::Groups;
use crate::cli::runner::output::pump;
use crate::cli::runner::process::{End, Process};
use crate::cli::runner::protocol::Stream;
use crate::cli::runner::room::models;
use crate::cli::runner::room::proxy::{Proxy, Rules};
use crate::cli::runner::strays;
use crate::cli::runner::supervise::NOT_STARTED;
use crate::cli::runner::workspace::{Places, Workspace};
use std::collections::BTreeMap;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

/// How often a running process is checked.
const LOOK: Duration = Duration::from_millis(50);

/// The task of a turn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Task<'a> {
    pub(super) text: &'a str,
    /// Messages that people write meanwhile belong to it.
    pub(super) takes_messages: bool,
}

/// Whether the proxy has model keys.
#[derive(Debug, Clone, Copy)]
enum Keys {
    Held,
    None,
}

/// Waits for a command other than the agent, and ends it if necessary.
fn wait_for(
    process: &mut Process,
    (mut scale, mut load): (Scale<'_>, Load),
    check: Check<'_>,
) -> Result<i32, String> {
    let mut late = None;
    loop {
        if let Some(end) = process.ended() {
            return match (late, end) {
                (Some(why), _) => Err(why),
                (None, End::Code(code)) => load.used_up().map_or(Ok(code), Err),
                (None, End::Unsupervised) => Err("the process that watches it was killed".to_owned()),
            };
        }
        if late.is_none() {
            let heavy = scale.is_too_heavy().then(|| "more was written than this runner allows".to_owned());
            late = heavy.or_else(|| load.is_too_much()).or_else(|| check().err());
            if late.is_some() {
                process.end();
            }
        }
        thread::sleep(LOOK);
    }
}

/// Where to run a command other than the agent, and its name.
pub(super) struct Shut<'a> {
    pub(super) folder: &'a Path,
    pub(super) repo: &'a Path,
    pub(super) name: &'a str,
}

impl Run<'_> {
    /// Runs a shell command isolated like the agent, without keys; returns its exit code.
    pub(super) fn run_shut(
        &self,
        workspace: &Workspace,
        shut: &Shut<'_>,
        shell: &str,
        check: Check<'_>,
    ) -> Result<i32, String> {
        let places = Places { run: shut.folder, repo: shut.repo, ..workspace.places() };
        let passed = |name: &str| Some((name.to_owned(), std::env::var(name).ok()?));
        let mut environment: BTreeMap<String, String> =
            ["PATH", "HOME", "LANG", "LC_ALL", "TZ"].into_iter().filter_map(passed).collect();
        environment.insert("CI".into(), "true".into());
        // Identifies processes that it leaves behind.
        environment.insert("MAYDAY_INSTRUCTIONS".into(), places.instructions.display().to_string());
        let name = format!("{}-{}", container::name(&self.job.run_name()?), shut.name);
        let proxy = workspace.run.join("proxy");
        let rooms = self.settings.rooms.as_ref();
        let _proxy = rooms.map(|_| self.open_proxy(&proxy, &mut environment, Keys::None)).transpose()?;
        let room = rooms.map(|rooms| InRoom { rooms, proxy: &proxy, cpu_seconds: self.cpu_seconds() });
        let launch = self.settings.isolation.launch(
            shell,
            environment,
            &places,
            (&name, self.settings.limits),
            room.as_ref(),
        );
        if let Isolation::User { uid, gid, .. } = self.settings.isolation {
            Workspace::give_folder(shut.folder, uid, gid)?;
        }
        let mut process = self.start(&launch, shut.repo)?;
        let (out, err) = process.output();
        let code = thread::scope(|threads| {
            threads
                .spawn(|| out.map(|pipe| pump(pipe, Stream::Stdout, &self.masker, &self.outbox, |_| None)));
            threads
                .spawn(|| err.map(|pipe| pump(pipe, Stream::Stderr, &self.masker, &self.outbox, |_| None)));
            let most = self.settings.work_max;
            let scale = Scale { folder: shut.folder, most, next: Instant::now() + MEASURE };
            let load = Load::new(self.settings.limits.most, &process);
            let check = || check().and_then(|()| self.written_too_much().map_or(Ok(()), Err));
            let code = wait_for(&mut process, (scale, load), &check);
            strays::end(&workspace.run);
            code
        });
        self.remove_container(&name);
        code
    }

    /// How much processor time each process may use, where no control group bounds it.
    pub(super) fn cpu_seconds(&self) -> Option<u64> {
        self.settings.cpu_seconds(self.job.time_limit_seconds)
    }

    /// Starts a process within the limits of a session.
    fn start(&self, launch: &Launch, dir: &Path) -> Result<Process, String> {
        let group = self.settings.groups.as_ref().ok().map(Groups::make).transpose();
        let group = group.map_err(|error| format!("the agent has no control group: {error}"))?;
        Process::start(launch, dir, self.settings.agent_grace, group)
    }

    /// Removes the container, which stays if the engine was killed.
    fn remove_container(&self, name: &str) {
        if let Isolation::Container { engine, .. } = &self.settings.isolation {
            container::remove(engine, name);
        }
    }

    /// Runs the agent's program with a task, once the session is not paused.
    pub(super) fn turn(
        &self,
        workspace: &Workspace,
        agent: &AgentCommand,
        task: Task<'_>,
    ) -> Result<(Ending, TurnOutput), String> {
        self.wait_while_paused();
        let Some(halt) = self.control.halt() else { return self.run_agent(workspace, agent, task) };
        if halt == Halt::Lost {
            self.outbox.lose();
        }
        Ok((Ending::Halted(halt), TurnOutput::default()))
    }

    fn run_agent(
        &self,
        workspace: &Workspace,
        agent: &AgentCommand,
        task: Task<'_>,
    ) -> Result<(Ending, TurnOutput), String> {
        let places = workspace.places();
        let mut environment = agent::environment(self.job, &places, &self.settings.passed, &self.server.base);
        let name = container::name(&self.job.run_name()?);
        let proxy = workspace.run.join("proxy");
        let rooms = self.settings.rooms.as_ref();
        let _proxy = rooms.map(|_| self.open_proxy(&proxy, &mut environment, Keys::Held)).transpose()?;
        let room = rooms.map(|rooms| InRoom { rooms, proxy: &proxy, cpu_seconds: self.cpu_seconds() });
        let isolation = &self.settings.isolation;
        let mut launch = isolation.launch(
            &agent.shell,
            environment,
            &places,
            (&name, self.settings.limits),
            room.as_ref(),
        );
        launch.has_input = agent.speaks_acp;
        if let Isolation::User { uid, gid, .. } = *isolation {
            workspace.give_to(uid, gid)?;
        }
        let mut process = self.start(&launch, places.repo)?;
        let came = match process.streams() {
            Some(streams) if agent.speaks_acp => self.talk(&mut process, streams, workspace, task),
            _ => self.listen(&mut process, workspace),
        };
        self.remove_container(&name);
        self.take_back(workspace)?;
        Ok(came)
    }

    /// Takes back what was given to the user of an agent, or of a set-up.
    pub(super) fn take_back(&self, workspace: &Workspace) -> Result<(), String> {
        let is_given =
            matches!(self.settings.isolation, Isolation::User { .. } | Isolation::Container { .. });
        if is_given && rustix::process::geteuid().is_root() { workspace.give_to(0, 0) } else { Ok(()) }
    }

    /// Waits for an agent that prints what it does.
    fn listen(&self, process: &mut Process, workspace: &Workspace) -> (Ending, TurnOutput) {
        let (out, err) = process.output();
        let heard = Mutex::new(TurnOutput::default());
        let ending = thread::scope(|threads| {
            threads.spawn(|| {
                let dialect = |line: &str| heard.lock().ok()?.line(line);
                out.map(|pipe| pump(pipe, Stream::Stdout, &self.masker, &self.outbox, dialect))
            });
            threads
                .spawn(|| err.map(|pipe| pump(pipe, Stream::Stderr, &self.masker, &self.outbox, |_| None)));
            let ending = Watch::new(self, process, workspace, None).watch();
            strays::end(&workspace.run);
            ending
        });
        (ending, heard.into_inner().unwrap_or_default())
    }

    /// Talks to an agent that speaks the Agent Client Protocol.
    fn talk(
        &self,
        process: &mut Process,
        streams: (OwnedFd, OwnedFd),
        workspace: &Workspace,
        task: Task<'_>,
    ) -> (Ending, TurnOutput) {
        let (_, err) = process.output();
        let signs = Signs::default();
        thread::scope(|threads| {
            let talking = threads.spawn(|| {
                let partner = Partner {
                    signs: &signs,
                    control: self.control,
                    masker: &self.masker,
                    outbox: &self.outbox,
                    is_in_room: self.settings.rooms.is_some(),
                    patience: self.settings.patience,
                    may_go_on: &|cost| task.takes_messages && self.may_go_on(cost),
                    dir: &workspace.repo,
                    model: self.job.model_id.as_deref(),
                };
                let mut session = self.spoken();
                acp::talk(&partner, streams, task.text, &mut session)
            });
            let err = err.map(|pipe| Errors { pipe, signs: &signs });
            threads
                .spawn(|| err.map(|pipe| pump(pipe, Stream::Stderr, &self.masker, &self.outbox, |_| None)));
            let ending = Watch::new(self, process, workspace, Some(&signs)).watch();
            signs.end();
            strays::end(&workspace.run);
            let (heard, came) =
                talking.join().unwrap_or_else(|_| (TurnOutput::default(), Err(Broken::Ended)));
            (spoken_ending(ending, came, self.cpu_seconds()), heard)
        })
    }

    /// Opens the proxy for the room of a turn.
    fn open_proxy(
        &self,
        socket: &Path,
        environment: &mut BTreeMap<String, String>,
        keys: Keys,
    ) -> Result<Proxy, String> {
        // From the previous turn.
        drop(std::fs::remove_file(socket));
        let rules = Rules {
            models: match keys {
                Keys::Held => models::held_back(environment, self.job.gateway.as_ref()),
                Keys::None => Vec::new(),
            },
            hosts: self.hosts.get().cloned().unwrap_or_default(),
            policy: self.settings.hosts,
            usage: self.usage.clone(),
            refused: self.refused.clone(),
        };
        Proxy::start(self.server.runtime(), socket, rules, &self.outbox)
            .map_err(|error| format!("{}: {error}", socket.display()))
    }
}

/// The error output of an agent that speaks ACP. Once it has answered everything, we end it by a signal, and what it
/// writes about that is read and dropped.
struct Errors<'a, P> {
    pipe: P,
    signs: &'a Signs,
}

impl<P: Read> Read for Errors<'_, P> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        loop {
            let count = self.pipe.read(buffer)?;
            if count == 0 || !self.signs.is_settled() {
                return Ok(count);
            }
        }
    }
}

/// The ending of a turn with an agent that speaks ACP: the outcome of the conversation counts, unless the agent was
/// stopped or ended by itself.
fn spoken_ending(ending: Ending, came: Result<(), Broken>, cpu_seconds: Option<u64>) -> Ending {
    match (ending, came) {
        (Ending::Exited(_), Ok(())) => Ending::Exited(0),
        (Ending::Exited(_), Err(Broken::Because(why))) => Ending::Broken(why),
        (Ending::Exited(code), Err(_)) if code != i32::from(NOT_STARTED) => Ending::Broken(match code {
            // Ended by our signal, after the conversation had broken off.
            0 | 143 => "the agent ended before it was done".to_owned(),
            code => format!("the agent ended with {} before it was done", shown_code(code, cpu_seconds)),
        }),
        (ending, _) => ending,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn error_output_after_the_last_answer_is_read_and_dropped() {
        let (pipe, mut agent) = std::io::pipe().unwrap();
        let signs = Signs::default();
        let mut errors = Errors { pipe, signs: &signs };
        let mut read = [0; 64];
        agent.write_all(b"a warning").unwrap();
        assert_eq!(errors.read(&mut read).unwrap(), 9);
        signs.settle();
        let said = thread::spawn(move || agent.write_all(&vec![b'x'; 128 << 10]));
        assert_eq!(errors.read(&mut read).unwrap(), 0);
        said.join().unwrap().unwrap();
    }

    #[test]
    fn an_agent_that_is_talked_to_says_when_it_used_up_its_processor_time() {
        let why = |code| match spoken_ending(Ending::Exited(code), Err(Broken::Ended), Some(900)) {
            Ending::Broken(why) => why,
            _ => String::new(),
        };
        assert_eq!(why(3), "the agent ended with exit code 3 before it was done");
        assert!(why(152).contains("more than 900 s of processor time"));
    }
}
