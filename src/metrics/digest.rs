//! How far the digest lags behind.

use crate::time::{SECOND, Timestamp};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

#[derive(Debug, Default)]
pub struct DigestMetrics {
    /// Events that can be read; updated after each batch.
    pub digested: Counter,
    /// Events that could not be digested.
    pub set_aside: Counter,
    backlog_events: Gauge,
    /// The position that the digest has reached.
    reached: AtomicI64,
    lag_seconds: Gauge<f64, AtomicU64>,
    /// When the oldest waiting event was received, in milliseconds; 0: there is none.
    oldest: AtomicI64,
}

impl DigestMetrics {
    pub(super) fn new(registry: &mut Registry) -> Self {
        let new = Self::default();
        let help = "Events that have been digested and can be read";
        registry.register("digest_digested", help, new.digested.clone());
        let help = "Events that could not be digested and were set aside";
        registry.register("digest_set_aside", help, new.set_aside.clone());
        let help = "Accepted events that are not digested yet, and those after them";
        registry.register("digest_backlog_events", help, new.backlog_events.clone());
        let help = "Age of the oldest accepted event that is not digested yet";
        registry.register("digest_lag_seconds", help, new.lag_seconds.clone());
        new
    }

    /// Sets when the oldest waiting event was received. Its age is calculated on request, so that it grows
    /// even if the digest hangs.
    pub fn waits_since(&self, oldest: Option<Timestamp>) {
        self.oldest.store(oldest.map_or(0, Timestamp::millis), Ordering::Relaxed);
    }

    /// Sets the journal position that has been digested.
    pub fn reached(&self, position: i64) {
        self.reached.store(position, Ordering::Relaxed);
    }

    /// `newest` is the newest position of the journal.
    pub(super) fn look(&self, newest: i64) {
        self.backlog_events.set((newest - self.reached.load(Ordering::Relaxed)).max(0));
        let lag = match self.oldest.load(Ordering::Relaxed) {
            0 => 0,
            oldest => (Timestamp::now().millis() - oldest).max(0),
        };
        self.lag_seconds.set(lag as f64 / SECOND as f64);
    }
}
