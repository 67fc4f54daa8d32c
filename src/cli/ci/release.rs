//! The release for which a pipeline runs.

use super::{Failure, Result, variable};
use crate::releases::{check_commit, check_version};
use std::process::Command;

/// The given release, or the commit: `git rev-parse HEAD`, or the pipeline's variable.
///
/// # Errors
/// If there is neither, or the name is not valid for a release.
pub(in crate::cli) fn name(given: Option<&str>) -> Result<String> {
    let version = match given {
        Some(given) => given.to_owned(),
        None => commit()
            .or_else(|| variable("GITHUB_SHA"))
            .or_else(|| variable("CI_COMMIT_SHA"))
            .ok_or_else(|| {
                Failure::Usage("which release? Give --release, or call this where git finds a commit".into())
            })?,
    };
    check_version("release", &version).map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(version)
}

/// The commit that is built, if git or the pipeline knows it; otherwise `null`.
pub(in crate::cli) fn built_from() -> Option<String> {
    let known = variable("GITHUB_SHA").or_else(|| variable("CI_COMMIT_SHA")).or_else(commit)?;
    check_commit(&known).ok()
}

fn commit() -> Option<String> {
    let output = Command::new("git").args(["rev-parse", "--verify", "HEAD"]).output().ok()?;
    let commit = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !commit.is_empty()).then_some(commit)
}
