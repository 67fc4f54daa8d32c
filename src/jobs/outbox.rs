//! Sends the mails in the outbox; woken when one is added or a retry is due.

use crate::error::{Error, Result};
use crate::mail::sql::{self, Waiting};
use crate::mail::{Caps, Failure, Mailer, Outbox};
use crate::store::Main;
use crate::time::Timestamp;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::task::{Id, JoinError, JoinHandle, JoinSet};

/// Mails in flight at once.
const AT_ONCE: usize = 4;
/// How often the outbox is checked without a wake-up, because the clock may have been set.
const LOOK: Duration = Duration::from_mins(5);
/// How long to wait after a database error.
const AFTER_FAULT: Duration = Duration::from_secs(10);
/// How long mails in flight may take once the server stops. One that is aborted is sent again after the
/// restart, with the same idempotency key.
const STOP: Duration = Duration::from_secs(2);

/// The running job.
pub struct Sending {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Sending {
    /// Starts no further mail and waits for those in flight, 2 s at most. Must be called before the writer of
    /// `main.db` stops, so that sent mails are recorded.
    pub async fn stop(self) {
        self.stop.send_replace(true);
        let _ = self.task.await;
    }
}

/// Starts sending. Without a way to send, mails stay in the outbox.
pub fn start(main: Main, outbox: Arc<Outbox>) -> Sending {
    let (stop, stopping) = watch::channel(false);
    let task = tokio::spawn(async move {
        if outbox.is_on() {
            let worker =
                Worker { main, outbox, caps: Caps::default(), letters: JoinSet::new(), ids: HashMap::new() };
            worker.run(stopping).await;
        }
    });
    Sending { stop, task }
}

struct Worker {
    main: Main,
    outbox: Arc<Outbox>,
    caps: Caps,
    letters: JoinSet<()>,
    /// The rows in flight.
    ids: HashMap<Id, i64>,
}

impl Worker {
    async fn run(mut self, mut stopping: watch::Receiver<bool>) {
        loop {
            let wait = self.begin().await.unwrap_or_else(|error| {
                tracing::warn!(?error, "the outbox cannot be read");
                AFTER_FAULT
            });
            tokio::select! {
                () = async { drop(stopping.wait_for(|stop| *stop).await) } => break,
                Some(done) = self.letters.join_next_with_id() => self.end(done).await,
                () = self.outbox.added.notified() => {}
                () = tokio::time::sleep(wait) => {}
            }
        }
        let rest = async { while self.letters.join_next().await.is_some() {} };
        let _ = tokio::time::timeout(STOP, rest).await;
    }

    async fn end(&mut self, done: std::result::Result<(Id, ()), JoinError>) {
        let (task, panicked) = done.map_or_else(|error| (error.id(), true), |(task, ())| (task, false));
        let Some(id) = self.ids.remove(&task).filter(|_| panicked) else { return };
        let failure = Failure { permanent: false, text: "an internal error".to_owned() };
        if let Err(error) = self.main.write(move |tx| sql::failed(tx, id, &failure, Timestamp::now())).await {
            tracing::warn!(mail = id, ?error, "a failed mail cannot be rescheduled");
        }
    }

    /// Starts what is due, as far as there is room; returns how long until there is more to do.
    async fn begin(&mut self) -> Result<Duration> {
        let now = Timestamp::now();
        let wanted = AT_ONCE + self.ids.len();
        let (due, next) =
            self.main.read(move |c| Ok((sql::due(c, now, wanted)?, sql::next_due(c, now)?))).await?;
        for waiting in due {
            if self.letters.len() >= AT_ONCE {
                // When one of them ends, this is called again.
                return Ok(LOOK);
            }
            if !self.ids.values().any(|id| *id == waiting.id) {
                self.begin_one(waiting, now).await?;
            }
        }
        let until = next.map(|at| u64::try_from(at.millis() - now.millis()).unwrap_or(0));
        Ok(until.map_or(LOOK, |millis| Duration::from_millis(millis).min(LOOK)))
    }

    async fn begin_one(&mut self, waiting: Waiting, now: Timestamp) -> Result<()> {
        let id = waiting.id;
        if let Err(wait) = self.caps.take(&waiting.recipient, &waiting.kind, Instant::now()) {
            tracing::info!(mail = id, "postponed: the recipient has reached the limit for an hour");
            let until = now.plus(i64::try_from(wait.as_millis()).unwrap_or(i64::MAX));
            self.main.write(move |tx| sql::put_off(tx, id, until)).await?;
            // Others may be sent now.
            self.outbox.wake();
            return Ok(());
        }
        let (main, outbox) = (self.main.clone(), self.outbox.clone());
        let task = self.letters.spawn(async move {
            if let Err(error) = deliver(&main, &outbox, waiting).await {
                tracing::warn!(mail = id, ?error, "the outcome of a mail cannot be stored");
                tokio::time::sleep(AFTER_FAULT).await;
            }
        });
        self.ids.insert(task.id(), id);
        Ok(())
    }
}

/// Sends one mail and stores the outcome.
async fn deliver(main: &Main, outbox: &Outbox, waiting: Waiting) -> Result<()> {
    let Some(mailer) = &outbox.mailer else { return Ok(()) };
    let (id, attempts) = (waiting.id, waiting.attempts);
    let Err(failure) = attempt(mailer, outbox, waiting).await else {
        tracing::debug!(mail = id, "sent");
        return main.write(move |tx| sql::sent(tx, id)).await;
    };
    tracing::warn!(mail = id, attempt = attempts + 1, cause = failure.text, "a mail was not sent");
    main.write(move |tx| sql::failed(tx, id, &failure, Timestamp::now())).await
}

async fn attempt(mailer: &Mailer, outbox: &Outbox, waiting: Waiting) -> Result<(), Failure> {
    let unreadable = |error: Error| {
        if let Error::Internal(cause) = &error {
            tracing::warn!(%cause, "a mail cannot be read");
        }
        Failure { permanent: true, text: "the mail can no longer be read: send it again".to_owned() }
    };
    mailer.send(&waiting.open(&outbox.seal).map_err(unreadable)?).await
}
