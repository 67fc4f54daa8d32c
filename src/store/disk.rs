//! The free space for data. Below a floor nothing new is accepted, so that existing data can still be read,
//! digested and deleted, for which SQLite needs space, too.

use crate::error::{Error, Result};
use crate::sabotage;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// How often to check: at a hundred MB per second, less than half of the default floor is used up in between.
pub const LOOK: Duration = Duration::from_millis(250);

/// The file system of the data directory, as of the last check.
#[derive(Debug)]
pub struct Disk {
    dir: PathBuf,
    /// Bytes.
    floor: u64,
    free: AtomicU64,
    /// Whether it was below the floor at the last check; a change is logged.
    low: AtomicBool,
}

impl Disk {
    /// Checks for the first time.
    pub fn new(dir: &Path, floor: u64) -> Self {
        let (free, low) = (AtomicU64::new(u64::MAX), AtomicBool::new(false));
        let disk = Self { dir: dir.to_owned(), floor, free, low };
        disk.look();
        disk
    }

    /// Queries the file system. If that fails, the last answer stays; writes will show.
    pub fn look(&self) {
        match rustix::fs::statvfs(&self.dir) {
            // Space reserved for root is not ours.
            Ok(found) => self.found(found.f_bavail.saturating_mul(found.f_frsize)),
            Err(error) => tracing::debug!(%error, "the file system does not report its free space"),
        }
    }

    fn found(&self, free: u64) {
        self.free.store(free, Ordering::Relaxed);
        let low = self.is_low();
        match (self.low.swap(low, Ordering::Relaxed), low) {
            (false, true) => tracing::warn!(
                free_mb = free >> 20,
                floor_mb = self.floor >> 20,
                "the disk is nearly full: no events, logs, replays or source maps are accepted until there is room again"
            ),
            (true, false) => {
                tracing::info!(
                    free_mb = free >> 20,
                    "there is room again: events, logs, replays and source maps are accepted"
                );
            }
            _ => {}
        }
    }

    /// Bytes available to us.
    pub fn free(&self) -> u64 {
        self.free.load(Ordering::Relaxed)
    }

    /// Bytes that must be free.
    pub fn floor(&self) -> u64 {
        self.floor
    }

    /// Whether less than the floor is left.
    pub fn is_low(&self) -> bool {
        self.free() < self.floor
    }

    /// Bytes left above the floor, if they are fewer than the floor itself: these are divided among projects.
    pub fn scarce(&self) -> Option<u64> {
        let above = self.free().saturating_sub(self.floor);
        (above < self.floor && !sabotage::on("no_shares_of_disk")).then_some(above)
    }

    /// Whether there is room for new data.
    ///
    /// # Errors
    /// No room below the floor.
    pub fn accepting(&self) -> Result<()> {
        if self.is_low() {
            return Err(Error::NoRoom(
                "The disk of this server is nearly full, nothing was stored. An administrator of this server has to \
                 free disk space (see SERVICE_DISK_FLOOR_MB); retry later."
                    .into(),
            ));
        }
        Ok(())
    }

    /// Whether there is room to digest what was accepted: half of the floor is reserved for that, and the
    /// rest for deleting.
    pub fn digesting(&self) -> bool {
        self.free() > self.floor / 2
    }
}

#[cfg(test)]
mod tests;
