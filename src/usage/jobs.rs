//! Measures usage now and then.

use super::service::Meter;
use crate::jobs::Job;
use std::sync::Arc;
use std::time::Duration;

/// How often usage is measured without requests.
const PERIOD: Duration = Duration::from_mins(5);

/// The job.
pub fn jobs(meter: &Arc<Meter>) -> Vec<Job> {
    let (meter, wake) = (meter.clone(), meter.wake.clone());
    let measure = move |_| {
        let meter = meter.clone();
        async move { meter.run().await.map(|()| PERIOD) }
    };
    vec![Job::woken("usage", wake, measure)]
}
