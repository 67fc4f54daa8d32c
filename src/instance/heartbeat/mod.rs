//! The anonymous heartbeat: reports that this installation exists, with its version and platform. It contains nothing
//! about people or data, and identifies the installation only by a random id.

pub mod service;
pub mod sql;

use super::VERSION;
use crate::config::TelemetryMode;
use crate::time::{DAY, HOUR, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

/// The interval between heartbeats, in milliseconds. The job checks every hour, so this is at most a day.
const PAUSE: i64 = DAY - HOUR;
/// The same for the first heartbeat of a process, so that repeated restarts send no more than this.
const PAUSE_AT_START: i64 = HOUR;

/// What is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Heartbeat {
    /// Random, made with the data directory.
    pub install_uuid: String,
    /// `server`
    pub surface: &'static str,
    pub telemetry_mode: TelemetryMode,
    /// `VERSION`
    pub record_type: &'static str,
    pub payload: VersionRecord,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VersionRecord {
    pub app_version: &'static str,
    /// The operating system, such as `linux`.
    pub platform: &'static str,
    /// The architecture, such as `x86_64`.
    pub arch: &'static str,
}

impl Heartbeat {
    pub fn new(install_uuid: String, telemetry_mode: TelemetryMode) -> Self {
        let (platform, arch) = (std::env::consts::OS, std::env::consts::ARCH);
        let payload = VersionRecord { app_version: VERSION, platform, arch };
        Self { install_uuid, surface: "server", telemetry_mode, record_type: "VERSION", payload }
    }
}

/// When heartbeats were attempted and sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sendings {
    pub tried_at: Option<Timestamp>,
    /// The last one that arrived.
    pub sent_at: Option<Timestamp>,
}

impl Sendings {
    /// Whether a heartbeat is due; `at_start`: this process has sent none. A time in the future, from before the
    /// clock was set back, does not count.
    fn is_due(self, at_start: bool, now: Timestamp) -> bool {
        let pause = if at_start { PAUSE_AT_START } else { PAUSE };
        self.tried_at.is_none_or(|tried| tried > now || tried.plus(pause) <= now)
    }
}

#[cfg(test)]
mod tests;
