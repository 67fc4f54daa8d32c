//! 2. Accepted events are normalized, resolved, grouped and applied. The digest is the only writer of events.
//!
//! One thread reads the journal, in order except for events that may go first ([`turns`]), prepares a batch outside
//! any transaction ([`prepare`]), and applies it to `main.db` in one transaction that also stores the position
//! reached ([`apply`]), so that each event is counted exactly once after any crash. An event that cannot be digested
//! is set aside after [`TRIES`] attempts and does not block those after it. On storage trouble the digest waits; it
//! skips no event because of it.

pub mod apply;
mod attempt;
mod chain;
mod counts;
mod environments;
mod facets;
pub mod frames;
mod high_value;
mod pace;
pub mod prepare;
pub mod resolve;
pub mod sql;
pub mod stacks;
mod turns;
mod usage;

use crate::error::{Error, Result};
use crate::ids::ProjectId;
use crate::intake::store::{Pending, Store};
use crate::issues::texts::Texts;
use crate::live::{Changes, Hub};
use crate::metrics::Metrics;
use crate::releases::service::Maps;
use crate::sabotage;
use crate::store::{Connection, Disk, Fatal, Main, Trainer, Transaction, dictionaries};
use crate::time::Timestamp;
use apply::{Outcome, Reach};
use pace::Pace;
use resolve::Resolver;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::oneshot::Receiver;
use turns::{Round, Turns};

/// Events and bytes (compressed) of one batch: large enough to share a commit.
const BATCH_EVENTS: usize = 1_024;
const BATCH_BYTES: usize = 2 << 20;
/// Bytes that the prepared events of a batch may occupy: a small body may refer to many long source lines.
/// (Tests use less.)
const PREPARED_BYTES: usize = if cfg!(test) { 2 << 20 } else { 16 << 20 };
/// The work of a batch ([`Outcome::work`]): an event with a hundred tags costs as much as a dozen others, and events of
/// other projects wait for a batch to end.
const BATCH_WORK: usize = 3 * BATCH_EVENTS;
/// Attempts before an event is set aside.
const TRIES: usize = 3;
/// The interval between batch starts while little arrives: a transaction and its sync for each handful of
/// events would take most of a core, and take the disk away from those waiting for their 202.
const GATHER: Duration = Duration::from_millis(50);
/// With so many events waiting, a batch starts at once.
const GATHERED: i64 = BATCH_EVENTS as i64 / 4;
/// How often to check, while resting, whether anything still arrives.
const NAP: Duration = Duration::from_millis(10);
/// The pause between two reads without a wake-up, and after storage trouble.
const PAUSE: Duration = Duration::from_secs(1);

/// What the digest needs.
#[derive(Clone)]
pub struct Parts {
    pub main: Main,
    pub intake: Store,
    pub live: Arc<Hub>,
    pub texts: Arc<Texts>,
    pub metrics: Arc<Metrics>,
    pub disk: Arc<Disk>,
}

/// The digest's thread; [`Digest::stop`] ends it after its current batch.
pub struct Digest {
    thread: JoinHandle<()>,
    stopping: Arc<AtomicBool>,
}

impl Digest {
    /// # Errors
    /// If `main.db` cannot be read or the thread cannot be started.
    pub fn start(parts: Parts, maps: Arc<Maps>, fatal: Fatal) -> Result<Self> {
        let Parts { main, intake, .. } = &parts;
        let reader = main.readers.dedicated()?;
        let position = sql::position(&reader)?;
        let newest = intake.newest();
        // If the journal was lost, or is an older copy, its positions are used again.
        main.write_blocking(move |tx| sql::hold_back(tx, newest))?;
        let turns = Turns::load(&reader)?;
        // Drops events that were digested right before the process ended, and are still in the journal.
        intake.forget(position);
        parts.metrics.digest.reached(position);
        let stopping = Arc::new(AtomicBool::new(false));
        let (resolver, intake, stop) = (Resolver::new(maps), intake.clone(), stopping.clone());
        let worker = Worker {
            parts,
            reader,
            resolver,
            trainer: Arc::new(Trainer::new(&dictionaries::EVENTS)),
            position,
            prepared: position,
            turns,
            is_stale: false,
            flight: None,
            digested: 0,
            applied: Duration::ZERO,
            begun: None,
            stopping: stop,
        };
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
            tracing::error!("the digest ended with a panic");
        }
    }
}

struct Worker {
    parts: Parts,
    /// Its own connection, so neither readers nor their deadline hold the digest up.
    reader: Connection,
    resolver: Resolver,
    trainer: Arc<Trainer>,
    /// The stored position.
    position: i64,
    /// The position up to which events are prepared; the batch being applied lies between the two.
    prepared: i64,
    turns: Turns,
    /// What was prepared may not be stored, and has to be prepared again.
    is_stale: bool,
    flight: Option<Flight>,
    /// How many events were stored.
    digested: usize,
    /// How long applying the last batch took.
    applied: Duration,
    /// When the last batch was started.
    begun: Option<Instant>,
    stopping: Arc<AtomicBool>,
}

/// What changed, and how long applying took, not counting the commit.
type Applied = (HashMap<ProjectId, Changes>, Duration);

/// A batch that the writer applies while the next one is prepared.
struct Flight {
    outcomes: Arc<Vec<Outcome>>,
    reach: Reach,
    applied: Receiver<Result<Applied>>,
}

impl Worker {
    fn run(mut self) {
        let mut pace = Pace::new(self.parts.intake.standing().last, Instant::now());
        while !self.stopping.load(Ordering::Acquire) {
            match self.work(&mut pace) {
                Ok(true) => {}
                Ok(false) => std::thread::park_timeout(PAUSE),
                Err(error) => {
                    tracing::warn!(%error, "digesting is waiting for storage");
                    self.is_stale = true;
                    std::thread::park_timeout(PAUSE);
                }
            }
        }
        if let Err(error) = self.land() {
            tracing::warn!(%error, "the last batch was not applied: it will be applied after the next start");
        }
    }

    /// Reads everything again that is not stored.
    fn start_over(&mut self) -> Result<()> {
        self.land()?;
        self.turns = Turns::load(&self.reader)?;
        self.prepared = self.position;
        self.is_stale = false;
        Ok(())
    }

    /// Does one step and then rests; `false` if there was nothing to do.
    fn work(&mut self, pace: &mut Pace) -> Result<bool> {
        if self.is_stale {
            self.start_over()?;
        }
        self.gather();
        let (before, started) = (self.digested, Instant::now());
        if !self.step()? {
            return Ok(false);
        }
        self.trainer.look(&self.parts.main, self.position);
        let events = self.digested - before;
        let (last, now) = (self.parts.intake.newest(), Instant::now());
        let worked = now - started;
        // The previous batch was applied in the meantime.
        let effort = worked + std::mem::take(&mut self.applied);
        let rest = pace.rest(events, (worked, effort), (last, last - self.prepared), now);
        if !rest.is_zero() {
            // What was read is not announced before it is stored.
            self.land()?;
            self.rest(Instant::now() + rest);
        }
        Ok(true)
    }

    /// Waits for more events, unless the last batch was a while ago or enough are waiting already.
    fn gather(&mut self) {
        let next = self.begun.map(|begun| begun + GATHER);
        let has_few = || self.parts.intake.newest() - self.prepared < GATHERED;
        while next.is_some_and(|next| Instant::now() < next)
            && has_few()
            && !self.stopping.load(Ordering::Acquire)
        {
            std::thread::sleep(NAP);
        }
        self.begun = Some(Instant::now());
    }

    /// Rests until a time, or until nothing more arrives.
    fn rest(&self, until: Instant) {
        let mut last = 0;
        while Instant::now() < until && !self.stopping.load(Ordering::Acquire) {
            let before = std::mem::replace(&mut last, self.parts.intake.newest());
            if before == last {
                break;
            }
            std::thread::sleep(NAP);
        }
    }

    /// Takes a round ahead of the order if one is due, and one in order. `false` if there was nothing to do.
    fn step(&mut self) -> Result<bool> {
        if !self.parts.disk.digesting() {
            return Err(Error::storage("the disk is nearly full"));
        }
        if let Some(round) = self.turns.ahead(&self.parts.intake, self.prepared)? {
            self.take(round)?;
        }
        let round = self.turns.in_order(&self.parts.intake, self.prepared)?;
        let oldest = round.events.first().map(|event| Timestamp::from_millis(event.received_at));
        if !round.is_empty() {
            self.parts.metrics.digest.waits_since(oldest);
        }
        self.take(round)
    }

    /// Prepares a round while the previous one is applied, and hands it to the writer; waits for the writer if there
    /// is nothing to prepare. `false` if there was nothing to do.
    fn take(&mut self, mut round: Round) -> Result<bool> {
        let places: Vec<_> = round.events.iter().map(|event| (event.project, event.position)).collect();
        let outcomes = self.prepare_all(std::mem::take(&mut round.events))?;
        self.turns.weigh(&round, outcomes.iter().map(|outcome| (outcome.event().project, outcome.work())));
        let was_flying = self.land()?;
        let Some(reach) = self.turns.reach(&round, &places, outcomes.len()) else { return Ok(was_flying) };
        self.launch(outcomes, reach)?;
        if self.parts.intake.newest() <= self.prepared {
            self.land()?;
        }
        Ok(true)
    }

    /// Prepares events in order, as many as fit; the rest are read again later.
    fn prepare_all(&mut self, pending: Vec<Pending>) -> Result<Vec<Outcome>> {
        self.resolver.refresh();
        let (mut outcomes, mut bytes, mut work) = (Vec::with_capacity(pending.len()), 0, 0);
        for event in pending {
            if bytes > PREPARED_BYTES || work >= BATCH_WORK || self.stopping.load(Ordering::Acquire) {
                break;
            }
            let outcome = attempt::prepare(&self.reader, &self.parts.main, &mut self.resolver, event)?;
            bytes += outcome.size();
            work += outcome.work();
            outcomes.push(outcome);
        }
        Ok(outcomes)
    }

    /// Hands a batch to the writer.
    fn launch(&mut self, outcomes: Vec<Outcome>, reach: Reach) -> Result<()> {
        let outcomes = Arc::new(outcomes);
        let (batch, texts, far) = (outcomes.clone(), self.parts.texts.clone(), reach.clone());
        let apply = move |tx: &Transaction<'_>| {
            let started = Instant::now();
            Ok((apply::apply(tx, &texts, &batch, &far)?, started.elapsed()))
        };
        let applied = self.parts.main.submit(apply)?;
        if let Reach::UpTo(last) = reach {
            self.prepared = last;
        }
        self.flight = Some(Flight { outcomes, reach, applied });
        Ok(())
    }

    /// Waits until the batch in flight is applied; if an event makes it fail, applies them one by one.
    /// `false` if there is no batch in flight.
    fn land(&mut self) -> Result<bool> {
        let Some(Flight { outcomes, reach, applied }) = self.flight.take() else { return Ok(false) };
        let applied = applied.blocking_recv().map_err(|_| Error::overloaded("The server is stopping."))?;
        match applied {
            Ok((changes, took)) => {
                tracing::debug!(
                    events = outcomes.len(),
                    position = ?reach,
                    ms = took.as_millis() as u64,
                    "digested a batch"
                );
                self.applied += took;
                self.tell(&changes);
            }
            Err(error @ Error::Unavailable { .. }) => return Err(error),
            Err(error) => {
                tracing::warn!(%error, "a batch could not be applied; applying its events one by one");
                outcomes.iter().try_for_each(|outcome| self.apply_alone(outcome, &reach))?;
                self.apply_all(Vec::new(), reach.clone())?;
            }
        }
        self.count(&outcomes);
        self.digested += outcomes.len();
        if let Reach::UpTo(last) = reach {
            if sabotage::on("position_beside_commit") {
                self.parts.main.submit(move |tx| sql::reach(tx, last))?;
            }
            self.parts.metrics.digest.reached(last);
            self.position = last;
            self.parts.intake.forget(last);
        }
        Ok(true)
    }

    fn count(&self, outcomes: &[Outcome]) {
        let aside = outcomes.iter().filter(|outcome| matches!(outcome, Outcome::SetAside(_))).count() as u64;
        self.parts.metrics.digest.digested.inc_by(outcomes.len() as u64 - aside);
        self.parts.metrics.digest.set_aside.inc_by(aside);
    }

    /// Announces changes, which can be read after the commit.
    fn tell(&self, changes: &HashMap<ProjectId, Changes>) {
        changes.iter().for_each(|(project, changes)| self.parts.live.publish(*project, changes));
    }

    fn apply_alone(&self, outcome: &Outcome, reach: &Reach) -> Result<()> {
        let mut reason = String::new();
        for _ in 0..TRIES {
            match self.apply_one(outcome.clone(), reach) {
                Ok(changes) => {
                    self.tell(&changes);
                    return Ok(());
                }
                Err(error @ Error::Unavailable { .. }) => return Err(error),
                Err(Error::Internal(cause)) => reason = cause.to_string(),
                Err(error) => reason = error.to_string(),
            }
        }
        self.parts.metrics.digest.set_aside.inc();
        self.apply_one(Outcome::SetAside(outcome.set_aside(reason)), reach).map(drop)
    }

    fn apply_one(&self, outcome: Outcome, reach: &Reach) -> Result<HashMap<ProjectId, Changes>> {
        let reach = reach.of(&outcome);
        self.apply_all(vec![outcome], reach)
    }

    fn apply_all(&self, outcomes: Vec<Outcome>, reach: Reach) -> Result<HashMap<ProjectId, Changes>> {
        let texts = self.parts.texts.clone();
        self.parts.main.write_blocking(move |tx| apply::apply(tx, &texts, &outcomes, &reach))
    }
}

#[cfg(test)]
mod tests;
