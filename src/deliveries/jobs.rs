//! The job that sends what is due; woken when a delivery is added or a retry is due.

use super::caps::Caps;
use super::service;
use super::sql::{self, Busy, Waiting};
use super::{Channel, Deliveries};
use crate::delivery::Failure;
use crate::error::{Error, Result};
use crate::ids::DeliveryId;
use crate::jobs::{Job, Stopping};
use crate::store::Main;
use crate::time::Timestamp;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::task::{Id, JoinError, JoinSet};

/// How often deliveries are checked without a wake-up, because the clock may have been set.
const LOOK: Duration = Duration::from_mins(5);
/// How long to wait after a database error.
const AFTER_FAULT: Duration = Duration::from_secs(10);
/// How long to wait before the outcome of an attempt is written again.
const WRITE_AGAIN: Duration = Duration::from_secs(1);
/// How long deliveries in flight may take once the server stops. One that is aborted is sent again after the restart,
/// with the same idempotency key.
const STOP: Duration = Duration::from_secs(2);

/// The jobs of deliveries.
pub fn jobs(main: &Main, deliveries: &Arc<Deliveries>) -> Vec<Job> {
    let sender =
        Arc::new(Sender { main: main.clone(), deliveries: deliveries.clone(), caps: Mutex::default() });
    let send = move |stopping| Round::new(sender.clone()).run(stopping);
    vec![Job::woken("deliveries", deliveries.added().clone(), send)]
}

struct Sender {
    main: Main,
    deliveries: Arc<Deliveries>,
    caps: Mutex<Caps>,
}

/// One run: starts what is due, and ends when nothing is in flight any more.
struct Round {
    sender: Arc<Sender>,
    attempts: JoinSet<()>,
    under_way: HashMap<Id, (DeliveryId, Channel, String)>,
}

impl Round {
    fn new(sender: Arc<Sender>) -> Self {
        Self { sender, attempts: JoinSet::new(), under_way: HashMap::new() }
    }

    /// Returns how long until there is more to do.
    async fn run(mut self, stopping: Stopping) -> Result<Duration> {
        let sender = self.sender.clone();
        while !stopping.is_on() {
            let wait = match self.begin().await {
                Ok(wait) if self.attempts.is_empty() => return Ok(wait),
                Err(error) if self.attempts.is_empty() => return Err(error),
                Ok(wait) => wait,
                Err(error) => {
                    tracing::warn!(?error, "deliveries cannot be read");
                    AFTER_FAULT
                }
            };
            tokio::select! {
                () = stopping.wait() => {}
                Some(done) = self.attempts.join_next_with_id() => self.end(done),
                () = sender.deliveries.added().notified() => {}
                () = tokio::time::sleep(wait) => {}
            }
        }
        let rest = async { while self.attempts.join_next().await.is_some() {} };
        drop(tokio::time::timeout(STOP, rest).await);
        Ok(LOOK)
    }

    /// Starts what is due, as far as there is room; returns how long until there is more to do.
    async fn begin(&mut self) -> Result<Duration> {
        loop {
            let (now, busy) = (Timestamp::now(), self.busy());
            let read = move |c: &_| Ok((sql::next(c, now, &busy)?, sql::next_due(c, now)?));
            let (next, due) = self.sender.main.read(read).await?;
            let Some(waiting) = next else {
                let until = due.map(|at| u64::try_from(at.millis() - now.millis()).unwrap_or(0));
                return Ok(until.map_or(LOOK, |millis| Duration::from_millis(millis).min(LOOK)));
            };
            self.begin_one(waiting, now).await?;
        }
    }

    fn busy(&self) -> Busy {
        let (mut channels, mut targets) = (HashMap::new(), HashMap::new());
        for (_, channel, target) in self.under_way.values() {
            *channels.entry(*channel).or_insert(0) += 1;
            *targets.entry((*channel, target)).or_insert(0) += 1;
        }
        let full =
            targets.into_iter().filter(|((channel, _), count)| *count >= channel.limits().at_once_each);
        let has_room =
            |channel: &Channel| channels.get(channel).is_none_or(|c| *c < channel.limits().at_once);
        Busy {
            ids: self.under_way.values().map(|(id, ..)| *id).collect(),
            targets: full.map(|((channel, target), _)| (channel, target.clone())).collect(),
            open: self.sender.deliveries.channels().filter(has_room).collect(),
        }
    }

    async fn begin_one(&mut self, waiting: Waiting, now: Timestamp) -> Result<()> {
        let (id, channel, target) = (waiting.id, waiting.channel, waiting.target.clone());
        let capped = {
            let mut caps = self.sender.caps.lock().unwrap_or_else(PoisonError::into_inner);
            caps.take(channel, &target, &waiting.kind, Instant::now())
        };
        if let Err(wait) = capped {
            tracing::info!(delivery = id.0, "postponed: its target has reached the limit for an hour");
            let until = now.plus(i64::try_from(wait.as_millis()).unwrap_or(i64::MAX));
            return self.sender.main.write(move |tx| sql::put_off(tx, id, until)).await;
        }
        let sender = self.sender.clone();
        let task = self.attempts.spawn(sender.deliver(waiting));
        self.under_way.insert(task.id(), (id, channel, target));
        Ok(())
    }

    fn end(&mut self, done: Result<(Id, ()), JoinError>) {
        let task = done.map_or_else(|error| error.id(), |(task, ())| task);
        self.under_way.remove(&task);
    }
}

impl Sender {
    /// Makes one attempt and stores the outcome.
    async fn deliver(self: Arc<Self>, waiting: Waiting) {
        let (id, channel, attempt) = (waiting.id, waiting.channel.as_str(), waiting.attempts + 1);
        let (counted, target, kind) = (waiting.channel, waiting.target.clone(), waiting.kind.clone());
        // A task of its own, so that a panic is a failed attempt.
        let mut attempts = JoinSet::new();
        let sender = self.clone();
        attempts.spawn(async move { sender.attempt(waiting).await });
        let panicked = || Err(Failure::passing("an internal error"));
        let outcome = attempts.join_next().await.and_then(Result::ok).unwrap_or_else(panicked);
        match &outcome {
            Ok(()) => tracing::debug!(delivery = id.0, channel, "sent"),
            Err(failure) => {
                tracing::warn!(
                    delivery = id.0,
                    channel,
                    attempt,
                    cause = failure.text,
                    "a delivery was not sent"
                );
                self.caps.lock().unwrap_or_else(PoisonError::into_inner).give_back(counted, &target, &kind);
            }
        }
        self.store(id, outcome).await;
    }

    /// Returns once the outcome is stored. Until then the delivery is under way: it must not be sent again.
    async fn store(&self, id: DeliveryId, outcome: Result<(), Failure>) {
        loop {
            let outcome = outcome.clone();
            let write = self.main.write(move |tx| match &outcome {
                Ok(()) => service::sent(tx, id),
                Err(failure) => service::failed(tx, id, failure, Timestamp::now()),
            });
            let Err(error) = write.await else { return };
            tracing::warn!(delivery = id.0, ?error, "the outcome of a delivery cannot be stored yet");
            tokio::time::sleep(WRITE_AGAIN).await;
        }
    }

    async fn attempt(&self, waiting: Waiting) -> Result<(), Failure> {
        let channel = waiting.channel.as_str();
        let unreadable = |error: Error| {
            if let Error::Internal(cause) = &error {
                tracing::warn!(%cause, "a delivery cannot be read");
            }
            Failure::permanent(format!("the {channel} can no longer be read: send it again"))
        };
        let Some(way) = self.deliveries.way(waiting.channel) else {
            return Err(Failure::passing("the channel is no longer configured"));
        };
        way.send(&self.deliveries.open(waiting).map_err(unreadable)?).await
    }
}
