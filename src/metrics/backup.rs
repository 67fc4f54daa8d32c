//! The last scheduled backup.

use crate::time::{SECOND, Timestamp};
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use std::sync::atomic::AtomicU64;

type Value = Gauge<f64, AtomicU64>;

#[derive(Debug, Clone, Default)]
pub struct BackupMetrics {
    last_success: Value,
    size: Value,
}

impl BackupMetrics {
    pub(super) fn new(registry: &mut Registry) -> Self {
        let new = Self::default();
        let help = "When the last scheduled backup that succeeded had begun, Unix time; 0 before the first";
        registry.register("backup_last_success_timestamp_seconds", help, new.last_success.clone());
        registry.register("backup_size_bytes", "The size of that backup", new.size.clone());
        new
    }

    /// Records a successful backup.
    pub fn succeeded(&self, started_at: Timestamp, bytes: u64) {
        self.last_success.set(started_at.millis() as f64 / SECOND as f64);
        self.size.set(bytes as f64);
    }
}
