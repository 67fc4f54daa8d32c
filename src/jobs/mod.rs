//! The registry of jobs: periodic work besides requests and the digest.
//!
//! A job is a name, a [`Schedule`] and a body. A concept declares its jobs in its `jobs.rs`, and one list registers
//! them all. Each job runs in its own task, so that a slow one does not delay others, and holds a lease, so that it
//! never runs twice at once. (One process owns the data directory, so the lease is in memory.) A run that fails or
//! panics is logged, counted and retried according to the schedule. `/metrics` shows when each job last ran, how long
//! that took, and how often it failed. Stopping starts no further run and waits for those in progress.

mod reports;
mod schedule;

pub use reports::{LastRun, Report, Reports};

use crate::error::{Error, Result};
use crate::metrics::JobMetrics;
use crate::time::Timestamp;
use schedule::Schedule;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{Mutex, Notify, watch};
use tokio::task::JoinSet;

/// How long runs may take to finish once the server stops. They write only in transactions, so an aborted run is
/// repeated after the restart.
const DRAIN: Duration = Duration::from_secs(3);

type Run = Pin<Box<dyn Future<Output = Result<Duration>> + Send>>;

/// A piece of periodic work.
pub struct Job {
    name: &'static str,
    schedule: Schedule,
    at_start: bool,
    cut_short: bool,
    body: Box<dyn Fn(Stopping) -> Run + Send + Sync>,
}

impl Job {
    /// A job that runs every `period`, first after one period. `name` is its label in `/metrics`.
    pub fn every<F, R>(name: &'static str, period: Duration, body: F) -> Self
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Future<Output = Result<()>> + Send + 'static,
    {
        Self {
            name,
            schedule: Schedule::Every(period),
            at_start: false,
            cut_short: false,
            body: periodic(body),
        }
    }

    /// A job that runs at the start and then in each hour of the wall clock.
    pub fn hourly<F, R>(name: &'static str, body: F) -> Self
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Future<Output = Result<()>> + Send + 'static,
    {
        Self { name, schedule: Schedule::Hourly, at_start: true, cut_short: false, body: periodic(body) }
    }

    /// A job that runs at the start and whenever it is woken. A run returns how long to wait for the next one without
    /// a wake-up, and should end soon after [`Stopping`] says so.
    pub fn woken<F, R>(name: &'static str, wake: Arc<Notify>, body: F) -> Self
    where
        F: Fn(Stopping) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Duration>> + Send + 'static,
    {
        let body = move |stopping| Box::pin(body(stopping)) as Run;
        Self { name, schedule: Schedule::Woken(wake), at_start: true, cut_short: false, body: Box::new(body) }
    }

    /// Also runs it at the start.
    #[must_use]
    pub fn at_start(mut self) -> Self {
        self.at_start = true;
        self
    }

    /// Aborts a run when the server stops: for jobs that wait for other servers, and whose runs can be repeated.
    #[must_use]
    pub fn cut_short(mut self) -> Self {
        self.cut_short = true;
        self
    }
}

fn periodic<F, R>(body: F) -> Box<dyn Fn(Stopping) -> Run + Send + Sync>
where
    F: Fn() -> R + Send + Sync + 'static,
    R: Future<Output = Result<()>> + Send + 'static,
{
    Box::new(move |_| {
        let run = body();
        Box::pin(async move { run.await.map(|()| Duration::MAX) })
    })
}

/// Tells a run that the server is stopping.
#[derive(Clone)]
pub struct Stopping(watch::Receiver<bool>);

impl Stopping {
    /// For runs in tests.
    #[cfg(test)]
    pub fn never() -> Self {
        Self(watch::channel(false).1)
    }

    pub fn is_on(&self) -> bool {
        *self.0.borrow()
    }

    /// Returns once the server is stopping.
    pub async fn wait(&self) {
        let mut stop = self.0.clone();
        drop(stop.wait_for(|stop| *stop).await);
    }
}

/// Every job of the server.
pub struct Registry {
    entries: Vec<Arc<Entry>>,
    stop: watch::Sender<bool>,
}

struct Entry {
    job: Job,
    /// Held during a run.
    lease: Mutex<()>,
    metrics: JobMetrics,
    reports: Reports,
    stopping: Stopping,
}

impl Registry {
    /// # Errors
    /// Internal, if two jobs have the same name: one's metrics would hide the other's.
    pub fn new(jobs: Vec<Job>, metrics: &JobMetrics) -> Result<Self> {
        Self::reporting(jobs, metrics, &Reports::default())
    }

    /// The same, and reports that others can read.
    ///
    /// # Errors
    /// As [`Registry::new`].
    pub fn reporting(jobs: Vec<Job>, metrics: &JobMetrics, reports: &Reports) -> Result<Self> {
        let (stop, stopping) = watch::channel(false);
        let mut entries: Vec<Arc<Entry>> = Vec::with_capacity(jobs.len());
        for job in jobs {
            if entries.iter().any(|entry| entry.job.name == job.name) {
                return Err(Error::internal(format!("two jobs are called {}", job.name)));
            }
            metrics.register(job.name);
            reports.register(job.name);
            let (metrics, reports, stopping) = (metrics.clone(), reports.clone(), Stopping(stopping.clone()));
            entries.push(Arc::new(Entry { job, lease: Mutex::default(), metrics, reports, stopping }));
        }
        Ok(Self { entries, stop })
    }

    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.entries.iter().map(|entry| entry.job.name)
    }

    /// Runs a job now, or after its current run.
    ///
    /// # Errors
    /// The run's error; not found if no job has that name.
    pub async fn run(&self, name: &str) -> Result<()> {
        let entry = self.entries.iter().find(|entry| entry.job.name == name);
        let entry = entry.ok_or_else(|| Error::not_found(format!("There is no job {name:?}")))?;
        entry.run().await.map(drop)
    }

    /// Starts the schedules.
    pub fn start(self) -> Running {
        let mut tasks = JoinSet::new();
        for entry in self.entries {
            tasks.spawn(entry.keep());
        }
        Running { stop: self.stop, tasks }
    }
}

/// The running schedules. Dropping it aborts the runs.
pub struct Running {
    stop: watch::Sender<bool>,
    tasks: JoinSet<()>,
}

/// Stops the jobs without waiting.
pub struct Stopper(watch::Sender<bool>);

impl Stopper {
    /// Starts no further run.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl Running {
    pub fn stopper(&self) -> Stopper {
        Stopper(self.stop.clone())
    }

    /// Starts no further run, and waits for those in progress for at most 3 s. Must be called before the databases'
    /// writers stop, so that the runs' results are stored.
    pub async fn stop(self) {
        self.stop_within(DRAIN).await;
    }

    async fn stop_within(mut self, drain: Duration) {
        self.stop.send_replace(true);
        let all = async { while self.tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(drain, all).await.is_err() {
            tracing::info!("jobs that were still running are cut off");
        }
    }
}

impl Entry {
    /// Runs the job on its schedule until the server stops.
    async fn keep(self: Arc<Self>) {
        let mut due = self.job.schedule.first(self.job.at_start);
        loop {
            tokio::select! {
                biased;
                () = self.stopping.wait() => return,
                () = due.wait() => {}
            }
            let begun = schedule::RunStart::now();
            let outcome = tokio::select! {
                biased;
                () = self.stopping.wait(), if self.job.cut_short => return,
                outcome = self.run() => outcome,
            };
            due = self.job.schedule.next(begun, outcome.ok());
        }
    }

    async fn run(self: &Arc<Self>) -> Result<Duration> {
        let _lease = self.lease.lock().await;
        let (at, start) = (Timestamp::now(), Instant::now());
        self.reports.began(self.job.name);
        // In a task, so that a panic ends only this run; in a set, so that the run ends with this function.
        let mut run = JoinSet::new();
        let (entry, stopping) = (self.clone(), self.stopping.clone());
        run.spawn(async move { (entry.job.body)(stopping).await });
        let outcome = match run.join_next().await {
            Some(Ok(outcome)) => outcome,
            Some(Err(error)) => Err(Error::internal(error)),
            None => Err(Error::internal("a run was not begun")),
        };
        let took = start.elapsed();
        match &outcome {
            Ok(_) => tracing::trace!(job = self.job.name, ms = took.as_millis() as u64, "a job ran"),
            Err(error) => tracing::warn!(job = self.job.name, ?error, "a job failed and is tried again"),
        }
        self.metrics.ran(self.job.name, at, took, outcome.is_ok());
        self.reports.ended(self.job.name, LastRun { began_at: at, took, succeeded: outcome.is_ok() });
        outcome
    }
}

#[cfg(test)]
mod tests;
