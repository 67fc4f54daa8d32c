//! Deletes replays and their files, and sweeps up unused files.

pub(crate) mod decode;
pub mod files;
pub(crate) mod segment;

use super::sql;
use crate::error::{Error, Result};
use crate::event::replay::FileName;
use crate::ids::ProjectId;
use crate::intake::store::Store;
use crate::store::Main;
use crate::time::{DAY, Timestamp};
use files::Files;
use std::time::{Duration, Instant};

/// The minimum age of a file that the sweep may remove, in milliseconds: a written file is named by a row within
/// seconds.
const SWEPT_AFTER: i64 = DAY;
/// How long the sweep waits for the digest before it leaves the files to the next run.
const DIGESTED_WITHIN: Duration = Duration::from_secs(15 * 60);
const LOOKED_EVERY: Duration = Duration::from_millis(500);
/// How long a deleted replay is remembered, in milliseconds, so that its late segments are dropped.
const REMEMBERED: i64 = 7 * DAY;

/// The stored replays.
#[derive(Clone)]
pub struct ReplayService {
    pub main: Main,
    pub files: Files,
    pub intake: Store,
}

impl ReplayService {
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
