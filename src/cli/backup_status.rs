//! `mayday backup --status`: reports on scheduled backups from what the server has stored. It only reads, so it works
//! whether or not the server runs.

use super::{ended, say};
use crate::backup::runs::{BackupOutcome, BackupRun};
use crate::backup::schedule::{BackupSchedule, last_success};
use crate::backup::sql;
use crate::config::Config;
use crate::error::{Error, Result};
use crate::store::{Readers, has_instance};
use crate::text::bytes;
use crate::time::Timestamp;
use serde::Serialize;
use std::process::ExitCode;

/// The first word of the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Level {
    Ok,
    Warning,
    Error,
}

#[derive(Serialize)]
struct Status {
    level: Level,
    text: String,
    /// Null without `SERVICE_BACKUP_SCHEDULE`.
    schedule: Option<BackupSchedule>,
    last_success: Option<BackupRun>,
    last_failure: Option<BackupRun>,
}

pub(super) fn run(config: &Config, json: bool) -> ExitCode {
    let status = match read(config) {
        Ok(status) => status,
        Err(error) => return ended(Err(error)),
    };
    if json {
        match serde_json::to_string(&status) {
            Ok(text) => say(&text),
            Err(error) => return ended(Err(Error::internal(error))),
        }
    } else {
        let level = match status.level {
            Level::Ok => "ok",
            Level::Warning => "warning",
            Level::Error => "error",
        };
        say(&format_args!("{level}: {}", status.text));
    }
    if status.level == Level::Error { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn read(config: &Config) -> Result<Status> {
    let dir = &config.data_dir;
    if !has_instance(dir) {
        return Err(Error::internal(format!(
            "{} has no main.db: start the server once, or name its directory with --data-dir",
            dir.display()
        )));
    }
    let main = Readers::open(&dir.join("main.db"))?.dedicated()?;
    let runs = sql::list(&main).map_err(|error| {
        Error::internal(format!(
            "main.db was written by another version: start this version once, or run `mayday migrate` ({})",
            error.for_operator()
        ))
    })?;
    let now = Timestamp::now();
    let schedule = config.backup.scheduled.as_ref().map(|of| BackupSchedule::new(of, &runs, now));
    Ok(Status::new(schedule, runs))
}

impl Status {
    fn new(schedule: Option<BackupSchedule>, mut runs: Vec<BackupRun>) -> Self {
        if let Some(schedule) = &schedule {
            runs.retain(|run| run.target == schedule.target);
        }
        let (level, text) = schedule.as_ref().map_or_else(
            || {
                (
                    Level::Ok,
                    "the server makes no backups by itself: SERVICE_BACKUP_SCHEDULE is not set".to_owned(),
                )
            },
            |schedule| judged(schedule, &runs),
        );
        let last_success = last_success(&runs).cloned();
        let last_failure = runs.into_iter().find(|run| run.outcome == BackupOutcome::Failed);
        Self { level, text, schedule, last_success, last_failure }
    }
}

/// Judges the `runs` to the target, newest first.
fn judged(schedule: &BackupSchedule, runs: &[BackupRun]) -> (Level, String) {
    let success = last_success(runs);
    let succeeded = success.map_or_else(
        || "none has succeeded yet".to_owned(),
        |run| format!("the last success began at {} ({})", run.started_at, size(run)),
    );
    let next = schedule.next_run_at.map_or_else(String::new, |at| format!(", and the next is due at {at}"));
    let ended = runs.iter().find(|run| run.outcome != BackupOutcome::Running);
    let failed = ended.filter(|run| run.outcome == BackupOutcome::Failed);
    let failed = failed.map(|run| {
        let cause = run.error.as_deref().unwrap_or("the cause is in the server's log");
        format!(
            "the last one to {} failed at {}: {cause}",
            schedule.target,
            run.ended_at.unwrap_or(run.started_at)
        )
    });
    let is_running = runs.first().is_some_and(|run| run.outcome == BackupOutcome::Running);
    match (schedule.overdue_since, failed, success) {
        (Some(since), Some(failed), _) => {
            (Level::Error, format!("overdue since {since}: {failed}; {succeeded}"))
        }
        (Some(since), None, _) => {
            (Level::Error, format!("overdue since {since}, and not tried: does the server run? {succeeded}"))
        }
        (None, Some(failed), _) => (Level::Warning, format!("{failed}; {succeeded}{next}")),
        (None, None, Some(run)) if run.error.is_some() => {
            let trouble = run.error.as_deref().unwrap_or_default();
            (Level::Warning, format!("{succeeded}{next}. {trouble}"))
        }
        (None, None, Some(_)) => (Level::Ok, format!("{succeeded}, to {}{next}", schedule.target)),
        (None, None, None) if is_running => {
            (Level::Ok, format!("the first one to {} is being made", schedule.target))
        }
        (None, None, None) => (
            Level::Warning,
            format!("none was made to {} yet: the server makes the first when it starts", schedule.target),
        ),
    }
}

fn size(run: &BackupRun) -> String {
    run.size_bytes.map_or_else(|| "of unknown size".to_owned(), bytes)
}

#[cfg(test)]
mod tests;
