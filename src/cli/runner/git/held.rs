//! Finds the changes that a person must review before they are pushed: files that decide what other machines execute,
//! and content that should not be in a repository.

pub(super) mod names;

use super::{Check, Git, Mirror, Result, Work};
use crate::cli::runner::protocol::HeldChange;
use names::by_path;
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};

/// The size in bytes from which a file needs a review.
const FILE_MAX: u64 = 1 << 20;
/// The most changes that are listed. If there are more, the rest needs a review as well.
const NAMED_MAX: usize = 100;
/// The most changed files that are read, and their total size before and after the change.
const FILES_MAX: usize = 5_000;
const BYTES_MAX: u64 = 64 << 20;

const SUBMODULE: &str = "brings in another repository";
const LEAVES: &str = "is a link that may lead out of the repository";
const LARGE: &str = "has more than 1 MiB";
const SECRET: &str = "has something that looks like a secret";
const MANY: &str = "is one of more changes than are named";
const UNREAD: &str = "is one of more changes than are searched for secrets";

/// A change, as git lists it.
struct Change {
    mode: String,
    before: String,
    after: String,
    path: String,
}

impl Change {
    fn is_link(&self) -> bool {
        self.mode == "120000"
    }
}

impl Mirror {
    /// The changes that need a review. `allowed` has the manifests and lock files that do not.
    ///
    /// # Errors
    /// If git fails, or `check` fails.
    pub(in crate::cli::runner) fn held(
        &self,
        (work, base): (&Work, &str),
        allowed: &[String],
        check: Check<'_>,
    ) -> Result<Vec<HeldChange>> {
        let git = Git::at(&work.dir, check);
        let raw = [
            "diff",
            "--raw",
            "-z",
            "--no-renames",
            "--no-abbrev",
            "--ignore-submodules=none",
            base,
            &work.head,
        ];
        let (listed, is_cut) = git.finish_cut(git.command(&raw), &raw)?;
        let Some(changes) = changes(&listed).filter(|found| !is_cut && found.len() <= FILES_MAX) else {
            return Ok(vec![HeldChange::new("…", UNREAD)]);
        };
        let mut held: Vec<HeldChange> = Vec::new();
        for change in &changes {
            let why = by_path(&change.path, allowed).or((change.mode == "160000").then_some(SUBMODULE));
            held.extend(why.map(|why| HeldChange::new(&change.path, why)));
        }
        git.look_into(&changes, &mut held)?;
        if held.len() > NAMED_MAX {
            held.truncate(NAMED_MAX);
            held.push(HeldChange::new("…", MANY));
        }
        Ok(held)
    }
}

impl Git<'_> {
    /// Checks the content of changed files: their sizes, the targets of links, and new secrets.
    fn look_into(&self, changes: &[Change], held: &mut Vec<HeldChange>) -> Result<()> {
        let files: Vec<&Change> = changes.iter().filter(|change| change.mode.starts_with("1")).collect();
        let files: Vec<&Change> = files.into_iter().filter(|change| change.mode != "160000").collect();
        let objects: Vec<&str> =
            files.iter().flat_map(|change| [change.before.as_str(), change.after.as_str()]).collect();
        let mut sizes = Vec::new();
        self.each_object(&objects, "--batch-check=%(objectsize)", |line, _| {
            // A new file has no object before the change.
            sizes.push(line.parse::<u64>().unwrap_or(0));
            Ok(())
        })?;
        let mut pairs = Vec::new();
        for (change, sizes) in files.iter().zip(sizes.chunks(2)) {
            match sizes {
                [_, after] if *after > FILE_MAX => held.push(HeldChange::new(&change.path, LARGE)),
                // A file that was too large before is treated as new, so that all of it is searched.
                [before, _] => pairs.push((*change, *before <= FILE_MAX)),
                _ => return Err("git does not say how large the changed files are".to_owned()),
            }
        }
        let bytes: u64 = sizes.iter().filter(|size| **size <= FILE_MAX).sum();
        if bytes > BYTES_MAX {
            held.push(HeldChange::new("…", UNREAD));
            return Ok(());
        }
        self.search(&pairs, held)
    }

    /// Searches changed files for secrets; the flag says whether to read the old content as well.
    fn search(&self, pairs: &[(&Change, bool)], held: &mut Vec<HeldChange>) -> Result<()> {
        let objects: Vec<&str> = pairs
            .iter()
            .flat_map(|(change, has_before)| {
                [if *has_before { change.before.as_str() } else { NONE }, change.after.as_str()]
            })
            .collect();
        let mut contents = Vec::new();
        self.each_object(&objects, "--batch", |line, reader| {
            contents.push(content(line, reader)?);
            Ok(())
        })?;
        for ((change, _), contents) in pairs.iter().zip(contents.chunks(2)) {
            let [before, after] = contents else {
                return Err("git does not show the changed files".to_owned());
            };
            if change.is_link() && leads_out(&change.path, after) {
                held.push(HeldChange::new(&change.path, LEAVES));
            }
            if has_new_secret(before, after) {
                held.push(HeldChange::new(&change.path, SECRET));
            }
        }
        Ok(())
    }

    /// Calls `each` with the line and the content that git prints for each object.
    fn each_object(
        &self,
        objects: &[&str],
        how: &str,
        mut each: impl FnMut(&str, &mut BufReader<File>) -> Result<()>,
    ) -> Result<()> {
        let fault = |error: std::io::Error| format!("{}: {error}", self.dir.display());
        let (asked, said) = (self.dir.join("objects-of-changes"), self.dir.join("said-of-changes"));
        let lines: String = objects.iter().map(|object| format!("{object}\n")).collect();
        std::fs::write(&asked, lines).map_err(fault)?;
        let words = ["cat-file", how];
        let mut command = self.command(&words);
        command.stdin(File::open(&asked).map_err(fault)?);
        command.stdout(File::create(&said).map_err(fault)?);
        self.finish(command, &words)?;
        let mut reader = BufReader::new(File::open(&said).map_err(fault)?);
        for _ in objects {
            let mut line = String::new();
            reader.read_line(&mut line).map_err(fault)?;
            each(line.trim_end(), &mut reader)?;
        }
        drop(std::fs::remove_file(&said));
        Ok(())
    }
}

/// The id of a missing object.
const NONE: &str = "0000000000000000000000000000000000000000";

/// The content after a line of `cat-file --batch`.
fn content(line: &str, reader: &mut BufReader<File>) -> Result<String> {
    let mut words = line.split(' ');
    let (Some(_), Some("blob"), Some(length)) = (words.next(), words.next(), words.next()) else {
        return Ok(String::new());
    };
    let length: u64 = length.parse().map_err(|_| format!("git says `{line}` of a file"))?;
    let mut bytes = Vec::new();
    reader.by_ref().take(length + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    bytes.pop();
    // Turns UTF-16 into its ASCII characters.
    bytes.retain(|byte| *byte != 0);
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether the changed lines of a file contain a secret.
fn has_new_secret(before: &str, after: &str) -> bool {
    let lines = |text| str::split(text, ['\n', '\r']);
    let known: HashSet<&str> = lines(before).collect();
    let new: Vec<&str> = lines(after).filter(|line| !known.contains(line)).collect();
    crate::scrubbing::has_secret(&new.join("\n"))
}

/// Parses `git diff --raw -z`; `None` if it ends within a change.
fn changes(text: &str) -> Option<Vec<Change>> {
    let mut parts = text.strip_suffix('\0').unwrap_or(text).split('\0').filter(|_| !text.is_empty());
    let mut found = Vec::new();
    while let Some(what) = parts.next() {
        let mut words = what.strip_prefix(':')?.split(' ').map(str::to_owned);
        let (_, mode, before, after) = (words.next()?, words.next()?, words.next()?, words.next()?);
        found.push(Change { mode, before, after, path: parts.next()?.to_owned() });
    }
    Some(found)
}

/// Whether a link leads out of the repository (possibly through another link), or into git's directory.
fn leads_out(path: &str, target: &str) -> bool {
    if target.starts_with('/') || target.contains(['\\', ':', '~']) || target.len() > 4_096 {
        return true;
    }
    let mut depth = path.matches('/').count();
    let mut has_name = false;
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." if depth == 0 || has_name => return true,
            ".." => depth -= 1,
            _ if part.eq_ignore_ascii_case(".git") => return true,
            _ => has_name = true,
        }
    }
    false
}

#[cfg(test)]
mod tests;
