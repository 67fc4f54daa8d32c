//! The directory of a run: what the agent is given, and what it produces.

mod agent_folder;

use super::dialect::TurnOutput;
use super::protocol::Job;
use super::trees;
use agent_folder::AgentFolder;
use rustix::fs::OFlags;
use serde::Deserialize;
use std::fs::{self, DirBuilder, OpenOptions, Permissions};
use std::io::Read as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _, lchown};
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

/// The file with a turn's instructions.
const INSTRUCTIONS: &str = "instructions.md";
/// Bytes of a result that are read.
const RESULT_MAX: u64 = 64 << 10;

/// An amount in US dollars, if it is valid.
fn dollars(cost: f64) -> Option<f64> {
    (cost.is_finite() && cost >= 0.0).then_some(cost)
}

/// The agent's report, a JSON object in the file `MAYDAY_RESULT`. Every field is optional.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub(super) struct Report {
    /// The commit's and the pull request's title.
    pub(super) title: Option<String>,
    pub(super) summary: Option<String>,
    /// A pull request that the agent opened itself.
    pub(super) pull_request_url: Option<String>,
    pub(super) cost_usd: Option<f64>,
    /// The repository that it chose, if it was asked to.
    pub(super) repository: Option<String>,
}

impl Report {
    /// Adds the report and the output of a later turn: sums up costs, and otherwise keeps the newest values.
    pub(super) fn add(&mut self, newer: Self, heard: TurnOutput) {
        let cost = newer.cost_usd.and_then(dollars).or(heard.cost_usd);
        if let Some(cost) = cost {
            *self.cost_usd.get_or_insert(0.0) += cost;
        }
        let former = std::mem::take(self);
        *self = Self {
            title: newer.title.or(former.title),
            summary: newer.summary.or(heard.summary).or(former.summary),
            pull_request_url: newer.pull_request_url.or(former.pull_request_url),
            cost_usd: former.cost_usd,
            repository: newer.repository.or(former.repository),
        };
    }
}

/// The paths of things, as the agent sees them.
pub(super) struct Places<'a> {
    /// The agent's own directory.
    pub(super) run: &'a Path,
    /// The directory with what it is given, which it can only read.
    pub(super) given: &'a Path,
    pub(super) repo: &'a Path,
    pub(super) instructions: &'a Path,
    pub(super) context: &'a Path,
    pub(super) result: &'a Path,
    /// The objects that the clone borrows from the mirror.
    pub(super) lent: Option<&'a Path>,
}

/// The directory of one run.
pub(super) struct Workspace {
    pub(super) run: PathBuf,
    pub(super) repo: PathBuf,
    given: AgentFolder,
    instructions: PathBuf,
    context: PathBuf,
    result: PathBuf,
    /// The objects that the clone borrows from the mirror.
    pub(super) lent: OnceLock<PathBuf>,
    /// Outside the agent's reach: see `git::Mirror::collect`.
    pub(super) git: PathBuf,
}

impl Workspace {
    /// Creates the directory, and writes the context into it.
    ///
    /// # Errors
    /// If the disk fails, or the path of a context file leads elsewhere.
    pub(super) fn create(runs: &Path, job: &Job) -> Result<Self, String> {
        let run = runs.join(job.run_name()?);
        remove(&run);
        let (work, given) = (run.join("work"), run.join("given"));
        let made = DirBuilder::new().recursive(true).mode(0o711).create(&run).and_then(|()| {
            DirBuilder::new().mode(0o700).create(&work)?;
            AgentFolder::create(given.clone())
        });
        let workspace = Self {
            given: made.map_err(|error| format!("{}: {error}", run.display()))?,
            repo: work.join("repo"),
            instructions: given.join(INSTRUCTIONS),
            context: given.join("context"),
            result: work.join("result.json"),
            lent: OnceLock::new(),
            git: run.join("git"),
            run,
        };
        fs::create_dir(&workspace.context).map_err(|error| error.to_string())?;
        for file in &job.context {
            if !is_within(&file.path) {
                let path = crate::text::shown(&file.path, 100);
                return Err(format!("the context has a file with the path `{path}`"));
            }
            workspace.give(&format!("context/{}", file.path), &file.content)?;
        }
        Ok(workspace)
    }

    /// Moves the checkout elsewhere, if that is possible, and removes what lies beside it. Nobody may be at work there.
    ///
    /// # Errors
    /// If something stays.
    pub(super) fn clear(&self, to: &Path) -> Result<(), String> {
        let work = self.work();
        let cleared = || -> std::io::Result<()> {
            // Whoever worked there may have made it read-only.
            fs::set_permissions(work, Permissions::from_mode(0o700))?;
            drop(fs::rename(&self.repo, to));
            for entry in fs::read_dir(work)? {
                let entry = entry?;
                match entry.file_type()?.is_dir() {
                    true => trees::remove(&entry.path())?,
                    false => fs::remove_file(entry.path())?,
                }
            }
            Ok(())
        };
        cleared().map_err(|error| format!("{}: {error}", work.display()))
    }

    /// Has git leave out what a set-up made, in the agent's clone and where its work is taken: none of that is its work. No agent
    /// may have worked in the clone.
    ///
    /// # Errors
    /// If the disk refuses.
    pub(super) fn leave_out(&self, places: &[Vec<u8>]) -> Result<(), String> {
        let patterns = patterns(places);
        for git in [&self.repo.join(".git"), &self.git] {
            let info = git.join("info");
            let written = fs::create_dir_all(&info).and_then(|()| fs::write(info.join("exclude"), &patterns));
            written.map_err(|error| format!("{}: {error}", info.display()))?;
        }
        Ok(())
    }

    fn give(&self, path: &str, text: &str) -> Result<(), String> {
        let place = self.given.path.join(path);
        self.given.write(path, text).map_err(|error| format!("{}: {error}", place.display()))
    }

    pub(super) fn places(&self) -> Places<'_> {
        Places {
            run: self.work(),
            given: &self.given.path,
            repo: &self.repo,
            instructions: &self.instructions,
            context: &self.context,
            result: &self.result,
            lent: self.lent.get().map(PathBuf::as_path),
        }
    }

    /// Writes the instructions of a turn. Those after the first are also kept under their number.
    pub(super) fn instruct(&self, turn: usize, text: &str) -> Result<(), String> {
        if turn > 0 {
            self.give(&format!("messages/{turn:03}.md"), text)?;
        }
        drop(fs::remove_file(&self.result));
        self.give(INSTRUCTIONS, text)
    }

    /// The agent's own directory.
    fn work(&self) -> &Path {
        self.repo.parent().unwrap_or(&self.run)
    }

    /// Gives everything that the agent may write to a user, and lets its group read what the agent is given.
    pub(super) fn give_to(&self, uid: u32, gid: u32) -> Result<(), String> {
        give(self.work(), uid, gid)
            .and_then(|()| self.given.lend_to(gid))
            .map_err(|error| format!("{}: {error}", self.run.display()))
    }

    /// Gives another directory of the run to a user.
    pub(super) fn give_folder(folder: &Path, uid: u32, gid: u32) -> Result<(), String> {
        give(folder, uid, gid).map_err(|error| format!("{}: {error}", folder.display()))
    }

    /// The agent's report. A file that is invalid or too large is ignored.
    pub(super) fn report(&self) -> Report {
        // Neither follows a link, nor waits for a writer of a pipe.
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
        let Ok(file) = OpenOptions::new().read(true).custom_flags(flags).open(&self.result) else {
            return Report::default();
        };
        if !file.metadata().is_ok_and(|found| found.is_file()) {
            return Report::default();
        }
        let mut text = String::new();
        match file.take(RESULT_MAX).read_to_string(&mut text) {
            Ok(_) => serde_json::from_str(&text).unwrap_or_default(),
            Err(_) => Report::default(),
        }
    }

    pub(super) fn remove(&self) {
        remove(&self.run);
    }
}

/// Lines with which git ignores these paths and nothing else.
fn patterns(places: &[Vec<u8>]) -> Vec<u8> {
    let mut lines = Vec::new();
    for place in places {
        lines.push(b'/');
        for byte in place {
            if b"\\*?[ ".contains(byte) {
                lines.push(b'\\');
            }
            lines.push(*byte);
        }
        lines.push(b'\n');
    }
    lines
}

fn remove(run: &Path) {
    if let Err(error) = trees::remove(run)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        super::super::note(&format!("{} cannot be removed: {error}", run.display()));
    }
}

/// Whether a path stays below a directory.
fn is_within(path: &str) -> bool {
    let plain = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    plain && !path.is_empty() && !path.contains('\0')
}

/// Changes owners without following links.
fn give(path: &Path, uid: u32, gid: u32) -> std::io::Result<()> {
    lchown(path, Some(uid), Some(gid))?;
    if fs::symlink_metadata(path)?.is_dir() {
        for entry in fs::read_dir(path)? {
            give(&entry?.path(), uid, gid)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
