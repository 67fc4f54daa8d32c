//! Opens and deletes the files of replays, sweeps up unused ones, and reads what happened before an event.

pub(crate) mod decode;
pub mod files;
mod reading;
pub(crate) mod segment;
mod turns;

use super::sequence::GapReason;
use super::sql::{self, ReplayHints};
use super::steps::Step;
use super::{Replay, clock};
use crate::error::{Error, Result};
use crate::event::replay::FileName;
use crate::ids::ProjectId;
use crate::intake::store::Store;
use crate::store::Main;
use crate::time::{DAY, Timestamp};
use files::Files;
use reading::{Around, LIMITS, steps_around};
use std::io::Read;
use std::sync::Arc;
use std::time::{Duration, Instant};
use turns::Turns;

/// The minimum age of a file that the sweep may remove, in milliseconds: a written file is named by a row within
/// seconds.
const SWEPT_AFTER: i64 = DAY;
/// How long the sweep waits for the digest before it leaves the files to the next run.
const DIGESTED_WITHIN: Duration = Duration::from_secs(15 * 60);
const LOOKED_EVERY: Duration = Duration::from_millis(500);
/// How long a deleted replay is remembered, in milliseconds, so that its late segments are dropped.
const REMEMBERED: i64 = 7 * DAY;

/// The events of a part, decompressed as they are read.
pub type OpenFile = Box<dyn Read + Send>;

/// The stored replays.
#[derive(Clone)]
pub struct ReplayService {
    pub main: Main,
    pub files: Files,
    pub intake: Store,
    turns: Arc<Turns>,
}

impl ReplayService {
    pub fn new(main: Main, files: Files, intake: Store) -> Self {
        Self { main, files, intake, turns: Arc::new(Turns::new()) }
    }

    /// Opens the file of a part, or says why it cannot be read. Whether it is damaged is noted if it was otherwise when
    /// it was last read: nothing else shows it, since to try all files of a replay takes long.
    ///
    /// # Errors
    /// Storage trouble, which says nothing about the file.
    pub async fn open(&self, file: FileName, was_damaged: bool) -> Result<Result<OpenFile, GapReason>> {
        let files = self.files.clone();
        let work = move || -> Result<_> { Ok(files.read(&file)?.map(|open| Box::new(open) as OpenFile)) };
        let opened = tokio::task::spawn_blocking(work).await.map_err(Error::internal)??;
        let is_damaged = matches!(opened, Err(GapReason::FileDamaged));
        if is_damaged != was_damaged {
            self.note_damage(vec![file], is_damaged).await;
        }
        Ok(opened)
    }

    /// Notes whether files are damaged. Without it, they can be read, or not, all the same.
    async fn note_damage(&self, files: Vec<FileName>, is_damaged: bool) {
        let at = is_damaged.then(Timestamp::now);
        let noted = self.main.write(move |tx| sql::note_damage(tx, &files, at)).await;
        if let Err(error) = noted {
            tracing::warn!(?error, is_damaged, "what became of files of a replay could not be noted");
        }
    }

    /// Deletes a replay; `false` if there is none.
    ///
    /// # Errors
    /// Storage trouble.
    pub async fn delete(&self, project: ProjectId, replay_id: String) -> Result<bool> {
        let replays = self.clone();
        // Completes even if the caller disconnects.
        let work = async move {
            let write = replays.main.write(move |tx| sql::delete(tx, project, &replay_id, Timestamp::now()));
            let Some(files) = write.await? else { return Ok(false) };
            replays.files.remove(files).await.map(|()| true)
        };
        tokio::spawn(work).await.map_err(Error::internal)?
    }

    /// Removes the replays of a deleted project, piece by piece.
    ///
    /// # Errors
    /// Storage trouble; the next call continues.
    pub async fn delete_project(&self, project: ProjectId) -> Result<()> {
        while let Some(files) = self.main.write(move |tx| sql::remove_some(tx, project)).await? {
            self.files.remove(files).await?;
        }
        Ok(())
    }

    /// Forgets deleted replays, and removes files that no row names: of segments that arrived twice or late, and of
    /// requests that were cut off.
    ///
    /// # Errors
    /// Storage trouble.
    pub async fn sweep(&self) -> Result<()> {
        let then = Timestamp::from_millis(Timestamp::now().millis() - REMEMBERED);
        self.main.write(move |tx| sql::forget_deleted(tx, then)).await?;
        let before = Timestamp::from_millis(Timestamp::now().millis() - SWEPT_AFTER);
        // Records already in the journal may name such files; later ones do not.
        if !self.digested(self.intake.newest()).await? {
            return Ok(());
        }
        let (files, reader) = (self.files.clone(), self.main.readers.dedicated()?);
        let work = move || files.blobs.retain_before(before, |file: &FileName| sql::is_known(&reader, file));
        tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
    }

    /// What a person did and saw before an event that was received at a time in milliseconds, by the event's clock; nothing
    /// if no replay shows it.
    ///
    /// # Errors
    /// Storage trouble, or overload if too many are read at once.
    pub async fn steps_before(
        &self,
        project: ProjectId,
        event: ReplayHints,
        received_at: i64,
    ) -> Result<Vec<Step>> {
        let at = event.timestamp;
        let found = self.main.read(move |c| sql::of_event(c, project, &event)).await?;
        let Some(Replay { replay_id, clock_lag_ms, .. }) = found else { return Ok(Vec::new()) };
        let turn = self.turns.take(project).await?;
        let parts = self.main.read(move |c| sql::parts(c, project, &replay_id, 0)).await?;
        let moment = clock::by_browser(at, received_at, clock_lag_ms);
        let files = self.files.clone();
        let work = move || {
            // It goes on if the caller does not wait for it.
            let _turn = turn;
            steps_around(&files, &parts, moment, LIMITS)
        };
        let Around { mut steps, damaged } =
            tokio::task::spawn_blocking(work).await.map_err(Error::internal)??;
        if !damaged.is_empty() {
            self.note_damage(damaged, true).await;
        }
        for step in &mut steps {
            step.at = Timestamp::from_millis(step.at.millis() + at - moment);
        }
        Ok(steps)
    }

    /// Waits some time until the digest has reached a position; returns whether it has.
    async fn digested(&self, position: i64) -> Result<bool> {
        let begun = Instant::now();
        while self.main.read(crate::digest::sql::position).await? < position {
            if begun.elapsed() > DIGESTED_WITHIN {
                return Ok(false);
            }
            tokio::time::sleep(LOOKED_EVERY).await;
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests;
