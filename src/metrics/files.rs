//! What lies on the disk.

use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long the sum over the source maps holds: there may be many files.
const SUM_AGE: Duration = Duration::from_mins(1);

type Bytes = Gauge<u64, AtomicU64>;

#[derive(Debug, Default)]
pub(super) struct FileMetrics {
    free: Bytes,
    used: Family<[(&'static str, &'static str); 1], Bytes>,
    source_maps: Mutex<Option<(Instant, u64)>>,
}

impl FileMetrics {
    pub(super) fn new(registry: &mut Registry) -> Self {
        let new = Self::default();
        registry.register("disk_free_bytes", "Room left for the data directory", new.free.clone());
        registry.register("disk_used_bytes", "Disk in use, by what for", new.used.clone());
        new
    }

    pub(super) fn look(&self, data_dir: &Path, free: u64) {
        self.free.set(free);
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

/// Bytes of the entries whose names begin so: a database has a WAL beside it.
fn named(dir: &Path, start: &str) -> u64 {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let ours = entries.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(start.as_bytes()));
    ours.map(|entry| used(&entry.path())).sum()
}

/// Bytes on disk of a file or a folder; what is gone meanwhile has none.
fn used(path: &Path) -> u64 {
    let Ok(found) = fs::symlink_metadata(path) else { return 0 };
    if !found.is_dir() {
        return found.blocks() * 512;
    }
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    entries.map(|entry| used(&entry.path())).sum()
}
