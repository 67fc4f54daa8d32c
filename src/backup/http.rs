//! `/api/v1/instance/backups`.

use super::retention::KeptBackup;
use super::runs::BackupRun;
use super::schedule::{BackupSchedule, last_success};
use super::service::Backups;
use crate::access::Administrator;
use crate::error::Result;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

/// The runs that are shown.
const SHOWN: usize = 20;

/// The backups that the server makes by itself.
#[derive(Serialize, ToSchema)]
pub struct InstanceBackups {
    /// Null without `SERVICE_BACKUP_SCHEDULE`.
    pub schedule: Option<BackupSchedule>,
    /// The newest run that succeeded, wherever it went.
    pub last_success: Option<BackupRun>,
    /// The newest first, at most 20.
    pub runs: Vec<BackupRun>,
    /// What is at the target now, the newest first; null without a schedule, or if it could not be listed.
    pub kept: Option<Vec<KeptBackup>>,
    /// Why it could not be listed.
    pub kept_error: Option<String>,
}

/// Shows when the server makes backups, what became of the last ones, and which are kept.
#[utoipa::path(get, path = "/api/v1/instance/backups", tag = "server",
    extensions(("x-access" = json!(Administrator::needs()))), responses((status = 200, body = InstanceBackups)))]
pub async fn list_backups(
    State(backups): State<Backups>,
    _administrator: Administrator,
) -> Result<Answer<InstanceBackups>> {
    let mut runs = backups.runs().await?;
    let scheduled = backups.config.scheduled.as_ref();
    let schedule = scheduled.map(|scheduled| BackupSchedule::new(scheduled, &runs, Timestamp::now()));
    let (kept, kept_error) = match scheduled {
        None => (None, None),
        Some(scheduled) => match backups.kept(scheduled).await {
            Ok(kept) => (Some(kept), None),
            Err(error) => (None, Some(error.for_operator())),
        },
    };
    let last_success = last_success(&runs).cloned();
    runs.truncate(SHOWN);
    Ok(Answer(InstanceBackups { schedule, last_success, runs, kept, kept_error }))
}
