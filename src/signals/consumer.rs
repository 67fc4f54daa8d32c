//! Consumers of signals, which handle each exactly once.

use super::{Kind, Signal, sql};
use crate::error::{Error, Result};
use crate::ids::SignalId;
use crate::jobs::Stopping;
use crate::sabotage;
use crate::store::{Main, Transaction};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Signals per transaction, so that others can write in between.
const BATCH: usize = 100;
/// Attempts before a signal that a consumer cannot handle is skipped.
const TRIES: usize = 3;
/// How often consumers poll without a wake-up, because not every writer of a signal wakes them.
const LOOK: Duration = Duration::from_secs(1);

/// Reacts to signals.
pub trait Consumer: Send + Sync + 'static {
    /// Names its stored position and its job. It must never change, or the consumer starts over.
    fn name(&self) -> &'static str;

    /// The kinds it reacts to.
    fn kinds(&self) -> &'static [Kind];

    /// Writes the signal's effect, in the transaction that also stores the new position. What the signal refers to
    /// may have been deleted.
    ///
    /// # Errors
    /// Storage trouble is waited out. After any other error the signal is tried again, and skipped in the end.
    fn consume(&self, tx: &Transaction<'_>, signal: &Signal) -> Result<()>;

    /// Called after a commit with effects.
    fn committed(&self) {}
}

/// Reads the signals for one consumer.
pub(super) struct Reader {
    main: Main,
    consumer: Arc<dyn Consumer>,
    /// How far it has read; at or above the stored position.
    passed: Mutex<SignalId>,
}

impl Reader {
    pub(super) fn new(main: &Main, consumer: Arc<dyn Consumer>) -> Self {
        Self { main: main.clone(), consumer, passed: Mutex::new(SignalId(0)) }
    }

    pub(super) fn name(&self) -> &'static str {
        self.consumer.name()
    }

    /// Reads until nothing is left; returns how long until it should look again.
    pub(super) async fn run(self: Arc<Self>, stopping: Stopping) -> Result<Duration> {
        while !stopping.is_on() && self.step().await? {}
        Ok(LOOK)
    }

    /// Handles some signals; `false` if there are no new ones.
    async fn step(&self) -> Result<bool> {
        let (name, kinds, passed) = (self.consumer.name(), self.consumer.kinds(), self.passed());
        let read = self.main.read(move |c| {
            // Read first, so that signals written in the meantime come after it.
            let newest = sql::newest(c)?;
            if newest == passed {
                return Ok(None);
            }
            let stored = sql::position(c, name)?;
            let stored = stored.ok_or_else(|| Error::internal(format!("{name} has no position")))?;
            let signals = sql::between(c, kinds, (stored.max(passed), newest), BATCH)?;
            Ok(Some((newest, signals)))
        });
        let Some((newest, signals)) = read.await? else { return Ok(false) };
        let until = signals.last().filter(|_| signals.len() == BATCH).map_or(newest, |last| last.id);
        if !signals.is_empty() {
            self.take(Arc::new(signals), until).await?;
        }
        *self.passed.lock().unwrap_or_else(PoisonError::into_inner) = until;
        Ok(true)
    }

    /// Stores the position. Signals of other kinds advance it only in memory, so that they cost no write.
    pub(super) async fn store_position(&self) -> Result<()> {
        let (name, passed) = (self.consumer.name(), self.passed());
        let stored = self.main.read(move |c| sql::position(c, name)).await?;
        if stored.is_some_and(|stored| stored < passed) {
            self.main.write(move |tx| sql::reach(tx, name, passed)).await?;
        }
        Ok(())
    }

    fn passed(&self) -> SignalId {
        *self.passed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn take(&self, signals: Arc<Vec<Signal>>, until: SignalId) -> Result<()> {
        match self.commit(signals.clone(), until).await {
            Ok(()) => {}
            Err(error @ Error::Unavailable { .. }) => return Err(error),
            Err(error) => {
                let consumer = self.consumer.name();
                tracing::warn!(consumer, ?error, "some signals could not be taken, trying them one by one");
                for signal in signals.iter() {
                    // The earlier signals must take effect all the same.
                    self.take_alone(signal).await.inspect_err(|_| self.consumer.committed())?;
                }
            }
        }
        self.consumer.committed();
        Ok(())
    }

    async fn take_alone(&self, signal: &Signal) -> Result<()> {
        let (consumer, id) = (self.consumer.name(), signal.id);
        let mut last = None;
        for _ in 0..TRIES {
            match self.commit(Arc::new(vec![signal.clone()]), id).await {
                Err(error @ Error::Unavailable { .. }) => return Err(error),
                Err(error) => last = Some(error),
                Ok(()) => return Ok(()),
            }
        }
        tracing::error!(consumer, signal = id.0, kind = signal.kind.as_str(), error = ?last, "a signal was skipped");
        self.main.write(move |tx| sql::reach(tx, consumer, id)).await
    }

    /// Writes the effects and the position in one transaction: after a crash there are both or neither.
    async fn commit(&self, signals: Arc<Vec<Signal>>, until: SignalId) -> Result<()> {
        let (consumer, name) = (self.consumer.clone(), self.consumer.name());
        let beside = sabotage::on("signal_position_beside_commit");
        let write = self.main.write(move |tx| {
            let reached = sql::position(tx, name)?;
            let new = signals.iter().filter(|signal| Some(signal.id) > reached);
            new.into_iter().try_for_each(|signal| consumer.consume(tx, signal))?;
            if beside { Ok(()) } else { sql::reach(tx, name, until) }
        });
        write.await?;
        if beside {
            // Long enough for a test to kill the server between the two.
            tokio::time::sleep(Duration::from_secs(5)).await;
            self.main.write(move |tx| sql::reach(tx, name, until)).await?;
        }
        Ok(())
    }
}
