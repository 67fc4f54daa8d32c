//! The server's figures about itself, for Prometheus (`/metrics`). Counting costs an atomic operation or a
//! short lock; what has to be looked up (files, memory) is looked up on request.

mod backup;
mod digest;
mod files;
pub mod http;
mod intake;
mod jobs;
mod process;
mod requests;
mod store;

pub use backup::BackupMetrics;
pub use digest::DigestMetrics;
pub use files::Room;
pub use intake::IntakeMetrics;
pub use jobs::JobMetrics;
pub use requests::RequestMetrics;
pub use store::StoreMetrics;

use crate::error::{Error, Result};
use crate::store::journal::Standing;
use crate::version::version;
use files::FileMetrics;
use process::ProcessMetrics;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;
use std::path::Path;

/// Every figure; each is updated in one place.
#[derive(Debug)]
pub struct Metrics {
    pub intake: IntakeMetrics,
    pub digest: DigestMetrics,
    pub store: StoreMetrics,
    pub requests: RequestMetrics,
    pub jobs: JobMetrics,
    pub backup: BackupMetrics,
    files: FileMetrics,
    logs_backlog: Gauge,
    process: ProcessMetrics,
    registry: Registry,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::default();
        let process = ProcessMetrics::new(&mut registry);
        let ours = registry.sub_registry_with_prefix("mayday");
        ours.register("build", "The running version", Info::new([("version", version())]));
        let logs_backlog = Gauge::default();
        let help = "Accepted batches of log entries that cannot be searched yet";
        ours.register("logs_backlog_batches", help, logs_backlog.clone());
        Self {
            logs_backlog,
            intake: IntakeMetrics::new(ours),
            digest: DigestMetrics::new(ours),
            store: StoreMetrics::new(ours),
            requests: RequestMetrics::new(ours),
            jobs: JobMetrics::new(ours),
            backup: BackupMetrics::new(ours),
            files: FileMetrics::new(ours),
            process,
            registry,
        }
    }
}

impl Metrics {
    /// All figures as OpenMetrics text. Reads directories, so this must not run on a thread that serves
    /// others. `intake` is the state of the journal; `logs` is how many batches of log entries are not
    /// indexed yet.
    ///
    /// # Errors
    /// Never in practice: writing to a string does not fail.
    pub fn text(&self, data_dir: &Path, room: &Room, intake: Standing, logs: i64) -> Result<String> {
        self.logs_backlog.set(logs);
        self.intake.look(intake.queue);
        self.digest.look(intake.last);
        self.files.look(data_dir, room);
        self.process.look();
        let mut text = String::new();
        prometheus_client::encoding::text::encode(&mut text, &self.registry).map_err(Error::internal)?;
        Ok(text)
    }
}

/// Buckets from a quarter of a millisecond to 8 s, each twice the previous one.
fn seconds() -> Histogram {
    Histogram::new((0..16).map(|step| 0.000_25 * f64::from(1 << step)))
}

#[cfg(test)]
mod tests;
