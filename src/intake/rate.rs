//! Limits how much is accepted for each project. Each has its own buckets, so that one project's flood takes
//! nothing from the others.

use super::decode::{BATCH_EVENTS_MAX, BATCH_MAX};
use super::room::DiskUse;
use crate::config::RateLimits;
use crate::error::{Error, Quota, Result};
use crate::event::replay::WIRE_MAX;
use crate::http::body::Share;
use crate::rate::{Bucket, Rate, RateRefusal, nanos};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// How long after a refusal intake skims bodies for their keys first, in nanoseconds.
const PRESSED: u64 = 1_000_000_000;

/// Requests with replays that may come at once.
const REPLAYS_AT_ONCE: u32 = 100;

/// The kinds of buckets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An event costs one, and so does each entry of a batch, usable or not.
    Errors,
    Logs,
    /// A request with a part of a session replay costs one.
    Replays,
    /// A KiB of events, entries or replays costs one.
    Bytes,
    /// A bundle of source maps costs one.
    SourceMaps,
}

/// A project's own resources: buckets, a share of the memory for bodies, and its use of the disk.
#[derive(Debug, Default)]
pub struct Buckets {
    errors: Bucket,
    logs: Bucket,
    replays: Bucket,
    bytes: Bucket,
    source_maps: Bucket,
    /// Its share of the memory for bodies.
    pub(super) share: Arc<Share>,
    pub(super) taken: DiskUse,
}

/// The rates of all projects.
#[derive(Debug, Default)]
pub struct Limiter {
    errors: Rate,
    logs: Rate,
    replays: Rate,
    bytes: Rate,
    source_maps: Rate,
    /// The last refusal of events, in [`nanos`]; 0: none yet.
    refused_at: AtomicU64,
}

impl Limiter {
    pub fn new(limits: RateLimits) -> Self {
        let batch = BATCH_EVENTS_MAX as u32;
        Self {
            errors: Rate::per_second(limits.errors_per_second, batch),
            logs: Rate::per_second(limits.logs_per_second, batch),
            replays: Rate::per_second(limits.replays_per_second, REPLAYS_AT_ONCE),
            bytes: Rate::of_bytes(limits.kilobytes_per_second, kibibytes(BATCH_MAX.max(WIRE_MAX))),
            source_maps: Rate::per_hour(limits.sourcemaps_per_hour),
            refused_at: AtomicU64::new(0),
        }
    }

    /// Takes `cost` from a project's bucket, and `bytes` from its bucket of bytes.
    ///
    /// # Errors
    /// Too many: nothing was taken, and nothing may be stored.
    pub fn take_with_bytes(&self, buckets: &Buckets, kind: Kind, cost: usize, bytes: usize) -> Result<()> {
        let kibibytes = kibibytes(bytes);
        self.take(buckets, Kind::Bytes, kibibytes as usize)?;
        self.take(buckets, kind, cost).inspect_err(|_| buckets.bytes.give_back(self.bytes, kibibytes))
    }

    /// Takes `cost` from a project's bucket.
    ///
    /// # Errors
    /// Too many: nothing was taken, and nothing may be stored.
    pub fn take(&self, buckets: &Buckets, kind: Kind, cost: usize) -> Result<()> {
        let (bucket, rate) = match kind {
            Kind::Errors => (&buckets.errors, self.errors),
            Kind::Logs => (&buckets.logs, self.logs),
            Kind::Replays => (&buckets.replays, self.replays),
            Kind::Bytes => (&buckets.bytes, self.bytes),
            Kind::SourceMaps => (&buckets.source_maps, self.source_maps),
        };
        if rate.limit() == 0 {
            return Ok(());
        }
        let now = Instant::now();
        bucket.take(rate, u32::try_from(cost).unwrap_or(u32::MAX), now).map_err(|refused| {
            if kind != Kind::SourceMaps {
                self.refused_at.store(nanos(now).max(1), Ordering::Relaxed);
            }
            too_many(kind, rate.limit(), refused)
        })
    }

    /// Whether some project was refused recently: then it pays to look for the key before anything else.
    pub fn is_pressed(&self) -> bool {
        let at = self.refused_at.load(Ordering::Relaxed);
        at != 0 && nanos(Instant::now()).saturating_sub(at) < PRESSED
    }
}

/// Rounded up.
fn kibibytes(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(1 << 10)).unwrap_or(u32::MAX)
}

fn too_many(kind: Kind, limit: u32, refused: RateRefusal) -> Error {
    let (what, variable) = match kind {
        Kind::Errors => ("events a second", "SERVICE_RATE_LIMIT_ERRORS_PER_SECOND"),
        Kind::Logs => ("log entries a second", "SERVICE_RATE_LIMIT_LOGS_PER_SECOND"),
        Kind::Replays => ("requests with replays a second", "SERVICE_RATE_LIMIT_REPLAYS_PER_SECOND"),
        Kind::Bytes => ("kilobytes a second", "SERVICE_RATE_LIMIT_KILOBYTES_PER_SECOND"),
        Kind::SourceMaps => ("source map uploads an hour", "SERVICE_RATE_LIMIT_SOURCEMAPS_PER_HOUR"),
    };
    let seconds = refused.seconds();
    let unit = if seconds == 1 { "second" } else { "seconds" };
    Error::TooMany {
        text: format!(
            "This project sends more than {limit} {what}: nothing of this request was stored. Send it again in \
             {seconds} {unit}, or ask who runs this server to raise {variable}."
        )
        .into(),
        retry_after: seconds,
        quota: Some(Quota { limit, remaining: refused.remaining.min(limit) }),
    }
}

#[cfg(test)]
mod tests;
