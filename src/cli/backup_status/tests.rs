use super::*;
use crate::config::BackupSecrets;
use crate::ids::BackupRunId;
use BackupOutcome::{Failed, Running, Succeeded};

fn at(text: &str) -> Timestamp {
    Timestamp::parse(&format!("2026-11-{text}Z")).unwrap()
}

fn run(target: &str, started: &str, outcome: BackupOutcome, error: Option<&str>) -> BackupRun {
    BackupRun {
        id: BackupRunId(1),
        target: target.to_owned(),
        name: "mayday-0123456789ab-20261123T030000Z.tar.zst".to_owned(),
        outcome,
        started_at: at(started),
        ended_at: (outcome != Running).then(|| at(started)),
        size_bytes: (outcome == Succeeded).then_some(3 << 20),
        error: error.map(str::to_owned),
    }
}

fn status(runs: Vec<BackupRun>, overdue_since: Option<&str>) -> Status {
    let schedule = BackupSchedule {
        cron: "0 3 * * *".to_owned(),
        time_zone: "UTC".to_owned(),
        target: "/backups".to_owned(),
        keep: 7,
        secrets: BackupSecrets::Included,
        next_run_at: Some(at("24T03:00:00")),
        overdue_since: overdue_since.map(at),
    };
    Status::new(Some(schedule), runs)
}

#[track_caller]
fn says(status: &Status, level: Level, words: &[&str]) {
    assert_eq!(status.level, level, "{}", status.text);
    for word in words {
        assert!(status.text.contains(word), "{word}: {}", status.text);
    }
}

#[test]
fn the_last_success_and_the_next_run_are_reported() {
    let success = run("/backups", "23T03:00:00", Succeeded, None);
    let well = status(vec![success.clone()], None);
    says(&well, Level::Ok, &["23T03:00:00", "3.0 MiB", "/backups", "24T03:00:00"]);
    assert_eq!((well.last_success, well.last_failure), (Some(success), None));
    let full = run("/backups", "23T03:00:00", Succeeded, Some("Older backups could not be removed: no"));
    says(&status(vec![full], None), Level::Warning, &["Older backups"]);
    says(&status(vec![run("/backups", "23T03:00:00", Running, None)], None), Level::Ok, &["being made"]);
}

#[test]
fn a_failure_is_reported_with_its_cause_and_a_missing_backup_is_an_error() {
    let failure = run("/backups", "23T03:00:00", Failed, Some("no such bucket"));
    let success = run("/backups", "22T03:00:00", Succeeded, None);
    let words = ["no such bucket", "22T03:00:00"];
    let again = run("/backups", "23T03:05:00", Running, None);
    says(&status(vec![again, failure.clone(), success.clone()], None), Level::Warning, &words);
    let failing = status(vec![failure.clone(), success.clone()], Some("23T03:00:00"));
    says(&failing, Level::Error, &words);
    assert_eq!((failing.last_success, failing.last_failure), (Some(success.clone()), Some(failure.clone())));
    says(&status(vec![success], Some("23T03:00:00")), Level::Error, &["overdue", "not tried"]);
    says(&status(vec![failure], None), Level::Warning, &["none has succeeded yet"]);
}

#[test]
fn backups_to_another_target_do_not_count() {
    let elsewhere = vec![run("/old", "23T03:00:00", Succeeded, None)];
    says(&status(elsewhere.clone(), None), Level::Warning, &["none was made to /backups yet"]);
    let off = Status::new(None, elsewhere);
    says(&off, Level::Ok, &["SERVICE_BACKUP_SCHEDULE is not set"]);
    assert!(off.last_success.is_some() && off.schedule.is_none());
}
