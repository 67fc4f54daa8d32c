//! How long the databases take.

use prometheus_client::metrics::family::{Family, MetricConstructor};
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

#[derive(Debug)]
pub struct StoreMetrics {
    commits: Family<[(&'static str, &'static str); 1], Histogram, Seconds>,
}

/// Creates the histogram of a new label.
#[derive(Debug, Clone, Default)]
pub(super) struct Seconds;

impl MetricConstructor<Histogram> for Seconds {
    fn new_metric(&self) -> Histogram {
        super::seconds()
    }
}

impl StoreMetrics {
    pub(super) fn new(registry: &mut Registry) -> Self {
        let commits = Family::new_with_constructor(Seconds);
        let help = "Time of a transaction and its commit, each for a group of writes";
        registry.register("store_commit_seconds", help, commits.clone());
        Self { commits }
    }

    /// The seconds that commits of a database take; kept and updated by its writer.
    pub fn commit_seconds(&self, database: &'static str) -> Histogram {
        self.commits.get_or_create_owned(&[("database", database)])
    }
}
