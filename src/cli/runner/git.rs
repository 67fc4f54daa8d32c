//! Runs git so that nothing in a repository is executed: no hooks, filters, submodules, or helpers that it
//! configures.
//!
//! This machine keeps a mirror of each repository, and each run works in its own clone, which borrows the mirror's
//! objects. The clone and its configuration are never trusted, because the agent can write to them: no git command
//! runs in there, its commits are read as bytes and checked like a stranger's, and uncommitted files are committed
//! through a git directory that the agent has never seen.

mod clones;
mod collect;
mod disk;
mod filters;
mod held;
mod keep;
mod manifests;
mod take;

pub(super) use collect::Work;
pub(super) use disk::size_of;
pub(super) use keep::HeldWork;

use super::protocol::Repository;
use crate::automations::github::OWN_BRANCHES;
use disk::{remove_rests, remove_whole};
use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process_group, prlimit};
use std::cell::Cell;
use std::io::Read as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How often the size of a mirror is checked while it grows.
const LOOK: Duration = Duration::from_millis(500);
/// The memory limit of a git process, in bytes, without mapped files.
const MEMORY: u64 = 4 << 30;
/// The time limit of any git command.
const PATIENCE: Duration = Duration::from_mins(60);
/// Characters of git's error output that are repeated.
const SAID_MAX: usize = 400;

/// The command that updates a mirror.
const FETCH: [&str; 7] =
    ["fetch", "--quiet", "--prune", "--no-tags", "--no-recurse-submodules", "--force", "--end-of-options"];
/// Settings that override the repository's.
const SAFE: [&str; 11] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.sshCommand=ssh -o BatchMode=yes",
    "protocol.ext.allow=never",
    "submodule.recurse=false",
    "fetch.recurseSubmodules=false",
    "gc.auto=0",
    "commit.gpgSign=false",
    "advice.detachedHead=false",
    // With sparse checkout, git would look again at what `collect` leaves alone.
    "core.sparseCheckout=false",
    // `take` reads branches as files.
    "init.defaultRefFormat=files",
];

pub(super) type Result<T, E = String> = std::result::Result<T, E>;

/// Called while git runs; an error ends the command.
pub(super) type Check<'a> = &'a dyn Fn() -> Result<()>;

/// For quick commands, which are never interrupted.
const TO_ITS_END: Check<'static> = &|| Ok(());

/// Which addresses repositories may have, and how large they may be.
#[derive(Debug, Clone)]
pub(super) struct Policy {
    /// Whether `file://` and `http://` may be used, as with `SERVICE_REPOSITORIES_ALLOW_LOCAL` on the server.
    pub(super) local: bool,
    /// The largest mirror, in bytes.
    pub(super) bytes_max: u64,
}

impl Policy {
    /// # Errors
    /// If git could interpret the address as anything else.
    pub(super) fn check(&self, url: &str) -> Result<()> {
        let is_plain = !url.starts_with('-') && !url.contains("::") && !url.chars().any(char::is_control);
        let scheme = url.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
        let is_known = match scheme.as_deref() {
            Some("https" | "ssh" | "git+ssh") => true,
            // Over http, anybody on the way could read credentials.
            Some("file" | "http") => self.local,
            Some(_) => false,
            // user@host:path
            None => url.split_once(':').is_some_and(|(host, _)| host.contains('@') && !host.contains('/')),
        };
        if is_plain && is_known {
            return Ok(());
        }
        let hint = match scheme.as_deref() {
            Some("file" | "http") => "; --allow-file-repositories allows file:// and http://",
            _ => "",
        };
        Err(format!("the repository's address `{url}` is not one that this runner clones (https, ssh){hint}"))
    }
}

/// A session's branch may have an earlier attempt's commits, which a push replaces. So no other branch is ever pushed
/// to.
///
/// # Errors
/// If the branch cannot belong to a single session.
pub(super) fn check_branch(branch: &str) -> Result<()> {
    if branch.strip_prefix(OWN_BRANCHES).is_some_and(|rest| !rest.is_empty()) {
        return Ok(());
    }
    let branch = crate::text::shown(branch, 100);
    Err(format!(
        "this runner pushes only branches that begin with {OWN_BRANCHES}, and the session's is `{branch}`"
    ))
}

/// Git in one directory. Commands stop when `check` fails.
struct Git<'a> {
    dir: PathBuf,
    work_tree: Option<PathBuf>,
    /// Override the machine's and the user's settings.
    settings: Vec<(String, &'static str)>,
    check: Check<'a>,
}

impl<'a> Git<'a> {
    /// A bare repository, or one with a `.git`.
    fn at(dir: impl Into<PathBuf>, check: Check<'a>) -> Self {
        Self { dir: dir.into(), work_tree: None, settings: Vec::new(), check }
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new("git");
        for setting in SAFE {
            command.args(["-c", setting]);
        }
        if let Some(work_tree) = &self.work_tree {
            command.arg("--git-dir").arg(&self.dir).arg("--work-tree").arg(work_tree).current_dir(work_tree);
        } else {
            command.current_dir(&self.dir);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        self.add_settings(&mut command);
        command
            .args(words)
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_LFS_SKIP_SMUDGE", "1")
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            .env("GIT_NO_LAZY_FETCH", "1")
            // Files may have any name.
            .env("GIT_LITERAL_PATHSPECS", "1")
            .env("GIT_ATTR_NOSYSTEM", "1")
            .env("LC_ALL", "C.UTF-8");
        for name in [
            "GIT_DIR",
            "GIT_WORK_TREE",
            "GIT_INDEX_FILE",
            "GIT_COMMON_DIR",
            "GIT_OBJECT_DIRECTORY",
            "GIT_ALTERNATE_OBJECT_DIRECTORIES",
            "GIT_DEFAULT_REF_FORMAT",
            "GIT_CONFIG_PARAMETERS",
            "GIT_EXTERNAL_DIFF",
            "GIT_ASKPASS",
        ] {
            command.env_remove(name);
        }
        command
    }

    fn run(&self, words: &[&str]) -> Result<String> {
        self.finish(self.command(words), words)
    }

    /// Runs a command, and fails if it prints more than is kept.
    fn finish(&self, command: Command, words: &[&str]) -> Result<String> {
        match self.finish_cut(command, words)? {
            (out, false) => Ok(out),
            (_, true) => Err(format!("git {} printed too much", words.first().copied().unwrap_or_default())),
        }
    }

    /// The same, but returns whether the output was cut.
    fn finish_cut(&self, mut command: Command, words: &[&str]) -> Result<(String, bool)> {
        (self.check)()?;
        let started = Instant::now();
        // In its own process group, so that everything git starts ends with it.
        let child = command.process_group(0).spawn();
        let child = child.map_err(|error| format!("git cannot be started: {error}"))?;
        let (mut child, output) = collected(child);
        // A pack of a megabyte can unpack to any size.
        let memory = Rlimit { current: Some(MEMORY), maximum: Some(MEMORY) };
        let _ = prlimit(Some(Pid::from_child(&child)), Resource::Data, memory);
        let status = loop {
            if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
                break status;
            }
            let late = (started.elapsed() > PATIENCE).then(|| "git took more than an hour".to_owned());
            if let Err(why) = late.map_or_else(self.check, Err) {
                let _ = kill_process_group(Pid::from_child(&child), Signal::KILL);
                drop(child.wait());
                return Err(why);
            }
            std::thread::sleep(if started.elapsed() < LOOK { LOOK / 50 } else { LOOK });
        };
        let ((out, is_cut), (err, _)) =
            output.join().map_err(|_| "git's output cannot be read".to_owned())?;
        if status.success() {
            return Ok((out.trim_end().to_owned(), is_cut));
        }
        let said = crate::text::shown(without_credentials(err.trim()).as_str(), SAID_MAX);
        Err(format!("git {} failed: {said}", words.first().copied().unwrap_or_default()))
    }
}

/// The text of a pipe, and whether it was cut.
type Text = (String, bool);

/// Reads both pipes of a child in threads, so that neither blocks it.
fn collected(mut child: std::process::Child) -> (std::process::Child, std::thread::JoinHandle<(Text, Text)>) {
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let reading = std::thread::spawn(move || {
        let other = std::thread::spawn(move || text_of(err));
        (text_of(out), other.join().unwrap_or_default())
    });
    (child, reading)
}

/// Keeps at most 8 MiB; reads and drops the rest.
fn text_of(pipe: Option<impl std::io::Read>) -> Text {
    let Some(mut pipe) = pipe else { return Text::default() };
    let mut bytes = Vec::new();
    drop(pipe.by_ref().take(8 << 20).read_to_end(&mut bytes));
    let left_out = std::io::copy(&mut pipe, &mut std::io::sink()).unwrap_or(1);
    (String::from_utf8_lossy(&bytes).into_owned(), left_out > 0)
}

/// Removes the credentials from addresses such as `https://user:secret@host/` in git's output.
fn without_credentials(text: &str) -> String {
    text.split_inclusive(char::is_whitespace)
        .map(|word| match (word.find("://"), word.rfind('@')) {
            (Some(scheme), Some(at)) if at > scheme => format!("{}{}", &word[..scheme + 3], &word[at + 1..]),
            _ => word.to_owned(),
        })
        .collect()
}

fn too_large(most: u64) -> String {
    let most = crate::text::bytes(most);
    format!("the repository has more than {most}, the limit of this runner (--max-repository-mb)")
}

/// The mirror of a repository. Its host's branches are under `refs/remotes/origin/`.
pub(super) struct Mirror {
    dir: PathBuf,
    url: String,
    default_branch: String,
    /// The largest size of the mirror, and of an agent's clone.
    bytes_max: u64,
}

impl Mirror {
    /// Updates a mirror, or creates it. The caller must be the only one.
    ///
    /// # Errors
    /// If the address is refused, git fails, the mirror grows too large, or `check` fails.
    pub(super) fn update(
        folder: &Path,
        repository: &Repository,
        policy: &Policy,
        check: Check<'_>,
    ) -> Result<Self> {
        policy.check(&repository.url)?;
        let dir = folder.join(format!("{}.git", repository.id));
        let git = Git::at(&dir, check);
        if !dir.join("HEAD").exists() {
            std::fs::create_dir_all(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
            git.run(&["init", "--quiet", "--bare"])?;
        }
        remove_rests(&dir);
        let is_too_large = Cell::new(false);
        let fits = || {
            is_too_large.set(size_of(&dir) > policy.bytes_max);
            if is_too_large.get() { Err(too_large(policy.bytes_max)) } else { Ok(()) }
        };
        let words = [&FETCH[..], &[&repository.url, "+refs/heads/*:refs/remotes/origin/*"]].concat();
        // The fetch may end before the next check of the size.
        let both = || check().and_then(|()| fits());
        let fetched = Git::at(&dir, &both).run(&words).and_then(|_| fits());
        if let Err(why) = fetched {
            if is_too_large.get() {
                remove_whole(&dir);
            }
            return Err(why);
        }
        Ok(Self::at(dir, repository, policy))
    }

    fn at(dir: PathBuf, repository: &Repository, policy: &Policy) -> Self {
        let Repository { url, default_branch, .. } = repository.clone();
        Self { dir, url, default_branch, bytes_max: policy.bytes_max }
    }

    /// The objects that clones borrow.
    pub(super) fn objects(&self) -> PathBuf {
        self.dir.join("objects")
    }

    /// The commit of a branch of the host, or of the default branch if that one does not exist.
    ///
    /// # Errors
    /// If there is neither.
    pub(super) fn commit(&self, branch: Option<&str>) -> Result<String> {
        let of = |branch: &str| {
            let name = format!("refs/remotes/origin/{branch}^{{commit}}");
            Git::at(&self.dir, TO_ITS_END).run(&[
                "rev-parse",
                "--verify",
                "--quiet",
                "--end-of-options",
                &name,
            ])
        };
        branch
            .map_or_else(|| Err(String::new()), of)
            .or_else(|_| of(&self.default_branch))
            .map_err(|_| format!("the repository has no branch `{}`: is it empty?", self.default_branch))
    }

    /// Pushes a commit to a branch of the host, with this machine's credentials. The branch belongs to this session,
    /// so what an earlier attempt pushed is replaced.
    ///
    /// # Errors
    /// If the branch is not a session's, git fails, or `check` fails.
    pub(super) fn push(&self, work: &Work, branch: &str, check: Check<'_>) -> Result<()> {
        check_branch(branch)?;
        let target = format!("{}:refs/heads/{branch}", work.head);
        Git::at(&work.dir, check).run(&[
            "push",
            "--quiet",
            "--no-verify",
            "--no-recurse-submodules",
            "--force",
            "--end-of-options",
            &self.url,
            &target,
        ])?;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
