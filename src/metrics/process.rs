//! Figures of the process, under the names that every exporter uses.

use crate::time::{SECOND, Timestamp};
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use std::sync::atomic::AtomicU64;

#[derive(Debug, Default)]
pub(super) struct ProcessMetrics {
    resident: Gauge<u64, AtomicU64>,
}

impl ProcessMetrics {
    /// Takes the current time as the start.
    pub(super) fn new(registry: &mut Registry) -> Self {
        let new = Self::default();
        let started: Gauge<f64, AtomicU64> = Gauge::default();
        started.set(Timestamp::now().millis() as f64 / SECOND as f64);
        registry.register("process_start_time_seconds", "When the server started, Unix time", started);
        registry.register("process_resident_memory_bytes", "Memory in use", new.resident.clone());
        new
    }

    pub(super) fn look(&self) {
        // The second number, in pages.
        let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
        let pages = statm.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok());
        self.resident.set(pages.unwrap_or_default() * rustix::param::page_size() as u64);
    }
}
