//! One run of the agent's program.

use super::{Ending, Run};
use crate::cli::runner::agent::{self, InRoom, Isolation};
use crate::cli::runner::control::Halt;
use crate::cli::runner::dialect::Heard;
use crate::cli::runner::output::pump;
use crate::cli::runner::process::{End, Process};
use crate::cli::runner::protocol::Stream;
use crate::cli::runner::room::models;
use crate::cli::runner::room::proxy::{Proxy, Rules};
use crate::cli::runner::strays;
use crate::cli::runner::workspace::Workspace;
use crate::outbound::Policy;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

/// How often a running agent is looked at.
const LOOK: Duration = Duration::from_millis(50);

impl Run<'_> {
    /// One run of the agent's program.
    pub(super) fn turn(&self, workspace: &Workspace, shell: &str) -> Result<(Ending, Heard), String> {
        let places = workspace.places();
        let mut environment = agent::environment(self.job, &places, &self.settings.passed, &self.server.base);
        let name = format!("mayday-{}", self.job.run_name()?);
        let proxy = workspace.run.join("proxy");
        let rooms = self.settings.rooms.as_ref();
        let _proxy = rooms.map(|_| self.open_proxy(&proxy, &mut environment)).transpose()?;
        let room = rooms.map(|rooms| InRoom { rooms, proxy: &proxy });
        let launch = self.settings.isolation.launch(shell, environment, &places, &name, room.as_ref());
        if let Isolation::User { uid, gid, .. } = self.settings.isolation {
            workspace.give_to(uid, gid)?;
        }
        let mut process = Process::start(&launch, places.repo, self.settings.agent_grace)?;
        let (out, err) = process.output();
        let heard = Mutex::new(Heard::default());
        let ending = thread::scope(|threads| {
            threads.spawn(|| {
                let dialect = |line: &str| heard.lock().ok()?.line(line);
                out.map(|pipe| pump(pipe, Stream::Stdout, &self.masker, &self.outbox, dialect))
            });
            threads
                .spawn(|| err.map(|pipe| pump(pipe, Stream::Stderr, &self.masker, &self.outbox, |_| None)));
            let ending = self.watch(&mut process);
            strays::end(&workspace.run);
            ending
        });
        if let Isolation::Container { engine, .. } = &self.settings.isolation {
            // If the engine was killed, its container may have stayed.
            drop(std::process::Command::new(engine).args(["rm", "--force", &name]).output());
        }
        if matches!(self.settings.isolation, Isolation::User { .. } | Isolation::Container { .. })
            && rustix::process::geteuid().is_root()
        {
            workspace.give_to(0, 0)?;
        }
        Ok((ending, heard.into_inner().unwrap_or_default()))
    }

    /// The way out of the room of a turn.
    fn open_proxy(&self, socket: &Path, environment: &mut BTreeMap<String, String>) -> Result<Proxy, String> {
        // The one of the turn before.
        drop(std::fs::remove_file(socket));
        let rules = Rules {
            models: models::held_back(environment, self.job.gateway.as_ref()),
            hosts: self.hosts.get().cloned().unwrap_or_default(),
            policy: if self.settings.policy.local { Policy::Open } else { Policy::Guarded },
        };
        Proxy::start(self.server.runtime(), socket, rules, &self.outbox)
            .map_err(|error| format!("{}: {error}", socket.display()))
    }

    /// Waits for the agent's end, or brings it about.
    fn watch(&self, process: &mut Process) -> Ending {
        let (mut paused, mut forced) = (None::<Instant>, None);
        loop {
            if let Some(end) = process.ended() {
                let by_itself = match end {
                    End::Code(code) => Ending::Exited(code),
                    End::Unsupervised => Ending::Unsupervised,
                };
                return forced.unwrap_or(by_itself);
            }
            if forced.is_none() {
                forced = match self.control.halt() {
                    Some(halt) => Some(Ending::Halted(halt)),
                    None if paused.is_some() => None,
                    None => (Instant::now() >= self.deadline()).then_some(Ending::TimedOut),
                };
                if forced.is_some() {
                    process.end();
                    if matches!(forced, Some(Ending::Halted(Halt::Lost))) {
                        self.outbox.lose();
                    }
                } else if self.control.is_paused() != paused.is_some() {
                    match paused.take() {
                        None => {
                            process.pause();
                            paused = Some(Instant::now());
                        }
                        Some(since) => {
                            process.resume();
                            *self.lock_deadline() += since.elapsed();
                        }
                    }
                }
            }
            thread::sleep(LOOK);
        }
    }
}
