//! The state of scheduled backups.

use super::runs::{self, BackupOutcome, BackupRun};
use crate::config::{BackupSecrets, ScheduledBackups};
use crate::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

/// When, where to and how backups are made.
#[derive(Debug, Serialize, ToSchema)]
pub struct BackupSchedule {
    pub cron: String,
    pub time_zone: String,
    /// A directory, or `s3://bucket/prefix`.
    pub target: String,
    /// How many are kept.
    pub keep: usize,
    pub secrets: BackupSecrets,
    /// In the past while it is being made.
    pub next_run_at: Option<Timestamp>,
    /// When there should have been a backup and was none, if that is more than an hour ago.
    pub overdue_since: Option<Timestamp>,
}

impl BackupSchedule {
    /// From the `runs` so far, newest first.
    pub fn new(scheduled: &ScheduledBackups, runs: &[BackupRun], now: Timestamp) -> Self {
        let target = scheduled.target.to_string();
        Self {
            cron: scheduled.schedule.to_string(),
            time_zone: scheduled.schedule.zone().to_string(),
            keep: scheduled.keep,
            secrets: scheduled.secrets,
            next_run_at: runs::due(&scheduled.schedule, &target, runs, now, now),
            overdue_since: runs::overdue_since(&scheduled.schedule, &target, runs, now),
            target,
        }
    }
}

/// The newest run that succeeded.
pub fn last_success(runs: &[BackupRun]) -> Option<&BackupRun> {
    runs.iter().find(|run| run.outcome == BackupOutcome::Succeeded)
}
