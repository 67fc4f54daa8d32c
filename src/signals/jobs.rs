//! The jobs of signals: one for each consumer, and one that deletes old signals and stores how far the consumers are.

use super::consumer::{Consumer, Reader};
use super::{Subscribers, sql};
use crate::jobs::Job;
use crate::store::Main;
use crate::time::Timestamp;
use std::sync::Arc;
use std::time::Duration;

/// How often positions that moved over signals of other kinds are stored, and old signals deleted.
const SWEEP: Duration = Duration::from_mins(10);

/// A job for each consumer, named like it, and one that deletes what all have passed. Every consumer must have been
/// registered ([`sql::enter`]).
pub fn jobs(main: &Main, subscribers: &Subscribers, consumers: Vec<Arc<dyn Consumer>>) -> Vec<Job> {
    let readers: Vec<Arc<Reader>> =
        consumers.into_iter().map(|consumer| Arc::new(Reader::new(main, consumer))).collect();
    let reading = readers.iter().cloned().map(|reader| {
        let name = reader.name();
        Job::woken(name, subscribers.subscribe(), move |stopping| reader.clone().run(stopping))
    });
    let mut jobs: Vec<Job> = reading.collect();
    let (main, readers) = (main.clone(), Arc::<[_]>::from(readers));
    let sweep = move || {
        let (main, readers) = (main.clone(), readers.clone());
        async move {
            for reader in readers.iter() {
                reader.store_position().await?;
            }
            while main.write(|tx| sql::sweep(tx, Timestamp::now())).await? {}
            Ok(())
        }
    };
    jobs.push(Job::every("signals", SWEEP, sweep));
    jobs
}
