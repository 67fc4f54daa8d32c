//! What makes a checkout ready before its agent works: the repository's set-up command, or what was kept of it.
//!
//! The command is the repository's code, shut in as agents are and without keys. It works in the checkout, so that paths are
//! right; then the checkout is made anew, and what the command made beside the repository's own files is put there. Those files
//! and git's own are as if it had never run, and git leaves out what it made: the agent's work is the agent's alone. What it wrote
//! beside the checkout is gone, too: agents look for their instructions in the folders above.

use super::Run;
use super::ending::shown_code;
use super::turn::Shut;
use crate::cli::runner::git::Mirror;
use crate::cli::runner::protocol::Repository;
use crate::cli::runner::setups::{Key, Recipe};
use crate::cli::runner::trees::{self, move_new};
use crate::cli::runner::workspace::Workspace;
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a set-up may take.
const LIMIT: Duration = Duration::from_mins(15);

/// What a checkout is of.
pub(super) type Origin<'a> = (&'a Mirror, &'a Repository);

impl Run<'_> {
    /// Has a folder beside a new checkout with what its set-up makes; `None` if it makes nothing, or fails. The checkout is as it was.
    ///
    /// # Errors
    /// If the session may not go on, or git or the disk fails.
    pub(super) fn set_up(
        &self,
        workspace: &Workspace,
        (mirror, repository): Origin<'_>,
        (base, branch): (&str, &str),
    ) -> Result<Option<PathBuf>, String> {
        let Some(command) = repository.setup_command.as_deref() else { return Ok(None) };
        let (check, ready) = (|| self.check(), workspace.run.join("ready"));
        let key = self.setup_key(command, (mirror, repository), base);
        if let Some(key) = &key {
            match self.settings.setups.copy_to(&ready, key, &check) {
                Ok(true) => {
                    self.outbox.say("Set up as before: the set-up command and the lock files are the same.");
                    return Ok(Some(ready));
                }
                Ok(false) => {}
                // It is made anew instead.
                Err(_) => self.check()?,
            }
        }
        let has_succeeded = self.run_set_up(workspace, command)?;
        let used = workspace.run.join("used");
        workspace.clear(&used)?;
        mirror.check_out(&workspace.repo, base, branch, &check)?;
        let is_there = has_succeeded && self.separate(workspace, &used, &ready)?;
        drop(trees::remove(&used));
        if let Some(key) = key.filter(|_| is_there && self.may_keep(mirror, base)) {
            self.keep_set_up(workspace, &ready, &key)?;
        }
        Ok(is_there.then_some(ready))
    }

    /// Puts what a set-up made into the checkout.
    ///
    /// # Errors
    /// If the session may not go on, or the disk refuses.
    pub(super) fn put(&self, workspace: &Workspace, ready: Option<PathBuf>) -> Result<(), String> {
        let Some(ready) = ready else { return Ok(()) };
        let (places, moved) = move_new(&ready, &workspace.repo, &workspace.repo, &|| self.check());
        drop(trees::remove(&ready));
        workspace.leave_out(&places)?;
        if let Err(why) = moved {
            self.check()?;
            self.without(&format!("not all that its set-up made could be put there: {why}"));
        }
        Ok(())
    }

    /// Runs the command in the checkout; whether it succeeded.
    fn run_set_up(&self, workspace: &Workspace, command: &str) -> Result<bool, String> {
        self.outbox.say("Setting up the checkout.");
        let until = Instant::now() + LIMIT;
        let check = || self.check_until(until.min(self.deadline()), "it took too long");
        let shut = Shut { folder: workspace.places().run, repo: &workspace.repo, name: "set-up" };
        let ended = self.run_shut(workspace, &shut, command, &check);
        self.take_back(workspace)?;
        self.check()?;
        let why = match ended {
            Ok(0) => return Ok(true),
            Ok(code) => format!("ended with {}", shown_code(code, self.cpu_seconds())),
            Err(why) => format!("was ended: {why}"),
        };
        self.without(&format!("the set-up command {why}"));
        Ok(false)
    }

    /// Takes what a set-up made from the checkout that it worked in; whether that is possible.
    fn separate(&self, workspace: &Workspace, used: &Path, ready: &Path) -> Result<bool, String> {
        let made = DirBuilder::new().mode(0o700).create(ready).map_err(|error| error.to_string());
        let moved = made.and_then(|()| move_new(used, &workspace.repo, ready, &|| self.check()).1);
        if let Err(why) = &moved {
            self.check()?;
            drop(trees::remove(ready));
            self.without(&format!("what the set-up made cannot be used: {why}"));
        }
        Ok(moved.is_ok())
    }

    fn without(&self, why: &str) {
        let why = self.masker.mask(why);
        self.outbox.say(format!("The agent works in a checkout that is not set up: {why}."));
    }

    /// What a set-up is kept under, if that can be told.
    fn setup_key(&self, command: &str, (mirror, repository): Origin<'_>, base: &str) -> Option<Key> {
        let manifests = mirror.manifests(base, &|| self.check()).ok().flatten()?;
        let place = self.settings.isolation.place()?;
        let recipe = Recipe {
            repository: &repository.id,
            command,
            place: &place,
            hosts: &repository.allowed_hosts,
            manifests: &manifests,
        };
        recipe.key()
    }

    /// Whether what a set-up made may serve other sessions: on another branch, it may have been an agent's code that ran. Nor may an
    /// agent have had the folder before, to choose the repository.
    fn may_keep(&self, mirror: &Mirror, base: &str) -> bool {
        let has_chosen = self.job.repository.is_none() && self.job.repositories.len() > 1;
        !has_chosen && mirror.commit(None).is_ok_and(|head| head == base)
    }

    fn keep_set_up(&self, workspace: &Workspace, ready: &Path, key: &Key) -> Result<(), String> {
        if let Err(why) = self.settings.setups.keep(ready, key, &workspace.run, &|| self.check()) {
            self.check()?;
            self.outbox.say(format!("What the set-up made is not kept for other sessions: {why}."));
        }
        Ok(())
    }
}
