//! Measures the data directory periodically, and on request.

mod measure;

pub use measure::{Maps, Sources, count_facets, history};

use crate::error::{Error, Result};
use crate::ids::ProjectId;
use crate::intake::store::Store;
use crate::logs::store::LogStore;
use crate::releases;
use crate::store::{Disk, Main};
use crate::time::Timestamp;
use crate::usage::{InstanceUsage, ProjectUsage, sql};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, watch};

/// A request causes a new measurement if the last one is this old,
const FRESH: Duration = Duration::from_secs(1);
/// and this many times as old as its duration.
const PAUSE: u32 = 20;
/// How long a request waits for a newer one.
const WAIT: Duration = Duration::from_secs(2);
/// How long the first request waits.
const FIRST_WAIT: Duration = Duration::from_secs(20);
/// How often the figures of the day are written.
const RECORDED: Duration = Duration::from_mins(30);

/// What is measured, and the last measurement.
pub struct Meter {
    pub data_dir: PathBuf,
    pub main: Main,
    pub logs: LogStore,
    pub intake: Store,
    pub disk: Arc<Disk>,
    pub maps: Arc<releases::service::Maps>,
    /// Wakes the job.
    pub wake: Arc<Notify>,
    latest: watch::Sender<Option<Latest>>,
    remembered: Mutex<Remembered>,
}

#[derive(Clone)]
struct Latest {
    usage: Arc<InstanceUsage>,
    at: Instant,
    took: Duration,
}

/// Results that the next measurement can reuse.
#[derive(Default)]
struct Remembered {
    /// The disk space of source maps, and the generation of maps for which it is valid.
    maps: Option<(u64, Arc<Maps>)>,
    /// When the figures of which day were written.
    recorded: Option<(Instant, i64)>,
}

impl Meter {
    pub fn new(
        data_dir: PathBuf,
        (main, logs, intake): (Main, LogStore, Store),
        disk: Arc<Disk>,
        maps: Arc<releases::service::Maps>,
    ) -> Self {
        let (wake, latest, remembered) = (Arc::default(), watch::Sender::new(None), Mutex::default());
        Self { data_dir, main, logs, intake, disk, maps, wake, latest, remembered }
    }

    /// The newest measurement. If it is not fresh, starts another, and waits for it briefly.
    ///
    /// # Errors
    /// Overload if there is none yet.
    pub async fn latest(&self) -> Result<Arc<InstanceUsage>> {
        let mut latest = self.latest.subscribe();
        let last = latest.borrow_and_update().clone();
        let wait = match &last {
            Some(last) if last.at.elapsed() < FRESH.max(last.took * PAUSE) => return Ok(last.usage.clone()),
            Some(_) => WAIT,
            None => FIRST_WAIT,
        };
        self.wake.notify_one();
        // Otherwise the previous one is returned.
        drop(tokio::time::timeout(wait, latest.changed()).await);
        let newest = latest.borrow().as_ref().map(|latest| latest.usage.clone());
        newest.ok_or_else(|| Error::overloaded("The usage of the disk is being measured. Try again."))
    }

    /// A project's usage. If the project is newer than the newest measurement, measures again.
    ///
    /// # Errors
    /// Overload if it is not measured in time.
    pub async fn project(&self, id: ProjectId) -> Result<(Timestamp, ProjectUsage)> {
        let mut latest = self.latest.subscribe();
        let mut usage = self.latest().await?;
        // A measurement in progress may have begun before the project existed.
        for _ in 0..3 {
            if let Some(found) = usage.projects.iter().find(|project| project.project_id == id) {
                return Ok((usage.measured_at, found.clone()));
            }
            latest.mark_unchanged();
            self.wake.notify_one();
            drop(tokio::time::timeout(WAIT, latest.changed()).await);
            usage = self.latest().await?;
        }
        Err(Error::overloaded("This project is being measured. Try again."))
    }

    /// Measures, and writes the figures of the day now and then.
    ///
    /// # Errors
    /// Storage trouble.
    pub async fn run(self: &Arc<Self>) -> Result<()> {
        let (meter, start) = (self.clone(), Instant::now());
        let measured = tokio::task::spawn_blocking(move || meter.measure()).await;
        let usage = Arc::new(measured.map_err(Error::internal)??);
        let latest = Latest { usage: usage.clone(), at: Instant::now(), took: start.elapsed() };
        self.latest.send_replace(Some(latest));
        self.record(usage).await
    }

    fn measure(&self) -> Result<InstanceUsage> {
        let (main, logs) = (self.main.readers.dedicated()?, self.logs.db.readers.dedicated()?);
        let generation = self.maps.generation();
        let known = self.remembered().maps.clone().filter(|(of, _)| *of == generation);
        let maps = match known {
            Some((_, maps)) => maps,
            None => Arc::new(self.main.readers.judge(releases::sql::disk::held(&main))?),
        };
        self.remembered().maps = Some((generation, maps.clone()));
        let waiting = self.intake.newest() - crate::digest::sql::position(&main)?;
        let sources = Sources {
            data_dir: &self.data_dir,
            main: &main,
            logs: &logs,
            maps: &maps,
            room: (self.disk.free(), self.disk.floor()),
            waiting: Some(waiting.max(0)),
        };
        self.main.readers.judge(sources.measure(Timestamp::now()))
    }

    async fn record(&self, usage: Arc<InstanceUsage>) -> Result<()> {
        let day = usage.measured_at.day();
        let is_recorded =
            self.remembered().recorded.is_some_and(|(at, of)| of == day && at.elapsed() < RECORDED);
        if is_recorded {
            return Ok(());
        }
        self.main.write(move |tx| sql::record(tx, day, &measure::figures(&usage))).await?;
        self.remembered().recorded = Some((Instant::now(), day));
        Ok(())
    }

    fn remembered(&self) -> std::sync::MutexGuard<'_, Remembered> {
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
