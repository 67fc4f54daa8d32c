//! Divides the space on the disk. When it runs short, whoever filled it is refused first.
//!
//! What each project uses is counted, and forgotten over time. Near the floor of [`crate::store::Disk`], the
//! space left above it is divided: a project is refused once it has recently used more than its fair share of
//! that, and more than the average project. The others continue down to the floor.

use crate::error::{Error, Result};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// [`DiskUse::forget`] keeps 63 of 64 parts: called once a minute, it halves the count in 44 minutes.
const FORGOTTEN: u64 = 64;

/// A project's recent use of the disk.
#[derive(Debug, Default)]
pub struct DiskUse {
    bytes: AtomicU64,
    over_share: AtomicBool,
}

impl DiskUse {
    pub(super) fn add(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Bytes as received; what is on the disk is smaller.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Whether this is more than a fair share of what is left.
    pub fn is_over_share(&self) -> bool {
        self.over_share.load(Ordering::Relaxed)
    }

    /// # Errors
    /// No room, if the project has used more than its share.
    pub(super) fn check(&self) -> Result<()> {
        if self.is_over_share() {
            return Err(Error::NoRoom(
                "The disk of this server is nearly full, and this project took most of the room lately: nothing was \
                 stored. An administrator of this server has to free disk space (see SERVICE_DISK_FLOOR_MB); send \
                 less, and retry later."
                    .into(),
            ));
        }
        Ok(())
    }

    pub(super) fn forget(&self) {
        let bytes = self.bytes();
        self.bytes.fetch_sub(bytes.div_ceil(FORGOTTEN), Ordering::Relaxed);
    }

    /// Returns whether that changed.
    fn set_over_share(&self, is_over: bool) -> bool {
        self.over_share.swap(is_over, Ordering::Relaxed) != is_over
    }
}

/// Divides the remaining `room`, in bytes; `None` while there is enough. Returns the projects that are
/// refused from now on, and those that no longer are.
pub(super) fn share<'a, P: Copy>(projects: &[(P, &'a DiskUse)], room: Option<u64>) -> Vec<(P, &'a DiskUse)> {
    // A project that is alone takes space from nobody.
    let room = room.filter(|_| projects.len() > 1);
    let most = room.map_or(u64::MAX, |room| {
        let mut taken: Vec<u64> = projects.iter().map(|(_, taken)| taken.bytes()).collect();
        let average = taken.iter().sum::<u64>() / taken.len() as u64;
        fair_share(&mut taken, room).max(average)
    });
    projects.iter().copied().filter(|(_, taken)| taken.set_over_share(taken.bytes() > most)).collect()
}

/// The most that one may have if `room` is divided among all who want `wanted`, smallest demands first.
fn fair_share(wanted: &mut [u64], mut room: u64) -> u64 {
    wanted.sort_unstable();
    let count = wanted.len() as u64;
    for (left, wants) in (1..=count).rev().zip(wanted.iter()) {
        if *wants > room / left {
            return room / left;
        }
        room -= wants;
    }
    u64::MAX
}

#[cfg(test)]
mod tests;
