//! Periodic work of intake.

use super::directory::Directory;
use crate::error::{Error, Result};
use crate::jobs::Job;
use crate::store::{DISK_LOOK, Disk};
use std::sync::Arc;
use std::time::Duration;

/// How often the recorded use of the disk decays.
const FORGET: Duration = Duration::from_mins(1);

/// The jobs of intake, which watch the free disk space.
pub fn jobs(disk: &Arc<Disk>, directory: &Arc<Directory>) -> Vec<Job> {
    let (disk, sharing, forgetting) = (disk.clone(), directory.clone(), directory.clone());
    let look = move || look(disk.clone(), sharing.clone());
    let forget = move || {
        forgetting.forget_taken();
        std::future::ready(Ok(()))
    };
    vec![Job::every("disk", DISK_LOOK, look).at_start(), Job::every("disk_shares", FORGET, forget)]
}

/// Measures the free space and divides it. In a blocking thread, because a network disk may hang.
async fn look(disk: Arc<Disk>, directory: Arc<Directory>) -> Result<()> {
    let looking = disk.clone();
    tokio::task::spawn_blocking(move || looking.look()).await.map_err(Error::internal)?;
    directory.share_room(disk.scarce());
    Ok(())
}
