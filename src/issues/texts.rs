//! The texts in which words are searched for, held in memory for projects that somebody searches.
//!
//! In their table, a page holds about a dozen, and a search scans all of them. What is held is a cache: the
//! digest announces each text that it changes before the change is committed, with the number of the
//! batch. A read knows the number of the state it sees, and reads again what has changed since
//! the texts were read.
//!
//! This is not a crate's cache, because what is held for a project changes while it is held, and so does its
//! size.

use crate::ids::{IssueId, ProjectId};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

/// The most bytes held for all projects together.
const BYTES_MAX: usize = 32 << 20;
/// Bytes an issue takes in addition to its text.
const ENTRY: usize = 48;
/// The most changed issues remembered for a project. (Tests use less.)
const CHANGES_MAX: usize = if cfg!(test) { 2 } else { 65_536 };
/// How long texts are held after the last search.
const UNUSED_MAX: Duration = Duration::from_mins(5);

/// The texts of the projects that people search. Thread-safe.
#[derive(Default)]
pub struct Texts {
    projects: Mutex<Projects>,
    /// Locked while all texts of a project are read: several reads at once would take several times
    /// [`BYTES_MAX`].
    reading: Mutex<()>,
}

#[derive(Default)]
struct Projects {
    /// The newest batch announced.
    last: i64,
    entries: HashMap<ProjectId, Entry>,
}

struct Entry {
    held: Arc<RwLock<ProjectTexts>>,
    bytes: usize,
    used: Instant,
    /// Changed issues and the batches of their last change; complete after `floor`.
    changed: HashMap<IssueId, i64>,
    floor: i64,
}

/// What is held for a project.
#[derive(Default)]
pub struct ProjectTexts {
    /// The digest's last batch when the texts were read; `None` if they were not read.
    pub(super) position: Option<i64>,
    texts: BTreeMap<IssueId, Box<[u8]>>,
    bytes: usize,
    /// Nothing is held, because it would be too much.
    pub(super) is_too_much: bool,
}

impl Texts {
    /// Records texts that a transaction changes, before it is committed as batch number `position`.
    pub fn note(&self, position: i64, changed: &[(ProjectId, IssueId)]) {
        let mut projects = self.lock();
        projects.last = projects.last.max(position);
        for (project, issue) in changed {
            let Some(entry) = projects.entries.get_mut(project) else { continue };
            entry.changed.insert(*issue, position);
            if entry.changed.len() > CHANGES_MAX {
                entry.changed = HashMap::new();
                entry.floor = position;
            }
        }
    }

    /// What is held for a project; created if necessary.
    pub(super) fn of(&self, project: ProjectId) -> Arc<RwLock<ProjectTexts>> {
        let mut projects = self.lock();
        let floor = projects.last;
        let entry = projects.entries.entry(project).or_insert_with(|| Entry {
            held: Arc::default(),
            bytes: 0,
            used: Instant::now(),
            changed: HashMap::new(),
            floor,
        });
        entry.used = Instant::now();
        entry.held.clone()
    }

    /// The issues whose texts have changed after a batch; `None` if that is not known.
    pub(super) fn changed(&self, project: ProjectId, since: Option<i64>) -> Option<Vec<IssueId>> {
        let mut projects = self.lock();
        let entry = projects.entries.get_mut(&project)?;
        let since = since.filter(|since| *since >= entry.floor)?;
        entry.changed.retain(|_, position| *position > since);
        Some(entry.changed.keys().copied().collect())
    }

    /// Waits until nobody else reads all texts of a project.
    pub(super) fn reading(&self) -> MutexGuard<'_, ()> {
        self.reading.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the current size of a project's texts. Projects that have not been searched for longer are
    /// dropped to make room.
    pub(super) fn weigh(&self, project: ProjectId, bytes: usize) {
        let mut projects = self.lock();
        let Some(entry) = projects.entries.get_mut(&project) else { return };
        entry.bytes = bytes;
        while projects.entries.values().map(|entry| entry.bytes).sum::<usize>() > BYTES_MAX {
            let others = projects.entries.iter().filter(|(other, _)| **other != project);
            let Some(oldest) = others.min_by_key(|(_, entry)| entry.used).map(|(other, _)| *other) else {
                break;
            };
            projects.entries.remove(&oldest);
        }
    }

    /// Drops the texts of a project that were changed by something else than the digest, after the change is committed.
    pub fn forget(&self, project: ProjectId) {
        self.lock().entries.remove(&project);
    }

    /// Drops the texts of projects that nobody has searched for a while.
    pub fn forget_unused(&self) {
        self.lock().entries.retain(|_, entry| entry.used.elapsed() < UNUSED_MAX);
    }

    /// Nothing panics while it is locked.
    fn lock(&self) -> MutexGuard<'_, Projects> {
        self.projects.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ProjectTexts {
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Holds an issue's text; if that is too much, drops everything and returns `false`.
    pub(super) fn set(&mut self, issue: IssueId, text: &[u8]) -> bool {
        let old = self.texts.insert(issue, text.into());
        self.bytes += text.len() + ENTRY;
        self.bytes -= old.map_or(0, |old| old.len() + ENTRY);
        if self.bytes > BYTES_MAX {
            *self = Self { is_too_much: true, ..Self::default() };
        }
        !self.is_too_much
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (IssueId, &[u8])> {
        self.texts.iter().map(|(issue, text)| (*issue, &**text))
    }
}

#[cfg(test)]
mod tests;
