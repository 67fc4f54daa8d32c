//! The room that is left for data. Below a floor nothing new is taken in, so that what is there can
//! still be read, digested and deleted: SQLite needs room for that, too.

use crate::error::{Error, Result};
use crate::sabotage;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// How often to look: at a hundred MB a second, less than half of the default floor goes by in between.
pub const LOOK: Duration = Duration::from_millis(250);

/// The file system of the data directory, as it was at the last look.
#[derive(Debug)]
pub struct Disk {
    dir: PathBuf,
    /// Bytes.
    floor: u64,
    free: AtomicU64,
    /// Whether the last look found it below the floor: a change is logged.
    low: AtomicBool,
}

impl Disk {
    /// Looks for the first time.
    pub fn new(dir: &Path, floor: u64) -> Self {
        let (free, low) = (AtomicU64::new(u64::MAX), AtomicBool::new(false));
        let disk = Self { dir: dir.to_owned(), floor, free, low };
        disk.look();
        disk
    }

    /// Asks the file system. What it does not answer leaves the last answer: writes will tell.
    pub fn look(&self) {
        match rustix::fs::statvfs(&self.dir) {
            // What root keeps for itself is not ours.
            Ok(found) => self.found(found.f_bavail.saturating_mul(found.f_frsize)),
            Err(error) => tracing::debug!(%error, "the file system does not say what is free"),
        }
    }

    fn found(&self, free: u64) {
        self.free.store(free, Ordering::Relaxed);
        let low = self.is_low();
        match (self.low.swap(low, Ordering::Relaxed), low) {
            (false, true) => tracing::warn!(
                free_mb = free >> 20,
                floor_mb = self.floor >> 20,
                "the disk is nearly full: no events and source maps are taken in until there is room again"
            ),
            (true, false) => {
                tracing::info!(
                    free_mb = free >> 20,
                    "there is room again: events and source maps are taken in"
                );
            }
            _ => {}
        }
    }

    /// Bytes that are left for us.
    pub fn free(&self) -> u64 {
        self.free.load(Ordering::Relaxed)
    }

    /// Whether less than the floor is left.
    pub fn is_low(&self) -> bool {
        self.free() < self.floor
    }

    /// Bytes left above the floor, when they are fewer than the floor itself: they are shared out.
    pub fn scarce(&self) -> Option<u64> {
        let above = self.free().saturating_sub(self.floor);
        (above < self.floor && !sabotage::on("no_shares_of_disk")).then_some(above)
    }

    /// Whether there is room for what is new.
    ///
    /// # Errors
    /// No room below the floor.
    pub fn accepting(&self) -> Result<()> {
        if self.is_low() {
            return Err(Error::NoRoom(
                "The disk of this server is nearly full, nothing was stored. Whoever runs it has to make room or \
                 delete data (see SERVICE_DISK_FLOOR_MB); send this again later."
                    .into(),
            ));
        }
        Ok(())
    }

    /// Whether there is room to digest what was accepted: half of the floor is kept for it. What is left
    /// below is for deleting.
    pub fn digesting(&self) -> bool {
        self.free() > self.floor / 2
    }
}

#[cfg(test)]
mod tests;
