//! Work that waits for a person's review. It is not kept with the mirrors, whose objects every room can read, because
//! what was held back may be a secret.

use super::{Check, Git, Mirror, Policy, Result, Work};
use crate::cli::runner::protocol::Repository;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long work waits for a review.
const KEPT: Duration = Duration::from_hours(30 * 24);
/// The ref of the work.
pub(super) const HELD: &str = "refs/heads/held";
/// The file with the id of its repository.
const REPOSITORY: &str = "mayday-repository";

/// The directory with a runner's held work.
#[derive(Debug, Clone)]
pub(in crate::cli::runner) struct HeldWork {
    pub(in crate::cli::runner) folder: PathBuf,
}

impl HeldWork {
    fn of(&self, session: &str) -> PathBuf {
        self.folder.join(format!("{session}.git"))
    }

    /// Keeps an agent's work.
    ///
    /// # Errors
    /// If git fails, or `check` fails.
    pub(in crate::cli::runner) fn keep(
        &self,
        (mirror, repository): (&Mirror, &Repository),
        work: &Work,
        session: &str,
        check: Check<'_>,
    ) -> Result<()> {
        let (kept, dir) = (self.of(session), self.folder.join(format!("{session}.new")));
        drop(std::fs::remove_dir_all(&dir));
        mirror.borrower(&dir, check)?;
        std::fs::write(dir.join(REPOSITORY), &repository.id).map_err(|error| error.to_string())?;
        let (to, what) = (dir.to_string_lossy(), format!("{}:{HELD}", work.head));
        Git::at(&work.dir, check).run(&[
            "push",
            "--quiet",
            "--no-verify",
            "--force",
            "--end-of-options",
            &to,
            &what,
        ])?;
        // The earlier work stays until the new work is complete.
        drop(std::fs::remove_dir_all(&kept));
        std::fs::rename(&dir, &kept).map_err(|error| error.to_string())
    }

    /// The repository's id of a session's kept work.
    pub(in crate::cli::runner) fn repository(&self, session: &str) -> Option<String> {
        std::fs::read_to_string(self.of(session).join(REPOSITORY)).ok()
    }

    /// A session's kept work and its repository; `None` if it has been deleted.
    ///
    /// # Errors
    /// If the mirror with its base cannot be restored.
    pub(in crate::cli::runner) fn find(
        &self,
        (session, commit): (&str, &str),
        repositories: impl Iterator<Item = Repository>,
        (mirrors, policy): (&Path, &Policy),
        check: Check<'_>,
    ) -> Result<Option<(Mirror, Work)>> {
        let dir = self.of(session);
        let Some(id) = self.repository(session) else { return Ok(None) };
        let Some(repository) = repositories.into_iter().find(|one| one.id == id) else { return Ok(None) };
        policy.check(&repository.url)?;
        let place = mirrors.join(format!("{id}.git"));
        let mirror = match place.join("HEAD").exists() {
            true => Mirror::at(place, &repository, policy),
            false => Mirror::update(mirrors, &repository, policy, check)?,
        };
        let head = Git::at(&dir, check).run(&["rev-parse", "--verify", "--quiet", HELD]);
        let work = Work { dir, head: commit.to_owned(), files: Vec::new(), changed: 0 };
        Ok(head.is_ok_and(|head| head == commit).then_some((mirror, work)))
    }

    /// Deletes a session's kept work.
    pub(in crate::cli::runner) fn forget(&self, session: &str) {
        drop(std::fs::remove_dir_all(self.of(session)));
    }

    /// Deletes work that nobody has reviewed for too long.
    pub(in crate::cli::runner) fn forget_old(&self) {
        for entry in std::fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let changed = entry.metadata().and_then(|found| found.modified());
            if changed.is_ok_and(|changed| changed.elapsed().is_ok_and(|age| age > KEPT)) {
                drop(std::fs::remove_dir_all(entry.path()));
            }
        }
    }
}
