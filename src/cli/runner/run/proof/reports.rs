//! Reads the reports in a working tree. The agent's code can write anything there, so directories are opened one by
//! one and never through a link, and everything is limited.

use super::junit;
use super::results::Results;
use crate::cli::runner::folder::{FOLDER, names, open_file, open_folder};
use crate::cli::runner::git::Check;
use crate::repositories::report_path::{PathProgress, ReportPath};
use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, CWD, Mode, openat, unlinkat};
use rustix::io::Errno;
use std::io::Read as _;
use std::path::Path;

/// The total size of a run's reports in bytes,
const BYTES_MAX: u64 = 64 << 20;
/// their number,
const REPORTS_MAX: usize = 5_000;
/// and the number of entries searched for them, and the depth.
const LOOKED_MAX: usize = 500_000;
const DEPTH_MAX: usize = 50;

/// Removes all reports, so that those found after the tests are theirs.
///
/// # Errors
/// If one cannot be removed, or too many entries would have to be searched.
pub(super) fn remove(repo: &Path, path: &ReportPath, check: Check<'_>) -> Result<(), String> {
    Walk::new(path, check).through(repo, &mut |folder, name| match unlinkat(folder, name, AtFlags::empty()) {
        // A directory is not a report.
        Ok(()) | Err(Errno::NOENT | Errno::ISDIR) => Ok(()),
        Err(error) => Err(format!("a former report cannot be removed: {error}")),
    })
}

/// The combined results of all reports; `None` if there are none.
///
/// # Errors
/// If a file is not a report, or there is too much to read.
pub(super) fn read(repo: &Path, path: &ReportPath, check: Check<'_>) -> Result<Option<Results>, String> {
    let root = format!("{}/", repo.display());
    let (mut results, mut count, mut left) = (Results::default(), 0, BYTES_MAX);
    Walk::new(path, check).through(repo, &mut |folder, name| {
        let Some(file) = open_file(folder, name) else { return Ok(()) };
        count += 1;
        if count > REPORTS_MAX {
            return Err(format!("there are more than {REPORTS_MAX} reports"));
        }
        let mut bytes = Vec::new();
        let read = file.take(left + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
        left = left
            .checked_sub(read as u64)
            .ok_or_else(|| format!("the reports have more than {}", crate::text::bytes(BYTES_MAX)))?;
        junit::read(&String::from_utf8_lossy(&bytes), &root, &mut results, check)
    })?;
    Ok((count > 0).then_some(results))
}

/// Walks through a tree to everything that matches a pattern.
struct Walk<'a> {
    path: &'a ReportPath,
    check: Check<'a>,
    looked: usize,
}

type Visit<'a> = &'a mut dyn FnMut(&OwnedFd, &[u8]) -> Result<(), String>;

impl<'a> Walk<'a> {
    fn new(path: &'a ReportPath, check: Check<'a>) -> Self {
        Self { path, check, looked: 0 }
    }

    fn through(mut self, repo: &Path, visit: Visit<'_>) -> Result<(), String> {
        let root = openat(CWD, repo, FOLDER, Mode::empty()).map_err(|error| error.to_string())?;
        self.folder(&root, &self.path.start(), 0, visit)
    }

    fn folder(
        &mut self,
        folder: &OwnedFd,
        at: &PathProgress,
        depth: usize,
        visit: Visit<'_>,
    ) -> Result<(), String> {
        (self.check)()?;
        if depth > DEPTH_MAX {
            return Err(format!("there are more than {DEPTH_MAX} folders within each other"));
        }
        let most = LOOKED_MAX - self.looked;
        let mut names = names(folder, most + 1);
        names.sort_unstable();
        if names.len() > most {
            return Err(format!("testReport leads to more than {LOOKED_MAX} files and folders"));
        }
        self.looked += names.len();
        for name in &names {
            let next = self.path.step(at, &String::from_utf8_lossy(name));
            if self.path.is_whole(&next) {
                visit(folder, name)?;
            }
            if self.path.goes_on(&next)
                && let Some(inner) = open_folder(folder, name)
            {
                self.folder(&inner, &next, depth + 1, visit)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
