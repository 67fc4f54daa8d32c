//! Reports on the runs of all jobs since the start, for the instance's page.

use crate::time::Timestamp;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A finished run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastRun {
    pub began_at: Timestamp,
    pub took: Duration,
    pub succeeded: bool,
}

/// The runs of one job since the start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Report {
    pub running: bool,
    /// Runs that ended.
    pub runs: u64,
    /// Failed runs.
    pub failures: u64,
    pub last_run: Option<LastRun>,
}

/// The reports of all jobs. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Reports(Arc<Mutex<BTreeMap<&'static str, Report>>>);

impl Reports {
    /// All jobs, by name.
    pub fn all(&self) -> Vec<(&'static str, Report)> {
        self.lock().iter().map(|(name, report)| (*name, *report)).collect()
    }

    pub(super) fn register(&self, job: &'static str) {
        self.lock().entry(job).or_default();
    }

    pub(super) fn began(&self, job: &'static str) {
        self.lock().entry(job).or_default().running = true;
    }

    pub(super) fn ended(&self, job: &'static str, run: LastRun) {
        let mut reports = self.lock();
        let report = reports.entry(job).or_default();
        report.running = false;
        report.runs += 1;
        report.failures += u64::from(!run.succeeded);
        report.last_run = Some(run);
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<&'static str, Report>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
