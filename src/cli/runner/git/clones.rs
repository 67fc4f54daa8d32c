//! Clones to work in, and to try an agent's work in.

use super::collect::AUTHOR;
use super::keep::HELD;
use super::{Check, Git, Mirror, Result, Work};
use std::path::Path;

/// The name of an agent's work where it is fetched from.
const WORK: &str = "refs/mayday/work";

impl Mirror {
    /// A clone for a run, at a commit, on a new branch. It borrows the mirror's objects, so this takes seconds.
    ///
    /// # Errors
    /// If git fails, or `check` wants it to end.
    pub(in crate::cli::runner) fn check_out(
        &self,
        to: &Path,
        commit: &str,
        branch: &str,
        check: Check<'_>,
    ) -> Result<()> {
        let mirror = self.dir.to_string_lossy();
        let target = to.to_string_lossy();
        let empty = "--template=";
        Git::at(&self.dir, check).run(&[
            "clone",
            "--quiet",
            "--shared",
            "--no-checkout",
            "--no-tags",
            empty,
            "--",
            &mirror,
            &target,
        ])?;
        let git = Git::at(to, check).without_filters();
        let branches = "+refs/remotes/origin/*:refs/remotes/origin/*";
        git.run(&[
            "fetch",
            "--quiet",
            "--no-tags",
            "--no-recurse-submodules",
            "--end-of-options",
            &mirror,
            branches,
        ])?;
        git.run(&["remote", "set-url", "origin", "--", &self.url])?;
        git.run(&["config", "user.name", AUTHOR.0])?;
        git.run(&["config", "user.email", AUTHOR.1])?;
        git.run(&["checkout", "--quiet", "--no-recurse-submodules", "-b", branch, commit])?;
        Ok(())
    }

    /// A clone at the commit where an agent's work began, with that work among its objects.
    ///
    /// # Errors
    /// If git fails, or `check` wants it to end.
    pub(in crate::cli::runner) fn check_out_to_try(
        &self,
        to: &Path,
        (work, base): (&Work, &str),
        check: Check<'_>,
    ) -> Result<()> {
        self.check_out(to, base, "mayday-proof", check)?;
        Git::at(&work.dir, check).run(&["update-ref", WORK, &work.head])?;
        let from = work.dir.to_string_lossy();
        let what = format!("+{WORK}:{WORK}");
        Git::at(to, check)
            .run(&[
                "fetch",
                "--quiet",
                "--no-tags",
                "--no-recurse-submodules",
                "--end-of-options",
                &from,
                &what,
            ])
            .map(drop)
    }

    /// Puts work that was kept into a clone, whose agent goes on from it.
    ///
    /// # Errors
    /// If git fails, or `check` wants it to end.
    pub(in crate::cli::runner) fn take_up(&self, repo: &Path, work: &Work, check: Check<'_>) -> Result<()> {
        let git = Git::at(repo, check).without_filters();
        let from = work.dir.to_string_lossy();
        git.run(&[
            "fetch",
            "--quiet",
            "--no-tags",
            "--no-recurse-submodules",
            "--end-of-options",
            &from,
            HELD,
        ])?;
        git.run(&["reset", "--quiet", "--hard", "--no-recurse-submodules", &work.head]).map(drop)
    }

    /// Puts an agent's work into such a clone: all of it, or some files.
    ///
    /// # Errors
    /// If git fails, or `check` wants it to end.
    pub(in crate::cli::runner) fn take_files(
        &self,
        repo: &Path,
        work: &Work,
        files: Option<&[&str]>,
        check: Check<'_>,
    ) -> Result<()> {
        let git = Git::at(repo, check).without_filters();
        let Some(files) = files else {
            return git
                .run(&["checkout", "--quiet", "--no-recurse-submodules", "--detach", &work.head])
                .map(drop);
        };
        for file in files {
            let name = format!("{}:{file}", work.head);
            match git.run(&["cat-file", "-e", "--end-of-options", &name]) {
                Ok(_) => git.run(&["checkout", "--quiet", "--no-overlay", &work.head, "--", file])?,
                // It was deleted.
                Err(_) => git.run(&["rm", "--quiet", "--force", "--ignore-unmatch", "--", file])?,
            };
        }
        Ok(())
    }
}
