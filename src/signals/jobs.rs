//! The jobs of signals: one for each consumer, and one that deletes old signals.

use super::consumer::{Consumer, Reader};
use super::{Subscribers, sql};
use crate::jobs::Job;
use crate::store::Main;
use crate::time::Timestamp;
use std::sync::Arc;
use std::time::Duration;

/// How often old signals are deleted.
const SWEEP: Duration = Duration::from_mins(10);

/// A job for each consumer, named like it, and one that deletes what all have passed. Every consumer must have been
/// registered ([`sql::enter`]).
pub fn jobs(main: &Main, subscribers: &Subscribers, consumers: Vec<Arc<dyn Consumer>>) -> Vec<Job> {
    let reading = consumers.into_iter().map(|consumer| {
        let name = consumer.name();
        let reader = Arc::new(Reader::new(main, consumer));
        Job::woken(name, subscribers.subscribe(), move |stopping| reader.clone().run(stopping))
    });
    let mut jobs: Vec<Job> = reading.collect();
    let main = main.clone();
    let sweep = move || {
        let main = main.clone();
        async move {
            while main.write(|tx| sql::sweep(tx, Timestamp::now())).await? {}
            Ok(())
        }
    };
    jobs.push(Job::every("signals", SWEEP, sweep));
    jobs
}
