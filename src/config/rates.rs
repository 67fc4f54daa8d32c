//! How much each project may send.

use super::reader::Reader;

/// More than any one machine can handle.
const RATE_MAX: u64 = 1_000_000;

/// The rate limits of each project; 0 means unlimited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RateLimits {
    /// `SERVICE_RATE_LIMIT_ERRORS_PER_SECOND`: error events per second. Default 1,000.
    pub errors_per_second: u32,
    /// `SERVICE_RATE_LIMIT_LOGS_PER_SECOND`: log entries per second. Default 5,000.
    pub logs_per_second: u32,
    /// `SERVICE_RATE_LIMIT_KILOBYTES_PER_SECOND`: error events and log entries together, decompressed, and replays
    /// as sent, 1,024 bytes each. Default 10,000.
    pub kilobytes_per_second: u32,
    /// `SERVICE_RATE_LIMIT_REPLAYS_PER_SECOND`: requests with session replays per second. Default 200.
    pub replays_per_second: u32,
    /// `SERVICE_RATE_LIMIT_SOURCEMAPS_PER_HOUR`: source map uploads per hour. Default 100.
    pub sourcemaps_per_hour: u32,
}

impl RateLimits {
    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        Self {
            errors_per_second: reader.rate("SERVICE_RATE_LIMIT_ERRORS_PER_SECOND", 1_000),
            logs_per_second: reader.rate("SERVICE_RATE_LIMIT_LOGS_PER_SECOND", 5_000),
            kilobytes_per_second: reader.rate("SERVICE_RATE_LIMIT_KILOBYTES_PER_SECOND", 10_000),
            replays_per_second: reader.rate("SERVICE_RATE_LIMIT_REPLAYS_PER_SECOND", 200),
            sourcemaps_per_hour: reader.rate("SERVICE_RATE_LIMIT_SOURCEMAPS_PER_HOUR", 100),
        }
    }
}

impl Reader<'_> {
    /// A rate: 0 (unlimited) to [`RATE_MAX`].
    pub(super) fn rate(&mut self, name: &str, default: u32) -> u32 {
        u32::try_from(self.bounded(name, u64::from(default), 0, RATE_MAX)).unwrap_or(u32::MAX)
    }
}
