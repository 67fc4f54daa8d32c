//! The commits of the suspect release of an issue; those that changed files in its stack come first.
//!
//! The release and the previous one have commits; the code host lists what lies between them.

pub mod http;
pub mod service;

use crate::connections::github::{Comparison, HostCommit};
use crate::text::line;
use serde::Serialize;
use std::collections::HashSet;
use utoipa::ToSchema;

/// Commits that are shown.
const SHOWN: usize = 10;
/// The most commits that are shown if none of them changed a file in the stack.
const SHOWN_OTHERS: usize = 5;
/// Files of a stack that are looked at.
pub const FILES_MAX: usize = 3;
/// Characters of a file's path.
const PATH_MAX: usize = 300;

/// A commit that may have caused an issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct SuspectCommit {
    #[serde(flatten)]
    pub commit: HostCommit,
    /// Files of the stack that it changed.
    pub files: Vec<String>,
}

/// What a release was built from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct BuiltFrom {
    pub version: String,
    pub commit: String,
}

/// Why no commits are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MissingReason {
    /// The issue is blamed on no release.
    NoSuspect,
    /// The project names no repository of a connected code host.
    NoRepository,
    /// The release, or each one before it, does not say what it was built from.
    NoCommit,
    /// No repository of the project has both commits.
    NotFound,
    /// The code host cannot be asked, or refuses: `detail` says why.
    Unavailable,
}

/// The commits that came with the release that an issue is blamed on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct SuspectCommits {
    /// Those that changed a file of the stack, the newest first; the newest few if none did.
    pub commits: Vec<SuspectCommit>,
    /// How many came with the release.
    pub total: usize,
    pub repository: Option<String>,
    pub release: Option<BuiltFrom>,
    pub before: Option<BuiltFrom>,
    /// `null` if commits are known.
    pub missing: Option<MissingReason>,
    pub detail: Option<String>,
}

impl SuspectCommits {
    fn without(missing: MissingReason, detail: Option<&str>) -> Self {
        Self { missing: Some(missing), detail: detail.map(str::to_owned), ..Self::default() }
    }
}

/// The path of a source file in a repository, derived from a stack, such as `src/cart.ts` from
/// `webpack://shop/./src/cart.ts?a1b2`.
fn path_of(source: &str) -> Option<String> {
    let path = source.split(['?', '#']).next().unwrap_or_default();
    let path =
        path.split_once("://").map_or(path, |(_, rest)| rest.split_once('/').map_or(rest, |(_, path)| path));
    let parts: Vec<&str> = path.split('/').filter(|part| !matches!(*part, "" | "." | ".." | "~")).collect();
    let path = parts.join("/");
    (!path.is_empty() && path.len() <= PATH_MAX).then_some(path)
}

/// The changed files that sources of a stack are, in the stack's order.
fn changed_files(sources: &[String], changed: &[String]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for path in sources.iter().filter_map(|source| path_of(source)) {
        let is_it = |file: &&String| is_same(file, &path);
        if let Some(file) = changed.iter().find(is_it)
            && !found.contains(file)
        {
            found.push(file.clone());
        }
    }
    found.truncate(FILES_MAX);
    found
}

/// Whether one path ends with the other, which has at least one directory or is complete.
fn is_same(file: &str, path: &str) -> bool {
    let ends = |long: &str, short: &str| {
        long.strip_suffix(short)
            .is_some_and(|rest| rest.is_empty() || (rest.ends_with('/') && short.contains('/')))
    };
    ends(file, path) || ends(path, file)
}

/// The commits to show: `touched` are the files of the stack, with the commits that changed each.
fn chosen(compared: Comparison, touched: &[(String, HashSet<String>)]) -> Vec<SuspectCommit> {
    let files_of = |id: &str| {
        let changed = touched.iter().filter(|(_, commits)| commits.contains(id));
        changed.map(|(file, _)| line(file, PATH_MAX)).collect::<Vec<_>>()
    };
    let shown = |commit: HostCommit| SuspectCommit { files: files_of(&commit.id), commit };
    let all: Vec<SuspectCommit> = compared.commits.into_iter().map(shown).collect();
    if all.iter().all(|commit| commit.files.is_empty()) {
        return all.into_iter().take(SHOWN_OTHERS).collect();
    }
    all.into_iter().filter(|commit| !commit.files.is_empty()).take(SHOWN).collect()
}

#[cfg(test)]
mod tests;
