//! Clones in which agents work, and clones in which their work is tested.

use super::collect::AUTHOR;
use super::keep::HELD;
use super::{Check, Git, Mirror, Result, Work};
use std::path::Path;

/// The ref from which an agent's work is fetched.
const WORK: &str = "refs/mayday/work";

impl Mirror {
    /// Makes a clone for a run: at a commit, on a new branch. It borrows the mirror's objects, so this takes seconds.
    ///
    /// # Errors
    /// If git fails, or `check` fails.
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

    /// Makes a clone at the commit where an agent's work began. Its objects include that work.
    ///
    /// # Errors
    /// If git fails, or `check` fails.
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

    /// Puts kept work into a clone, so that an agent can continue it.
    ///
    /// # Errors
    /// If git fails, or `check` fails.
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

    /// Puts an agent's work, or some of its files, into a clone for testing.
    ///
    /// # Errors
    /// If git fails, or `check` fails.
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
