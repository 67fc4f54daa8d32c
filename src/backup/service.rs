//! The scheduled backups that Mayday knows of.

use super::place::BackupPlace;
use super::retention::KeptBackup;
use super::runs::BackupRun;
use super::sql;
use crate::config::{BackupConfig, ScheduledBackups};
use crate::error::{Error, Result};
use crate::outbound::Client;
use crate::store::Main;
use std::path::PathBuf;
use std::time::Duration;
use tokio::runtime::Handle;

/// The time limit for listing the kept backups.
const LISTED: Duration = Duration::from_secs(10);

/// What making a backup needs.
#[derive(Clone)]
pub struct Backups {
    pub main: Main,
    pub config: BackupConfig,
    pub data_dir: PathBuf,
    /// Bytes that are left free on the disk of the data directory.
    pub floor: u64,
    pub client: Client,
}

impl Backups {
    /// The place of scheduled backups. Must be called inside the runtime.
    ///
    /// # Errors
    /// If the storage's configuration cannot be used.
    pub fn place(&self, scheduled: &ScheduledBackups) -> Result<BackupPlace> {
        BackupPlace::open(&self.config, &scheduled.target, &self.client, Handle::current())
    }

    /// The recorded runs, newest first.
    ///
    /// # Errors
    /// Storage trouble.
    pub async fn runs(&self) -> Result<Vec<BackupRun>> {
        self.main.read(sql::list).await
    }

    /// The backups that exist now, newest first, as listed by the place itself.
    ///
    /// # Errors
    /// If it cannot be listed in time.
    pub async fn kept(&self, scheduled: &ScheduledBackups) -> Result<Vec<KeptBackup>> {
        let (place, instance) = (self.place(scheduled)?, self.main.instance.clone());
        let list = tokio::task::spawn_blocking(move || place.list(&instance));
        let listed = tokio::time::timeout(LISTED, list).await;
        let late =
            |_| Error::internal(format!("{}: no answer within {} s", scheduled.target, LISTED.as_secs()));
        listed.map_err(late)?.map_err(Error::internal)?
    }
}
