//! Scheduled backups, and S3-compatible storage.

use super::*;

const SCHEDULE: (&str, &str) = ("SERVICE_BACKUP_SCHEDULE", "0 3 * * *");
const TO: (&str, &str) = ("SERVICE_BACKUP_TO", "/backups");
const S3: [(&str, &str); 2] =
    [("SERVICE_BACKUP_S3_ACCESS_KEY_ID", "AKIA"), ("SERVICE_BACKUP_S3_SECRET_ACCESS_KEY", "canary secret")];

#[test]
fn without_a_schedule_nothing_is_backed_up() {
    let backup = read(&[]).unwrap().backup;
    assert!(backup.scheduled.is_none() && backup.s3.is_none() && backup.passphrase.is_none());
}

#[test]
fn a_schedule_requires_a_target_and_has_defaults() {
    let scheduled = read(&[SCHEDULE, TO]).unwrap().backup.scheduled.unwrap();
    assert_eq!(
        (scheduled.schedule.to_string(), scheduled.schedule.zone().to_string()),
        ("0 3 * * *".into(), "UTC".into())
    );
    assert_eq!(scheduled.target, BackupTarget::Folder("/backups".into()));
    assert_eq!((scheduled.keep, scheduled.secrets), (7, BackupSecrets::Included));
    let sealed = [SCHEDULE, TO, ("SERVICE_BACKUP_PASSPHRASE", "a passphrase for tests")];
    assert_eq!(read(&sealed).unwrap().backup.scheduled.unwrap().secrets, BackupSecrets::Sealed);
    let to = ("SERVICE_BACKUP_TO", "s3://bucket/some/prefix/");
    let scheduled = read(&[SCHEDULE, to, S3[0], S3[1]]).unwrap().backup.scheduled.unwrap();
    assert_eq!(scheduled.target.to_string(), "s3://bucket/some/prefix");
}

#[test]
fn invalid_backup_settings_are_refused() {
    for (values, part) in [
        (&[SCHEDULE][..], "SERVICE_BACKUP_TO is not"),
        (&[("SERVICE_BACKUP_SCHEDULE", "daily"), TO], "a cron expression such as `0 3 * * *`"),
        (&[("SERVICE_BACKUP_SCHEDULE", "0 0 3 * * *"), TO], "a cron expression such as"),
        (&[("SERVICE_BACKUP_SCHEDULE", "0 3 30 2 *"), TO], "with a time that comes"),
        (&[SCHEDULE, TO, ("SERVICE_BACKUP_TIME_ZONE", "Berlin")], "Europe/Berlin"),
        (&[SCHEDULE, TO, ("SERVICE_BACKUP_KEEP", "0")], "from 1 to 1000"),
        (&[SCHEDULE, TO, ("SERVICE_BACKUP_SECRETS", "sealed")], "needs a passphrase"),
        (&[SCHEDULE, TO, ("SERVICE_BACKUP_SECRETS", "none")], "included, sealed, left_out"),
        (&[SCHEDULE, ("SERVICE_BACKUP_TO", "backups")], "an absolute path outside"),
        (&[SCHEDULE, ("SERVICE_BACKUP_TO", "ftp://host/x")], "an absolute path outside"),
        (&[SCHEDULE, ("SERVICE_BACKUP_TO", "s3://bucket/x")], "SERVICE_BACKUP_S3_ACCESS_KEY_ID"),
        (&[SCHEDULE, ("SERVICE_BACKUP_TO", "s3://x")], "3 to 63"),
        (&[SCHEDULE, ("SERVICE_BACKUP_TO", "s3://bucket/../x")], "a prefix of letters"),
        (
            &[SCHEDULE, ("SERVICE_BACKUP_TO", "/data/backups"), ("SERVICE_DATA_DIR", "/data")],
            "outside SERVICE_DATA_DIR",
        ),
        (&[S3[0]], "set both or neither"),
        (&[S3[1]], "set both or neither"),
        (&[S3[0], S3[1], ("SERVICE_BACKUP_S3_ENDPOINT", "minio:9000")], "SERVICE_BACKUP_S3_ENDPOINT"),
        (&[S3[0], S3[1], ("SERVICE_BACKUP_S3_ENDPOINT", "http://minio:9000/bucket")], "without path"),
        (&[("SERVICE_BACKUP_PASSPHRASE_FILE", "/nowhere/at/all")], "/nowhere/at/all"),
    ] {
        let said = refusal(values);
        assert!(said.contains(part) && !said.contains("canary"), "{values:?}: {said}");
    }
}

#[test]
fn a_passphrase_is_the_first_line_of_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("passphrase");
    let named = ("SERVICE_BACKUP_PASSPHRASE_FILE", file.to_str().unwrap());
    std::fs::write(&file, "a passphrase for tests\nmore\n").unwrap();
    let passphrase = read(&[named]).unwrap().backup.passphrase.unwrap();
    assert_eq!(passphrase.as_str(), "a passphrase for tests");
    let both = [named, ("SERVICE_BACKUP_PASSPHRASE", "another passphrase")];
    assert!(refusal(&both).contains("keep one of them"));
    std::fs::write(&file, "canary\n").unwrap();
    let said = refusal(&[named]);
    assert!(said.contains("too short") && !said.contains("canary"), "{said}");
}

#[test]
fn unsealed_secrets_and_plain_http_are_warned_about() {
    let warned = |more: &[(&str, &str)]| {
        let values = [&[SCHEDULE, S3[0], S3[1]], more].concat();
        read(&values).unwrap().warnings().join("\n")
    };
    let to = ("SERVICE_BACKUP_TO", "s3://bucket");
    assert!(warned(&[to]).contains("with their secrets"));
    assert_eq!(warned(&[to, ("SERVICE_BACKUP_SECRETS", "left_out")]), "");
    assert_eq!(warned(&[TO, ("SERVICE_BACKUP_S3_ENDPOINT", "http://10.0.0.7:9000")]), "");
    assert!(warned(&[TO, ("SERVICE_BACKUP_S3_ENDPOINT", "http://s3.example")]).contains("plain http"));
}
