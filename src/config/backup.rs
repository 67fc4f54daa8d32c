//! Backups on a schedule, and access to S3-compatible storage.

use super::reader::Reader;
use super::values::{self, Expected};
use crate::crypto::passphrase::PASSPHRASE_MIN;
use crate::crypto::secret::Secret;
use crate::time::cron::Cron;
use serde::Serialize;
use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};
use url::Url;
use utoipa::ToSchema;

/// The prefix of addresses in S3-compatible storage.
const SCHEME: &str = "s3://";
/// Lengths of a bucket's name, and of a key.
const BUCKET: std::ops::RangeInclusive<usize> = 3..=63;
const KEY_MAX: usize = 512;

/// Everything about backups.
#[derive(Debug, Clone)]
pub struct BackupConfig {
    /// `SERVICE_BACKUP_PASSPHRASE`, at least 12 bytes, or the first line of `SERVICE_BACKUP_PASSPHRASE_FILE`: seals the
    /// secrets in backups, and opens them. Default: the commands ask for it.
    pub passphrase: Option<Secret>,
    /// The backups that the server makes by itself, if `SERVICE_BACKUP_SCHEDULE` is set.
    pub scheduled: Option<ScheduledBackups>,
    /// Access to S3-compatible storage, if `SERVICE_BACKUP_S3_ACCESS_KEY_ID` is set.
    pub s3: Option<S3Config>,
}

/// The backups that the server makes by itself.
#[derive(Debug, Clone)]
pub struct ScheduledBackups {
    /// `SERVICE_BACKUP_SCHEDULE`, a cron expression of five fields, in `SERVICE_BACKUP_TIME_ZONE` (default UTC).
    pub schedule: Cron,
    /// `SERVICE_BACKUP_TO`: a directory, or `s3://bucket/prefix`.
    pub target: BackupTarget,
    /// `SERVICE_BACKUP_KEEP`: how many are kept, 1 to 1,000. Default 7.
    pub keep: usize,
    /// `SERVICE_BACKUP_SECRETS`. Default: sealed if there is a passphrase, otherwise included.
    pub secrets: BackupSecrets,
}

/// What becomes of the data directory's secrets in a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BackupSecrets {
    Included,
    /// With the passphrase.
    Sealed,
    LeftOut,
}

/// Where backups are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BackupTarget {
    Folder(PathBuf),
    S3(S3Address),
}

/// A place in S3-compatible storage: a bucket, and a key or the beginning of keys, without slashes at its ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct S3Address {
    pub bucket: String,
    pub key: String,
}

/// Access to S3-compatible storage.
#[derive(Debug, Clone)]
pub struct S3Config {
    /// `SERVICE_BACKUP_S3_ENDPOINT`. Default: AWS, in the region.
    pub endpoint: Option<String>,
    /// `SERVICE_BACKUP_S3_REGION`. Default `us-east-1`.
    pub region: String,
    /// `SERVICE_BACKUP_S3_ACCESS_KEY_ID`.
    pub access_key_id: String,
    /// `SERVICE_BACKUP_S3_SECRET_ACCESS_KEY`.
    pub secret_access_key: Secret,
}

impl BackupConfig {
    pub(super) fn read(reader: &mut Reader<'_>, data_dir: &Path) -> Self {
        let passphrase = passphrase(reader);
        let s3 = S3Config::read(reader);
        let scheduled = ScheduledBackups::read(reader, data_dir, passphrase.is_some(), s3.is_some());
        Self { passphrase, scheduled, s3 }
    }
}

impl ScheduledBackups {
    fn read(reader: &mut Reader<'_>, data_dir: &Path, is_sealable: bool, has_s3: bool) -> Option<Self> {
        let zone = reader.value("SERVICE_BACKUP_TIME_ZONE", values::time_zone).unwrap_or_default();
        let schedule = reader.value("SERVICE_BACKUP_SCHEDULE", |value| values::cron(value, &zone));
        let target = reader.value("SERVICE_BACKUP_TO", |value| target(value, data_dir));
        let keep = reader.bounded("SERVICE_BACKUP_KEEP", 7, 1, 1_000);
        let secrets = secrets(reader, is_sealable);
        if reader.text("SERVICE_BACKUP_SCHEDULE").is_some() && reader.text("SERVICE_BACKUP_TO").is_none() {
            reader.fault(
                "SERVICE_BACKUP_SCHEDULE is set but SERVICE_BACKUP_TO is not: name the directory or s3://bucket/prefix \
                 that backups go to",
            );
        }
        if matches!(target, Some(BackupTarget::S3(_))) && !has_s3 {
            reader.fault(
                "SERVICE_BACKUP_TO is in S3 storage: set SERVICE_BACKUP_S3_ACCESS_KEY_ID and \
                 SERVICE_BACKUP_S3_SECRET_ACCESS_KEY, too",
            );
        }
        Some(Self { schedule: schedule?, target: target?, keep: keep as usize, secrets })
    }
}

impl S3Config {
    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let endpoint = reader.value("SERVICE_BACKUP_S3_ENDPOINT", endpoint);
        let region = reader.value("SERVICE_BACKUP_S3_REGION", values::token);
        let id = reader.value("SERVICE_BACKUP_S3_ACCESS_KEY_ID", values::token);
        let secret = reader.token("SERVICE_BACKUP_S3_SECRET_ACCESS_KEY");
        if id.is_some() != secret.is_some() {
            reader.fault(
                "one of SERVICE_BACKUP_S3_ACCESS_KEY_ID and SERVICE_BACKUP_S3_SECRET_ACCESS_KEY is missing or not \
                 accepted: set both or neither",
            );
        }
        let region = region.unwrap_or_else(|| "us-east-1".to_owned());
        Some(Self { endpoint, region, access_key_id: id?, secret_access_key: secret? })
    }

    /// Whether requests are sent unencrypted.
    pub(super) fn is_plain(&self) -> bool {
        self.endpoint.as_deref().is_some_and(|endpoint| endpoint.starts_with("http://"))
    }
}

impl S3Address {
    /// Parses `s3://bucket/key`; `None` if the text does not begin like that.
    ///
    /// # Errors
    /// What was expected.
    pub fn parse(text: &str) -> Option<Result<Self, &'static str>> {
        let (bucket, key) =
            text.strip_prefix(SCHEME).map(|rest| rest.split_once('/').unwrap_or((rest, "")))?;
        let key = key.trim_matches('/');
        let of_bucket =
            |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.' | '_');
        let of_key = |c: char| c.is_ascii_alphanumeric() || "-_.!'() /+=@,:".contains(c);
        let is_part = |part: &str| !matches!(part, "" | "." | "..");
        let key_is_good = key.is_empty() || (key.split('/').all(is_part) && key.chars().all(of_key));
        Some(match BUCKET.contains(&bucket.len()) && bucket.chars().all(of_bucket) {
            false => Err("s3://bucket/prefix, with a bucket of 3 to 63 lower-case letters, digits, - and ."),
            true if !key_is_good || key.len() > KEY_MAX => {
                Err("s3://bucket/prefix, with a prefix of letters, digits and -_./ of at most 512 characters")
            }
            true => Ok(Self { bucket: bucket.to_owned(), key: key.to_owned() }),
        })
    }

    /// The address of `name` below this one.
    #[must_use]
    pub fn join(&self, name: &str) -> Self {
        let key = if self.key.is_empty() { name.to_owned() } else { format!("{}/{name}", self.key) };
        Self { bucket: self.bucket.clone(), key }
    }
}

impl fmt::Display for S3Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slash = if self.key.is_empty() { "" } else { "/" };
        write!(f, "{SCHEME}{}{slash}{}", self.bucket, self.key)
    }
}

impl fmt::Display for BackupTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(path) => path.display().fmt(f),
            Self::S3(address) => address.fmt(f),
        }
    }
}

/// From the variable, or from the file.
fn passphrase(reader: &mut Reader<'_>) -> Option<Secret> {
    let direct = reader.secret("SERVICE_BACKUP_PASSPHRASE", PASSPHRASE_MIN);
    let Some(path) = reader.text("SERVICE_BACKUP_PASSPHRASE_FILE") else { return direct };
    if direct.is_some() {
        reader.fault(
            "SERVICE_BACKUP_PASSPHRASE and SERVICE_BACKUP_PASSPHRASE_FILE are both set: keep one of them",
        );
        return direct;
    }
    let read = std::fs::read_to_string(path).map_err(|error| error.to_string());
    let read = read.and_then(|text| match text.lines().next().unwrap_or_default() {
        line if line.len() < PASSPHRASE_MIN => {
            Err(format!("its first line is too short, expected at least {PASSPHRASE_MIN} bytes"))
        }
        line => Ok(Secret::new(line)),
    });
    read.map_err(|cause| {
        reader.fault(format!("SERVICE_BACKUP_PASSPHRASE_FILE={path:?} cannot be used: {cause}"))
    })
    .ok()
}

fn secrets(reader: &mut Reader<'_>, is_sealable: bool) -> BackupSecrets {
    use BackupSecrets::{Included, LeftOut, Sealed};
    let choices = [("included", Included), ("sealed", Sealed), ("left_out", LeftOut)];
    let chosen = reader.choice("SERVICE_BACKUP_SECRETS", &choices);
    if chosen == Some(Sealed) && !is_sealable {
        reader.fault(
            "SERVICE_BACKUP_SECRETS=\"sealed\" needs a passphrase: set SERVICE_BACKUP_PASSPHRASE_FILE or \
             SERVICE_BACKUP_PASSPHRASE",
        );
    }
    chosen.unwrap_or(if is_sealable { Sealed } else { Included })
}

fn target(value: &str, data_dir: &Path) -> Result<BackupTarget, Expected> {
    if let Some(address) = S3Address::parse(value) {
        return address.map(BackupTarget::S3).map_err(Cow::Borrowed);
    }
    let folder = PathBuf::from(value);
    let is_inside = std::path::absolute(&folder)
        .and_then(|folder| Ok(folder.starts_with(std::path::absolute(data_dir)?)))
        .unwrap_or(false);
    if value.contains("://") || !folder.is_absolute() || is_inside {
        return Err("an absolute path outside SERVICE_DATA_DIR, or s3://bucket/prefix".into());
    }
    Ok(BackupTarget::Folder(folder))
}

fn endpoint(value: &str) -> Result<String, Expected> {
    let expected = || Cow::Borrowed("an http or https address without path, user and password");
    let url: Url = values::address(value, &["http", "https"]).ok_or_else(expected)?;
    if url.path() != "/" || url.query().is_some() {
        return Err(expected());
    }
    Ok(value.trim_end_matches('/').to_owned())
}
