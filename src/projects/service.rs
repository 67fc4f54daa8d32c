//! What the handlers for projects share, and the directory of keys that intake uses instead of `main.db`.

use crate::accounts::people::People;
use crate::error::{Error, Result};
use crate::ids::ProjectId;
use crate::intake::directory::Directory;
use crate::live::Hub;
use crate::logs::store::LogStore;
use crate::projects::sql;
use crate::releases::service::Maps;
use crate::replays::service::ReplayService;
use crate::sabotage;
use crate::store::{Disk, Main, Transaction};
use crate::time::Timestamp;
use std::sync::Arc;
use tokio::sync::Notify;

/// Projects, their keys, and the stores of their data.
#[derive(Clone)]
pub struct ProjectService {
    pub people: Arc<People>,
    pub main: Main,
    pub directory: Arc<Directory>,
    pub live: Arc<Hub>,
    pub disk: Arc<Disk>,
    pub logs: LogStore,
    pub maps: Arc<Maps>,
    pub replays: ReplayService,
    /// Woken after large deletions, to return the space to the file system.
    pub free_pages: Arc<Notify>,
}

impl ProjectService {
    /// Runs a write that intake must know about, then refreshes its directory. Both complete even if the
    /// caller disconnects, so a key revoked in the database is always revoked in intake.
    pub async fn write_and_refresh<T, F>(&self, write: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<T> + Send + 'static,
    {
        let projects = self.clone();
        let work = async move {
            let written = projects.main.write(write).await?;
            refresh(&projects.main, &projects.directory).await?;
            projects.live.check_watchers();
            Ok(written)
        };
        tokio::spawn(work).await.map_err(Error::internal)?
    }

    /// Deletes a project. Once `mark` is committed, the project can no longer be found, and its data will be deleted
    /// whatever happens: now, or by [`ProjectService::finish_deletions`].
    ///
    /// # Errors
    /// Those of `mark`, which leave the project as it was; storage trouble.
    pub async fn delete<F>(&self, project: ProjectId, mark: F) -> Result<()>
    where
        F: FnOnce(&Transaction<'_>) -> Result<()> + Send + 'static,
    {
        let projects = self.clone();
        let work = async move {
            projects.write_and_refresh(mark).await?;
            if let Err(error) = projects.delete_rest(project).await {
                tracing::warn!(%project, ?error, "what is left of a deleted project will be deleted later");
            }
            Ok(())
        };
        // Continues if the caller disconnects.
        tokio::spawn(work).await.map_err(Error::internal)?
    }

    /// Deletes the data of projects whose deletion was interrupted.
    ///
    /// # Errors
    /// Storage trouble; the next call continues.
    pub async fn finish_deletions(&self) -> Result<()> {
        if sabotage::on("forget_deletions") {
            return Ok(());
        }
        for project in self.main.read(sql::deleted).await? {
            self.delete_rest(project).await?;
        }
        Ok(())
    }

    /// Deletes a marked project piece by piece, its row last. Two calls for one project do no harm.
    async fn delete_rest(&self, project: ProjectId) -> Result<()> {
        while self.main.write(move |tx| sql::delete_some(tx, project)).await? {}
        self.logs.delete_project(project).await?;
        self.replays.delete_project(project).await?;
        self.maps.change(&self.main, move |tx| Ok(((), sql::delete(tx, project)?))).await?;
        self.free_pages.notify_one();
        Ok(())
    }
}

/// Loads every valid key and its project's settings. Called at start and after each change to either. Calls
/// run one after another, so that the newest state wins.
pub async fn refresh(main: &Main, directory: &Directory) -> Result<()> {
    let _one_at_a_time = directory.refreshing.lock().await;
    directory.replace(main.read(sql::directory).await?);
    Ok(())
}

/// Writes the last uses that changed since the last call.
pub async fn flush_last_used(main: &Main, directory: &Directory) -> Result<()> {
    let used = directory.take_last_used();
    if used.is_empty() {
        return Ok(());
    }
    main.write(move |tx| {
        used.iter().try_for_each(|(key, millis)| sql::touch_key(tx, *key, Timestamp::from_millis(*millis)))
    })
    .await
}
