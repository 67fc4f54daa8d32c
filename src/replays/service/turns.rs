//! Whose turn it is to read a replay for its steps. A project waits for all others with one of its readers; its further
//! ones wait for their project's turn, so that none holds up the others with as many as it likes.

use crate::error::{Error, Result};
use crate::ids::ProjectId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

/// Replays that are read at once: each may take a core for a second, and 40 MiB.
const READ_AT_ONCE: usize = 1;
/// How long one waits for its turn, first of its project, then of all. (Tests wait less.)
const TURN_WAIT: Duration = if cfg!(test) { Duration::from_secs(2) } else { Duration::from_secs(10) };

/// The turns of all projects.
pub(super) struct Turns {
    all: Arc<Semaphore>,
    /// The turns of the projects that read or wait.
    projects: Mutex<HashMap<ProjectId, Weak<Semaphore>>>,
}

/// A turn, held until it is dropped.
#[derive(Debug)]
pub(super) struct Turn {
    _of_project: OwnedSemaphorePermit,
    _of_all: OwnedSemaphorePermit,
}

impl Turns {
    pub(super) fn new() -> Self {
        Self { all: Arc::new(Semaphore::new(READ_AT_ONCE)), projects: Mutex::default() }
    }

    /// Waits for the turn of a project to read a replay.
    ///
    /// # Errors
    /// 503 if it does not come in time.
    pub(super) async fn take(&self, project: ProjectId) -> Result<Turn> {
        let (of_project, of_all) = (self.of(project), self.all.clone());
        let both = async {
            let of_project = of_project.acquire_owned().await?;
            Ok(Turn { _of_project: of_project, _of_all: of_all.acquire_owned().await? })
        };
        let waited = tokio::time::timeout(TURN_WAIT, both).await;
        let turn = waited.map_err(|_| Error::overloaded("Too many replays are read at once. Try again."))?;
        turn.map_err(|closed: AcquireError| Error::internal(closed))
    }

    /// The turn of a project. Those that nobody holds or waits for are forgotten.
    fn of(&self, project: ProjectId) -> Arc<Semaphore> {
        let mut projects = self.projects.lock().unwrap_or_else(PoisonError::into_inner);
        projects.retain(|_, turn| turn.strong_count() > 0);
        if let Some(turn) = projects.get(&project).and_then(Weak::upgrade) {
            return turn;
        }
        let turn = Arc::new(Semaphore::new(1));
        projects.insert(project, Arc::downgrade(&turn));
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::task::JoinHandle;

    const FIRST: ProjectId = ProjectId(1);
    const OTHER: ProjectId = ProjectId(2);

    /// Waits for a turn, beside the test.
    async fn wait(turns: &Arc<Turns>, project: ProjectId) -> JoinHandle<Result<Turn>> {
        let turns = turns.clone();
        let waiting = tokio::spawn(async move { turns.take(project).await });
        // The test has one thread: the new task runs until it waits.
        tokio::task::yield_now().await;
        waiting
    }

    #[tokio::test]
    async fn a_project_with_many_readers_goes_before_another_only_once() {
        let turns = Arc::new(Turns::new());
        let held = turns.take(FIRST).await.unwrap();
        let (second, third) = (wait(&turns, FIRST).await, wait(&turns, FIRST).await);
        let other = wait(&turns, OTHER).await;
        drop(held);
        let others = other.await.unwrap().unwrap();
        assert!(!second.is_finished() && !third.is_finished(), "one replay is read at a time");
        drop(others);
        drop(second.await.unwrap().unwrap());
        drop(third.await.unwrap().unwrap());
    }

    #[tokio::test]
    async fn who_gives_up_waiting_or_reading_holds_up_nobody() {
        let turns = Arc::new(Turns::new());
        let held = turns.take(FIRST).await.unwrap();
        let (given_up, next) = (wait(&turns, FIRST).await, wait(&turns, FIRST).await);
        given_up.abort();
        assert!(given_up.await.unwrap_err().is_cancelled());
        drop(held);
        drop(next.await.unwrap().unwrap());
        drop(turns.take(OTHER).await.unwrap());
        assert_eq!(turns.projects.lock().unwrap().len(), 1, "projects that are done are forgotten");
    }

    #[tokio::test]
    async fn who_waits_too_long_is_told_to_try_again() {
        let turns = Arc::new(Turns::new());
        let _held = turns.take(FIRST).await.unwrap();
        let (same, other) = tokio::join!(turns.take(FIRST), turns.take(OTHER));
        for refused in [same.unwrap_err(), other.unwrap_err()] {
            assert!(matches!(refused, Error::Unavailable { cause: None, .. }), "{refused}");
        }
    }
}
