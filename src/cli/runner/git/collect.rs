//! Collects an agent's work from its clone without trusting anything in there.
//!
//! The agent may have put other repositories with their own configuration among its files. To get the state of a
//! nested repository, git runs inside it, and could execute what that configuration says. So git never sees one:
//! submodules stay at the commits in the agent's own commits, and other nested repositories are not added.

use super::{Check, Git, Mirror, Result};
use crate::cli::runner::protocol::FileChange;
use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};

/// The most changed files that are reported.
const FILES_MAX: usize = 1_000;
/// Bytes of a patch.
const PATCH_MAX: usize = 200 << 10;
/// The mode of a submodule in `ls-files --stage`.
const SUBMODULE: &[u8] = b"160000 ";

/// The author of agents' commits.
pub(super) const AUTHOR: (&str, &str) = ("Mayday agent", "agent@mayday.invalid");

/// An agent's work.
pub(in crate::cli::runner) struct Work {
    /// The git directory that contains it.
    pub(super) dir: PathBuf,
    pub(in crate::cli::runner) head: String,
    /// The first changed files, and how many there are.
    pub(in crate::cli::runner) files: Vec<FileChange>,
    pub(in crate::cli::runner) changed: usize,
}

impl Work {
    /// The commit on which it is based.
    ///
    /// # Errors
    /// If git fails, or `check` fails.
    pub(in crate::cli::runner) fn began(&self, check: Check<'_>) -> Result<String> {
        Git::at(&self.dir, check).run(&["rev-parse", "--verify", "--quiet", &format!("{}^", self.head)])
    }
}

impl Mirror {
    /// Collects an agent's commits and uncommitted files as one commit; `None` if nothing changed. `title` makes the
    /// commit's title from that of the agent's last commit, if any.
    ///
    /// # Errors
    /// If git fails, the agent's commit does not descend from its base, or `check` fails.
    pub(in crate::cli::runner) fn collect(
        &self,
        repo: &Path,
        own: &Path,
        base: &str,
        title: &dyn Fn(Option<&str>) -> String,
        check: Check<'_>,
    ) -> Result<Option<Work>> {
        // A link could lead to files that the agent cannot read itself.
        if !is_directory(repo) {
            return Err("the agent has removed the directory of the repository".to_owned());
        }
        let git = self.borrower(own, check)?.without_filters();
        let git = Git { work_tree: Some(repo.to_owned()), ..git };
        let head = self.take(repo, &git, base)?.unwrap_or_else(|| base.to_owned());
        git.run(&["merge-base", "--is-ancestor", base, &head])
            .map_err(|_| "the agent's commits do not build upon the branch that it was given".to_owned())?;
        let tree = git.tree_of_files(&head)?;
        if tree == git.run(&["rev-parse", &format!("{base}^{{tree}}")])? {
            return Ok(None);
        }
        // One commit, because otherwise content that the agent committed and removed again would be pushed unseen. In
        // a bare repository, because git would read `.gitmodules` among the files and refuse some of its possible
        // content.
        let bare = Git::at(own, check);
        let subject = match head == base {
            true => None,
            false => Some(bare.run(&["show", "--no-patch", "--no-show-signature", "--format=%s", &head])?),
        };
        let head = git.commit_tree(&tree, base, &title(subject.as_deref()))?;
        let diff = ["diff", "--numstat", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", base, &head];
        let (listed, is_cut) = bare.finish_cut(bare.command(&diff), &diff)?;
        let mut files = changes(&listed);
        let changed = if is_cut { usize::MAX } else { files.len() };
        files.truncate(FILES_MAX);
        Ok(Some(Work { dir: bare.dir, head, files, changed }))
    }

    /// The changes as a patch, cut if it is long.
    ///
    /// # Errors
    /// If git fails, or `check` fails.
    pub(in crate::cli::runner) fn patch(&self, work: &Work, base: &str, check: Check<'_>) -> Result<String> {
        let diff = ["diff", "--no-color", "--no-renames", "--no-ext-diff", "--no-textconv", base, &work.head];
        let git = Git::at(&work.dir, check);
        let (mut patch, is_cut) = git.finish_cut(git.command(&diff), &diff)?;
        if is_cut || patch.len() > PATCH_MAX {
            patch.truncate(patch.floor_char_boundary(PATCH_MAX.min(patch.len())));
            patch.push_str("\n[The rest was left out: it is too long.]");
        }
        patch.push('\n');
        Ok(patch)
    }

    /// A git directory that the agent has never seen, which borrows the mirror's objects.
    pub(super) fn borrower<'a>(&self, dir: &Path, check: Check<'a>) -> Result<Git<'a>> {
        std::fs::create_dir_all(dir).map_err(|error| error.to_string())?;
        let git = Git::at(dir, check);
        git.run(&["init", "--quiet", "--bare", "--template="])?;
        let lent = self.objects();
        std::fs::write(dir.join("objects/info/alternates"), format!("{}\n", lent.display()))
            .map_err(|error| error.to_string())?;
        Ok(git)
    }
}

impl Git<'_> {
    /// The tree of a commit with the changes in the files.
    fn tree_of_files(&self, head: &str) -> Result<String> {
        self.run(&["read-tree", head])?;
        let submodules = |entry: &[u8]| {
            let is_submodule = entry.starts_with(SUBMODULE);
            let path = entry.iter().position(|byte| *byte == b'\t').map(|at| at + 1)?;
            is_submodule.then(|| entry[path..].to_vec())
        };
        self.feed(
            &["ls-files", "--stage", "-z"],
            submodules,
            &["update-index", "--skip-worktree", "-z", "--stdin"],
        )?;
        self.run(&["add", "--update"])?;
        // For a nested repository, git lists only the directory.
        let files = |entry: &[u8]| (!entry.ends_with(b"/")).then(|| entry.to_vec());
        let others = ["ls-files", "--others", "--exclude-standard", "-z"];
        self.feed(&others, files, &["update-index", "--add", "--replace", "-z", "--stdin"])?;
        self.run(&["write-tree"])
    }

    /// Streams the entries that one git command lists through `pick` to another command.
    fn feed(&self, list: &[&str], pick: impl Fn(&[u8]) -> Option<Vec<u8>>, to: &[&str]) -> Result<()> {
        let (listed, path) = (self.dir.join("listed"), self.dir.join("picked"));
        let fault = |error: std::io::Error| format!("{}: {error}", self.dir.display());
        let mut command = self.command(list);
        command.stdout(File::create(&listed).map_err(fault)?);
        self.finish(command, list)?;
        let mut picked = BufWriter::new(File::create(&path).map_err(fault)?);
        for entry in BufReader::new(File::open(&listed).map_err(fault)?).split(0) {
            if let Some(entry) = pick(&entry.map_err(fault)?) {
                picked.write_all(&entry).and_then(|()| picked.write_all(&[0])).map_err(fault)?;
            }
        }
        picked.into_inner().map_err(|error| fault(error.into_error()))?;
        let mut command = self.command(to);
        command.stdin(File::open(&path).map_err(fault)?);
        self.finish(command, to).map(drop)
    }

    fn commit_tree(&self, tree: &str, parent: &str, title: &str) -> Result<String> {
        let title = crate::text::line(&crate::scrubbing::without_secrets(title), 72);
        let title = if title.is_empty() { "Changes by the agent".to_owned() } else { title };
        let (name, email) = (format!("user.name={}", AUTHOR.0), format!("user.email={}", AUTHOR.1));
        self.run(&["-c", &name, "-c", &email, "commit-tree", tree, "-p", parent, "-m", &title])
    }
}

/// Whether the path is a directory, not a link to one.
fn is_directory(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|found| found.is_dir())
}

/// Parses `git diff --numstat -z`.
fn changes(text: &str) -> Vec<FileChange> {
    let one = |record: &str| {
        let mut parts = record.splitn(3, '\t');
        let (added, removed, path) = (parts.next()?, parts.next()?, parts.next()?);
        Some(FileChange { path: path.to_owned(), added: added.parse().ok(), removed: removed.parse().ok() })
    };
    text.split('\0').filter_map(one).collect()
}
