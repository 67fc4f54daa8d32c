//! 2. Accepted → normalised, resolved, grouped, applied: the only writer of events.
//!
//! One thread reads `intake.db` in order, prepares a batch outside any transaction ([`prepare`]), and
//! applies it to `main.db` in one transaction that also stores the position reached ([`apply`]): each
//! event is counted exactly once after any crash. An event that cannot be digested is set aside
//! after [`TRIES`] tries, blocking none behind it; storage trouble is waited out, never skipped.

pub mod apply;
mod counts;
pub mod frames;
pub mod group;
pub mod prepare;
pub mod resolve;
pub mod stack;
pub mod stacks;
mod usage;

use crate::error::{Error, Result};
use crate::ids::ProjectId;
use crate::intake::store::{Pending, Store};
use crate::live::{Changes, Hub};
use crate::releases::Maps;
use crate::store::{Connection, Fatal, Main};
use apply::{Outcome, SetAside};
use prepare::Prepared;
use resolve::Resolver;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// Events and bytes (compressed) of one batch: large enough to share a commit.
const BATCH_EVENTS: usize = 256;
const BATCH_BYTES: usize = 2 << 20;
/// Bytes that the prepared events of a batch hold: a small body may name many long source lines.
/// (Tests make do with less.)
const PREPARED_BYTES: usize = if cfg!(test) { 2 << 20 } else { 16 << 20 };
/// Tries before an event is set aside.
const TRIES: usize = 3;
/// Between two looks when nobody woke us, and after storage trouble.
const PAUSE: Duration = Duration::from_secs(1);

/// The digest's thread; [`Digest::stop`] ends it after the batch it is at.
pub struct Digest {
    thread: JoinHandle<()>,
    stopping: Arc<AtomicBool>,
}

impl Digest {
    pub fn start(main: Main, intake: Store, maps: Arc<Maps>, live: Arc<Hub>, fatal: Fatal) -> Result<Self> {
        let reader = main.readers.dedicated()?;
        let position = apply::position(&reader)?;
        // What was digested right before the process ended may not have been removed.
        intake.forget(position);
        let stopping = Arc::new(AtomicBool::new(false));
        let (resolver, read_from, stop) = (Resolver::new(maps), intake.clone(), stopping.clone());
        let worker = Worker { main, reader, intake: read_from, resolver, live, position, stopping: stop };
        let thread = std::thread::Builder::new()
            .name("digest".into())
            .spawn(move || {
                let _guard = fatal.on_panic("digest");
                worker.run();
            })
            .map_err(Error::internal)?;
        intake.wake(thread.thread().clone());
        Ok(Self { thread, stopping })
    }

    pub fn stop(self) {
        self.stopping.store(true, Ordering::Release);
        self.thread.thread().unpark();
        if self.thread.join().is_err() {
            tracing::error!("the digest ended by a panic");
        }
    }
}

struct Worker {
    main: Main,
    /// Its own: neither readers nor their deadline hold the digest up.
    reader: Connection,
    intake: Store,
    resolver: Resolver,
    live: Arc<Hub>,
    position: i64,
    stopping: Arc<AtomicBool>,
}

impl Worker {
    fn run(mut self) {
        while !self.stopping.load(Ordering::Acquire) {
            match self.step() {
                Ok(true) => {}
                Ok(false) => std::thread::park_timeout(PAUSE),
                Err(error) => {
                    tracing::warn!(%error, "digesting is waiting for the storage");
                    std::thread::park_timeout(PAUSE);
                }
            }
        }
    }

    /// Digests a batch; `false` when there was nothing to do.
    fn step(&mut self) -> Result<bool> {
        let pending = self.intake.after(self.position, BATCH_EVENTS, BATCH_BYTES)?;
        let outcomes = self.prepare_all(pending)?;
        let Some(last) = outcomes.last().map(Outcome::position) else { return Ok(false) };
        self.apply(outcomes, last)?;
        self.position = last;
        self.intake.forget(last);
        Ok(true)
    }

    /// Prepares events in order, as many as fit; the rest are read again.
    fn prepare_all(&mut self, pending: Vec<Pending>) -> Result<Vec<Outcome>> {
        self.resolver.refresh();
        let (mut outcomes, mut bytes) = (Vec::with_capacity(pending.len()), 0);
        for event in pending {
            if bytes > PREPARED_BYTES || self.stopping.load(Ordering::Acquire) {
                break;
            }
            let outcome = prepare_one(&self.reader, &mut self.resolver, event)?;
            bytes += outcome.size();
            outcomes.push(outcome);
        }
        Ok(outcomes)
    }

    /// Applies a batch at once; if an event makes that fail, one by one.
    fn apply(&self, outcomes: Vec<Outcome>, last: i64) -> Result<()> {
        let outcomes = Arc::new(outcomes);
        let batch = outcomes.clone();
        match self.main.write_blocking(move |tx| apply::apply(tx, &batch, last)) {
            Ok(changes) => self.tell(&changes),
            Err(error @ Error::Unavailable { .. }) => return Err(error),
            Err(error) => {
                tracing::warn!(%error, "a batch could not be applied, trying its events one by one");
                return outcomes.iter().try_for_each(|outcome| self.apply_alone(outcome));
            }
        }
        Ok(())
    }

    /// What was committed can be read: those who watch are told.
    fn tell(&self, changes: &HashMap<ProjectId, Changes>) {
        changes.iter().for_each(|(project, changes)| self.live.publish(*project, changes));
    }

    fn apply_alone(&self, outcome: &Outcome) -> Result<()> {
        let mut reason = String::new();
        for _ in 0..TRIES {
            let one = outcome.clone();
            let position = outcome.position();
            match self.main.write_blocking(move |tx| apply::apply(tx, &[one], position)) {
                Ok(changes) => {
                    self.tell(&changes);
                    return Ok(());
                }
                Err(error @ Error::Unavailable { .. }) => return Err(error),
                Err(Error::Internal(cause)) => reason = cause.to_string(),
                Err(error) => reason = error.to_string(),
            }
        }
        let aside = outcome.set_aside(reason);
        let position = outcome.position();
        self.main.write_blocking(move |tx| apply::apply(tx, &[Outcome::SetAside(aside)], position))?;
        Ok(())
    }
}

/// Prepares an event; one that fails [`TRIES`] times is set aside. Only storage trouble is an error.
fn prepare_one(c: &Connection, resolver: &mut Resolver, event: Pending) -> Result<Outcome> {
    let mut reason = String::new();
    for _ in 0..TRIES {
        match catch_unwind(AssertUnwindSafe(|| Prepared::new(c, resolver, &event))) {
            Ok(Ok(prepared)) => return Ok(Outcome::Prepared(Arc::new((prepared, event)))),
            Ok(Err(error @ Error::Unavailable { .. })) => return Err(error),
            Ok(Err(Error::Internal(cause))) => reason = cause.to_string(),
            Ok(Err(error)) => reason = error.to_string(),
            Err(_) => "it made the digest panic".clone_into(&mut reason),
        }
    }
    tracing::error!(project = event.project.0, reason, "an event was set aside");
    Ok(Outcome::SetAside(Arc::new(SetAside { event, reason })))
}

#[cfg(test)]
mod tests;
