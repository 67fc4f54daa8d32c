//! The job that makes backups on a schedule.
//!
//! A backup that was missed while the server was down is made once after the start. A failed backup is retried after
//! a pause ([`super::runs`]), and no older one is removed until one has succeeded. A backup that is interrupted by a
//! stop leaves nothing behind and is made after the next start.

use super::place::BackupPlace;
use super::runs::{self, BackupOutcome, BackupRun};
use super::schedule::last_success;
use super::secrets::{Treatment, kept as kept_secrets};
use super::service::Backups;
use super::{Contents, complete, retention, sql};
use crate::config::{BackupSecrets, ScheduledBackups};
use crate::control::{Snapshots, Turn};
use crate::error::{Error, Result};
use crate::ids::BackupRunId;
use crate::jobs::{Job, Stopping};
use crate::metrics::BackupMetrics;
use crate::store::Stop;
use crate::time::Timestamp;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, OwnedSemaphorePermit, oneshot};

/// The priority (`nice`) of the thread that makes a backup.
const NICE: i32 = 10;

/// The job, if there is a schedule.
pub fn jobs(
    backups: &Backups,
    snapshots: Arc<dyn Snapshots>,
    turn: &Turn,
    metrics: &BackupMetrics,
) -> Vec<Job> {
    let Some(scheduled) = backups.config.scheduled.clone() else { return Vec::new() };
    let maker = Arc::new(Maker {
        backups: backups.clone(),
        target: scheduled.target.to_string(),
        scheduled,
        snapshots,
        turn: turn.clone(),
        metrics: metrics.clone(),
        looked_at: Mutex::new(Timestamp::now()),
    });
    let look = move |stopping| {
        let maker = maker.clone();
        async move { maker.look(&stopping).await }
    };
    vec![Job::woken("backup", Arc::new(Notify::new()), look)]
}

struct Maker {
    backups: Backups,
    scheduled: ScheduledBackups,
    target: String,
    snapshots: Arc<dyn Snapshots>,
    turn: Turn,
    metrics: BackupMetrics,
    looked_at: Mutex<Timestamp>,
}

/// A completed backup.
struct CompletedBackup {
    bytes: u64,
    /// Why older ones could not be removed.
    trouble: Option<String>,
}

impl Maker {
    /// Makes a backup if one is due; returns how long until the next.
    async fn look(self: &Arc<Self>, stopping: &Stopping) -> Result<Duration> {
        let runs = self.runs().await?;
        let now = Timestamp::now();
        let before = {
            let mut looked_at = self.looked_at.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *looked_at, now)
        };
        let due = runs::due(&self.scheduled.schedule, &self.target, &runs, before, now);
        let Some(due) = due else { return Ok(Duration::MAX) };
        if due > now {
            return Ok(Duration::from_millis(u64::try_from(due.millis() - now.millis()).unwrap_or(0)));
        }
        tokio::select! {
            turn = self.turn.take() => self.make(now, turn?, stopping).await.map(|()| Duration::ZERO),
            () = stopping.wait() => Ok(Duration::MAX),
        }
    }

    /// The runs so far; the ones that another process left running are over.
    async fn runs(&self) -> Result<Vec<BackupRun>> {
        let mut runs = self.backups.runs().await?;
        if runs.iter().any(|run| run.outcome == BackupOutcome::Running) {
            let left = self.backups.main.write(|tx| sql::end_left(tx, Timestamp::now())).await?;
            let place = self.backups.place(&self.scheduled)?;
            let target = self.target.clone();
            let give_up = move || {
                let ours = left.iter().filter(|one| one.target == target);
                ours.for_each(|one| place.give_up(&one.name, &one.upload_id));
            };
            tokio::task::spawn_blocking(give_up).await.map_err(Error::internal)?;
            runs = self.backups.runs().await?;
        }
        if let Some(run) = last_success(&runs) {
            self.metrics.succeeded(run.started_at, run.size_bytes.unwrap_or_default());
        }
        Ok(runs)
    }

    async fn make(
        self: &Arc<Self>,
        now: Timestamp,
        turn: OwnedSemaphorePermit,
        stopping: &Stopping,
    ) -> Result<()> {
        let name = retention::name(&self.backups.main.instance, now);
        let (target, named) = (self.target.clone(), name.clone());
        let id = self.backups.main.write(move |tx| sql::begin(tx, &target, &named, now)).await?;
        tracing::info!(to = self.target, name, "making a scheduled backup");
        let stop = EndedEarly(Stop::default());
        let done = self.clone().in_a_thread(id, name.clone(), stop.0.clone(), turn)?;
        tokio::pin!(done);
        let done = tokio::select! {
            done = &mut done => done,
            () = stopping.wait() => {
                stop.0.ask();
                done.await
            }
        };
        let done = done.unwrap_or_else(|_| Err(Error::internal("the thread of the backup ended")));
        self.end(id, &name, now, done, stop.0.is_asked()).await
    }

    /// Stores and logs the outcome of a backup.
    async fn end(
        &self,
        id: BackupRunId,
        name: &str,
        started_at: Timestamp,
        done: Result<CompletedBackup>,
        is_stopped: bool,
    ) -> Result<()> {
        let (outcome, bytes, error) = match &done {
            Ok(done) => (BackupOutcome::Succeeded, Some(done.bytes), done.trouble.clone()),
            Err(_) if is_stopped => (BackupOutcome::Stopped, None, None),
            Err(error) => (BackupOutcome::Failed, None, Some(error.for_operator())),
        };
        let write = self
            .backups
            .main
            .write(move |tx| sql::end(tx, id, outcome, bytes, error.as_deref(), Timestamp::now()));
        if let Err(error) = write.await {
            tracing::warn!(?error, name, "what became of a backup could not be stored");
        }
        match done {
            Ok(done) => {
                self.metrics.succeeded(started_at, done.bytes);
                tracing::info!(to = self.target, name, bytes = done.bytes, "a scheduled backup is complete");
                Ok(())
            }
            Err(_) if is_stopped => {
                tracing::info!(name, "the backup is made after the next start");
                Ok(())
            }
            Err(error) => {
                Err(Error::internal(format!("the backup {name} was not made: {}", error.for_operator())))
            }
        }
    }

    /// Runs the copying and packing, which block for a while, in a thread.
    fn in_a_thread(
        self: Arc<Self>,
        id: BackupRunId,
        name: String,
        stop: Stop,
        turn: OwnedSemaphorePermit,
    ) -> Result<oneshot::Receiver<Result<CompletedBackup>>> {
        let place = self.backups.place(&self.scheduled)?;
        let (tell, done) = oneshot::channel();
        let work = move || {
            // For this thread only; requests come first. Where the system refuses, it runs at the normal priority.
            let _ = rustix::process::setpriority_process(None, NICE);
            // The receiver may be gone.
            drop(tell.send(self.work(&place, id, &name, &stop)));
            drop(turn);
        };
        std::thread::Builder::new().name("backup".into()).spawn(work).map_err(Error::internal)?;
        Ok(done)
    }

    fn work(&self, place: &BackupPlace, id: BackupRunId, name: &str, stop: &Stop) -> Result<CompletedBackup> {
        let Backups { main, data_dir, floor, .. } = &self.backups;
        let store = main.clone();
        let begun = move |upload: &str| {
            let upload = upload.to_owned();
            store.write_blocking(move |tx| sql::uploading(tx, id, &upload))
        };
        let destination = place.destination(name, data_dir, *floor, begun)?;
        let into = match destination.workplace() {
            Some(work) => work.join("snapshot"),
            None => self.snapshots.place(),
        };
        let made = made_anew(&into).map_err(|error| super::fault(&into, &error)).and_then(|()| {
            self.snapshots.check_room(&into)?;
            let contents = Contents {
                last_position: self.snapshots.copy_to(&into, stop)?,
                kept: kept_secrets(data_dir)?,
                treatment: self.treatment(),
                created_at: Timestamp::now(),
                stop: stop.clone(),
            };
            complete(&destination, &into, &contents, &|_, _, _| {})
        });
        // The next snapshot, or the next start, removes the rest.
        drop(fs::remove_dir_all(&into));
        Ok(CompletedBackup { bytes: made?.bytes, trouble: self.remove_old(place, name) })
    }

    fn treatment(&self) -> Treatment {
        match (self.scheduled.secrets, &self.backups.config.passphrase) {
            (BackupSecrets::Included, _) => Treatment::Include,
            (BackupSecrets::Sealed, Some(passphrase)) => Treatment::Seal(passphrase.clone()),
            // Without a passphrase, the configuration would have been refused.
            (BackupSecrets::LeftOut | BackupSecrets::Sealed, _) => Treatment::LeaveOut,
        }
    }

    /// Removes backups beyond the number to keep; returns what went wrong.
    fn remove_old(&self, place: &BackupPlace, made: &str) -> Option<String> {
        let remove = || {
            let found = place.list(&self.backups.main.instance)?;
            for name in retention::outdated(found, self.scheduled.keep, made) {
                place.remove(&name)?;
                tracing::info!(to = self.target, name, "removed an old backup");
            }
            Ok(())
        };
        let error: Error = remove().err()?;
        tracing::warn!(?error, "old backups could not be removed");
        Some(format!("Older backups could not be removed: {}", error.for_operator()))
    }
}

/// Stops the work when dropped, because nobody needs the backup any more.
struct EndedEarly(Stop);

impl Drop for EndedEarly {
    fn drop(&mut self) {
        self.0.ask();
    }
}

fn made_anew(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    DirBuilder::new().mode(0o700).create(folder)
}
