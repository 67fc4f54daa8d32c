//! Runs one session, from its repository to a pushed branch.

mod deliver;
mod ending;
mod load;
mod proof;
mod reports;
mod set_up;
mod turn;
mod watch;

use super::Settings;
use super::acp::AgentSession;
use super::agent::AgentCommand;
use super::control::{Control, Halt};
use super::dialect::TurnOutput;
use super::git::{self, Mirror};
use super::output::{Masker, Outbox};
use super::protocol::{Entry, Job, Kind, Outcome, Repository};
use super::room::refused::Refused;
use super::room::usage::Usage;
use super::server::Server;
use super::trees;
use super::work_dir;
use super::workspace::{Report, Workspace};
use ending::{Ending, RunResult, halted};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use turn::Task;

/// How long collecting and pushing may take, even if less is left of the session's time.
const DELIVERY: Duration = Duration::from_mins(10);
/// How often to check whether a session is still paused.
const LOOK: Duration = Duration::from_millis(200);
/// The error if the time ran out before the agent started.
const TOO_LATE: &str = "the time limit was reached before the repository was checked out";
/// The error if there is no repository.
const NOT_CHOSEN: &str = "the agent did not choose a repository";
/// The instructions of an agent that continues after a cap.
const GOES_ON: &str = "\n\n---\n\nThis session was stopped before it was finished. What was done until then is in the files: \
    look at it first, and go on from there.";
/// The most turns: the first one, and further ones for people's messages.
const TURNS_MAX: usize = 100;

/// The state that the threads of a run share.
struct Run<'a> {
    settings: &'a Settings,
    server: &'a Server,
    job: &'a Job,
    control: &'a Control,
    outbox: Arc<Outbox>,
    masker: Masker,
    /// The hosts that the agent may reach, given its repository.
    hosts: OnceLock<Vec<String>>,
    /// Without the time of pauses; moved by each time that a person was awaited.
    deadline: Mutex<Instant>,
    /// The agent's reports of all turns so far.
    told: Mutex<Report>,
    /// What the session has used of its models,
    usage: Arc<Usage>,
    /// and what its rooms were refused.
    refused: Arc<Refused>,
    /// The session of an agent that is talked to, in its own words.
    spoken: Mutex<Option<AgentSession>>,
}

/// Runs a session and reports its end. Returns whether it succeeded.
pub(super) fn run(settings: &Settings, server: &Server, job: &Job, control: &Control) -> bool {
    let secrets = job.gateway.iter().map(|gateway| gateway.api_key.clone());
    let passed = settings.passed.iter().filter_map(|name| std::env::var(name).ok());
    let run = Run {
        settings,
        server,
        job,
        control,
        outbox: Arc::default(),
        masker: Masker::new(secrets.chain(passed).chain([settings.token.clone()])),
        hosts: OnceLock::new(),
        deadline: Mutex::new(Instant::now() + Duration::from_secs(job.time_limit_seconds.max(1))),
        told: Mutex::default(),
        usage: Arc::new(Usage::new(job.caps, job.spent, job.gateway.is_some())),
        refused: Arc::default(),
        spoken: Mutex::default(),
    };
    control.set_mode(job.mode);
    control.set_usage(run.usage.clone());
    control.hear_messages(job.messages.clone());
    thread::scope(|threads| {
        threads.spawn(|| control.renew(server, &job.session_id, &job.lease, job.lease_seconds));
        let sender = threads.spawn(|| run.send());
        let done = run.work();
        run.outbox.close();
        drop(sender.join());
        let succeeded = done.outcome == Outcome::Completed;
        let reported = run.finish(done);
        control.end();
        succeeded && reported
    })
}

/// Hands back a session that was not begun, within `most`; after that, it waits for the end of its lease.
pub(super) fn hand_back(server: &Server, job: &Job, most: Duration) {
    let end = json!({ "lease": job.lease, "outcome": Outcome::HandedBack });
    if reports::report(server, &job.session_id, &end, most) {
        crate::cli::say(&format!("{}: handed back", job.session_id));
    }
}

impl Run<'_> {
    fn path(&self, what: &str) -> String {
        format!("sessions/{}/{what}", self.job.session_id)
    }

    /// The session's id, and the lease.
    fn session(&self) -> (&str, &str) {
        (self.job.session_id.as_str(), self.job.lease.as_str())
    }

    /// Does the work; any failure becomes the reason.
    fn work(&self) -> RunResult {
        let workspace = match Workspace::create(&self.settings.work_dir.runs(), self.job) {
            Ok(workspace) => workspace,
            Err(why) => return RunResult::new(Outcome::Failed, Some(why)),
        };
        let done = self.work_in(&workspace).unwrap_or_else(|why| self.failed(why));
        if let Some(refused) = self.refused.summary() {
            self.outbox.push(Entry::told(Kind::Network, None, self.masker.mask(&refused)));
        }
        let unheard = self.control.take_messages().len();
        if unheard > 0 && done.outcome != Outcome::HandedBack {
            let messages = if unheard == 1 { "message" } else { "messages" };
            self.outbox.say(format!("{unheard} {messages} came too late for the agent."));
        }
        if !self.settings.keep {
            workspace.remove();
        }
        done
    }

    fn work_in(&self, workspace: &Workspace) -> Result<RunResult, String> {
        let branch = self.job.branch.clone().unwrap_or_else(|| format!("mayday/{}", self.job.session_id));
        git::check_branch(&branch)?;
        if let Some(commit) = &self.job.release {
            return self.release(&branch, commit);
        }
        if let Some(why) = self.settings.refuses.as_ref().filter(|_| self.job.is_public) {
            return Err(format!(
                "this runner takes no session that an error has started, or a key or a token about an issue: {why}. Say with --isolation how its agents are shut in"
            ));
        }
        self.check_caps()?;
        let agent = self.settings.agents.command(&self.job.agent_type)?;
        let Some(repository) = self.choose(workspace, agent)? else {
            std::fs::create_dir_all(&workspace.repo).map_err(|error| error.to_string())?;
            return self.turns(workspace, agent, self.job.prompt.clone(), |_, _| Ok(()));
        };
        self.hosts.get_or_init(|| repository.allowed_hosts.clone());
        self.outbox.say(format!("Checking out {}.", repository.name));
        let kept = self.kept(&repository)?;
        let began = kept.as_ref().map(|(_, base)| base.as_str());
        let (mirror, base) = self.check_out(workspace, (&repository, &branch), began)?;
        let ready = self.set_up(workspace, (&mirror, &repository), (&base, &branch))?;
        let mut text = self.job.prompt.clone();
        if let Some((work, _)) = &kept {
            mirror.take_up(&workspace.repo, work, &|| self.check())?;
            text.push_str(GOES_ON);
        }
        self.put(workspace, ready)?;
        self.turns(workspace, agent, text, |done, ending| {
            done.base = Some(base.clone());
            self.deliver(workspace, (&mirror, &repository), (&base, branch.clone()), (done, ending))
        })
    }

    fn told(&self) -> MutexGuard<'_, Report> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn failed(&self, why: String) -> RunResult {
        if let Some(halt) = self.control.halt() {
            return halted(halt);
        }
        let cost = self.told().cost_usd;
        match self.reached(cost).filter(|_| why == NOT_CHOSEN) {
            Some(cap) => RunResult::new(Outcome::Capped, Some(cap)),
            None if why == NOT_CHOSEN && self.check().is_err() => self.came_to(&Ending::TimedOut),
            None if why == TOO_LATE => RunResult::new(Outcome::TimedOut, Some(why)),
            None => RunResult::new(Outcome::Failed, Some(self.masker.mask(&why))),
        }
    }

    /// Updates the mirror and makes the clone, one run at a time. Returns the commit where the work begins: `began`
    /// for work that is continued.
    fn check_out(
        &self,
        workspace: &Workspace,
        (repository, branch): (&Repository, &str),
        began: Option<&str>,
    ) -> Result<(Mirror, String), String> {
        let (check, settings) = (|| self.check(), self.settings);
        let turn = settings.work_dir.turn(&repository.id);
        let held = work_dir::wait_for(&turn, check)?;
        let mirror = Mirror::update(&settings.work_dir.mirrors(), repository, &settings.policy, &check)?;
        let base = match began {
            Some(began) => began.to_owned(),
            None => mirror.commit(self.job.base_branch.as_deref())?,
        };
        mirror.check_out(&workspace.repo, &base, branch, &check)?;
        workspace.lent.get_or_init(|| mirror.objects());
        drop(held);
        // For display, without waiting for it.
        let at = json!({ "repository_id": repository.id, "commit": base });
        drop(self.server.post::<Value>("mirrors", &at));
        Ok((mirror, base))
    }

    /// The repository to work in. If there is a choice, asks the agent.
    fn choose(&self, workspace: &Workspace, agent: &AgentCommand) -> Result<Option<Repository>, String> {
        if self.job.repository.is_some() || self.job.repositories.is_empty() {
            return Ok(self.job.repository.clone());
        }
        if let [only] = &self.job.repositories[..] {
            return Ok(Some(only.clone()));
        }
        if let Some(kept) = self.kept_in() {
            return Ok(Some(kept));
        }
        let names: Vec<String> = self.job.repositories.iter().map(|one| format!("- {}", one.name)).collect();
        let text = format!(
            "Choose the repository in which the following task belongs. Write {{\"repository\": \"<its name>\"}} to the \
             file named by the environment variable MAYDAY_RESULT, and do nothing else.\n\nRepositories:\n{}\n\nThe \
             task:\n\n{}",
            names.join("\n"),
            self.job.prompt
        );
        std::fs::create_dir_all(&workspace.repo).map_err(|error| error.to_string())?;
        self.outbox.say("Asking the agent which repository to work in.");
        workspace.instruct(0, &text)?;
        let task = Task { text: &text, takes_messages: false };
        let (ending, heard) = self.turn(workspace, agent, task)?;
        // That conversation was only about the choice.
        drop(self.spoken().take());
        let report = workspace.report();
        let cost = Report { cost_usd: report.cost_usd, ..Report::default() };
        self.told().add(cost, TurnOutput { summary: None, ..heard });
        if let Ending::Halted(_)
        | Ending::TimedOut
        | Ending::TooLarge
        | Ending::Overloaded(_)
        | Ending::Capped(_) = ending
        {
            return Err(NOT_CHOSEN.to_owned());
        }
        let chosen = report.repository.unwrap_or_default();
        trees::remove(&workspace.repo).map_err(|error| error.to_string())?;
        let found = self.job.repositories.iter().find(|one| one.name == chosen.trim());
        found.cloned().map(Some).ok_or_else(|| {
            format!("the agent chose no repository of the list: `{}`", crate::text::shown(&chosen, 100))
        })
    }

    /// Runs the agent, and again for each later message. `deliver` handles the work when there are no more messages,
    /// and again if one arrives meanwhile.
    fn turns(
        &self,
        workspace: &Workspace,
        agent: &AgentCommand,
        mut text: String,
        deliver: impl Fn(&mut RunResult, &Ending) -> Result<(), String>,
    ) -> Result<RunResult, String> {
        let mut turn = 0;
        let mut pushed = None;
        loop {
            self.control.say_phase("working");
            workspace.instruct(turn, &text)?;
            let task = Task { text: &text, takes_messages: true };
            let (ending, heard) = self.turn(workspace, agent, task)?;
            self.told().add(workspace.report(), heard);
            turn += 1;
            let ending = self.capped(ending);
            let may_go_on = matches!(ending, Ending::Exited(_)) && turn < TURNS_MAX && self.check().is_ok();
            let mut messages = if may_go_on { self.control.take_messages() } else { Vec::new() };
            if messages.is_empty() {
                let mut done = self.came_to(&ending);
                let is_left =
                    matches!(ending, Ending::Halted(Halt::Lost | Halt::HandedBack) | Ending::TooLarge);
                if !is_left && let Err(why) = deliver(&mut done, &ending) {
                    let RunResult { outcome, reason, .. } = self.failed(why);
                    (done.outcome, done.reason) = (outcome, reason);
                }
                // What an earlier turn pushed exists, whatever happens in this one.
                pushed = done.branch.clone().zip(done.head.clone()).or(pushed);
                (done.branch, done.head) = pushed.clone().unzip();
                if may_go_on {
                    messages = self.control.last_messages(self.server, self.session());
                }
                if messages.is_empty() {
                    return Ok(done);
                }
            }
            text = messages.into_iter().map(|message| message.content).collect::<Vec<_>>().join("\n\n");
        }
    }

    /// An agent that fails because its model requests are refused has reached a cap. After a cap, no turn begins.
    fn capped(&self, ending: Ending) -> Ending {
        let is_at_its_end = match &ending {
            Ending::Exited(0) => self.usage.has_refused() || self.control.has_messages(),
            Ending::Exited(_) | Ending::Broken(_) => true,
            _ => false,
        };
        is_at_its_end.then(|| self.reached(self.told().cost_usd)).flatten().map_or(ending, Ending::Capped)
    }

    /// Why the session needs a person to continue, if so. `told` is the cost that the agent reports.
    fn reached(&self, told: Option<f64>) -> Option<String> {
        self.usage.reached(told).or_else(|| self.written_too_much())
    }

    /// Why the session must stop writing, if so.
    fn written_too_much(&self) -> Option<String> {
        let (cap, written) = (self.job.caps.output_bytes?, self.outbox.written().load(Ordering::Relaxed));
        let mb = |bytes: u64| format!("{:.2} MB", bytes as f64 / 1e6);
        (written >= cap).then(|| format!("it has written {}, and may write {}", mb(written), mb(cap)))
    }

    /// Whether an agent that speaks ACP may get another prompt, given the cost of its process.
    fn may_go_on(&self, cost_usd: Option<f64>) -> bool {
        let told = self.told().cost_usd;
        let cost = told.into_iter().chain(cost_usd).reduce(|all, one| all + one);
        self.check().is_ok() && self.reached(cost).is_none()
    }

    fn spoken(&self) -> MutexGuard<'_, Option<AgentSession>> {
        self.spoken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks that the session's caps can be enforced here: tokens are counted by a room's proxy, and costs by it and
    /// the gateway.
    fn check_caps(&self) -> Result<(), String> {
        let caps = self.job.caps;
        let has = |name: &&&str| match **name {
            "tokens" => caps.tokens.is_some(),
            _ => caps.cost_usd.is_some() && self.job.gateway.is_none(),
        };
        match self.settings.isolation.uncounted().iter().find(has) {
            None => Ok(()),
            Some(name) => Err(format!(
                "this runner keeps no cap on {name}: only agents in a room (--isolation sandbox) can be counted"
            )),
        }
    }

    /// Fails if the run must stop.
    fn check(&self) -> Result<(), String> {
        self.check_until(self.deadline(), TOO_LATE)
    }

    /// When the time limit is reached. A pause moves it as it lasts, whatever the run does meanwhile.
    fn deadline(&self) -> Instant {
        *self.lock_deadline() + self.control.paused()
    }

    fn lock_deadline(&self) -> MutexGuard<'_, Instant> {
        self.deadline.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits while the session is paused; returns for how long.
    fn wait_while_paused(&self) -> Duration {
        let started = Instant::now();
        while self.control.is_paused() && self.control.halt().is_none() {
            thread::sleep(LOOK);
        }
        started.elapsed()
    }

    fn check_until(&self, end: Instant, too_late: &str) -> Result<(), String> {
        match self.control.halt() {
            Some(_) => Err("the session was stopped".to_owned()),
            None if Instant::now() >= end => Err(too_late.to_owned()),
            None => Ok(()),
        }
    }
}
