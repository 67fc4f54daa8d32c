//! Use of the disk.

use crate::ids::ProjectId;
use crate::store::files::{named, used};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long the sum over the source maps is cached, because there may be many files.
const SUM_AGE: Duration = Duration::from_mins(1);

type Bytes = Gauge<u64, AtomicU64>;

/// Free space, and the projects that are refused for lack of it.
#[derive(Debug, Default)]
pub struct Room {
    /// Bytes.
    pub free: u64,
    pub over_share: BTreeSet<ProjectId>,
}

#[derive(Debug, Default)]
pub(super) struct FileMetrics {
    free: Bytes,
    used: Family<[(&'static str, &'static str); 1], Bytes>,
    /// By project: 1 while it is refused because it used more than its share.
    over_share: Family<[(&'static str, String); 1], Gauge>,
    source_maps: Mutex<Option<(Instant, u64)>>,
}

impl FileMetrics {
    pub(super) fn new(registry: &mut Registry) -> Self {
        let new = Self::default();
        registry.register("disk_free_bytes", "Free space for the data directory", new.free.clone());
        registry.register("disk_used_bytes", "Disk space in use, by purpose", new.used.clone());
        let help = "1 for each project that is refused because the disk is nearly full and it used more than its share";
        registry.register("disk_share_exceeded", help, new.over_share.clone());
        new
    }

    pub(super) fn look(&self, data_dir: &Path, room: &Room) {
        self.free.set(room.free);
        self.over_share.clear();
        for project in &room.over_share {
            self.over_share.get_or_create(&[("project", project.to_string())]).set(1);
        }
        for (what, bytes) in [
            ("main", named(data_dir, "main.db")),
            ("intake", named(data_dir, "intake")),
            ("logs", named(data_dir, "logs.db")),
            ("logs_index", used(&data_dir.join("logs"))),
            ("sourcemaps", self.source_maps(data_dir)),
        ] {
            self.used.get_or_create(&[("what", what)]).set(bytes);
        }
    }

    fn source_maps(&self, data_dir: &Path) -> u64 {
        let mut last = self.source_maps.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, bytes)) = *last
            && at.elapsed() < SUM_AGE
        {
            return bytes;
        }
        let bytes = used(&data_dir.join("sourcemaps"));
        *last = Some((Instant::now(), bytes));
        bytes
    }
}
