//! A runner's directory, with the mirrors of repositories and the directories of runs.

use super::git::HeldWork;
use super::{strays, trees};
use std::collections::HashMap;
use std::fs::{self, File, Permissions, TryLockError as Locked};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

/// How often to check whether a mirror is free.
const LOOK: Duration = Duration::from_millis(50);

/// The directory, locked for this runner.
#[derive(Debug)]
pub(super) struct WorkDir {
    path: PathBuf,
    /// A lock for each repository's mirror.
    mirrors: Mutex<HashMap<String, Arc<Mutex<()>>>>,
    lock: File,
}

/// See [`crate::store::data_dir::DataDir`]: closing the file is not enough while another thread starts a child
/// process.
impl Drop for WorkDir {
    fn drop(&mut self) {
        let _ = self.lock.unlock();
    }
}

impl WorkDir {
    /// Locks the directory and creates what is missing in it. Ends processes that runs of a killed runner left, and
    /// removes the directories of those runs (unless `keep`). `end` ends containers, and returns the runs of which
    /// some may remain: their directories stay, so that the next start tries again. `is_shared` lets agents with
    /// separate users reach what they are given in the directory, but list nothing.
    ///
    /// # Errors
    /// If another runner has it, or the disk fails.
    pub(super) fn open(
        path: &Path,
        keep: bool,
        is_shared: bool,
        end: impl Fn(&[String]) -> Vec<String>,
    ) -> Result<Self, String> {
        let fault =
            |path: &Path, error: &dyn std::fmt::Display| format!("--work-dir: {}: {error}", path.display());
        if is_shared {
            // Files created here later are readable, but the directory cannot be listed.
            rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o022));
        }
        for dir in ["mirrors", "runs", "held", "setups"].map(|name| path.join(name)) {
            fs::create_dir_all(&dir).map_err(|error| fault(&dir, &error))?;
            let is_shared = is_shared && !dir.ends_with("held") && !dir.ends_with("setups");
            let mode = Permissions::from_mode(if is_shared { 0o711 } else { 0o700 });
            fs::set_permissions(&dir, mode).map_err(|error| fault(&dir, &error))?;
        }
        let path = path.canonicalize().map_err(|error| fault(path, &error))?;
        let name = path.join("lock");
        let lock = File::create(&name).map_err(|error| fault(&name, &error))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(Locked::WouldBlock) => {
                return Err(fault(&path, &"another runner works there; give each a directory of its own"));
            }
            Err(Locked::Error(error)) => return Err(fault(&name, &error)),
        }
        clear(&path.join("runs"), keep, end);
        let dir = Self { path, mirrors: Mutex::default(), lock };
        dir.held().forget_old();
        Ok(dir)
    }

    /// The work that waits for a person's review.
    pub(super) fn held(&self) -> HeldWork {
        HeldWork { folder: self.path.join("held") }
    }

    pub(super) fn mirrors(&self) -> PathBuf {
        self.path.join("mirrors")
    }

    /// What set-ups made.
    pub(super) fn setups(&self) -> PathBuf {
        self.path.join("setups")
    }

    pub(super) fn runs(&self) -> PathBuf {
        self.path.join("runs")
    }

    /// The lock for changing a repository's mirror.
    pub(super) fn turn(&self, repository: &str) -> Arc<Mutex<()>> {
        let mut mirrors = self.mirrors.lock().unwrap_or_else(PoisonError::into_inner);
        mirrors.entry(repository.to_owned()).or_default().clone()
    }
}

/// Ends processes that runs left, and removes their directories.
fn clear(runs: &Path, keep: bool, end: impl Fn(&[String]) -> Vec<String>) {
    let folders: Vec<PathBuf> =
        fs::read_dir(runs).into_iter().flatten().flatten().map(|run| run.path()).collect();
    for folder in &folders {
        strays::end(folder);
    }
    let name = |folder: &PathBuf| folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stays = end(&folders.iter().map(name).collect::<Vec<_>>());
    for run in &stays {
        crate::cli::note(&format!(
            "What {run} has left running could not be ended; the next start tries again."
        ));
    }
    for folder in folders.iter().filter(|folder| !keep && !stays.contains(&name(folder))) {
        // What cannot be removed is in nobody's way.
        drop(trees::remove(folder));
    }
}

/// Waits for a lock as long as `check` succeeds.
pub(super) fn wait_for<'a>(
    turn: &'a Mutex<()>,
    check: impl Fn() -> Result<(), String>,
) -> Result<MutexGuard<'a, ()>, String> {
    loop {
        match turn.try_lock() {
            Ok(held) => return Ok(held),
            Err(TryLockError::Poisoned(held)) => return Ok(held.into_inner()),
            Err(TryLockError::WouldBlock) => check()?,
        }
        std::thread::sleep(LOOK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_has_one_runner_and_old_runs_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let first = WorkDir::open(dir.path(), false, false, |_| Vec::new()).unwrap();
        let refused = WorkDir::open(dir.path(), false, false, |_| Vec::new()).unwrap_err();
        assert!(refused.contains("another runner works there"), "{refused}");
        let left = first.runs().join("x/work");
        fs::create_dir_all(&left).unwrap();
        drop(first);
        drop(WorkDir::open(dir.path(), true, false, |_| Vec::new()).unwrap());
        assert!(left.exists());
        drop(WorkDir::open(dir.path(), false, false, <[String]>::to_vec).unwrap());
        assert!(left.exists(), "something of it may be running");
        drop(WorkDir::open(dir.path(), false, false, |_| Vec::new()).unwrap());
        assert!(!left.exists());
    }

    #[test]
    fn waiting_for_a_mirror_can_be_stopped() {
        let dir = tempfile::tempdir().unwrap();
        let work_dir = WorkDir::open(dir.path(), false, false, |_| Vec::new()).unwrap();
        let (turn, other) = (work_dir.turn("a"), work_dir.turn("b"));
        let held = wait_for(&turn, || Ok(())).unwrap();
        assert!(wait_for(&work_dir.turn("a"), || Err("stopped".to_owned())).is_err());
        assert!(wait_for(&other, || Err("stopped".to_owned())).is_ok());
        drop(held);
        assert!(wait_for(&turn, || Err("stopped".to_owned())).is_ok());
    }
}
