//! How long data is kept unless a project says otherwise.

use super::reader::Reader;

/// Ten years: whoever keeps data for longer keeps it forever.
pub const DAYS_MAX: u64 = 3_650;
/// More than any disk holds.
pub const COUNT_MAX: u64 = 1_000_000_000_000;
/// A petabyte.
pub const MEGABYTES_MAX: u64 = 1_000_000_000;

/// What each project keeps of one kind of data; 0 means unlimited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ConfiguredLimits {
    /// Whole days (UTC) since it was received.
    pub days: u64,
    /// How many to keep: the newest.
    pub count: u64,
    /// How many MiB to keep, as stored: the newest.
    pub megabytes: u64,
}

/// The limits of each project; everything is kept by default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RetentionConfig {
    /// `SERVICE_RETENTION_EVENTS_DAYS`, `…_COUNT` and `…_MB`.
    pub events: ConfiguredLimits,
    /// `SERVICE_RETENTION_LOGS_DAYS`, `…_COUNT` (entries) and `…_MB`.
    pub logs: ConfiguredLimits,
    /// `SERVICE_RETENTION_REPLAYS_DAYS`, `…_COUNT` and `…_MB`.
    pub replays: ConfiguredLimits,
    /// `SERVICE_RETENTION_SESSIONS_DAYS`: days (24 hours) that sessions of agents are kept after their end, of the whole
    /// instance.
    pub sessions_days: u64,
}

impl RetentionConfig {
    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        Self {
            events: ConfiguredLimits {
                days: reader.bounded("SERVICE_RETENTION_EVENTS_DAYS", 0, 0, DAYS_MAX),
                count: reader.bounded("SERVICE_RETENTION_EVENTS_COUNT", 0, 0, COUNT_MAX),
                megabytes: reader.bounded("SERVICE_RETENTION_EVENTS_MB", 0, 0, MEGABYTES_MAX),
            },
            logs: ConfiguredLimits {
                days: reader.bounded("SERVICE_RETENTION_LOGS_DAYS", 0, 0, DAYS_MAX),
                count: reader.bounded("SERVICE_RETENTION_LOGS_COUNT", 0, 0, COUNT_MAX),
                megabytes: reader.bounded("SERVICE_RETENTION_LOGS_MB", 0, 0, MEGABYTES_MAX),
            },
            replays: ConfiguredLimits {
                days: reader.bounded("SERVICE_RETENTION_REPLAYS_DAYS", 0, 0, DAYS_MAX),
                count: reader.bounded("SERVICE_RETENTION_REPLAYS_COUNT", 0, 0, COUNT_MAX),
                megabytes: reader.bounded("SERVICE_RETENTION_REPLAYS_MB", 0, 0, MEGABYTES_MAX),
            },
            sessions_days: reader.bounded("SERVICE_RETENTION_SESSIONS_DAYS", 0, 0, DAYS_MAX),
        }
    }
}
