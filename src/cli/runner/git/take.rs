//! Reads an agent's commits from its git directory as bytes.
//!
//! The runner runs no git command in there: with `commondir`, `objects/info/alternates` or links, the agent could
//! lead it to repositories that the agent cannot read itself. Only regular files are read, in directories that are
//! opened one by one and never through a link. They are copied into a repository of the runner's that otherwise has
//! only the mirror's objects. From there git fetches the commit like a stranger's: it checks every new object, and
//! refuses incomplete ones.

use super::{Git, Mirror, Result};
use crate::cli::runner::folder::{FOLDER, names, open_file, open_folder};
use rustix::fd::OwnedFd;
use rustix::fs::{CWD, Mode, openat};
use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

/// Bytes of a branch's file, and of `packed-refs`.
const REF_MAX: u64 = 1 << 10;
const PACKED_MAX: u64 = 32 << 20;
/// The longest chain of branches that name each other.
const NAMES_MAX: usize = 5;
/// The most names that are read in a directory.
const FILES_MAX: usize = 1_000_000;
/// The least space that a file takes, in bytes.
const BLOCK: u64 = 4 << 10;
/// The branch in the intermediate repository.
const TAKEN: &str = "refs/heads/taken";

impl Mirror {
    /// Brings the agent's current commit into `own`; `None` if the agent has no complete commit of its own.
    ///
    /// # Errors
    /// If its objects exceed the size limit of a mirror, or the disk fails.
    pub(super) fn take(&self, repo: &Path, own: &Git<'_>, base: &str) -> Result<Option<String>> {
        let found = openat(CWD, repo, FOLDER, Mode::empty()).ok();
        let Some(found) = found.and_then(|repo| open_folder(&repo, b".git")) else { return Ok(None) };
        let Some(head) = head_of(&found) else { return Ok(None) };
        let between = own.dir.with_file_name("taken");
        let taken = self.fetch_from(&found, &between, own, &head, base);
        drop(fs::remove_dir_all(&between));
        taken
    }

    fn fetch_from(
        &self,
        from: &OwnedFd,
        between: &Path,
        own: &Git<'_>,
        head: &str,
        base: &str,
    ) -> Result<Option<String>> {
        drop(fs::remove_dir_all(between));
        let git = self.borrower(between, own.check)?;
        Taking { git: &git, left: self.bytes_max, most: self.bytes_max }.all(from)?;
        if git.run(&["update-ref", TAKEN, head]).is_err() {
            return Ok(None);
        }
        own.run(&["update-ref", "refs/heads/base", base])?;
        let between = between.to_string_lossy();
        let words = [
            "-c",
            "fetch.fsckObjects=true",
            "fetch",
            "--quiet",
            "--no-tags",
            "--no-recurse-submodules",
            "--end-of-options",
            &between,
            TAKEN,
        ];
        Ok(own.run(&words).is_ok().then(|| head.to_owned()))
    }
}

/// Copies objects into a repository.
struct Taking<'a> {
    git: &'a Git<'a>,
    /// The bytes left of the limit, and the limit.
    left: u64,
    most: u64,
}

impl Taking<'_> {
    fn all(&mut self, from: &OwnedFd) -> Result<()> {
        let Some(objects) = open_folder(from, b"objects") else { return Ok(()) };
        for name in all_names(&objects, FILES_MAX)? {
            match open_folder(&objects, &name) {
                Some(folder) if name == b"pack" => self.packs(&folder)?,
                Some(folder) if is_hex(&name, 2) => self.loose(&folder, &name)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn loose(&mut self, folder: &OwnedFd, start: &[u8]) -> Result<()> {
        let to = self.git.dir.join("objects").join(&*String::from_utf8_lossy(start));
        let fault = |error: std::io::Error| format!("{}: {error}", to.display());
        fs::create_dir_all(&to).map_err(fault)?;
        for name in all_names(folder, FILES_MAX)?.into_iter().filter(|name| is_hex(name, 38)) {
            let Some(file) = open_file(folder, &name) else { continue };
            let mut copy = File::create(to.join(&*String::from_utf8_lossy(&name))).map_err(fault)?;
            let bytes = std::io::copy(&mut file.take(self.left.saturating_add(1)), &mut copy);
            self.count(bytes.map_err(fault)?)?;
        }
        Ok(())
    }

    /// Copies packs; git reads each itself and indexes it again. An unreadable one is left out, because an agent that
    /// was killed may have been writing it.
    fn packs(&mut self, folder: &OwnedFd) -> Result<()> {
        for name in all_names(folder, FILES_MAX)? {
            let is_pack = name.starts_with(b"pack-") && name.ends_with(b".pack");
            let Some(file) = is_pack.then(|| open_file(folder, &name)).flatten() else { continue };
            self.count(file.metadata().map_err(|error| error.to_string())?.len())?;
            let most = format!("--max-input-size={}", self.most);
            let words = ["index-pack", "--stdin", &most];
            let mut command = self.git.command(&words);
            command.stdin(file);
            drop(self.git.finish(command, &words));
        }
        Ok(())
    }

    fn count(&mut self, bytes: u64) -> Result<()> {
        (self.git.check)()?;
        let left = self.left.checked_sub(bytes.max(BLOCK));
        self.left = left.ok_or_else(|| {
            let most = crate::text::bytes(self.most);
            format!("the agent's git directory has more than {most}, the limit of this runner (--max-repository-mb)")
        })?;
        Ok(())
    }
}

/// The names in a directory.
///
/// # Errors
/// If there are more than `most`: if some were left out, the agent's commits would look incomplete.
fn all_names(folder: &OwnedFd, most: usize) -> Result<Vec<Vec<u8>>> {
    let names = names(folder, most.saturating_add(1));
    if names.len() > most {
        return Err(format!("a folder of the agent's git directory has more than {most} files"));
    }
    Ok(names)
}

/// The commit to which `HEAD` leads, through any number of branches.
fn head_of(git: &OwnedFd) -> Option<String> {
    let mut name = "HEAD".to_owned();
    for _ in 0..NAMES_MAX {
        let Some(text) = read(git, &name, REF_MAX) else { return packed(git, &name) };
        let text = text.trim_end();
        match text.strip_prefix("ref:") {
            Some(next) => name = next.trim().to_owned(),
            None => return is_hex(text.as_bytes(), 40).then(|| text.to_owned()),
        }
    }
    None
}

/// The commit of a branch in `packed-refs`.
fn packed(git: &OwnedFd, branch: &str) -> Option<String> {
    let text = read(git, "packed-refs", PACKED_MAX)?;
    let commit = text.lines().find_map(|line| line.split_once(' ').filter(|(_, name)| *name == branch))?.0;
    is_hex(commit.as_bytes(), 40).then(|| commit.to_owned())
}

/// Reads a small text file below a directory, if its path is plain.
fn read(dir: &OwnedFd, path: &str, most: u64) -> Option<String> {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let mut dir = dir.try_clone().ok()?;
    for folder in folders.split('/').filter(|_| !folders.is_empty()) {
        dir = open_folder(&dir, folder.as_bytes())?;
    }
    let mut text = String::new();
    let file = open_file(&dir, name.as_bytes())?;
    let bytes = file.take(most + 1).read_to_string(&mut text).ok()?;
    (bytes as u64 <= most).then_some(text)
}

fn is_hex(text: &[u8], length: usize) -> bool {
    text.len() == length && text.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests;
