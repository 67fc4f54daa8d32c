//! The directory of a run: what the agent is given, and what it leaves.

use super::agent::Places;
use super::dialect::Heard;
use super::protocol::Job;
use rustix::fs::OFlags;
use serde::Deserialize;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::Read as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, lchown};
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

/// Bytes of a result that are read.
const RESULT_MAX: u64 = 64 << 10;

/// US dollars, if they can be any.
fn dollars(cost: f64) -> Option<f64> {
    (cost.is_finite() && cost >= 0.0).then_some(cost)
}

/// What an agent may report in the file `MAYDAY_RESULT`, a JSON object. All of it is optional.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub(super) struct Report {
    /// The commit's and the pull request's title.
    pub(super) title: Option<String>,
    pub(super) summary: Option<String>,
    /// If the agent opened one by itself.
    pub(super) pull_request_url: Option<String>,
    pub(super) cost_usd: Option<f64>,
    /// The name of the repository that it chose, if it was asked to.
    pub(super) repository: Option<String>,
}

impl Report {
    /// Adds what a further turn of the agent reported, and what was heard of it: costs add up, of all else the newest stays.
    pub(super) fn add(&mut self, newer: Self, heard: Heard) {
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

/// The directory of one run.
pub(super) struct Workspace {
    pub(super) run: PathBuf,
    pub(super) repo: PathBuf,
    instructions: PathBuf,
    context: PathBuf,
    messages: PathBuf,
    result: PathBuf,
    /// The objects that the clone borrows.
    pub(super) lent: OnceLock<PathBuf>,
    /// Out of the agent's reach: see `git::Mirror::collect`.
    pub(super) git: PathBuf,
}

impl Workspace {
    /// Makes the directory, and writes the context into it.
    ///
    /// # Errors
    /// If the disk refuses, or a file of the context would lie elsewhere.
    pub(super) fn create(runs: &Path, job: &Job) -> Result<Self, String> {
        let run = runs.join(job.run_name()?);
        let work = run.join("work");
        let workspace = Self {
            repo: work.join("repo"),
            instructions: work.join("instructions.md"),
            context: work.join("context"),
            messages: work.join("messages"),
            result: work.join("result.json"),
            lent: OnceLock::new(),
            git: run.join("git"),
            run,
        };
        workspace.remove();
        let made = DirBuilder::new().recursive(true).mode(0o711).create(&workspace.run).and_then(|()| {
            DirBuilder::new().mode(0o700).create(&work)?;
            fs::create_dir(&workspace.context)
        });
        made.map_err(|error| format!("{}: {error}", workspace.run.display()))?;
        for file in &job.context {
            let path = within(&workspace.context, &file.path).ok_or_else(|| {
                format!("the context has a file with the path `{}`", crate::text::shown(&file.path, 100))
            })?;
            let written = fs::create_dir_all(path.parent().unwrap_or(&workspace.context))
                .and_then(|()| fs::write(&path, &file.content));
            written.map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(workspace)
    }

    pub(super) fn places(&self) -> Places<'_> {
        Places {
            run: self.repo.parent().unwrap_or(&self.run),
            repo: &self.repo,
            instructions: &self.instructions,
            context: &self.context,
            result: &self.result,
            lent: self.lent.get().map(PathBuf::as_path),
        }
    }

    /// Writes the instructions of a turn; those after the first are also kept by number.
    pub(super) fn instruct(&self, turn: usize, text: &str) -> Result<(), String> {
        let write =
            |path: &Path| fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()));
        if turn > 0 {
            fs::create_dir_all(&self.messages).map_err(|error| error.to_string())?;
            write(&self.messages.join(format!("{turn:03}.md")))?;
        }
        drop(fs::remove_file(&self.result));
        // The agent may have put a link in its place.
        drop(fs::remove_file(&self.instructions));
        write(&self.instructions)
    }

    /// Gives all that the agent may touch to a user.
    pub(super) fn give_to(&self, uid: u32, gid: u32) -> Result<(), String> {
        let work = self.repo.parent().unwrap_or(&self.run);
        give(work, uid, gid).map_err(|error| format!("{}: {error}", work.display()))
    }

    /// What the agent reported. A file that is none, or too large, is no report.
    pub(super) fn report(&self) -> Report {
        // Neither through a link, nor waiting for somebody at the other end of a pipe.
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
        if let Err(error) = fs::remove_dir_all(&self.run)
            && error.kind() != std::io::ErrorKind::NotFound
        {
            super::super::note(&format!("{} cannot be removed: {error}", self.run.display()));
        }
    }
}

/// The path below a directory, if it is one.
fn within(dir: &Path, path: &str) -> Option<PathBuf> {
    let plain = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    (plain && !path.is_empty() && !path.contains('\0')).then(|| dir.join(path))
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
