//! What is done for intake now and then.

use super::directory::Directory;
use crate::error::{Error, Result};
use crate::jobs::Job;
use crate::store::{DISK_LOOK, Disk};
use std::sync::Arc;
use std::time::Duration;

/// How often what projects took counts a little less.
const FORGET: Duration = Duration::from_mins(1);

/// The jobs of intake: they keep an eye on the room that is left.
pub fn jobs(disk: &Arc<Disk>, directory: &Arc<Directory>) -> Vec<Job> {
    let (disk, sharing, forgetting) = (disk.clone(), directory.clone(), directory.clone());
    let look = move || look(disk.clone(), sharing.clone());
    let forget = move || {
        forgetting.forget_taken();
        std::future::ready(Ok(()))
    };
    vec![Job::every("disk", DISK_LOOK, look).at_start(), Job::every("disk_shares", FORGET, forget)]
}

/// Looks how much room there is and shares out what is left of it. Beside the asynchronous threads, as a network's
/// disk may hang.
async fn look(disk: Arc<Disk>, directory: Arc<Directory>) -> Result<()> {
    let looking = disk.clone();
    tokio::task::spawn_blocking(move || looking.look()).await.map_err(Error::internal)?;
    directory.share_room(disk.scarce());
    Ok(())
}
