//! What set-ups made, kept for later sessions of the same repository.
//!
//! No agent ever sees what is kept: a session gets a copy of its own, and what it does to that reaches no other. What is kept was
//! made before any agent had the checkout, from a commit of the default branch. It is kept under all that it depends on (see
//! [`Recipe`]), for some days, and until the machine is started anew: what was being written then may be on the disk by half.

use super::git::Check;
use super::trees::{self, Bounds};
use std::fs::{self, DirBuilder, File};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, RwLock, TryLockError, TryLockResult};
use std::time::{Duration, Instant, SystemTime};

/// Set-ups that are kept, of all repositories.
const KEPT_MAX: usize = 32;
/// How long one may be used: a range of versions, or a tag of an image, means something else after a while.
const AGE_MAX: Duration = Duration::from_hours(7 * 24);
/// How often is looked whether those who copy, or change what is there, are done.
const LOOK: Duration = Duration::from_millis(50);
/// How long an agent may wait for others until what its set-up made can be kept: nobody needs that.
const PATIENCE: Duration = Duration::from_mins(1);
/// What is in the folder of one: what it made, when that was (with the machine's start and the bytes), and when it was last used.
const FILES: &str = "files";
const MADE: &str = "made";
const USED: &str = "used";

/// What a set-up depends on.
pub(super) struct Recipe<'a> {
    pub(super) repository: &'a str,
    pub(super) command: &'a str,
    /// How it is shut in, and which programs it finds there.
    pub(super) place: &'a str,
    pub(super) hosts: &'a [String],
    /// Manifests and lock files, with what is in them.
    pub(super) manifests: &'a [String],
}

/// Where a set-up is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key {
    repository: String,
    name: String,
}

impl Recipe<'_> {
    /// `None` if the repository's id may be no part of a path.
    pub(super) fn key(&self) -> Option<Key> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
        if !(1..=64).contains(&self.repository.len()) || !self.repository.chars().all(is_plain) {
            return None;
        }
        let mut hasher = blake3::Hasher::new();
        let mut add = |part: &str| {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        };
        for part in [self.repository, self.command, self.place] {
            add(part);
        }
        for parts in [self.hosts, self.manifests] {
            add(&parts.len().to_string());
            parts.iter().for_each(|part| add(part));
        }
        Some(Key { repository: self.repository.to_owned(), name: hasher.finalize().to_hex().to_string() })
    }
}

/// The folder with what is kept.
#[derive(Debug)]
pub(super) struct Setups {
    folder: PathBuf,
    /// Of all that is kept; 0: nothing is.
    bytes_max: u64,
    /// Read by those who copy from it, written by who changes what is there.
    lock: RwLock<()>,
    /// Held by who copies to it: each takes no more than half of the room that there is on the disk.
    filling: Mutex<()>,
    /// For names of what comes and goes.
    number: AtomicU64,
}

/// One that is kept.
struct KeptSetup {
    path: PathBuf,
    bytes: u64,
    used_at: SystemTime,
}

impl Setups {
    /// Opens a runner's folder; what was left half made, or may no longer be used, is removed.
    pub(super) fn open(folder: PathBuf, bytes_max: u64) -> Self {
        let (lock, filling) = (RwLock::default(), Mutex::default());
        let setups = Self { folder, bytes_max, lock, filling, number: AtomicU64::new(0) };
        setups.all().iter().filter(|path| !is_key(path)).for_each(|path| remove(path));
        setups.trim().iter().for_each(|path| remove(path));
        setups
    }

    /// Forgets what was kept of repositories that are not known any more.
    pub(super) fn keep_of(&self, is_known: impl Fn(&str) -> bool) {
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            if !entry.file_name().to_str().is_some_and(&is_known) {
                remove(&entry.path());
            }
        }
    }

    /// Copies what is kept under a key into a new folder; whether there was something.
    ///
    /// # Errors
    /// If the disk refuses, or `check` wants it to end; then there is no such folder.
    pub(super) fn copy_to(&self, to: &Path, key: &Key, check: Check<'_>) -> Result<bool, String> {
        let _reading = wait_for(|| self.lock.try_read(), check)?;
        let kept = self.place(key);
        if bytes_of(&kept).is_none() {
            return Ok(false);
        }
        make_new(to)?;
        let all = Bounds { bytes: u64::MAX, without: b"", check };
        trees::copy(&kept.join(FILES), to, &all).inspect_err(|_| remove(to))?;
        drop(fs::write(kept.join(USED), "used"));
        Ok(true)
    }

    /// Keeps a copy of what a set-up made, in place of what was kept under the key before. `own`: the path where it was made, which
    /// means nothing to another session.
    ///
    /// # Errors
    /// If it is too large, its files name their own path, others are at work for too long, the disk refuses, or `check` wants it
    /// to end.
    pub(super) fn keep(&self, made: &Path, key: &Key, own: &Path, check: Check<'_>) -> Result<(), String> {
        if self.bytes_max == 0 {
            return Ok(());
        }
        make(&self.folder.join(&key.repository))?;
        let _filling = wait_briefly(|| self.filling.try_lock(), check)?;
        let new = self.aside(&key.repository);
        self.fill(&new, made, own, check).inspect_err(|_| remove(&new))?;
        let writing = wait_briefly(|| self.lock.try_write(), check).inspect_err(|_| remove(&new))?;
        let (kept, old) = (self.place(key), self.aside(&key.repository));
        drop(fs::rename(&kept, &old));
        let moved = fs::rename(&new, &kept).map_err(|error| error.to_string());
        let gone = self.trim();
        drop(writing);
        gone.iter().chain([&new, &old]).for_each(|path| remove(path));
        moved
    }

    fn fill(&self, new: &Path, made: &Path, own: &Path, check: Check<'_>) -> Result<(), String> {
        let files = new.join(FILES);
        // Something that could not be removed is no part of it.
        make_new(new).and_then(|()| make_new(&files))?;
        let bytes = self.bytes_max.min(room(new)? / 2);
        let bounds = Bounds { bytes, without: own.as_os_str().as_bytes(), check };
        let bytes = trees::copy(made, &files, &bounds)?;
        let about = format!("{} {bytes}", machine_start());
        fs::write(new.join(USED), "used")
            .and_then(|()| fs::write(new.join(MADE), about))
            .map_err(|error| error.to_string())
    }

    fn place(&self, key: &Key) -> PathBuf {
        self.folder.join(&key.repository).join(&key.name)
    }

    /// A path for something that comes or goes.
    fn aside(&self, repository: &str) -> PathBuf {
        let number = self.number.fetch_add(1, Ordering::Relaxed);
        self.folder.join(repository).join(format!("aside-{number}"))
    }

    /// All that there is, of whatever repository.
    fn all(&self) -> Vec<PathBuf> {
        let inner = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
        inner(&self.folder).flat_map(|of| inner(&of.path())).map(|entry| entry.path()).collect()
    }

    /// Puts aside what is too old, and what was used longest ago while there is too much; where that lies.
    fn trim(&self) -> Vec<PathBuf> {
        let (mut kept, mut gone) = (Vec::new(), Vec::new());
        for path in self.all().into_iter().filter(|path| is_key(path)) {
            let used_at = fs::metadata(path.join(USED)).and_then(|found| found.modified()).ok();
            match bytes_of(&path).zip(used_at) {
                Some((bytes, used_at)) => kept.push(KeptSetup { path, bytes, used_at }),
                None => gone.push(path),
            }
        }
        // The newest first.
        kept.sort_by_key(|one| std::cmp::Reverse(one.used_at));
        let mut bytes = 0_u64;
        for (place, one) in kept.into_iter().enumerate() {
            bytes = bytes.saturating_add(one.bytes);
            if place >= KEPT_MAX || bytes > self.bytes_max || self.bytes_max == 0 {
                gone.push(one.path);
            }
        }
        gone.into_iter().map(|path| self.put_aside(path)).collect()
    }

    fn put_aside(&self, path: PathBuf) -> PathBuf {
        let repository = path.parent().and_then(Path::file_name).unwrap_or_default();
        let aside = self.aside(&repository.to_string_lossy());
        if fs::rename(&path, &aside).is_ok() {
            return aside;
        }
        // It goes where it is: nobody is given the rest of it.
        drop(fs::remove_file(path.join(MADE)));
        path
    }
}

/// Whether it is the path of what is kept, and not of what comes or goes.
fn is_key(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.len() == blake3::OUT_LEN * 2)
}

/// The bytes of what is kept in a folder, if it may still be used.
fn bytes_of(kept: &Path) -> Option<u64> {
    let about = fs::read_to_string(kept.join(MADE)).ok()?;
    let (start, bytes) = about.split_once(' ')?;
    let made_at = fs::metadata(kept.join(MADE)).and_then(|found| found.modified()).ok()?;
    let is_young = made_at.elapsed().is_ok_and(|age| age < AGE_MAX);
    bytes.parse().ok().filter(|_| is_young && !start.is_empty() && start == machine_start())
}

/// Waits for a lock for as long as `check` agrees.
fn wait_for<T>(take: impl Fn() -> TryLockResult<T>, check: Check<'_>) -> Result<T, String> {
    loop {
        match take() {
            Ok(held) => return Ok(held),
            Err(TryLockError::Poisoned(held)) => return Ok(held.into_inner()),
            Err(TryLockError::WouldBlock) => check()?,
        }
        std::thread::sleep(LOOK);
    }
}

/// The same, but not for long.
fn wait_briefly<T>(take: impl Fn() -> TryLockResult<T>, check: Check<'_>) -> Result<T, String> {
    let since = Instant::now();
    let check = || match check() {
        Ok(()) if since.elapsed() >= PATIENCE => Err("others are still at work there".to_owned()),
        checked => checked,
    };
    wait_for(take, &check)
}

/// Another word after each start of the machine; empty if that is not known.
fn machine_start() -> String {
    let id = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    id.trim().to_owned()
}

/// Bytes that are left on a folder's disk.
fn room(folder: &Path) -> Result<u64, String> {
    let disk = File::open(folder).map_err(|error| error.to_string())?;
    let disk = rustix::fs::fstatvfs(&disk).map_err(|error| error.to_string())?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Makes a folder for nobody else, unless it is there.
fn make(folder: &Path) -> Result<(), String> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(|error| format!("{}: {error}", folder.display()))
}

/// Makes a folder for nobody else, which may not be there.
fn make_new(folder: &Path) -> Result<(), String> {
    let made = DirBuilder::new().mode(0o700).create(folder);
    made.map_err(|error| format!("{}: {error}", folder.display()))
}

fn remove(path: &Path) {
    // What cannot be removed is tried again at the next start.
    drop(fs::remove_dir_all(path));
}

#[cfg(test)]
mod tests;
