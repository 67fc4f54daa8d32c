//! The instance as its administrators see it.

pub mod http;

use super::heartbeat::{Heartbeat, Sendings};
use super::updates::{Knowledge, Release};
use crate::config::{AnonymousTelemetry, TelemetryMode};
use crate::deliveries::StalledDeliveries;
use crate::jobs::Report;
use crate::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

/// The instance.
#[derive(Serialize, ToSchema)]
pub struct Overview {
    pub version: &'static str,
    pub started_at: Timestamp,
    pub telemetry_mode: TelemetryMode,
    pub update: Update,
    pub heartbeat: HeartbeatStatus,
    pub mail: MailStatus,
    pub gateway: GatewayStatus,
    /// By name.
    pub jobs: Vec<JobStatus>,
}

/// What is known of newer releases.
#[derive(Serialize, ToSchema)]
pub struct Update {
    /// Whether `SERVICE_UPDATE_FEED_URL` is set; otherwise nothing is asked.
    pub enabled: bool,
    /// The last time that the feed answered.
    pub checked_at: Option<Timestamp>,
    /// Why the last check had no answer.
    pub error: Option<String>,
    /// The newest release, if it is newer than this server.
    pub available: Option<AvailableUpdate>,
}

#[derive(Serialize, ToSchema)]
pub struct AvailableUpdate {
    pub version: String,
    /// The page of the release.
    pub url: Option<String>,
    pub first_seen_at: Timestamp,
}

impl Update {
    pub fn new(enabled: bool, known: Knowledge) -> Self {
        if !enabled {
            return Self { enabled, checked_at: None, error: None, available: None };
        }
        let first_seen_at = known.seen_at.or(known.checked_at);
        let available = known.available().cloned().zip(first_seen_at).map(|(release, first_seen_at)| {
            let Release { version, url } = release;
            AvailableUpdate { version: version.to_string(), url, first_seen_at }
        });
        Self { enabled, checked_at: known.checked_at, error: known.error, available }
    }
}

/// What is sent to others about this instance.
#[derive(Serialize, ToSchema)]
pub struct HeartbeatStatus {
    pub enabled: bool,
    pub reason: HeartbeatReason,
    /// Where it goes, without the query.
    pub endpoint: Option<String>,
    /// The last one that arrived.
    pub last_sent_at: Option<Timestamp>,
    /// What is sent, or would be.
    pub payload: Heartbeat,
}

/// Why it is sent, or not.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HeartbeatReason {
    /// It is sent daily.
    Configured,
    /// `SERVICE_ANONYMOUS_TELEMETRY_DISABLED` is set.
    Disabled,
    /// This build has no endpoint, and `SERVICE_ANONYMOUS_TELEMETRY_ENDPOINT` is not set.
    NoEndpoint,
}

impl HeartbeatStatus {
    pub fn new(telemetry: &AnonymousTelemetry, sendings: Sendings, payload: Heartbeat) -> Self {
        let reason = match &telemetry.endpoint {
            None => HeartbeatReason::NoEndpoint,
            Some(_) if telemetry.disabled => HeartbeatReason::Disabled,
            Some(_) => HeartbeatReason::Configured,
        };
        let without_query = |url: &String| url.split('?').next().unwrap_or_default().to_owned();
        Self {
            enabled: telemetry.destination().is_some(),
            reason,
            endpoint: telemetry.endpoint.as_ref().map(without_query),
            last_sent_at: sendings.sent_at,
            payload,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct MailStatus {
    pub configured: bool,
    /// Mails that were tried and will be tried again.
    pub waiting: i64,
    /// When the oldest of them was written.
    pub waiting_since: Option<Timestamp>,
    /// Why its last attempt failed.
    pub error: Option<String>,
}

impl MailStatus {
    pub fn new(configured: bool, stuck: StalledDeliveries) -> Self {
        Self { configured, waiting: stuck.count, waiting_since: stuck.since, error: stuck.answer }
    }
}

/// The model gateway.
#[derive(Serialize, ToSchema)]
pub struct GatewayStatus {
    pub enabled: bool,
}

/// What a job has done since the start.
#[derive(Serialize, ToSchema)]
pub struct JobStatus {
    pub name: &'static str,
    pub running: bool,
    /// Runs that ended.
    pub runs: u64,
    /// Those of them that failed; the log says why.
    pub failures: u64,
    pub last_run: Option<JobRun>,
}

/// The last run that ended.
#[derive(Serialize, ToSchema)]
pub struct JobRun {
    pub began_at: Timestamp,
    pub duration_ms: u64,
    pub succeeded: bool,
}

impl JobStatus {
    pub fn new(name: &'static str, report: Report) -> Self {
        let last_run = report.last_run.map(|run| JobRun {
            began_at: run.began_at,
            duration_ms: u64::try_from(run.took.as_millis()).unwrap_or(u64::MAX),
            succeeded: run.succeeded,
        });
        Self { name, running: report.running, runs: report.runs, failures: report.failures, last_run }
    }
}
