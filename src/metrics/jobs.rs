//! When each job ran, and with what outcome.

use crate::time::{SECOND, Timestamp};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

type Label = [(&'static str, &'static str); 1];
type Seconds = Gauge<f64, AtomicU64>;

#[derive(Debug, Clone, Default)]
pub struct JobMetrics {
    last_run: Family<Label, Seconds>,
    duration: Family<Label, Seconds>,
    failures: Family<Label, Counter>,
}

impl JobMetrics {
    pub(super) fn new(registry: &mut Registry) -> Self {
        let new = Self::default();
        let help = "When the last run that ended had begun, Unix time; absent before the first";
        registry.register("job_last_run_timestamp_seconds", help, new.last_run.clone());
        registry.register("job_duration_seconds", "How long that run took", new.duration.clone());
        let help = "Runs that failed; the job is tried again by itself";
        registry.register("job_failures", help, new.failures.clone());
        new
    }

    /// A counter that starts out missing instead of at 0 hides its first increment.
    pub fn register(&self, job: &'static str) {
        drop(self.failures.get_or_create(&[("job", job)]));
    }

    /// Records a finished run.
    pub fn ran(&self, job: &'static str, begun: Timestamp, took: Duration, succeeded: bool) {
        let label = [("job", job)];
        self.last_run.get_or_create(&label).set(begun.millis() as f64 / SECOND as f64);
        self.duration.get_or_create(&label).set(took.as_secs_f64());
        if !succeeded {
            self.failures.get_or_create(&label).inc();
        }
    }
}
