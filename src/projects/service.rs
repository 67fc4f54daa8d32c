//! What the handlers for projects share, and the directory of keys that intake uses instead of `main.db`.

use crate::accounts::people::People;
use crate::error::{Error, Result};
use crate::intake::directory::Directory;
use crate::live::Hub;
use crate::logs::store::LogStore;
use crate::projects::sql;
use crate::releases::service::Maps;
use crate::store::{Disk, Main, Transaction};
use crate::time::Timestamp;
use std::sync::Arc;

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
