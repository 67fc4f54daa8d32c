//! HTTP requests by route.

use super::store::Seconds;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use std::time::Duration;

/// Methods with their own label; clients can make up others.
const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

#[derive(Debug)]
pub struct RequestMetrics {
    requests: Family<Answer, Counter>,
    seconds: Family<Route, Histogram, Seconds>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answer {
    method: &'static str,
    route: String,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Route {
    method: &'static str,
    route: String,
}

impl RequestMetrics {
    pub(super) fn new(registry: &mut Registry) -> Self {
        let new = Self { requests: Family::default(), seconds: Family::new_with_constructor(Seconds) };
        let help = "Answered requests by route; unknown paths are not counted";
        registry.register("http_requests", help, new.requests.clone());
        let help = "Time from a request's head to its answer's head";
        registry.register("http_seconds", help, new.seconds.clone());
        new
    }

    /// Counts an answer. `route` is the pattern that matched, never the path.
    pub fn answered(&self, method: &str, route: &str, status: u16, took: Duration) {
        let method = METHODS.into_iter().find(|known| *known == method).unwrap_or("other");
        self.requests.get_or_create(&Answer { method, route: route.to_owned(), status }).inc();
        self.seconds.get_or_create(&Route { method, route: route.to_owned() }).observe(took.as_secs_f64());
    }
}
