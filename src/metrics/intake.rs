//! What is accepted, and what is not.

use crate::error::Error;
use crate::store::Depth;
use crate::store::journal::Observed;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

/// Why a request was refused.
const REASONS: [&str; 10] = [
    "malformed",
    "invalid",
    "key",
    "forbidden",
    "too_large",
    "unsupported",
    "rate",
    "overload",
    "disk",
    "storage",
];

#[derive(Debug)]
pub struct IntakeMetrics {
    /// Events that are on disk and were answered with 202.
    pub accepted: Counter,
    /// Unusable events of batches whose other events were accepted.
    pub dropped: Counter,
    /// Log entries that are on disk and were answered with 202.
    pub logs_accepted: Counter,
    /// Unusable entries of batches that were accepted.
    pub logs_dropped: Counter,
    /// Requests of which nothing was stored.
    rejected: Family<[(&'static str, &'static str); 1], Counter>,
    /// Seconds from the first write of a group until it is synced; updated by the writer.
    pub commit_seconds: Histogram,
    /// Events of a group; updated by the writer.
    pub group_events: Histogram,
    queue_jobs: Gauge,
    queue_bytes: Gauge,
}

impl IntakeMetrics {
    pub(super) fn new(registry: &mut Registry) -> Self {
        let new = Self {
            accepted: Counter::default(),
            dropped: Counter::default(),
            logs_accepted: Counter::default(),
            logs_dropped: Counter::default(),
            rejected: Family::default(),
            commit_seconds: super::seconds(),
            group_events: Histogram::new((0..11).map(|step| f64::from(1 << step))),
            queue_jobs: Gauge::default(),
            queue_bytes: Gauge::default(),
        };
        // A counter that is absent instead of 0 at first hides its first increment.
        for reason in REASONS {
            drop(new.rejected.get_or_create(&[("reason", reason)]));
        }
        let mut add = |name: &str, help: &str, metric| register(registry, name, help, metric);
        add("accepted", "Events that are on disk and were answered with 202", Kind::Counter(&new.accepted));
        add("dropped", "Unusable events of batches that were accepted", Kind::Counter(&new.dropped));
        let help = "Log entries that are on disk and were answered with 202";
        add("logs_accepted", help, Kind::Counter(&new.logs_accepted));
        add(
            "logs_dropped",
            "Unusable log entries of batches that were accepted",
            Kind::Counter(&new.logs_dropped),
        );
        add(
            "commit_seconds",
            "Time to write and sync a group of events",
            Kind::Histogram(&new.commit_seconds),
        );
        add("group_events", "Events written together", Kind::Histogram(&new.group_events));
        add("queue_jobs", "Requests waiting for the writer", Kind::Gauge(&new.queue_jobs));
        add("queue_bytes", "Bytes waiting for the writer", Kind::Gauge(&new.queue_bytes));
        let help = "Requests of which nothing was stored, by the reason";
        registry.register("intake_rejected", help, new.rejected.clone());
        new
    }

    /// The figures that the journal's writer updates.
    pub fn observed(&self) -> Observed {
        Observed { seconds: self.commit_seconds.clone(), records: self.group_events.clone() }
    }

    pub(super) fn look(&self, queue: Depth) {
        self.queue_jobs.set(i64::try_from(queue.items).unwrap_or(i64::MAX));
        self.queue_bytes.set(i64::try_from(queue.bytes).unwrap_or(i64::MAX));
    }

    /// Counts a refused request.
    pub fn refused(&self, error: &Error) {
        let reason = match error {
            Error::Malformed(_) => "malformed",
            Error::Invalid(_) | Error::NotFound(_) | Error::NotAllowed(_) | Error::Conflict(_) => "invalid",
            Error::Unauthenticated(_) => "key",
            Error::Forbidden(_) => "forbidden",
            Error::TooLarge(_) => "too_large",
            Error::Unsupported(_) => "unsupported",
            Error::TooMany { .. } => "rate",
            Error::NoRoom(_) => "disk",
            Error::Unavailable { cause: None, .. } => "overload",
            Error::Unavailable { .. } | Error::Internal(_) => "storage",
        };
        self.rejected.get_or_create(&[("reason", reason)]).inc();
    }
}

enum Kind<'a> {
    Counter(&'a Counter),
    Gauge(&'a Gauge),
    Histogram(&'a Histogram),
}

fn register(registry: &mut Registry, name: &str, help: &str, metric: Kind<'_>) {
    let name = format!("intake_{name}");
    match metric {
        Kind::Counter(counter) => registry.register(name, help, counter.clone()),
        Kind::Gauge(gauge) => registry.register(name, help, gauge.clone()),
        Kind::Histogram(histogram) => registry.register(name, help, histogram.clone()),
    }
}
