//! Delivers an agent's work: pushes it, or keeps it.

use super::{DELIVERY, Ending, Run, RunResult, halted};
use crate::cli::runner::control::Halt;
use crate::cli::runner::git::{Check, Mirror, Work};
use crate::cli::runner::protocol::{HeldChange, Outcome, Repository};
use crate::cli::runner::workspace::Workspace;
use std::cell::Cell;
use std::time::Instant;

/// Why the work is unfinished, so that a person must review it before it is pushed.
fn cut_off(ending: &Ending) -> Option<&'static str> {
    match ending {
        Ending::TimedOut => Some("the agent was ended at its time limit"),
        Ending::Halted(_) => Some("the agent was stopped"),
        Ending::Unsupervised => Some("the process that watches the agent was killed"),
        Ending::Capped(_) => Some("the session reached a cap"),
        Ending::Broken(_) => Some("the agent did not say that it was done"),
        Ending::Overloaded(_) => Some("the agent was ended, since it took too much of the machine"),
        Ending::Exited(_) | Ending::TooLarge => None,
    }
}

impl Run<'_> {
    /// Pushes the agent's work. Keeps it if it was cut off, if something needs a review, or if the session may only
    /// read.
    pub(super) fn deliver(
        &self,
        workspace: &Workspace,
        (mirror, repository): (&Mirror, &Repository),
        (base, branch): (&str, String),
        (done, ending): (&mut RunResult, &Ending),
    ) -> Result<(), String> {
        let told = self.told().title.clone();
        let title = |own: Option<&str>| self.masker.mask(told.as_deref().or(own).unwrap_or(&self.job.title));
        // Moved by the length of a pause, as the deadline is.
        let least = Cell::new(Instant::now() + DELIVERY);
        let until = || least.get().max(self.deadline());
        let check = || match self.control.halt() {
            // The stop is known, and no reason to lose the work.
            Some(Halt::Stopped) if Instant::now() < until() => Ok(()),
            _ => self.check_until(until(), "the agent's work could not be pushed in time"),
        };
        let Some(work) = mirror.collect(&workspace.repo, &workspace.git, base, &title, &check)? else {
            self.outbox.say("The agent changed nothing.");
            return Ok(());
        };
        let mut held = mirror.held((&work, base), &repository.allowed_files, &check)?;
        held.extend(self.unfinished(&work, ending));
        if held.is_empty() {
            held.extend(self.prove(workspace, (mirror, repository), (&work, base), until())?);
        }
        loop {
            least.set(least.get() + self.wait_while_paused());
            self.confirm(done, &mut held, &check)?;
            // Somebody may have just paused the session.
            if !self.control.is_paused() || self.control.halt().is_some() {
                break;
            }
        }
        if self.control.only_reads() || !held.is_empty() {
            return self.keep((mirror, repository), (work, base), held, done, &check);
        }
        self.push(mirror, &work, &branch, &check)?;
        // It is part of what was pushed.
        self.settings.work_dir.held().forget(&self.job.session_id);
        (done.branch, done.head, done.files) = (Some(branch), Some(work.head), work.files);
        Ok(())
    }

    /// Why none of the work may be pushed.
    fn unfinished(&self, work: &Work, ending: &Ending) -> Vec<HeldChange> {
        let cap = self.job.caps.files.filter(|cap| work.changed > *cap);
        let many = cap.map(|cap| format!("it changes {} files, and may change {cap}", work.changed));
        let whys = cut_off(ending).map(str::to_owned).into_iter().chain(many);
        whys.map(|why| HeldChange::new("…", &why)).collect()
    }

    /// Makes sure that this runner still has the session, and that it is wanted. While this runner was offline or ran
    /// tests, another may have got the session and pushed.
    fn confirm(
        &self,
        done: &mut RunResult,
        held: &mut Vec<HeldChange>,
        check: Check<'_>,
    ) -> Result<(), String> {
        if self.control.halt().is_none() {
            self.control.confirm(self.server, self.session(), check).map_err(not_pushed)?;
        }
        if self.control.halt() == Some(Halt::Stopped) {
            let RunResult { outcome, reason, .. } = halted(Halt::Stopped);
            (done.outcome, done.reason) = (outcome, reason);
            if held.is_empty() {
                held.push(HeldChange::new("…", "the session was stopped before it was pushed"));
            }
        }
        Ok(())
    }

    /// Keeps work on this runner until a person has reviewed it.
    fn keep(
        &self,
        places: (&Mirror, &Repository),
        (work, base): (Work, &str),
        held: Vec<HeldChange>,
        done: &mut RunResult,
        check: Check<'_>,
    ) -> Result<(), String> {
        let patch = self.masker.mask(&places.0.patch(&work, base, check)?);
        self.settings.work_dir.held().keep(places, &work, &self.job.session_id, check)?;
        self.outbox.say(match held.len() {
            0 => "This session may only read: what the agent changed is kept here.".to_owned(),
            1 => format!("Kept here until a person has looked at it: {}.", held[0]),
            count => format!("Kept here until a person has looked at {count} changes."),
        });
        (done.patch, done.files) = (Some(patch), work.files);
        (done.held, done.held_commit) = (held, Some(work.head));
        Ok(())
    }

    /// The kept work of a session that continues, and its base.
    pub(super) fn kept(&self, repository: &Repository) -> Result<Option<(Work, String)>, String> {
        let Some(commit) = &self.job.resume else { return Ok(None) };
        let (check, settings) = (|| self.check(), self.settings);
        let places = (settings.work_dir.mirrors(), &settings.policy);
        let session = (self.job.session_id.as_str(), commit.as_str());
        let repositories = std::iter::once(repository.clone());
        let found = settings.work_dir.held().find(session, repositories, (&places.0, places.1), &check)?;
        let kept = found.and_then(|(_, work)| work.began(&check).ok().map(|base| (work, base)));
        if kept.is_none() {
            self.outbox.say("What was done before is no longer on this runner: the agent begins anew.");
        }
        Ok(kept)
    }

    /// The repository of the kept work.
    pub(super) fn kept_in(&self) -> Option<Repository> {
        self.job.resume.as_ref()?;
        let id = self.settings.work_dir.held().repository(&self.job.session_id)?;
        self.job.repositories.iter().find(|one| one.id == id).cloned()
    }

    /// Pushes work that was held back.
    pub(super) fn release(&self, branch: &str, commit: &str) -> Result<RunResult, String> {
        let (check, settings) = (|| self.check(), self.settings);
        let kept = settings.work_dir.held();
        let repositories = self.job.repository.iter().chain(&self.job.repositories).cloned();
        let places = (settings.work_dir.mirrors(), &settings.policy);
        let session = (self.job.session_id.as_str(), commit);
        let found = kept.find(session, repositories, (&places.0, places.1), &check)?;
        let (mirror, work) = found.ok_or("this runner no longer has what was held back")?;
        loop {
            self.control.confirm(self.server, self.session(), &check).map_err(not_pushed)?;
            if !self.control.is_paused() {
                break;
            }
            self.wait_while_paused();
        }
        mirror.push(&work, branch, &check).map_err(not_pushed)?;
        kept.forget(&self.job.session_id);
        self.outbox.say(format!("Pushed {branch}, which was held back."));
        let done = RunResult::new(Outcome::Completed, None);
        Ok(RunResult { branch: Some(branch.to_owned()), head: Some(work.head), ..done })
    }

    fn push(&self, mirror: &Mirror, work: &Work, branch: &str, check: Check<'_>) -> Result<(), String> {
        let pushed = mirror.push(work, branch, check).map_err(not_pushed);
        pushed.inspect(|()| {
            let count = work.files.len();
            let files = if count == 1 { "file" } else { "files" };
            self.outbox.say(format!("Pushed {branch}: {count} {files} changed."));
        })
    }
}

fn not_pushed(why: String) -> String {
    format!("the branch was not pushed: {why}")
}
