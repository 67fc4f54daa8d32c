//! The runs of scheduled backups: the outcome of each, and when the next one is due.

use crate::ids::BackupRunId;
use crate::time::cron::Cron;
use crate::time::{HOUR, MINUTE, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

/// The most runs that are kept.
pub const KEPT: usize = 100;
/// Milliseconds from a failure to the next attempt, by the number of failures in a row. The schedule may come first.
const PAUSES: [i64; 3] = [5 * MINUTE, 15 * MINUTE, 60 * MINUTE];
/// Milliseconds after its planned time until a missing backup is overdue.
const GRACE: i64 = HOUR;

/// A backup that the server made by itself, or tried to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct BackupRun {
    pub id: BackupRunId,
    /// What `SERVICE_BACKUP_TO` was.
    pub target: String,
    /// Of the archive there.
    pub name: String,
    pub outcome: BackupOutcome,
    pub started_at: Timestamp,
    /// Null while it is running.
    pub ended_at: Option<Timestamp>,
    /// What the archive takes, if it succeeded.
    pub size_bytes: Option<u64>,
    /// Why it failed; if it succeeded, why older backups could not be removed.
    pub error: Option<String>,
}

/// What became of a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BackupOutcome {
    Running,
    Succeeded,
    Failed,
    /// The server stopped; the backup is made after its next start.
    Stopped,
}

impl BackupOutcome {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Stopped => "stopped",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        [Self::Running, Self::Succeeded, Self::Failed, Self::Stopped]
            .into_iter()
            .find(|one| one.as_str() == text)
    }
}

/// When the next backup to `target` is due, given the `runs` so far, newest first: at once if there was none to this
/// target, or if one was missed. `looked_at` is when this was last called.
pub fn due(
    schedule: &Cron,
    target: &str,
    runs: &[BackupRun],
    looked_at: Timestamp,
    now: Timestamp,
) -> Option<Timestamp> {
    let mut runs = runs.iter().filter(|run| run.target == target);
    let Some(last) = runs.next() else { return Some(now) };
    // The clock has been set back since: count from the last call instead.
    let since = if last.started_at > now { looked_at } else { last.started_at };
    let planned = schedule.after(since);
    let again = match last.outcome {
        BackupOutcome::Succeeded => return planned,
        BackupOutcome::Stopped => now,
        // A run that is still recorded as running has an unknown outcome.
        BackupOutcome::Failed | BackupOutcome::Running => {
            let failures = 1 + runs.take_while(|run| run.outcome == BackupOutcome::Failed).count();
            let pause = PAUSES[failures.min(PAUSES.len()) - 1];
            last.ended_at.unwrap_or(now).min(now).plus(pause)
        }
    };
    Some(planned.map_or(again, |planned| planned.min(again)))
}

/// Since when a backup to `target` has been missing: the planned time after the last success, or the first attempt if
/// none has succeeded. A backup in progress is not missing.
pub fn overdue_since(schedule: &Cron, target: &str, runs: &[BackupRun], now: Timestamp) -> Option<Timestamp> {
    let mut runs = runs.iter().filter(|run| run.target == target).peekable();
    if runs.peek()?.outcome == BackupOutcome::Running {
        return None;
    }
    let mut first = None;
    let success =
        runs.inspect(|run| first = Some(run.started_at)).find(|run| run.outcome == BackupOutcome::Succeeded);
    let planned = success.map_or(first, |run| schedule.after(run.started_at))?;
    (planned.plus(GRACE) < now).then_some(planned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::cron::Zone;
    use BackupOutcome::{Failed, Running, Stopped, Succeeded};

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(&format!("2026-11-{text}Z")).unwrap()
    }

    /// Runs that took a minute each, the newest first.
    fn runs(of: &[(&str, BackupOutcome)]) -> Vec<BackupRun> {
        let run = |(started, outcome): &(&str, BackupOutcome)| BackupRun {
            id: BackupRunId(1),
            target: "/backups".into(),
            name: String::new(),
            outcome: *outcome,
            started_at: at(started),
            ended_at: Some(at(started).plus(MINUTE)),
            size_bytes: None,
            error: None,
        };
        of.iter().map(run).collect()
    }

    fn next(of: &[(&str, BackupOutcome)], now: &str) -> Timestamp {
        let schedule = Cron::parse("0 3 * * *", &Zone::default()).unwrap();
        due(&schedule, "/backups", &runs(of), at(now), at(now)).unwrap()
    }

    #[test]
    fn the_first_backup_to_a_target_is_due_at_once() {
        assert_eq!(next(&[], "23T10:00:00"), at("23T10:00:00"));
        let schedule = Cron::parse("0 3 * * *", &Zone::default()).unwrap();
        let (now, runs) = (at("23T10:00:00"), runs(&[("23T03:00:00", Succeeded)]));
        assert_eq!(due(&schedule, "/elsewhere", &runs, now, now), Some(now));
    }

    #[test]
    fn missed_backups_are_due_once() {
        let last = ("20T03:00:05", Succeeded);
        assert_eq!(next(&[last], "23T10:00:00"), at("21T03:00:00"), "it is past, so it is due now");
        assert_eq!(next(&[("23T10:00:00", Succeeded), last], "23T10:05:00"), at("24T03:00:00"));
    }

    #[test]
    fn pauses_after_failures_grow() {
        let failures = [("23T03:40:00", Failed), ("23T03:10:00", Failed), ("23T03:00:00", Failed)];
        assert_eq!(next(&failures[2..], "23T03:01:00"), at("23T03:06:00"));
        assert_eq!(next(&failures[1..], "23T03:11:00"), at("23T03:26:00"));
        assert_eq!(next(&failures, "23T03:41:00"), at("23T04:41:00"));
        assert_eq!(
            next(&[("24T02:58:00", Failed)], "24T02:59:00"),
            at("24T03:00:00"),
            "the schedule comes first"
        );
        assert_eq!(next(&[("23T03:00:00", Stopped)], "23T03:01:00"), at("23T03:01:00"));
    }

    #[test]
    fn a_backup_is_overdue_an_hour_after_its_time_despite_later_attempts() {
        let schedule = Cron::parse("0 3 * * *", &Zone::default()).unwrap();
        let overdue =
            |of: &[(&str, BackupOutcome)], now| overdue_since(&schedule, "/backups", &runs(of), at(now));
        let success = ("20T03:00:05", Succeeded);
        assert_eq!(overdue(&[success], "21T04:00:00"), None);
        assert_eq!(overdue(&[success], "21T04:00:01"), Some(at("21T03:00:00")));
        assert_eq!(overdue(&[("21T04:10:00", Failed), success], "21T04:20:00"), Some(at("21T03:00:00")));
        assert_eq!(overdue(&[("21T04:10:00", Running), success], "21T09:00:00"), None);
        assert_eq!(overdue(&[("21T04:10:00", Succeeded), success], "21T09:00:00"), None);
        let failures = [("20T10:05:00", Failed), ("20T10:00:00", Failed)];
        assert_eq!(overdue(&failures, "20T11:00:00"), None);
        assert_eq!(overdue(&failures, "20T11:00:01"), Some(at("20T10:00:00")), "none has succeeded");
        assert_eq!(overdue(&[], "21T04:00:01"), None, "the server has not started with these settings");
        assert_eq!(overdue_since(&schedule, "/elsewhere", &runs(&[success]), at("23T00:00:00")), None);
    }

    #[test]
    fn a_clock_that_was_ahead_does_not_stop_backups() {
        let schedule = Cron::parse("0 3 * * *", &Zone::default()).unwrap();
        let ahead = runs(&[("29T03:00:00", Succeeded)]);
        let due = |looked_at, now| due(&schedule, "/backups", &ahead, at(looked_at), at(now)).unwrap();
        assert_eq!(due("23T02:55:00", "23T02:59:00"), at("23T03:00:00"));
        assert_eq!(due("23T02:59:00", "23T03:00:01"), at("23T03:00:00"));
    }
}
